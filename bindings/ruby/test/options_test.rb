# frozen_string_literal: true

require_relative "helper"
require "ketch/psych"

class OptionsTest < Minitest::Test
  def test_schemas
    { core: ["NO", 777, 1000.0, true], yaml11: [false, 511, "1e3", true], failsafe: %w[NO 0777 1e3 true] }
      .each do |schema, expected|
        assert_equal expected, Ketch.load("[NO, 0777, 1e3, true]", schema: schema), schema
        assert_equal expected, Ketch.load("[NO, 0777, 1e3, true]", schema: schema.to_s), schema
      end
    assert_equal [1, "a"], Ketch.load('[1, "a"]', schema: :json)
    error = assert_raises(Ketch::ValueError) { Ketch.load("- 1\n- NO\n", schema: :json) }
    assert_equal [2, 3, :UnresolvedScalar], [error.line, error.column, error.name]
    assert_raises(ArgumentError) { Ketch.load("", schema: :yaml) }
  end

  def test_duplicate_keys
    yaml = "a: 1\nb: 2\na: 3\n"
    error = assert_raises(Ketch::DuplicateKeyError) { Ketch.load(yaml) }
    assert_equal [3, 1, 1, 1], [error.line, error.column, error.related_line, error.related_column]
    assert_equal({ "a" => 1, "b" => 2 }, Ketch.load(yaml, duplicate_keys: :first))
    assert_equal({ "a" => 3, "b" => 2 }, Ketch.load(yaml, duplicate_keys: :last))
    assert_raises(Ketch::DuplicateKeyError) { Ketch.load("{1: a, 0x1: b}") }
    assert_equal({ 1 => "a", "1" => "b" }, Ketch.load("{1: a, '1': b}"))
    assert_raises(ArgumentError) { Ketch.load("", duplicate_keys: :any) }
  end

  # With `max_nodes`, documents are composed, so this compares the event path with the tree path.
  def test_duplicate_keys_on_both_paths
    random = Random.new(5)
    keys = ["a", "'a'", "b", "<<", "1", "0x1", "'1'", "~", "1.0", "\u00e9", "k" * 40]
    500.times do
      pairs = Array.new(random.rand(1..8)) { "#{keys.sample(random: random)}: #{random.rand(9)}" }
      yaml = "- &x {#{pairs.join(", ")}}\n- *x\n"
      [:first, :last].product([false, true]) do |kept, symbolize|
        options = { duplicate_keys: kept, symbolize_names: symbolize }
        by_events, composed = [{}, { max_nodes: 1000 }].map { |more| Ketch.load(yaml, **options, **more) }
        assert_equal composed.map(&:to_a), by_events.map(&:to_a), yaml
        assert_same by_events[0], by_events[1]
      end
    end
  end

  # Checks that the time is proportional to the number of keys, not to its square: eight times as many keys would
  # take 64 times as long.
  def test_a_duplicate_key_among_many_takes_linear_time
    small, large = [20_000, 160_000].map do |count|
      pairs = Array.new(count) { |number| "k#{number}: #{number}\n" }.join
      merging = "- &a {k0: merged}\n-\n#{"<<: *a\n#{pairs}".gsub(/^/, "  ")}"
      [least_time { assert_equal [count, "last"], first_of(Ketch.load("#{pairs}k0: last\n", duplicate_keys: :last)) },
       least_time { assert_equal [count, 0], first_of(Ketch::Psych.load(merging, aliases: true)[1]) }]
    end
    # Processor time is counted in steps of 10 ms.
    small.zip(large) { |few, many| assert_operator many, :<, 50 * [few, 0.01].max }
  end

  def test_merge
    yaml = "- &a {x: 1, y: [2]}\n- {<<: *a, x: 3}\n"
    merged = { "x" => 3, "y" => [2] }
    assert_equal merged, Ketch.load(yaml, merge: true)[1]
    assert_equal merged, Ketch.load(yaml, schema: :yaml11)[1]
    assert_equal({ "<<" => { "x" => 1, "y" => [2] }, "x" => 3 }, Ketch.load(yaml)[1])
    assert_equal({ "<<" => { "x" => 1, "y" => [2] }, "x" => 3 }, Ketch.load(yaml, schema: :yaml11, merge: false)[1])
    first, second = Ketch.load(yaml, merge: true)
    assert_same first["y"], second["y"]
    assert_equal({ "a" => 1, "b" => 2, "c" => 3 }, Ketch.load("<<: [{a: 1, b: 0}, {b: 2}]\nb: 2\nc: 3", merge: true))
    assert_raises(Ketch::ValueError) { Ketch.load("<<: 1", merge: true) }
  end

  def test_symbolize_names
    assert_equal({ a: { b: "c" }, 1 => "d" }, Ketch.load("a: {b: c}\n1: d", symbolize_names: true))
    assert_equal [{ a: 1 }, { a: 2 }], Ketch.load("[{a: 1}, {a: 2}]", symbolize_names: true)
    assert_equal({ a: Ketch::Tagged.new("!t", "b") }, Ketch.load("a: !t b", symbolize_names: true))
    assert_equal({ key: "key" }, Ketch.load("&k key: *k", symbolize_names: true))
    assert_equal({ a: "b", b: 1, "long key": "long key" }, Ketch.load("a: &x b\n*x : 1\n&l long key: *l", symbolize_names: true))
    assert_equal({ a: { x: 1, y: "x" } }, Ketch.load("a: {<<: {&n x: 1}, y: *n}", schema: :yaml11, symbolize_names: true))
  end

  # Two times that differ only in their zones are different in YAML, but equal keys in Ruby.
  def test_keys_after_a_mapping_with_equal_keys
    20.times do |n|
      yaml = "z: {2001-12-14 10:00:00 +02:00: 1, 2001-12-14 08:00:00 +00:00: 2}\nunseen#{n}: 1\n"
      assert_raises(Ketch::DuplicateKeyError) { Ketch.load(yaml, schema: :yaml11) }
      assert_equal({ "unseen#{n}" => 5 }, Ketch.load("{unseen#{n}: 5}"))
    end
    time = Ketch.load("2001-12-14 10:00:00 +23:59", schema: :yaml11)
    assert_equal [23 * 3600 + 59 * 60, 10], [time.utc_offset, time.hour]
    assert_predicate Ketch.load("{!!binary aGk=: 1}", schema: :yaml11).keys.first, :frozen?
  end

  def test_freeze
    [{}, { max_nodes: 100 }].each do |options|
      value = Ketch.load("a: [b, b, {c: 1}]\nd: |\n  e\n", freeze: true, **options)
      assert_frozen value
      assert_same value["a"][0], value["a"][1]
    end
    assert_frozen Ketch.load("!t [!u {a: !v b}]", freeze: true)
    scalars = "- 2001-12-14\n- 2001-12-14t21:59:43Z\n- !!binary aGk=\n- 123456789012345678901\n- ? !!binary aGk=\n  : &a !!binary aGk=\n"
    assert_frozen Ketch.load(scalars, freeze: true, schema: :yaml11)
    assert_frozen Ketch.load("#{scalars}- *a\n- {<<: {a: 2001-12-14}}\n", freeze: true, schema: :yaml11)
  end

  def test_lenient
    yaml = "a: [\n  1\n]\nb:\n  c: [\n  1\n  ]\n"
    assert_raises(Ketch::SyntaxError) { Ketch.load(yaml) }
    assert_equal({ "a" => [1], "b" => { "c" => [1] } }, Ketch.load(yaml, lenient: true))
  end

  # For each limit, an input that exceeds it, and a value with which the input is accepted.
  LIMITS = {
    max_depth: ["[[[]]]", 2, 3],
    max_implicit_key_chars: ["#{"k" * 100}: 1", 99, 100],
    max_scalar_bytes: ["\"#{"s" * 98}\"", 99, 100],
    max_nodes: ["[#{"a, " * 9999}a]", 100, 10_001],
    max_tag_bytes: ["[!abcdef a, !bcdefg b]", 10, 20],
    max_alias_nodes: ["- &a [x, y]\n- ? *a\n  : 1\n- {? [*a, *a] : 1}\n", 9, 10]
  }.freeze

  def test_limits
    LIMITS.each do |name, (yaml, too_little, enough)|
      error = assert_raises(Ketch::LimitError, name) { Ketch.load(yaml, name => too_little) }
      assert_equal name, error.setting
      [enough, Float::INFINITY].each { |limit| assert Ketch.load(yaml, name => limit), name }
    end
    assert_raises(Ketch::LimitError) { Ketch.load("[[[]]]", max_depth: [2, 5]) }
    assert Ketch.load("#{" " * 1024}[[[]]]", max_depth: [2, 1])
  end

  def test_merged_pairs_are_limited
    yaml = "- &a {x: 1, y: 2}\n- &b {<<: *a, z: 3}\n- {<<: *b}\n"
    error = assert_raises(Ketch::LimitError) { Ketch.load(yaml, merge: true, max_alias_nodes: 5) }
    assert_equal :max_alias_nodes, error.setting
    assert_equal 3, error.line
    assert_equal({ "x" => 1, "y" => 2, "z" => 3 }, Ketch.load(yaml, merge: true, max_alias_nodes: 6)[2])
  end

  def test_a_buffer_that_is_too_small
    long = "'#{"x" * 300_000}'"
    error = assert_raises(Ketch::LimitError) { Ketch.each_document(StringIO.new(long), max_buffer_bytes: 1) { flunk } }
    assert_equal :max_buffer_bytes, error.setting
  end

  def test_invalid_options
    assert_equal "unknown keyword: :sche", assert_raises(ArgumentError) { Ketch.load("", sche: 1) }.message
    assert_raises(ArgumentError) { Ketch.load }
    assert_raises(ArgumentError) { Ketch.load("", 1) }
    [-1, "1", 1.5, [1], [1, nil], nil].each do |limit|
      assert_raises(ArgumentError, limit.inspect) { Ketch.load("", max_depth: limit) }
    end
  end

  private

  # Returns the size of a hash and its value of "k0".
  def first_of(hash) = [hash.size, hash["k0"]]

  # Returns the least CPU time that a block takes, in seconds.
  def least_time
    clock = -> { Process.times.then { |times| times.utime + times.stime } }
    Array.new(3) do
      started = clock.call
      yield
      clock.call - started
    end.min
  end

  def assert_frozen(value)
    assert_predicate value, :frozen?
    case value
    when Array, Ketch::Tagged then value.each { |entry| assert_frozen(entry) }
    when Hash then value.flatten.each { |entry| assert_frozen(entry) }
    end
  end
end
