# frozen_string_literal: true

require "open3"
require "rbconfig"

# Counts the instructions that a call executes, with Valgrind. Unlike a time, the count does not depend on other
# processes or on the processor's caches.
#
# A process under Valgrind runs the test again up to the call in question, and ends there. A second one ends just
# before the call; the difference is the call's own count.
module Instructions
  # Names the call to be counted: the test, the method, the shape, the size in bytes, and "before" or "after".
  REQUEST = "LINEAR_COUNT"
  VALGRIND = %w[valgrind --tool=callgrind --callgrind-out-file=/dev/null].freeze

  module_function

  # Returns the exponent by which the count grows from inputs of `small` bytes to inputs of `large` bytes. Inputs of
  # `tiny` bytes give the constant part, which belongs to neither.
  def exponent(test, method, shape, tiny:, small:, large:)
    counts = [tiny, small, large].map { |size| Thread.new { count(test, method, shape, size) } }
    constant, less, more = counts.map(&:value)
    Math.log((more - constant).fdiv(less - constant)) / Math.log(large.fdiv(small))
  end

  # Returns the instructions of one call. Raises RuntimeError if Valgrind is missing or fails.
  def count(test, method, shape, size)
    before, after = %w[before after].map { |moment| total(test, [test, method, shape, size, moment].join("|")) }
    after - before
  end

  # Returns the instructions of a process that runs `test` up to the moment that `request` names.
  def total(test, request)
    file = File.expand_path("linear_test.rb", __dir__)
    folders = $LOAD_PATH.flat_map { |folder| ["-I", folder.to_s] }
    _, log, status = Open3.capture3({ REQUEST => request, "RUBY_GC_DISABLE" => "1" }, *VALGRIND, RbConfig.ruby, *folders, file, "--name=#{test}")
    raise "Valgrind failed on #{request}: #{log}" unless status.success?

    Integer(log[/Collected : (\d+)/, 1])
  rescue Errno::ENOENT
    raise "the time grows too fast for a verdict by time: install valgrind, which counts instructions"
  end

  # Ends a process that counts instructions, at the requested moment of the requested call. Returns true for other calls
  # in such a process, and false in all other processes.
  def counted?(test, method, shape, make)
    request = ENV.fetch(REQUEST, nil) or return false
    wanted_test, wanted_method, wanted_shape, size, moment = request.split("|")
    return true unless [test, method.to_s, shape] == [wanted_test, wanted_method, wanted_shape]

    input = make.call(Integer(size))
    GC.disable
    yield input if moment == "after"
    exit!(true)
  end
end
