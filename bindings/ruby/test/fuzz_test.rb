# frozen_string_literal: true

require_relative "helper"
require_relative "../fuzz/sources"

# Runs a small part of `rake fuzz`.
class FuzzTest < Minitest::Test
  def test_random_inputs_cause_no_difference
    fuzzer = Fuzzer.new(42, **FuzzSources.all)
    fuzzer.run(0...5_000)
    assert_operator fuzzer.values, :>=, 2_000
    assert_operator fuzzer.errors, :>=, 2_000
  end

  def test_an_injected_difference_is_found
    fuzzer = Fuzzer.new(42, **FuzzSources.all)
    fuzzer.define_singleton_method(:outcome) { |attempt| super(attempt)&.then { |text| text + object_id.to_s + rand.to_s } }
    assert_raises(Fuzzer::Difference) { fuzzer.run(0...100) }
  end
end
