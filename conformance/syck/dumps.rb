# frozen_string_literal: true

# Writes random values with Ketch::Syck.dump and reads them with the dialect, with Psych, and with Syck's Ruby layer:
# ruby dumps.rb COUNT SEED COMMAND, where COMMAND runs load.rb. conformance/syck/dumps runs it.
require "ketch/syck"
require "psych"
load File.join(__dir__, "values.rb")

COUNT, SEED = ARGV.first(2).map { |text| Integer(text) }
RANDOM = Random.new(SEED)
TEXTS = ["", "x", "1", "08", "0x1F", "1:30", "-1:30", "1,000", "1_000", "1.5e+3", "null", "~", "yes", "Off", "y", "n", "=",
         "<<", ":a", "a:", "a: b", "a #b", "#", "- a", "-", "? a", "?", "| a", ">", "!x", "&a", "*a", "@a", "`a", "%a", ",a",
         "[a", "a]", "{a", "a}", "'a'", "\"a\"", "a\\b", "\\", " a", "a ", "\n", "\n\n", "a\n", "a\nb", "a\n\nb\n", "a\n b\n",
         " a\nb", "a \nb", "a\n\n", "\ta", "a\tb", "a\r\nb", "\r", "---", "--- a", "...", "%YAML:1.0", "é", "日本\n語", "\u{1F600}",
         "\0", "\e[0m", "\x7F", "\u0085", "\u2028", "\uFEFFa", "2001-01-01", "2001-12-14 21:59:43 -05:00", ".inf", "x" * 300,
         "word " * 60].freeze
BITS = ["a", "b", " ", "\n", ":", "-", "#", ",", "[", "]", "{", "}", "'", "\"", "\\", "!", "&", "*", "|", ">", "%", "@", "1", ".",
        "é", "\t", "?", "="].freeze

def text
  RANDOM.rand(3).zero? ? Array.new(RANDOM.rand(8)) { BITS.sample(random: RANDOM) }.join : TEXTS.sample(random: RANDOM)
end

def scalar
  case RANDOM.rand(8)
  when 0 then RANDOM.rand(-1000..1000)
  when 1 then RANDOM.rand(2**70) - 2**69
  when 2 then (RANDOM.rand - 0.5) * 10.0**RANDOM.rand(-30..30)
  when 3 then [true, false, nil, 1.0 / 0, -1.0 / 0].sample(random: RANDOM)
  else text
  end
end

def value(depth)
  case depth.positive? ? RANDOM.rand(5) : 4
  when 0, 1 then Array.new(RANDOM.rand(4)) { value(depth - 1) }
  when 2, 3 then Array.new(RANDOM.rand(4)) { [RANDOM.rand(20).zero? ? value(1) : scalar, value(depth - 1)] }.to_h
  else scalar
  end
end

oracle = IO.popen(ARGV.drop(2), "r+b")
different = Hash.new(0)
psych = 0
COUNT.times do |index|
  made = value(3)
  text = Ketch::Syck.dump(made, indentation: index.even? ? :c : :yecht)
  expected = shown(made)
  oracle.write([text.bytesize].pack("N"), text.b)
  oracle.flush
  found = { "Yecht" => oracle.read(oracle.read(4).unpack1("N")), "the dialect" => shown(Ketch::Syck.load(text)) }
  # Psych reads binary as bytes, and merges "<<" even in quotes.
  unless text.match?(/!binary|"<<":/)
    psych += 1
    found["Psych"] = shown(Psych.safe_load(text))
  end
  found.each do |reader, read|
    next if read == expected

    different[reader] += 1
    puts "#{reader}\n#{text}expected #{expected}\nfound    #{read}\n\n" if different[reader] <= 3
  end
end
oracle.close
puts "#{COUNT} values, #{psych} of them also read by Psych: #{different.empty? ? "no differences" : different.inspect}"
exit different.empty?
