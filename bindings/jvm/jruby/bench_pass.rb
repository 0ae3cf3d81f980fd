# frozen_string_literal: true

# What the benchmarks in Ruby share: each is a pass of `bench/run`, for which it prints lines of JSON.

require "json"

# A pass: times calls, and prints the results.
module Pass
  SAMPLES = 5
  # A call that takes longer is measured three times only.
  SLOW = 2.0

  # JRuby compiles most methods during the first race.
  @warm_up = 6

  module_function

  def print(line)
    puts JSON.generate(line)
    $stdout.flush
  end

  def seconds
    start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    yield
    Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
  end

  # Repeats a call for at least this time; returns the seconds for one.
  def once(least, &call)
    runs = 0
    total = 0.0
    while runs.zero? || total < least
      total += seconds(&call)
      runs += 1
    end
    total / runs
  end

  # Warms all calls up, then measures them in turns. The first call is Ketch's.
  def race(level, file, bytes, calls)
    slowest = calls.map { |_, call| once(@warm_up, &call) }.max
    @warm_up = 1.5
    times = calls.transform_values { [] }
    (slowest > SLOW ? 3 : SAMPLES).times do
      calls.each { |title, call| times[title] << once(0.2, &call) }
    end
    print({ level:, file:, bytes:, seconds: times })
  end
end
