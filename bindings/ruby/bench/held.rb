# frozen_string_literal: true

# held.rb READER FILE: reads a file, keeps the result, and prints in KiB by how much peak memory grew.

require "ketch"
require "psych"
require "json"
require "oj"

READERS = {
  "Ketch" => ->(text) { Ketch.load_stream(text, duplicate_keys: :last) },
  "Psych" => ->(text) { Psych.load_stream(text) },
  "JSON" => ->(text) { JSON.parse(text) },
  "Oj" => ->(text) { Oj.load(text, mode: :strict) }
}.freeze

def resident(name) = File.read("/proc/self/status")[/^#{name}:\s+(\d+)/, 1].to_i

reader, path = ARGV
text = File.read(path)
GC.start
before = resident("VmRSS")
value = READERS.fetch(reader).(text)
raise if value.empty?

print [resident("VmHWM") - before, 0].max
