# frozen_string_literal: true

# Compares the times of Ketch::Regexp and of JRuby's own Regexp, alternately, after checking that the results are equal:
#
#   bench/run regexp [--rounds N]

require "ketch"

LINES = Array.new(2_000) do |i|
  ip = "10.#{i % 7}.#{i * 13 % 256}.#{i * 31 % 256}"
  "#{ip} - - [27/Nov/2026:10:#{format("%02d", i % 60)}:00 +0000] \"GET /ships/#{i}?q=é HTTP/1.1\" #{[200, 404, 500][i % 3]} #{i * 97 % 9000}"
end.freeze
WORDS = %w[ariel main-mizzen 2026-11-27 fleet@example.org 127.0.0.1 harbour].freeze
LOG = LINES.join("\n").freeze

PATTERNS = {
  "date" => '(\d{4})-(\d\d)-(\d\d)', "address" => '[\w.+-]+@[\w-]+\.[\w.]+', "word" => '\bmizzen\b',
  "log" => '^(\S+) \S+ \S+ \[([^\]]+)\] "(\w+) (\S+)[^"]*" (\d{3}) (\d+)$', "status" => '" (?:404|500) ', "digits" => '\d+'
}.freeze

# Name, pattern, and what to do with it.
TASKS = [
  *%w[date address word].map { |name| ["match? of 6 short strings, #{name}", name, ->(regexp) { WORDS.count { |word| regexp.match?(word) } }] },
  *%w[log status].map { |name| ["match? of 2,000 lines, #{name}", name, ->(regexp) { LINES.count { |line| regexp.match?(line) } }] },
  ["match of 2,000 lines, log", "log", ->(regexp) { LINES.sum { |line| regexp.match(line)[6].to_i } }],
  *%w[log status digits].map { |name| ["scan of the log, #{name}", name, ->(regexp) { regexp.is_a?(Regexp) ? LOG.scan(regexp) : regexp.scan(LOG) }] },
  ["gsub of the log, digits", "digits", ->(regexp) { regexp.is_a?(Regexp) ? LOG.gsub(regexp, '<\0>') : regexp.gsub(LOG, '<\0>') }]
].freeze

# Repeats a call until it takes long enough to be timed; returns the seconds for one.
def once(&call)
  runs = 0
  start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  loop do
    call.call
    runs += 1
    spent = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
    return spent / runs if spent >= 0.2
  end
end

rounds = (ARGV.delete("--rounds") ? ARGV.shift : 9).to_i
puts "JRuby #{JRUBY_VERSION}, Java #{ENV_JAVA["java.version"]}: the time of JRuby's Regexp, divided by that of Ketch::Regexp"
TASKS.each do |label, name, task|
  theirs, ours = Regexp.new(PATTERNS[name]), Ketch::Regexp.new(PATTERNS[name])
  raise "#{label}: the results differ" unless task.(theirs) == task.(ours)

  [ours, theirs].each { |regexp| 8.times { once { task.(regexp) } } }
  times = Array.new(rounds) { [once { task.(theirs) }, once { task.(ours) }] }
  ratios = times.map { |their, our| their / our }.sort
  puts format("%-42s %6.2f  (%.2f..%.2f)  %9.1f us", label, ratios[rounds / 2], ratios[rounds / 4], ratios[rounds * 3 / 4],
              times.map(&:last).sort[rounds / 2] * 1e6)
end
