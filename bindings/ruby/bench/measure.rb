# frozen_string_literal: true

# Compares the times of blocks that run alternately in one process. Uses processor time, to which other programs on the
# machine do not add.
module Measure
  # Returns the shortest time of each block in seconds.
  def self.least(rounds, blocks) = times(rounds, blocks).transform_values(&:min)

  # Returns the times of each block in seconds, in rounds of all of them, each in a different order, so that the heap of
  # a block does not always affect the same one. Before each timed run, the block runs untimed and the heap is swept, so
  # that it finds the heap in the state that it leaves itself.
  def self.times(rounds, blocks)
    times = blocks.transform_values { [] }
    rounds.times do |round|
      blocks.to_a.shuffle(random: Random.new(round)).each do |name, block|
        block.call
        GC.start
        started = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
        block.call
        times[name] << Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - started
      end
    end
    times
  end

  # Returns the ratio of the times of two blocks: the median of the ratios of the rounds. A shared
  # machine has fast and slow minutes, so that the least times of two blocks may be of different
  # ones.
  def self.ratio(times, others)
    times.zip(others).map { |time, other| time / other }.sort[times.size / 2]
  end

  # Returns the number of runs of a block that take at least 5 ms.
  def self.repetitions(&block)
    started = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
    block.call
    [(0.005 / (Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - started)).ceil, 1].max
  end

  def self.geometric_mean(numbers)
    Math.exp(numbers.sum { |number| Math.log(number) } / numbers.size)
  end

  def self.summary(name, ratios)
    return if ratios.empty?

    format("%-28s geometric mean %6.2f   least %6.2f   most %6.2f   of %d",
           name, geometric_mean(ratios), ratios.min, ratios.max, ratios.size)
  end

  # Returns the number of objects that a block allocates.
  def self.allocations
    before = GC.stat(:total_allocated_objects)
    yield
    GC.stat(:total_allocated_objects) - before
  end
end
