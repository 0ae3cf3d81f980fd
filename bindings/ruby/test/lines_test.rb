# frozen_string_literal: true

require_relative "helper"

# Ketch.each_line, Ketch.lines and Ketch.split.
class LinesTest < Minitest::Test
  # rake test TEST=test/lines_test.rb COUNT=1000000 SEED=1
  COUNT = Integer(ENV.fetch("COUNT", 5000))
  LETTERS = ["a", "b", "c", "\n", "\n", "\r\n", " ", "é", "日", "x", "1"].freeze
  ATOMS = ["a", "b", ".", '\n', '\r?\n', "[ab]", '\s', "(a)", "(b|c)", "^", "$", '\b', "é", "(?=b)", "(?<=a)", '\R', "x",
           "(?:ab)", "[^a]", '\z', '\A', "(?>a+)"].freeze
  REPEATS = ["", "", "", "", "*", "+", "?", "*?", "+?", "??", "{2}"].freeze
  SEPARATORS = ["\n", "", nil, "a", "ab", "\r\n", "aa", "é", "xx"].freeze

  # Returns a random pattern, which may be invalid: Ruby decides whether an anchor can be repeated.
  def pattern(random)
    parts = Array.new(1 + random.rand(3)) { Array.new(1 + random.rand(2)) { ATOMS.sample(random: random) + REPEATS.sample(random: random) }.join }
    parts.join(["", "|"].sample(random: random))
  end

  def text(random) = Array.new(random.rand(13)) { LETTERS.sample(random: random) }.join

  # The default is fixed, because Ruby misses matches of a few random patterns: CRuby those of `\b.+\n` that are not at the start
  # of a line, and JRuby those of `(b|c)?\z+?`. conformance/regex has a rule for the first.
  def seed = Integer(ENV.fetch("SEED", 1))

  def test_splits_are_those_of_ruby
    random = Random.new(first = seed)
    patterns = Array.new(COUNT / 20) { pattern(random) }.map { |source| [::Regexp.new(source), Ketch::Regexp.new(source)] }
    COUNT.times do
      theirs, ours = patterns.sample(random: random)
      string, limit = text(random), random.rand(-1..4)
      expected, found = string.split(theirs, limit), Ketch.split(string, ours, limit)
      assert(expected == found, "seed #{first}: #{theirs.inspect} on #{string.inspect}, #{limit}: #{found}, Ruby #{expected}")
    end
  end

  def test_splits_at_texts_are_those_of_ruby
    ["", " ", nil, ",", "ab", "é"].product(["", " a b  c ", "a,b,,", "abab", "éaé"], [0, 1, 2, -1]) do |separator, string, limit|
      expected = limit.zero? ? string.split(separator) : string.split(separator, limit)
      assert_equal expected, Ketch.split(string, separator, limit)
    end
  end

  # Returns the lines that Ruby's scan finds: they end with matches that are not empty.
  def lines_by_scan(pattern, string, chomp)
    lines, last = [], 0
    string.scan(pattern) do
      first, past = $~.offset(0)
      next if first == past

      lines << string[last...(chomp ? first : past)]
      last = past
    end
    lines << string[last..] if last < string.size
    lines
  end

  # Reads a few characters at a time, as a pipe may.
  Pipe = Struct.new(:text, :step) do
    def read(count = nil)
      part = text.byteslice((@at ||= 0), [step, count].min)
      @at += part.bytesize
      part.empty? ? nil : part.b
    end
  end

  def test_lines_end_in_matches
    random = Random.new(first = seed)
    (COUNT / 5).times do
      source, string, chomp = pattern(random), text(random), random.rand(2).zero?
      expected = lines_by_scan(::Regexp.new(source), string, chomp)
      regexp = Ketch::Regexp.new(source)
      found = Ketch.lines(string, regexp, chomp: chomp)
      assert(expected == found, "seed #{first}: /#{source}/ on #{string.inspect}: #{found}, Ruby #{expected}")
      piped = Ketch.lines(Pipe.new(string, 1 + random.rand(4)), regexp, chomp: chomp)
      assert(expected.map(&:b) == piped.map(&:b), "seed #{first}: /#{source}/ on #{string.inspect} in parts: #{piped}")
    end
  end

  def test_lines_at_texts_are_those_of_ruby
    SEPARATORS.product(["", "a\nb", "\n\na\n\n\nb\n", "aab", "a\r\nb\r\n", "xéxxé"], [true, false]) do |separator, string, chomp|
      # JRuby 9.4 takes `chomp: false` for `chomp: true`.
      expected = chomp ? string.each_line(separator, chomp: true).to_a : string.each_line(separator).to_a
      assert_equal expected, Ketch.lines(string, separator, chomp: chomp)
    end
  end

  # The extension yields these lines itself.
  def test_lines_of_strings_are_those_of_ruby
    random = Random.new(first = seed)
    encodings = [Encoding::UTF_8, Encoding::BINARY, Encoding::US_ASCII, Encoding::EUC_JP]
    COUNT.times do
      string = text(random).force_encoding(encodings.sample(random: random))
      expected, found = [], []
      result = string.each_line { |line| expected << line }
      assert_same result, Ketch.each_line(string) { |line| found << line }
      assert(expected == found, "seed #{first}: #{string.inspect}: #{found}, Ruby #{expected}")
      assert_equal expected.map(&:encoding), found.map(&:encoding)
    end
    wide = "a\nb\n".encode(Encoding::UTF_16LE)
    assert_equal wide.each_line.to_a, Ketch.each_line(wide).to_a
  end

  def test_a_block_may_change_the_string_and_its_lines
    string = "a\n#{"b" * 40}\nc"
    assert_equal string.lines, [].tap { |lines| Ketch.each_line(string) { |line| lines << line.dup && string.clear && line << "x" } }
    string = "b" * 40
    Ketch.each_line(string) { |line| line << "c" }
    assert_equal "b" * 40, string
    assert_equal "a\n", Ketch.each_line("a\nb") { |line| break line }
    assert_raises(ZeroDivisionError) { Ketch.each_line("a\nb") { 1 / 0 } }
    assert_equal [String], Ketch.each_line(Class.new(String).new("a" * 40)).map(&:class)
    assert_equal %w[a b], Ketch.each_line("a\nb", chomp: true).to_a
    assert_raises(ArgumentError) { Ketch.each_line }
    assert_raises(NoMethodError) { Ketch.each_line(1) { nil } }
  end

  def test_the_default_separator_may_be_another
    before, $/ = $/, "b"
    assert_equal ["ab", "c\n"], [].tap { |lines| Ketch.each_line("abc\n") { |line| lines << line } }
  ensure
    $/ = before
  end

  # Does not try all separators, because with some the StringIO of Ruby 3.1 never ends.
  def test_without_a_pattern_an_io_is_read_by_ruby
    assert_equal %w[a b], Ketch.lines(StringIO.new("a\nb\n"), chomp: true)
    assert_equal ["a,", "b"], Ketch.lines(StringIO.new("a,b"), ",")
  end

  def test_enumerators_and_blocks
    regexp = Ketch::Regexp.new("[,;] *")
    assert_equal ["a", "b", "c"], Ketch.each_line("a, b;c", regexp, chomp: true).to_a
    assert_equal ["a, ", "b;", "c"], Ketch.lines("a, b;c", regexp)
    assert_equal "a, ", Ketch.each_line("a, b;c", regexp) { |line| break line }
    string = "a, b"
    assert_same string, Ketch.each_line(string, regexp) { nil }
    assert_equal ["a", "b"], [].tap { |parts| Ketch.split(string, regexp) { |part| parts << part } }
    assert_raises(ZeroDivisionError) { Ketch.each_line(StringIO.new("a,b"), regexp) { 1 / 0 } }
  end

  def test_lines_of_a_pipe_are_yielded_as_they_arrive
    reader, writer = IO.pipe
    writer << "a;b;cc"
    lines = Ketch.each_line(reader, Ketch::Regexp.new(";"))
    assert_equal ["a;", "b;"], [lines.next, lines.next]
    writer << "d;ee"
    assert_equal "ccd;", lines.next
    writer.close
    assert_equal "ee", lines.next
    assert_raises(StopIteration) { lines.next }
    assert_equal Encoding::UTF_8, Ketch.lines(StringIO.new("é;"), Ketch::Regexp.new(";"))[0].encoding
  ensure
    reader&.close
  end

  def test_exceptions_of_read_are_raised
    source = Object.new
    def source.read(*) = raise(IOError, "gone")
    assert_equal "gone", assert_raises(IOError) { Ketch.lines(source, Ketch::Regexp.new(";")) }.message
    source = Object.new
    def source.read(*) = 1
    assert_raises(TypeError) { Ketch.lines(source, Ketch::Regexp.new(";")) }
  end

  def test_long_lines_have_a_limit
    error = assert_raises(Ketch::Regexp::LimitError) do
      Ketch.lines(StringIO.new("#{"a" * 100_000};b"), Ketch::Regexp.new(";"), max_line_bytes: 50_000)
    end
    assert_match(/50000|50,000/, error.message)
    assert_equal 2, Ketch.lines(StringIO.new("#{"a" * 100_000};b"), Ketch::Regexp.new(";"), max_line_bytes: 200_000).size
  end
end
