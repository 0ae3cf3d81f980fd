# frozen_string_literal: true

require_relative "helper"

# The option `dialect: :syck`.
class SyckTest < Minitest::Test
  def load(text, **options) = Ketch.load(text, dialect: :syck, **options)

  def test_values
    pairs = {
      "[1,2, 3]" => [12, 3],
      "when: -1:30" => { "when" => -30 },
      "a: 1\n- b" => { "a" => ["b"] },
      "a: !int \"3\"\nb: ! '12'" => { "a" => 3, "b" => 12 },
      "a: 1\na: 2" => { "a" => 2 },
      "- &x {a: 1}\n- <<: *x\n  b: yes" => [{ "a" => 1 }, { "a" => 1, "b" => true }],
      "a: > x\n  y\n" => { "a" => "xy\n" },
      "x: &x 1\nb: &y *x\nc: *y" => { "x" => 1, "b" => 1, "c" => 1 },
      "a: \"\\u00e9\"" => { "a" => "\\u00e9" },
      "- @a\n- 'open" => ["@a", "open"]
    }
    pairs.each { |text, value| assert_equal value, load(text), text }
    assert_nil load("")
  end

  def test_explicit_options_override_the_dialect
    assert_raises(Ketch::ValueError) { load("a: 1\na: 2", duplicate_keys: :error) }
    assert_equal ["1:30"], load("- 1:30", schema: :core)
    assert_equal [{ "<<" => { "a" => 1 } }], load("- <<: {a: 1}", merge: false)
    assert_equal ["1,2"], Ketch.load("- 1,2", dialect: :yaml)
    assert_raises(ArgumentError) { load("a", dialect: :perl) }
  end

  def test_tags_and_streams
    value = load("a: !dom/x y")["a"]
    assert_equal ["tag:dom.yaml.org,2002:x", "y"], [value.tag, value.value]
    assert_equal [[1], 2], Ketch.load_stream("- 1\n--- 2\n", dialect: :syck)
    assert_equal [[1], 2], Ketch.each_document(StringIO.new("- 1\n--- 2\n"), dialect: :syck).to_a
    node = Ketch.parse_stream("- a\n--- !x\n- b: 1\n", dialect: :syck)[1].root
    assert_equal "tag:yaml.org,2002:x", node.tag
    assert_equal %i[document_start scalar document_end], Ketch.each_event("@a", dialect: :syck).map(&:kind)
  end

  def test_errors
    error = assert_raises(Ketch::SyntaxError) { load("a: 1\nb: [c, ]\n", filename: "old.yml") }
    assert_equal ["old.yml", 2], [error.file, error.line]
  end
end
