# frozen_string_literal: true

require_relative "helper"
require_relative "suite"
require "tempfile"

# `positions: true`: where each part of a value was written.
class PositionsTest < Minitest::Test
  TEXT = <<~EOS
    # a fleet
    base: &base {x: 1, größe: [a, 'b']}
    spec:
      <<: *base
      ports:
      - 80
      - !t {name: http}
      x: 9
    again: *base
    ? [k]
    : v
    1: one
    ~: none
  EOS

  def test_each_part_has_a_position
    located = load(TEXT)
    assert_equal Ketch.load(TEXT, merge: true), located.value
    expected = {
      [] => [2, 1], ["base"] => [2, 13], ["base", "x"] => [2, 17], %w[base größe] => [2, 27], ["base", "größe", 1] => [2, 31],
      ["base", "größe", -1] => [2, 31], ["spec"] => [4, 3], %w[spec ports] => [6, 3], ["spec", "ports", 0] => [6, 5],
      ["spec", "ports", 1] => [7, 8], ["spec", "ports", 1, "name"] => [7, 15], ["again"] => [9, 8],
      [["k"]] => [11, 3], [1] => [12, 4], [nil] => [13, 4]
    }
    expected.each { |path, place| assert_equal place, place_of(located.position(*path)), path.inspect }
    [["none"], ["base", 0], ["base", "größe", 2], ["base", "größe", -3], ["base", "x", "y"], [:base], ["1"], [1.0], [["l"]]].each do |path|
      assert_nil located.position(*path), path.inspect
    end
  end

  def test_merged_and_aliased_parts_are_where_they_were_written
    located = load(TEXT)
    assert_equal [2, 27], place_of(located.position("spec", "größe"))
    assert_equal [2, 31], place_of(located.position("spec", "größe", 1))
    assert_equal [8, 6], place_of(located.position("spec", "x"))
    assert_equal [2, 17], place_of(located.position("again", "x"))
    assert_equal [2, 13], place_of(located.position("again").target)
    assert_nil located.position("base").target
    cycle = load("&a [1, *a]")
    assert_equal [1, 5], place_of(cycle.position(1, 1, 1, 0))
  end

  def test_keys
    located = load(TEXT)
    assert_equal [3, 1], place_of(located.key_position("spec"))
    assert_equal [2, 20], place_of(located.key_position("spec", "größe"))
    assert_equal [10, 3], place_of(located.key_position(["k"]))
    assert_nil located.key_position("spec", "ports", 0)
    assert_nil located.key_position
    assert_nil located.key_position("none")
  end

  def test_nearest_position_is_that_of_the_parent
    located = load(TEXT)
    assert_equal located.position("spec"), located.nearest_position("spec", "none", 1)
    assert_equal located.position, located.nearest_position("none")
    assert_nil load("").nearest_position("a")
  end

  def test_the_fields_of_a_position
    position = load(TEXT, filename: "fleet.yml").position("base", "größe", 1)
    assert_equal ["fleet.yml", 2, 31, 2, 34], [position.file, position.line, position.column, position.end_line, position.end_column]
    assert_equal "'b'", TEXT.byteslice(position.offset, position.length)
    assert_equal ["fleet.yml:2:31", :single_quoted], [position.to_s, position.node.style]
    assert_equal "base: &base {x: 1, größe: [a, 'b']}\n#{" " * 30}^", position.excerpt
    assert_equal TEXT.lines[1].chomp, position.line_text
    assert_equal 1, [position, load(TEXT, filename: "fleet.yml").position, position.dup].count(position) - 1
    assert_equal "\ta: [b]\n\t   ^", load("{\n\ta: [b]}").position("a").excerpt.sub("]}", "]")
  end

  def test_options
    assert_equal [1, 8], place_of(Ketch.load("a: {b: 1}", positions: true, symbolize_names: true).position(:a, :b))
    assert_nil Ketch.load("a: 1", positions: true, symbolize_names: true).position("a")
    duplicates = "a: 1\nb: 2\na: 3\n"
    { first: 1, last: 3 }.each do |kept, line|
      located = Ketch.load(duplicates, positions: true, duplicate_keys: kept)
      assert_equal [line, line], [located.value["a"], located.position("a").line]
      assert_equal 3, located.count
    end
    assert_raises(Ketch::DuplicateKeyError) { Ketch.load(duplicates, positions: true) }
    assert_predicate Ketch.load("[a]", positions: true, freeze: true).value, :frozen?
    assert_equal [false, [1, 5]], Ketch.load("[1, no]", positions: true, schema: :yaml11).then { |all| [all.value[1], place_of(all.position(1))] }
    assert_equal({ "a" => 1 }, Ketch.load("a: 1", positions: false))
  end

  def test_sources_and_streams
    Tempfile.create("ketch") do |file|
      file.write("a: [1]\n")
      file.flush
      assert_equal "#{file.path}:1:5", Ketch.load_file(file.path, positions: true).position("a", 0).to_s
    end
    text = "# é\na: 1\n---\n- b\n--- c\n"
    long = "- #{"é" * 200_000}\n- [x]\n"
    assert_equal [2, 4], place_of(Ketch.each_document(StringIO.new(long), positions: true).first.position(1, 0))
    expected = [[2, 4], [4, 3], [5, 5]]
    paths = [["a"], [0], []]
    utf16 = "\uFEFF#{text}".encode("UTF-16LE").b
    streams = [Ketch.load_stream(utf16, positions: true), Ketch.load_stream(text, positions: true), Ketch.each_document(StringIO.new(text), positions: true).to_a]
    streams.each { |all| assert_equal expected, all.zip(paths).map { |located, path| place_of(located.position(*path)) } }
    assert_equal [[{ "a" => 1 }, ["b"], "c"]] * 3, streams.map { |all| all.map(&:value) }
    assert_equal [nil, nil, []], Ketch.load("", positions: true).then { |none| [none.value, none.position, none.to_a] }
    assert_raises(Ketch::ValueError) { Ketch.load("1\n--- 2", positions: true) }
    assert_raises(Ketch::SyntaxError) { Ketch.load("[", positions: true) }
  end

  def test_all_kinds_of_lines
    located = load("a: 1\r\nb: 2\rc: é\n\n\"d\": 'x\r\n  y'\n".dup.force_encoding("UTF-8"))
    assert_equal [[1, 4], [2, 4], [3, 4], [5, 6]], %w[a b c d].map { |key| place_of(located.position(key)) }
    assert_equal [6, 5], [located.position("d").end_line, located.position("d").end_column]
  end

  # All paths of all values of the suite: the position of a path is the one that was yielded, and the node
  # there has the value at the path.
  def test_paths_lead_to_the_nodes_of_the_suite
    paths = 0
    Suite.cases.reject(&:fail).each do |kase|
      Ketch.load_stream(kase.yaml, positions: true).each do |located|
        located.each do |path, position|
          paths += 1
          assert_equal position, located.position(*path), "#{kase.id} #{path}"
          assert_equal dig(located.value, path).inspect, position.node.value.inspect, "#{kase.id} #{path}"
          first = kase.yaml.byteslice(0, position.offset).delete_prefix("\uFEFF")
          assert_equal first.count("\n") + 1, position.line, "#{kase.id} #{path}" unless first.include?("\r")
        end
      end
    rescue Ketch::DuplicateKeyError
      next
    end
    assert_operator paths, :>=, 1000
  end

  def test_many_positions_take_linear_time
    times = [2_000, 16_000].map do |count|
      located = load((0...count).map { |n| "- {a: #{n}, b: [x]}\n" }.join)
      started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      assert_equal 4 * count + 1, located.sum { |_, position| position.line.positive? ? 1 : 0 }
      Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
    end
    assert_operator times[1], :<, times[0] * 8 * 4
  end

  private

  def load(text, **options) = Ketch.load(text, positions: true, merge: true, **options)

  def place_of(position) = [position.line, position.column]

  def dig(value, path)
    path.inject(value) do |inner, step|
      inner = inner.value while inner.is_a?(Ketch::Tagged)
      inner[step]
    end
  end
end
