# frozen_string_literal: true

# Compares Ketch::Regexp with JRuby's own Regexp, after checking that the results are equal. `bench/run regexp` runs it.

require "ketch"
require_relative "bench_pass"

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

Pass.print({ versions: { "Regexp" => "of JRuby #{JRUBY_VERSION}" } })
TASKS.each do |label, name, task|
  regexps = { "Ketch::Regexp" => Ketch::Regexp.new(PATTERNS[name]), "Regexp" => Regexp.new(PATTERNS[name]) }
  raise "#{label}: the results differ" unless regexps.values.map(&task).uniq.size == 1

  Pass.race("regexp", label, LOG.bytesize, regexps.transform_values { |regexp| -> { task.(regexp) } })
end
