# frozen_string_literal: true

require_relative "helper"
require_relative "suite"
require "date"

class DumpTest < Minitest::Test
  TEXTS = ["", " ", "a", "NO", "yes", "~", "null", "0777", "1e3", "1_000", "1:30", "2001-12-14", "<<", "=", "a: b", "# c",
           "- d", "multi\nline\n", "\n", "tab\t", "\"'", "größe", "☺", "\u0085", "\u2028", "\0\e", ":sym", "!tag", "&a", "x" * 5000].freeze

  VALUES = [nil, true, false, 0, -1, 2**61, 2**62, -2**62 - 1, 2**64, -10**300, 0.0, -0.0, 1.5, 1e16, 1e-7,
            Float::MAX, Float::MIN, Float::INFINITY, -Float::INFINITY, [], {}, [[]], [{}], { "a" => [] },
            "\xFF\x00".b, Time.at(1_008_385_183, 100_000_000, :nsec, in: "-05:00"), Time.at(0).utc,
            Date.new(2001, 12, 14, Date::GREGORIAN), { nil => 1, 1.5 => 2, [1, { 2 => 3 }] => 4, { 5 => 6 } => 7 },
            Ketch::Tagged.new("!point", [1, 2]), Ketch::Tagged.new("!x", "text"), Ketch::Tagged.new("tag:example.com,2026:y", { "a" => 1 })].freeze

  def test_written_values_are_read_back
    (VALUES + TEXTS).each do |value|
      [value, [value, "x"], { "key" => value }, { "key" => [{ "deep" => value }] }].each do |wrapped|
        loaded = Ketch.load(Ketch.dump(wrapped))
        wrapped.nil? ? assert_nil(loaded) : assert_equal(wrapped, loaded)
        assert_equal wrapped.inspect, loaded.inspect
      end
    end
    TEXTS.each { |text| assert_equal({ text => text }, Ketch.load(Ketch.dump({ text => text }))) }
    assert_predicate Ketch.load(Ketch.dump(Float::NAN)), :nan?
  end

  def test_values_of_the_suite_read_back_unchanged
    written = Suite.cases.reject(&:fail).count do |kase|
      values = Ketch.load_stream(kase.yaml)
      assert_equal values.inspect, Ketch.load_stream(Ketch.dump_stream(values)).inspect, kase.id
    rescue Ketch::DuplicateKeyError
      # YAML allows it, values do not.
      assert_operator kase.tree.lines.tally.values.max, :>, 1
      false
    end
    assert_operator written, :>=, 300
  end

  def test_values_are_written_as_expected
    assert_equal "masts:\n- main\n- mizzen\nrig: null\n", Ketch.dump({ "masts" => %w[main mizzen], "rig" => nil })
    assert_equal Encoding::UTF_8, Ketch.dump("ö").encoding
    assert_equal "a: b\n", Ketch.dump({ a: :b })
    assert_equal "a\n--- b\n", Ketch.dump_stream(%w[a b])
  end

  def test_options
    value = { "a" => [{ "b" => "ö" }] }
    assert_equal "a:\n    - b: ö\n", Ketch.dump(value, indent: 4, sequences: :indented)
    assert_equal "{a: [{b: ö}]}\n", Ketch.dump(value, flow: true)
    assert_equal "a:\n- b: \"\\xF6\"\n", Ketch.dump(value, ascii: true)
    assert_equal "---\na:\n- b: ö\n", Ketch.dump(value, header: true)
    assert_operator Ketch.dump("word " * 50, width: 40).lines.size, :>, 3
    assert_raises(ArgumentError) { Ketch.dump(value, color: 1) }
    assert_raises(ArgumentError) { Ketch.dump(value, sequences: :any) }
    [-1, 0, 10].each { |columns| assert_raises(ArgumentError) { Ketch.dump(value, indent: columns) } }
    error = assert_raises(ArgumentError) { Ketch.dump(masts: 2) }
    assert_match(/a Hash needs braces/, error.message)
  end

  def test_dump_writes_to_an_io
    io = StringIO.new
    assert_same io, Ketch.dump([1], io)
    Ketch.dump_stream([2, 3], io)
    assert_equal "- 1\n2\n--- 3\n", io.string
  end

  def test_a_shared_collection_is_written_once
    shared = { "x" => [1] }
    text = Ketch.dump([shared, shared, { "y" => shared["x"] }])
    assert_equal "- &1\n  x: &2\n  - 1\n- *1\n- \"y\": *2\n", text
    loaded = Ketch.load(text)
    assert_same loaded[0], loaded[1]
    assert_same loaded[0]["x"], loaded[2]["y"]
    assert_equal "- &1\n  x:\n  - 1\n- *1\n---\nx:\n- 1\n", Ketch.dump_stream([[shared, shared], shared])
  end

  def test_collections_that_contain_themselves
    list = [1]
    list << list << { "list" => list }
    loaded = Ketch.load(Ketch.dump(list))
    assert_same loaded, loaded[1]
    assert_same loaded, loaded[2]["list"]
    tagged = Ketch::Tagged.new("!t", [])
    tagged.value << tagged
    loaded = Ketch.load(Ketch.dump(tagged))
    assert_same loaded, loaded.value[0]
  end

  def test_deep_nesting_does_not_overflow_the_stack
    deep = (1..100_000).inject([]) { |inner, _| [inner] }
    assert_equal "#{"[" * 100_001}#{"]" * 100_001}\n", Ketch.dump(deep, flow: true)
  end

  def test_encodings
    assert_equal "größe\n", Ketch.dump("größe".encode("UTF-16LE"))
    assert_equal({ "größe" => "größe" }, Ketch.load(Ketch.dump({ "größe".encode("ISO-8859-1") => "größe".encode("ISO-8859-1") })))
    assert_raises(EncodingError) { Ketch.dump(["a\xFF"]) }
    assert_equal "abc\n", Ketch.dump("abc".b)
  end

  def test_values_that_yaml_cannot_represent
    [Object.new, 1..2, Struct.new(:a).new(1), 1r, 1i, Class, -> {}].each do |value|
      error = assert_raises(TypeError, value.inspect) { Ketch.dump([value]) }
      assert_includes error.message, value.class.to_s
    end
    assert_raises(RangeError) { Ketch.dump(Time.at(10**12)) }
    assert_raises(TypeError) { Ketch.dump(Ketch::Tagged.new(1, 2)) }
    assert_raises(TypeError) { Ketch.dump(Ketch::Tagged.new("", [])) }
  end

  def test_objects_survive_a_collection_at_each_allocation
    value = { "a" => [1, "größe".encode("UTF-16LE"), :sym, 2**70, Time.at(0)], "b" => Ketch::Tagged.new("!t", { "c" => 1.5 }) }
    expected = Ketch.dump(value)
    GC.stress = NEW_OBJECTS
    written = Ketch.dump(value)
    GC.stress = false
    assert_equal expected, written
  ensure
    GC.stress = false
  end

  def test_sorted_keys
    value = { "b" => 1, :a => { 10 => 1, "z" => 2, 9.5 => 3, nil => 4, [1] => 5, "é" => 6 }, "A" => [{ "y" => 1, "x" => 2 }] }
    assert_equal <<~YAML, Ketch.dump(value, sort_keys: true)
      A:
      - x: 2
        "y": 1
      a:
        9.5: 3
        10: 1
        null: 4
        z: 2
        é: 6
        ? - 1
        : 5
      b: 1
    YAML
    assert_equal %w[b a A], Ketch.load(Ketch.dump(value)).keys
    assert_equal Ketch.dump(value), Ketch.dump(value, sort_keys: false)
    shared = { "z" => 1, "a" => 2 }
    assert_equal "- &1\n  a: 2\n  z: 1\n- *1\n", Ketch.dump([shared, shared], sort_keys: true)
    assert_equal "---\na: 2\nz: 1\n", Ketch.dump_stream([shared], sort_keys: true, header: true)
  end
end
