# frozen_string_literal: true

# Ketch::Syck against Psych on a small and a big document: the table by which ports of Syck were measured, each task
# 1,000 times. The documents have the shape of small_yaml.yml and big_yaml.yml, the files of JRuby's benchmark, with
# other words. What is read is compared before anything is timed. Ratios: Psych's time to Ketch's.

require "psych"
require "ketch/syck"
require_relative "measure"
require_relative "record"

TIMES = 1000
LEAST_LOAD = 12

WORDS = %w[oak elm ash].freeze

# Returns the big document, which has 4,794 bytes; bench/syck has the same one.
def big
  ["", "2", "3", "4"].map do |number|
    items = Array.new(39) { |at| "  - #{at == 7 ? "[1, 2, 3, 4, 5]" : WORDS[at % 3]}\n" }.join
    inner = Array.new(15) { |at| "   - #{WORDS[at % 3]}\n" }.join
    groves = ["", "2", "3", "4", "5", "6"].map { |key| "  key#{key}:\n#{inner}" }.join
    "key#{number}:\n#{items}\ngrove#{number}: \n#{groves}\n"
  end.join.prepend("---\n")
end

texts = { small: "---\n- &fir oak\n- elm: a\n  maple: b\n  hazel: ash\n- 123\n- !str 123\n- *fir\n", big: big }
raise unless texts[:big].bytesize == 4794

rounds = Integer(ENV.fetch("ROUNDS", "7"))
options = { aliases: true }
ratios = {}
puts format("%-20s %12s %12s %8s %8s %8s", "1,000 times", "Psych, ms", "Ketch, ms", "ratio", "least", "most")
texts.each do |name, text|
  value = Ketch::Syck.load(text)
  raise name.to_s unless value == Psych.load(text, **options)
  raise name.to_s unless Psych.load(Ketch::Syck.dump(value), **options) == value

  tasks = {
    "parse" => [-> { Psych.parse(text) }, -> { Ketch::Syck.parse(text) }],
    "load" => [-> { Psych.load(text, **options) }, -> { Ketch::Syck.load(text) }],
    "dump" => [-> { Psych.dump(value) }, -> { Ketch::Syck.dump(value) }],
    "round trip" => [-> { Psych.dump(Psych.load(text, **options)) }, -> { Ketch::Syck.dump(Ketch::Syck.load(text)) }]
  }
  tasks.each do |task, (psych, ketch)|
    times = Measure.times(rounds, psych: -> { TIMES.times { psych.call } }, ketch: -> { TIMES.times { ketch.call } })
    each = times[:psych].zip(times[:ketch]).map { |other, own| other / own }
    ratio = Measure.ratio(times[:psych], times[:ketch])
    ratios["#{name} #{task}"] = { ratio: ratio, least: each.min, most: each.max }
    puts format("%-20s %12.1f %12.1f %8.2f %8.2f %8.2f", "#{name} #{task}",
                *times.values_at(:psych, :ketch).map { |all| all.sort[rounds / 2] * 1000 }, ratio, each.min, each.max)
  end
end
Record.add(syck: ratios)
puts
load = ratios["big load"][:ratio]
abort "Ketch::Syck.load of the big document: #{load.round(1)} times Psych, below #{LEAST_LOAD}" if load < LEAST_LOAD
