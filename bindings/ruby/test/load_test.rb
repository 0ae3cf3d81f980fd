# frozen_string_literal: true

require_relative "helper"
require "date"
require "json"
require "tempfile"

class LoadTest < Minitest::Test
  VALUES = {
    "" => nil, "~" => nil, "null" => nil, "true" => true, "False" => false, "NO" => "NO",
    "42" => 42, "-7" => -7, "0x1F" => 31, "0o17" => 15, "1e3" => 1000.0, ".inf" => Float::INFINITY,
    "4611686018427387903" => 2**62 - 1, "4611686018427387904" => 2**62,
    "-4611686018427387904" => -2**62, "-4611686018427387905" => -2**62 - 1,
    "9223372036854775807" => 2**63 - 1, "9223372036854775808" => 2**63,
    "-9223372036854775809" => -2**63 - 1, "0xFFFFFFFFFFFFFFFFFF" => 2**72 - 1, "1#{"0" * 400}" => 10**400,
    "'42'" => "42", '"a\tb"' => "a\tb", "|\n a\n b\n" => "a\nb\n", ">\n a\n b\n" => "a b\n",
    "a b" => "a b", "!!str 42" => "42", "!!int '42'" => 42, "!!float 3" => 3.0, "1e400" => Float::INFINITY, "-1e400" => -Float::INFINITY, "[]" => [], "{}" => {},
    "[1, [2, {a: b}]]" => [1, [2, { "a" => "b" }]], "a:\n- b\n- c: d" => { "a" => ["b", { "c" => "d" }] },
    "1: a\ntrue: b\n~: c\n1.5: d" => { 1 => "a", true => "b", nil => "c", 1.5 => "d" },
    "? [a, b]\n: c" => { %w[a b] => "c" }, "? {a: b}\n: c" => { { "a" => "b" } => "c" }
  }.freeze

  def test_a_timeout_interrupts_a_load
    text = "- {a: [b, 1, 2.5], c: d}\n" * 400_000
    assert_ends_by_timeout { Ketch.load(text) }
    assert_equal [1], Ketch.load("[1]")
  end

  def test_values
    VALUES.each do |yaml, expected|
      loaded = Ketch.load(yaml)
      expected.nil? ? assert_nil(loaded, yaml) : assert_equal(expected, loaded, yaml)
      assert_same expected.class, loaded.class, yaml
    end
  end

  def test_not_a_number
    assert_predicate Ketch.load(".nan"), :nan?
  end

  def test_binary_is_a_binary_string
    bytes = Ketch.load('!!binary "/wA="')
    assert_equal "\xFF\x00".b, bytes
    assert_equal Encoding::BINARY, bytes.encoding
  end

  def test_times_and_days
    time = Ketch.load("!!timestamp 2001-12-14T21:59:43.1-05:00")
    assert_equal [Time.new(2001, 12, 14, 21, 59, 43.1r, "-05:00"), -18_000], [time, time.utc_offset]
    assert_predicate Ketch.load("!!timestamp 2001-12-14 21:59:43Z"), :utc?
    zoneless = Ketch.load("!!timestamp 2001-12-14 21:59:43")
    assert_equal [Time.utc(2001, 12, 14, 21, 59, 43), 0, false], [zoneless, zoneless.utc_offset, zoneless.utc?]
    assert_equal "!!timestamp 2001-12-14T21:59:43\n", Ketch.dump(zoneless)
    assert_equal Date.new(2001, 12, 14), Ketch.load("2001-12-14", schema: :yaml11)
    assert_equal "2001-12-14", Ketch.load("2001-12-14")
  end

  def test_unknown_tags_are_kept
    assert_equal Ketch::Tagged.new("!point", [1, 2]), Ketch.load("!point [1, 2]")
    assert_equal Ketch::Tagged.new("tag:example.com,2026:x", "3"),
                 Ketch.load("%TAG ! tag:example.com,2026:\n--- !x 3")
    assert_equal [{ "Ref" => Ketch::Tagged.new("!Ref", "a") }], Ketch.load("- Ref: !Ref a")
  end

  def test_text_is_utf8_and_known_to_be_valid
    text = Ketch.load("- Grüße\n- plain\n- \"\\u263a\"")
    assert_equal [Encoding::UTF_8] * 3, text.map(&:encoding)
    assert(text.all?(&:valid_encoding?))
    assert_equal [false, true, false], text.map(&:ascii_only?)
  end

  def test_keys_are_frozen_and_shared
    first, second = Ketch.load("- {name: a}\n- {name: b}").map { |hash| hash.keys[0] }
    assert_predicate first, :frozen?
    assert_same first, second
    assert_equal Encoding::UTF_8, first.encoding
  end

  def test_colliding_keys_and_long_keys
    keys = (0..20_000).map { |number| "key#{number}" } + (25..70).map { |len| "k" * len }
    yaml = keys.map { |key| "#{key}: #{key}" }.join("\n")
    assert_equal keys.to_h { |key| [key, key] }, Ketch.load(yaml)
    assert_equal keys.to_h { |key| [key.to_sym, key] }, Ketch.load(yaml, symbolize_names: true)
  end

  def test_values_are_not_frozen_and_not_shared
    first, second = Ketch.load("[a, a]")
    refute_predicate first, :frozen?
    refute_same first, second
  end

  def test_aliases_are_the_same_object
    a, b, c = Ketch.load("- &a {x: 1}\n- *a\n- &s text\n").values_at(0, 1, 2)
    assert_same a, b
    assert_equal "text", c
    assert_equal [1, "x", "x"], Ketch.load("[1, &x x, *x]")
    assert_equal [1, 2, 2], Ketch.load("[&x 1, &x 2, *x]")
  end

  def test_an_alias_may_be_inside_its_own_node
    loop_of_one = Ketch.load("&a [*a]")
    assert_same loop_of_one, loop_of_one[0]
    hash = Ketch.load("&a {self: *a, list: &b [*a, *b]}")
    assert_same hash, hash["self"]
    assert_same hash, hash["list"][0]
    assert_same hash["list"], hash["list"][1]
  end

  def test_anchors_end_with_their_document
    assert_raises(Ketch::ValueError) { Ketch.load_stream("&a 1\n--- *a\n") }
  end

  def test_limits_stop_inputs_that_expand
    lines = (1..100).map { |level| "- &a#{level} [*a#{level - 1}, *a#{level - 1}]" }
    loaded = Ketch.load("- &a0 x\n#{lines.join("\n")}\n")
    assert_same loaded[99], loaded[100][0]
    error = assert_raises(Ketch::LimitError) { Ketch.load("#{["- &a0 x", *lines].join("\n")}\n- ? *a100\n  : 1\n") }
    assert_equal :max_alias_nodes, error.setting
  end

  def test_a_key_that_contains_itself_is_refused
    assert_raises(Ketch::ValueError) { Ketch.load("&a {? *a : 1}") }
  end

  def test_keys_that_are_equal_only_in_ruby_are_refused
    assert_raises(Ketch::DuplicateKeyError) { Ketch.load("{0.0: a, -0.0: b}") }
    cases = JSON.parse(File.read("#{REPOSITORY}/conformance/keys.json"))
    assert_operator cases.size, :>, 15
    cases.each do |entry|
      yaml = entry["yaml"]
      { load: "rounded", parse: "exact" }.each do |method, name|
        next Ketch.public_send(method, yaml) unless entry[name]
        error = assert_raises(Ketch::DuplicateKeyError, yaml) { Ketch.public_send(method, yaml) }
        assert_equal [1, entry[name]], [error.line, error.column], yaml
      end
      pairs = yaml.scan(": ").size - (entry["rounded"] ? 1 : 0)
      assert_equal pairs, Ketch.load(yaml, duplicate_keys: :last).size, yaml
    end
  end

  def test_deep_nesting_does_not_overflow_the_stack
    deep = Ketch.load("#{"[" * 100_000}#{"]" * 100_000}", max_depth: Float::INFINITY)
    depth = 0
    deep, depth = deep[0], depth + 1 while deep
    assert_equal 100_000, depth
  end

  def test_encodings
    yaml = "größe: [1, ☺]\n"
    expected = { "größe" => [1, "☺"] }
    %w[UTF-8 UTF-16LE UTF-16BE UTF-32LE UTF-32BE].each do |name|
      assert_equal expected, Ketch.load(yaml.encode(name)), name
      assert_equal expected, Ketch.load("\uFEFF#{yaml}".encode(name).b), name
    end
    assert_equal({ "größe" => 1 }, Ketch.load("größe: 1".encode("ISO-8859-1")))
    assert_equal expected, Ketch.load(yaml.b)
  end

  def test_sources
    Tempfile.create("ketch") do |file|
      file.write("a: 1\n")
      file.flush
      assert_equal({ "a" => 1 }, Ketch.load_file(file.path))
      File.open(file.path) { |io| assert_equal({ "a" => 1 }, Ketch.load(io)) }
      File.write(file.path, "a: [\n")
      error = assert_raises(Ketch::SyntaxError) { Ketch.load_file(file.path) }
      assert_equal file.path, error.file
      assert error.message.start_with?("#{file.path}:1:4: ")
    end
    error = assert_raises(TypeError) { Ketch.load(1) }
    assert_equal "expected a String or an IO, not Integer", error.message
  end

  def test_load_requires_one_document_and_load_stream_reads_all
    assert_equal [1, nil, { "a" => 2 }], Ketch.load_stream("1\n---\n---\na: 2")
    assert_equal [], Ketch.load_stream("# nothing")
    assert_nil Ketch.load("# nothing")
    error = assert_raises(Ketch::ValueError) { Ketch.load("1\n---\n2\n") }
    assert_equal [3, 1], [error.line, error.column]
    assert_equal "3:1: the stream has more than one document\n    2\n    ^\n#{error.help}", error.message
    assert_match(/Ketch.load_stream/, error.help)
  end

  def test_each_document_yields_all_documents_before_the_error
    values = []
    error = assert_raises(Ketch::SyntaxError) do
      Ketch.each_document(StringIO.new("a: 1\n---\nb: 2\n---\n[c\n"), filename: "log") { |value| values << value }
    end
    assert_equal [{ "a" => 1 }, { "b" => 2 }], values
    assert_equal 5, error.line
    assert error.message.start_with?("log:5:1: ")
  end

  def test_each_document_of_an_endless_stream
    endless = Object.new
    def endless.read(count) = "---\na: [b, c]\n".ljust(count, "#")[0, count - 1] + "\n"
    assert_equal [{ "a" => %w[b c] }] * 3, Ketch.each_document(endless).first(3)
  end

  def test_enumerators_keep_the_options
    assert_equal({ a: 1 }, Ketch.each_document("a: 1", symbolize_names: true).next)
    event = Ketch.each_event("[", filename: "log")
    2.times { event.next }
    assert_match(/\Alog:/, assert_raises(Ketch::SyntaxError) { event.next }.message)
  end

  def test_each_document_does_not_wait_for_more_input
    reader, writer = IO.pipe
    writer.write("a: 1\n")
    feeder = Thread.new do
      sleep 0.01 and writer.write("---\nb: 1\n")
      writer.close
    end
    assert_equal [{ "a" => 1 }, { "b" => 1 }], Ketch.each_document(reader).to_a
    feeder.join
  ensure
    reader.close
  end

  def test_each_document_raises_the_exceptions_of_its_io
    gone = Object.new
    def gone.read(_count) = raise(IOError, "gone")
    assert_equal "gone", assert_raises(IOError) { Ketch.each_document(gone) { flunk } }.message
    generous = Object.new
    def generous.read(count) = "x" * (count + 1)
    assert_raises(IOError) { Ketch.each_document(generous) { flunk } }
  end

  def test_the_block_of_each_document_may_break
    left = Ketch.each_document("1\n---\n2\n") { |value| break value }
    assert_equal 1, left
    assert_equal [1], Ketch.each_document("1\n---\n[").first(1)
  end

  def test_the_block_of_each_document_may_load
    inner = []
    Ketch.each_document("a: 1\n---\nb: 2\n") { |value| inner << Ketch.load(value.to_a.inspect) }
    assert_equal [[["a", 1]], [["b", 2]]], inner
  end

  # This is so on every Ruby, whichever calendar its Psych uses.
  def test_days_are_those_of_the_proleptic_gregorian_calendar
    %w[0001-01-01 1500-02-28 1582-10-10 2026-05-17].each do |text|
      day = Ketch.load(text, schema: :yaml11)
      assert_equal Date.new(*text.split("-").map(&:to_i), Date::GREGORIAN), day
      assert_equal [text, Date::GREGORIAN], [day.to_s, day.start]
      assert_equal day, Ketch.load(Ketch.dump(day), schema: :yaml11)
    end
  end

  # docs/leniencies.md
  def test_the_final_break
    texts = { "a: |\n  x" => ["x\n", "x"], "a: >\n  x" => ["x\n", "x"], "a: |+\n  x" => ["x\n", "x"], "a: |-\n  x" => ["x", "x"],
              "a: |\n  x\n" => ["x\n", "x\n"], "a: x" => ["x", "x"] }
    texts.each do |text, (with, without)|
      assert_equal with, Ketch.load(text)["a"], text
      assert_equal with, Ketch.load(text, final_break: true)["a"], text
      [{}, { max_nodes: 100 }, { positions: true }].each do |options|
        loaded = Ketch.load(text, final_break: false, **options)
        loaded = loaded.value if options[:positions]
        assert_equal without, loaded["a"], [text, options]
      end
      assert_equal without, Ketch.parse(text, final_break: false).root["a"].text, text
      assert_includes Ketch.each_event(text, final_break: false).map(&:value), without, text
      assert_equal [without], Ketch.each_document(StringIO.new(text), final_break: false).map { |value| value["a"] }, text
    end
  end
end
