# frozen_string_literal: true

require_relative "helper"
require_relative "suite"

# Runs yaml-test-suite through Ketch.load and similar methods, and compares the values with the JSON of the suite.
class SuiteTest < Minitest::Test
  CASES = Suite.cases

  def test_values_are_those_of_the_suite
    with_json = CASES.reject(&:fail).select(&:json)
    assert_equal 279, with_json.size
    with_json.each do |kase|
      expected = Suite.json_values(kase.json)
      # Binary values: JSON has the lines of the base 64 unchanged.
      expected = [expected[0].transform_values { |text| text.delete("\n") }] if kase.id == "565N"
      assert_equal expected, as_json(Ketch.load_stream(kase.yaml)), kase.id
      assert_equal expected, as_json(Ketch.each_document(StringIO.new(kase.yaml)).to_a), kase.id
    end
  end

  def test_both_paths_return_the_same
    CASES.reject(&:fail).each do |kase|
      # Only the composer counts nodes, so objects cannot be made from events.
      tree = outcome { Ketch.load_stream(kase.yaml, max_nodes: 1_000_000) }
      assert_equal tree, outcome { Ketch.load_stream(kase.yaml) }, kase.id
    end
  end

  def test_errors_have_a_location
    wrong = CASES.select(&:fail)
    assert_equal 94, wrong.size
    wrong.each do |kase|
      error = assert_raises(Ketch::SyntaxError, kase.id) { Ketch.load_stream(kase.yaml) }
      assert_operator error.line, :>=, 1, kase.id
      assert_operator error.column, :>=, 1, kase.id
      assert_equal error.message, outcome { Ketch.each_document(StringIO.new(kase.yaml)).to_a }, kase.id
    end
  end

  private

  # Returns the values, or the message of the error. Objects that contain themselves are compared as text.
  def outcome
    yield.inspect
  rescue Ketch::Error => e
    e.message
  end

  # Returns a value as JSON can represent it: without tags, and with text as keys.
  def as_json(value)
    case value
    when Array then value.map { |entry| as_json(entry) }
    when Hash then value.to_h { |key, entry| [key.nil? ? "" : as_json(key).to_s, as_json(entry)] }
    when Ketch::Tagged then as_json(value.value)
    when String then value.encoding == Encoding::BINARY ? [value].pack("m0") : value
    else value
    end
  end
end
