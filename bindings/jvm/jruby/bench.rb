# frozen_string_literal: true

# Compares the times of Ketch.load and of JRuby's Psych, alternately, after checking that the values are equal:
#
#   bench/run jruby [--rounds N] [FILE...]

require "psych"
require "date"
require "ketch"

def seconds
  start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  yield
  Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
end

# Repeats a call until it takes long enough to be timed; returns the seconds for one.
def once(&call)
  runs = 0
  total = 0.0
  while total < 0.3
    total += seconds(&call)
    runs += 1
  end
  total / runs
end

rounds = (ARGV.delete("--rounds") ? ARGV.shift : 5).to_i
ours = ->(text) { Ketch.load_stream(text, duplicate_keys: :last, schema: :yaml11) }
theirs = ->(text) { Psych.load_stream(text) }

first = "name: Ariel\nmasts: [main, mizzen]\n"
# The first call of this method itself takes some milliseconds.
seconds { nil }
puts format("%s, Java %s; first document: Ketch %.1f ms, Psych %.1f ms", "JRuby #{JRUBY_VERSION}",
            ENV_JAVA["java.version"], seconds { ours.(first) } * 1000, seconds { theirs.(first) } * 1000)
ratios = ARGV.filter_map do |file|
  text = File.read(file, encoding: "UTF-8")
  begin
    same = ours.(text) == theirs.(text)
  rescue StandardError => e
    puts "#{File.basename(file)}: not measured: #{e.message.lines.first&.chomp}"
    next
  end
  puts "#{File.basename(file)}: not measured: the values differ" unless same
  next unless same

  [ours, theirs].each { |load| 5.times { once { load.(text) } } }
  times = Array.new(rounds) { once { theirs.(text) } / once { ours.(text) } }.sort
  puts format("%-24s %8d bytes  %7.1f times as fast  (%.1f..%.1f)", File.basename(file), text.bytesize,
              times[rounds / 2], times[rounds / 4], times[rounds * 3 / 4])
  times[rounds / 2]
end
exit if ratios.empty?
puts format("mean %.1f, least %.1f of %d files", Math.exp(ratios.sum { |ratio| Math.log(ratio) } / ratios.size), ratios.min, ratios.size)
