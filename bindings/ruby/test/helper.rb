# frozen_string_literal: true

require "minitest/autorun"
require "stringio"
require "timeout"
require "ketch"

# The repository.
REPOSITORY = File.expand_path("../../..", __dir__)

# The folder of the loaded library, for tests that start another Ruby.
LIBRARY = File.dirname($LOADED_FEATURES.grep(%r{/ketch\.rb\z}).first)

# For GC.stress: a minor collection at each allocation, which frees every new object that nothing marks. Major
# ones would also mark the data of all tests each time, which takes minutes.
NEW_OBJECTS = 1

class Minitest::Test
  # Asserts that a timeout interrupts a call. Ruby may leave another thread waiting for 0.1 s, in
  # which a fast machine finishes the call. If so, it is called again.
  def assert_ends_by_timeout(message = nil, tries: 20)
    tries.times do
      ended = false
      Timeout.timeout(0.01) do
        yield
        ended = true
      end
    rescue Timeout::Error
      return unless ended
    end
    flunk [message, "each of #{tries} calls ran to its end"].compact.join(": ")
  end
end
