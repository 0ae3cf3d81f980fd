# frozen_string_literal: true

require_relative "helper"
require_relative "psych/own/missing"
require "json"
require "psych"

# Runs the tests of Psych 4.0.3 with Ketch::Psych in place of Psych. Tests that fail are listed with the reason, and so
# are those that fail with the Psych of the running Ruby, if it is newer.
class PsychOwnTestsTest < Minitest::Test
  FOLDER = "#{REPOSITORY}/.cache/ruby-3.1.2-psych"

  # If structs are rejected, one test recurses until the stack overflows, which takes long with a stack of the default
  # size.
  SMALL_STACK = { "RUBY_THREAD_VM_STACK_SIZE" => "131072" }.freeze

  def test_psychs_own_tests_pass_or_are_listed
    all = run_with("psych")
    later = OwnTests.later(psych: Psych::VERSION, ruby: RUBY_VERSION)
    assert_equal later.sort, all.compact.keys.sort, "with Psych itself"
    passed = run_with("ketch").select { |_, error| error.nil? }.keys
    missing = OwnTests.missing(*OwnTests::MISSING.keys) | later
    assert_equal missing.sort, (all.keys - passed).sort
    values = all.keys - OwnTests.missing(:private, :objects)
    assert_operator (values & passed).size, :>=, 413
    assert_operator (values & passed).size.fdiv(values.size), :>=, 0.95
    puts "#{(values & passed).size} of Psych's #{values.size} own tests of values pass"
  end

  private

  # Returns the outcome of each test.
  def run_with(psych)
    program = [RbConfig.ruby, "-W0", "-I#{LIBRARY}", "#{__dir__}/psych/own/run.rb", FOLDER, psych]
    JSON.parse(IO.popen(SMALL_STACK, program, err: File::NULL, &:read))
  end
end
