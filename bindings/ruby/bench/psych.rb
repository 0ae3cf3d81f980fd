# frozen_string_literal: true

# Compares Ketch::Psych with Psych, and Ketch.load with and without positions. All results must be equal before anything
# is timed. Ratios are the other's time to Ketch's.

require "date"
require "psych"
require "ketch/psych"
require_relative "measure"
require_relative "record"

folder = ENV.fetch("CORPUS") { File.expand_path("../../../bench/out/corpus", __dir__) }
files = Dir["#{folder}/*.{yaml,yml,json}"].sort
abort "no corpus in #{folder}: bench/run fetches it, or CORPUS names a folder of YAML files" if files.empty?
rounds = Integer(ENV.fetch("ROUNDS", "7"))

small = "name: ketch\nmasts: [main, mizzen]\nrig: fore-and-aft\nlaunched: 1902\nid: 1\n"
texts = files.to_h { |file| [File.basename(file), File.read(file)] }.merge("73 bytes" => small)
ratios = Hash.new { |hash, key| hash[key] = [] }
columns = %i[load_stream load dump positions]
puts format("%-24s %10s  %s", "Ketch::Psych", "bytes", columns.map { |name| format("%12s", name) }.join)

texts.each do |name, text|
  options = { permitted_classes: [Symbol, Date, Time, Regexp], aliases: true }
  streams = [Psych, Ketch::Psych].map { |psych| psych.load_stream(text) }
  firsts = [Psych, Ketch::Psych].map { |psych| psych.load(text, **options) }
  raise name unless streams[0] == streams[1] && firsts[0] == firsts[1]
  raise name unless Psych.unsafe_load(Ketch::Psych.dump(firsts[0])) == firsts[0]

  located = Ketch.load_stream(text, positions: true, duplicate_keys: :last)
  raise name unless located.map(&:value) == Ketch.load_stream(text, duplicate_keys: :last)

  times = Measure.repetitions { Ketch::Psych.load_stream(text) }
  first_times = Measure.repetitions { Ketch::Psych.load(text, **options) }
  own = Measure.least(
    rounds,
    load_stream: -> { times.times { Ketch::Psych.load_stream(text) } },
    load: -> { first_times.times { Ketch::Psych.load(text, **options) } },
    dump: -> { Ketch::Psych.dump(firsts[0]) },
    positions: -> { times.times { Ketch.load_stream(text, duplicate_keys: :last) } }
  )
  other = Measure.least(
    [rounds / 3, 2].max,
    load_stream: -> { times.times { Psych.load_stream(text) } },
    load: -> { first_times.times { Psych.load(text, **options) } },
    dump: -> { Psych.dump(firsts[0]) },
    positions: -> { times.times { Ketch.load_stream(text, positions: true, duplicate_keys: :last) } }
  )
  row = columns.to_h { |column| [column, other[column] / own[column]] }
  row.each { |column, ratio| ratios[column] << ratio unless name == "73 bytes" }
  puts format("%-24s %10d  %s", name, text.bytesize, row.values.map { |ratio| format("%12.2f", ratio) }.join)
end

puts
labels = { load_stream: "Psych.load_stream", load: "Psych.load", dump: "Psych.dump", positions: "Ketch with positions" }
labels.each { |key, label| puts Measure.summary(label, ratios[key]) }
Record.add(psych: labels.to_h { |key, label| [label, Record.summary(ratios[key])] })
