# frozen_string_literal: true

# rake fuzz: COUNT inputs (1,000,000) of a SEED (1), from number FROM (0) on. Ends with an error when anything
# differs, hangs or makes the process grow.

require_relative "sources"

count, seed, from = { "COUNT" => 1_000_000, "SEED" => 1, "FROM" => 0 }.map { |name, least| Integer(ENV.fetch(name, least.to_s)) }
GROWTH_MIB_MAX = 64

def resident_mib = File.read("/proc/self/status")[/^VmRSS:\s+(\d+)/, 1].to_i / 1024

fuzzer = Fuzzer.new(seed, **FuzzSources.all)
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
early = nil
last = "#{Dir.pwd}/tmp/fuzz.last"
Dir.mkdir(File.dirname(last)) unless Dir.exist?(File.dirname(last))
fuzzer.run(from...from + count) do |number|
  done = number - from + 1
  # After a crash, this file shows which inputs to run again.
  File.write(last, "SEED=#{seed} FROM=#{number}\n") if (done % 1000).zero?
  # By then, all caches are as large as they get.
  early = resident_mib if done == [count / 10, 1].max
  if (done % 100_000).zero?
    seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
    puts format("%9d inputs, %4d s, %3d MiB resident, slowest %.3f s", done, seconds, resident_mib, fuzzer.slowest)
    $stdout.flush
  end
end
growth = resident_mib - early
puts "#{count} inputs of seed #{seed}: #{fuzzer.values} values, #{fuzzer.errors} errors, no difference; " \
     "#{growth} MiB more than after a tenth, slowest #{fuzzer.slowest.round(3)} s"
abort "the process grows" if growth > GROWTH_MIB_MAX
