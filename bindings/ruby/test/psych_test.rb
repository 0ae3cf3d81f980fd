# frozen_string_literal: true

require_relative "helper"
require_relative "suite"
require "bigdecimal"
require "date"
require "psych"
require "set"
require "tempfile"
require "ketch/psych"

# Tests of Ketch::Psych that the snippets do not cover.
class PsychTest < Minitest::Test
  YAML = Ketch::Psych

  def test_sources
    Tempfile.create("ketch") do |file|
      file.write("a: :b\n")
      file.flush
      assert_equal({ "a" => :b }, YAML.load_file(file.path))
      assert_raises(YAML::DisallowedClass) { YAML.safe_load_file(file.path) }
      assert_equal({ a: :b }, YAML.safe_load_file(file.path, permitted_classes: [Symbol], symbolize_names: true))
      File.open(file.path) { |io| assert_equal({ "a" => :b }, YAML.load(io)) }
      assert_equal %w[a :b], YAML.parse_file(file.path).root.children.map(&:value)
      File.write(file.path, "a: [")
      assert_equal file.path, assert_raises(YAML::SyntaxError) { YAML.load_file(file.path) }.file
      File.write(file.path, "")
      assert_nil YAML.load_file(file.path)
      assert_equal :none, YAML.load_file(file.path, fallback: :none)
      assert_equal :none, YAML.parse_file(file.path, fallback: :none)
    end
    assert_equal "no implicit conversion of nil into String", assert_raises(TypeError) { YAML.load(nil) }.message
    assert_equal ["größe"], YAML.load("- größe".encode("UTF-16LE"))
    assert_equal ["größe"], YAML.load("- größe".b)
  end

  def test_the_fields_of_a_syntax_error
    error = assert_raises(YAML::SyntaxError) { YAML.load("a: b\nc: [d\n", filename: "f.yml") }
    assert_equal ["f.yml", 2, 4, 8, "a `[` is never closed", "while reading a sequence"],
                 [error.file, error.line, error.column, error.offset, error.problem, error.context]
    assert_equal "(f.yml): a `[` is never closed at line 2 column 4", error.message.lines.first.chomp
    assert_includes error.message, "c: [d\n       ^"
    made = YAML::SyntaxError.new(nil, 1, 2, 3, "bad", "in a list")
    theirs = ::Psych::SyntaxError.new(nil, 1, 2, 3, "bad", "in a list")
    assert_equal theirs.message, made.message
    assert_equal %i[file line column offset problem context].map { |name| theirs.public_send(name) },
                 %i[file line column offset problem context].map { |name| made.public_send(name) }
  end

  def test_all_errors_of_ketch_are_errors_of_psych
    ["[" * 3000, "a: *b", "{a: 1, a", "\xFF".b, "a: !e!x 1"].each do |text|
      assert_raises(YAML::Exception, text[0, 20]) { YAML.load(text, aliases: true) }
    end
  end

  def test_objects_of_other_classes_are_rejected
    refute_respond_to YAML, :add_tag
    error = assert_raises(NoMethodError) { YAML.add_tag("!a", Object) }
    assert_match(/\AKetch has no add_tag: it creates objects of .*\. Use /, error.message)
    assert_raises(NoMethodError) { YAML.no_such_method }
    error = assert_raises(YAML::DisallowedClass) { YAML.load("!ruby/object:Tempfile {}", permitted_classes: [Tempfile]) }
    assert_equal "Tried to load unspecified class: Tempfile\n#{YAML::Permissions::REFUSED}", error.message
  end

  def test_unsafe_load_makes_values
    text = "default: &d {a: b, on: 2026-05-17}\ns: :b\nlive:\n  <<: *d\n  at: 2026-05-17 10:00:00 Z\n  r: !ruby/range 1..2\n"
    assert_equal ::Psych.unsafe_load(text), YAML.unsafe_load(text)
    assert_equal ::Psych.unsafe_load(text, symbolize_names: true), YAML.unsafe_load(text, symbolize_names: true)
    assert YAML.unsafe_load(text, freeze: true).frozen?
    assert_equal [::Psych.unsafe_load(""), ::Psych.unsafe_load("", fallback: 1)], [YAML.unsafe_load(""), YAML.unsafe_load("", fallback: 1)]
    Tempfile.create("ketch") do |file|
      File.write(file.path, text)
      assert_equal ::Psych.unsafe_load_file(file.path), YAML.unsafe_load_file(file.path)
      File.write(file.path, "[")
      assert_equal file.path, assert_raises(YAML::SyntaxError) { YAML.unsafe_load_file(file.path) }.file
    end
    ["!ruby/object:Tempfile {}", "!ruby/struct:Point {x: 1}", "!ruby/class File", "!ruby/exception:IOError {}"].each do |object|
      error = assert_raises(YAML::DisallowedClass, object) { YAML.unsafe_load(object) }
      assert_includes error.message, YAML::Permissions::REFUSED
    end
  end

  def test_messages_for_values_that_are_not_permitted
    { "- :a" => "Symbol", "- 2026-05-17" => "Date", "- 2026-05-17 10:00:00" => "Time", "!ruby/range 1..2" => "Range",
      "!ruby/regexp /a/" => "Regexp", "!ruby/struct:Point {}" => "Point" }.each do |text, name|
      ours = assert_raises(YAML::DisallowedClass, text) { YAML.safe_load(text) }
      theirs = assert_raises(::Psych::DisallowedClass, text) { ::Psych.safe_load(text) }
      assert_equal ["Tried to load unspecified class: #{name}"] * 2, [ours.message, theirs.message]
    end
    assert_kind_of YAML::BadAlias, assert_raises(YAML::AliasesNotEnabled) { YAML.load("- &a 1\n- *a") }
    assert_kind_of YAML::BadAlias, assert_raises(YAML::AnchorNotDefined) { YAML.load("- *a", aliases: true) }
  end

  def test_a_syntax_error_takes_precedence_over_permissions
    assert_raises(YAML::SyntaxError) { YAML.load("a: 2026-05-17\nb: [") }
    assert_raises(::Psych::SyntaxError) { ::Psych.load("a: 2026-05-17\nb: [") }
  end

  def test_permitted_symbols
    options = { permitted_symbols: %i[a b], permitted_classes: [Symbol] }
    assert_equal %i[a b a], YAML.load("- :a\n- :b\n- !ruby/symbol a", **options)
    assert_raises(YAML::DisallowedClass) { YAML.load("- :c", **options) }
    assert_raises(YAML::DisallowedClass) { YAML.load("- :a", permitted_symbols: [:a], permitted_classes: []) }
  end

  def test_strict_integer
    assert_equal [1000, "1,000"], [YAML.load("1,000"), YAML.load("1,000", strict_integer: true)]
    assert_equal 1000, YAML.load("1_000", strict_integer: true)
    assert_equal ["1,000"], YAML.load_stream("1,000", strict_integer: true)
  end

  def test_streams
    text = "a: 1\n---\n:b: 2026-05-17\n"
    expected = [{ "a" => 1 }, { b: Date.new(2026, 5, 17) }]
    assert_equal expected, YAML.load_stream(text)
    yielded = []
    YAML.load_stream(text) { |value| yielded << value }
    assert_equal expected, yielded
    assert_equal [{ a: 1 }, { b: Date.new(2026, 5, 17) }], YAML.load_stream(text, symbolize_names: true)
    assert_equal({ "2001-13-01": 1 }, YAML.safe_load("2001-13-01: 1", symbolize_names: true))
    assert_equal [[], :none], [YAML.load_stream(""), YAML.load_stream("", fallback: :none)]
    assert_raises(YAML::DisallowedClass) { YAML.safe_load_stream(text) }
    assert_equal expected, YAML.safe_load_stream(text, permitted_classes: [Symbol, Date])
    early = []
    assert_raises(YAML::SyntaxError) { YAML.parse_stream("a\n--- b\n--- [") { |document| early << document.root.value } }
    assert_equal %w[a b], early
  end

  # Nodes start, and scalars end, where Psych says. Psych ends a block collection where the next token starts.
  def test_positions_of_nodes
    text = "# c\na: &x [b, 'c',\n  \"d\", !foo e]\n\ngröße:\n  h: *x\n  i: |\n    j\n- k"
    text = text.delete_suffix("- k")
    ours, theirs = [YAML, ::Psych].map { |psych| psych.parse(text).to_a }
    assert_equal(theirs.map { |node| node.class.name }, ours.map { |node| node.class.name.delete_prefix("Ketch::") })
    ours.zip(theirs).each do |our, their|
      next if their.document?

      assert_equal [their.start_line, their.start_column], [our.start_line, our.start_column], our.inspect
      assert_equal [their.end_line, their.end_column], [our.end_line, our.end_column] if our.scalar? && our.style < 4 || our.alias?
    end
  end

  def test_nodes
    document = YAML.parse("a: &x [b]\nc: *x\n")
    assert_equal [true, false, true, false], [document.document?, document.root.scalar?, document.root.mapping?, document.root.alias?]
    assert_equal({ "a" => ["b"], "c" => ["b"] }, document.to_ruby)
    assert_equal({ a: ["b"], c: ["b"] }, document.root.to_ruby(symbolize_names: true))
    assert_equal ["b"], document.transform["c"]
    assert_equal [true, []], [YAML.parse_stream("").stream?, YAML.parse_stream("").to_ruby]
    assert_equal false, YAML.parse("")
  end

  # Checks that written nodes are read as the same nodes, for all cases of the suite that Ketch
  # reads.
  def test_nodes_are_written_unchanged
    written = Suite.cases.reject(&:fail).count do |kase|
      stream = YAML.parse_stream(kase.yaml)
      again = YAML.parse_stream(stream.to_yaml)
      assert_equal shape(stream), shape(again), "#{kase.id}\n#{stream.to_yaml}"
    end
    assert_operator written, :>=, 300
    assert_equal "[1, 2]\n", YAML.parse("a: [1, 2]").root.children[1].to_yaml
    io = StringIO.new
    assert_same io, YAML.parse("a").to_yaml(io)
    assert_equal "a:\n    b: 1\n", YAML.parse("a:\n b: 1").yaml(nil, indentation: 4)
  end

  def test_a_handler_gets_all_events
    calls = []
    handler = Class.new(YAML::Handler) do
      define_method(:scalar) { |*arguments| calls << arguments }
      define_method(:event_location) { |*place| calls << place }
    end
    parser = YAML::Parser.new(handler.new)
    assert_same parser, parser.parse("a: 'b'\n")
    assert_includes calls.each_cons(2).to_a, [[0, 3, 0, 6], ["b", nil, nil, false, true, YAML::Nodes::Scalar::SINGLE_QUOTED]]
    assert_equal [7, 1, 0], parser.mark.to_a
    refute_predicate YAML::Handler.new, :streaming?
    assert_raises(YAML::SyntaxError) { YAML::Parser.new.parse("[") }
  end

  def test_an_emitter_can_be_the_handler
    io = StringIO.new
    YAML::Parser.new(YAML::Emitter.new(io)).parse("%YAML 1.1\n---\na: &x [1, '2']\nb: *x\n...\n")
    assert_equal "%YAML 1.1\n---\na: &x [1, '2']\nb: *x\n...\n", io.string
  end

  def test_domain_types
    YAML.add_domain_type("example.com,2026", "boat") { |tag, value| [tag, value] }
    YAML.add_domain_type("", "ruby/hash:Indifferent") { |_, value| value.transform_keys(&:to_sym) }
    YAML.add_builtin_type("point") { |_, value| Complex(*value) }
    assert_equal ["tag:example.com,2026:boat", { "a" => 1 }], YAML.load("!<tag:example.com,2026:boat> {a: 1}")
    assert_equal ["tag:example.com,2026:boat", "x"], YAML.load("!boat x")
    assert_equal [{ a: 1 }], YAML.load("- !ruby/hash:Indifferent {a: 1}")
    assert_equal 1 + 2i, YAML.load("!!point [1, 2]")
    YAML.remove_type("tag:yaml.org,2002:point")
    assert_equal [1, 2], YAML.load("!!point [1, 2]")
  ensure
    YAML.domain_types.clear
  end

  def test_limits_stop_inputs_that_expand
    lines = (1..60).map { |level| "- &a#{level} [*a#{level - 1}, *a#{level - 1}]" }
    laughs = "- &a0 x\n#{lines.join("\n")}\n"
    assert_equal 61, YAML.load(laughs, aliases: true).size
    assert_raises(YAML::SyntaxError) { YAML.load("#{laughs}- ? *a60\n  : 1\n", aliases: true) }
    base = (0...2000).map { |n| "k#{n}: 1" }.join(", ")
    merging = "- &m {#{base}}\n#{"- {<<: *m}\n" * 2000}"
    assert_raises(YAML::SyntaxError) { YAML.load(merging, aliases: true) }
    assert_equal 2001, YAML.load("- &m {a: 1}\n#{"- {<<: *m}\n" * 2000}", aliases: true).size
  end

  def test_dump
    assert_equal "---\n:a:\n- b\n- :c\n", YAML.dump({ a: ["b", :c] })
    assert_equal "--- x\n", YAML.dump("x")
    assert_equal "%YAML 1.1\n--- x\n", YAML.dump("x", header: true)
    assert_equal "%YAML 1.2\n--- x\n", YAML.dump("x", version: [1, 2])
    assert_equal "---\na:\n    b: 1\n", YAML.dump({ "a" => { "b" => 1 } }, indentation: 4)
    assert_operator YAML.dump("word " * 50, line_width: 40).lines.size, :>, 3
    assert_equal 1, YAML.dump("word " * 50, line_width: -1).lines.size
    assert_raises(ArgumentError) { YAML.dump("x", line_width: -2) }
    assert_equal "--- {a: [1]}\n", YAML.dump({ "a" => [1] }, canonical: true)
    io = StringIO.new
    assert_same io, YAML.dump([1], io, indentation: 4)
    assert_equal "---\n- 1\n", io.string
    assert_equal "--- 1\n--- a\n", YAML.dump_stream(1, "a")
    assert_equal "{\"a\": [1, null]}\n", YAML.to_json({ a: [1, nil] })
  end

  VALUES = [:a, :"a b", :"a: b", :"'a'", :":a", :"", :"größe", :[], :+, "<<", { "<<" => { "a" => 1 } }, "y", "1,000", "1:30", ":a", "0o7",
            "1_0.5", "12e03", "2026-05-17", "0x1F", "=", "null", "", 1e20, 1.5, -0.0, 2**70, nil, true, "a\nb\n", " a ", "\xFF".b,
            Date.new(2026, 5, 17, YAML::Host.calendar_start), Time.at(1, 5, :nsec).utc, Time.new(2026, 5, 17, 8, 30, 1.5r, "+05:30"), 1..3, "a"..."c",
            /a b/mix, 1 + 2i, 1/3r, Set[1, :a], BigDecimal("1.50"), Encoding::UTF_8, { a: { "b" => [:c] } },
            DateTime.new(2026, 5, 17, 8, 30, 1.5r, "+2")].freeze

  def test_written_values_are_read_by_both
    VALUES.each do |value|
      [value, [value], { "k" => value }, { value => 1 }].each do |wrapped|
        text = YAML.dump(wrapped)
        read = [YAML.load(text, permitted_classes: YAML::Permissions::VALUES), ::Psych.unsafe_load(text)]
        assert_equal [wrapped.inspect] * 2, read.map(&:inspect), text
      end
    end
  end

  def test_a_shared_collection_is_written_once
    shared, members, list = [1], Set[1], [2]
    list << list
    text = YAML.dump([shared, shared, members, members, list])
    a, b, c, d, e = YAML.load(text, permitted_classes: [Set], aliases: true)
    assert_same a, b
    assert_same e, e[1]
    assert_equal [Set[1]] * 2, [c, d]
    assert_equal ::Psych.unsafe_load(text).inspect, [a, b, c, d, e].inspect
  end

  def test_objects_are_not_written
    [Object.new, Struct.new(:a).new(1), Class, Kernel, StandardError.new, proc {}].each do |object|
      error = assert_raises(YAML::DisallowedClass, object.inspect) { YAML.dump([object]) }
      assert_includes error.message, YAML::Representer::REFUSED
    end
  end

  # Like the Psych of the running Ruby: since 4.0.5, in the proleptic Gregorian calendar; in older versions, in the
  # Julian calendar before 1582.
  def test_old_dates
    days = [Date.new(1500, 2, 28), Date.new(1500, 2, 28, Date::GREGORIAN), Date.new(1582, 10, 4), Date.new(1, 1, 1)]
    times = days.map { |day| day.to_time.to_datetime } << DateTime.new(1500, 2, 28, 13, 14, Rational(31, 2), "+02:00")
    (days + times).each do |day|
      text = ::Psych.dump(day)
      assert_equal text, YAML.dump(day).delete('"')
      theirs = ::Psych.unsafe_load(text)
      ours = YAML.load(text, permitted_classes: [Date, DateTime])
      assert_equal [theirs.inspect, theirs.class], [ours.inspect, ours.class], text
    end
    assert_equal(*[::Psych.unsafe_load("1500-02-29"), YAML.load("1500-02-29", permitted_classes: [Date])].map(&:inspect))
  end

  def test_safe_dump
    shared = [1]
    assert_equal "---\na:\n- 1.5\n- null\n", YAML.safe_dump({ "a" => [1.5, nil] })
    { [Date.new(2026, 5, 17)] => "Date", [1..2] => "Range" }.each do |value, name|
      ours = assert_raises(YAML::DisallowedClass) { YAML.safe_dump(value) }
      theirs = assert_raises(::Psych::DisallowedClass) { ::Psych.safe_dump(value) }
      assert_equal ["Tried to dump unspecified class: #{name}"] * 2, [ours.message, theirs.message]
    end
    [{}, { permitted_classes: [Symbol] }, { permitted_symbols: [:a] }, { permitted_symbols: [:b] },
     { permitted_classes: [Symbol], permitted_symbols: [:a] }].each do |options|
      %i[a b].each { |symbol| assert_equal safe_dump_of(symbol, ::Psych, options), safe_dump_of(symbol, YAML, options), options }
    end
    assert_raises(YAML::BadAlias) { YAML.safe_dump([shared, shared]) }
    assert_equal "---\n- &1\n  - 1\n- *1\n", YAML.safe_dump([shared, shared], aliases: true)
    assert_equal "--- :a\n", YAML.safe_dump(:a, permitted_classes: [Symbol], permitted_symbols: [:a])
    assert_equal "--- 2026-05-17\n", YAML.safe_dump(Date.new(2026, 5, 17), permitted_classes: [Date])
  end

  def test_objects_survive_a_collection_at_each_allocation
    text = "a: &a {x: :y, d: 2026-05-17}\nb: {<<: *a, z: !ruby/regexp /a/}\nc: [1_0.5, !foo x, {<<: [{p: q}]}]\n? [k]\n: v\n"
    classes = YAML::Permissions::VALUES
    expected = YAML.load(text, permitted_classes: classes, aliases: true)
    GC.stress = NEW_OBJECTS
    loaded = [true, false].map { |freeze| YAML.load(text, permitted_classes: classes, aliases: true, freeze: freeze) }
    written = YAML.dump(expected)
    GC.stress = false
    assert_equal [expected] * 2, loaded
    assert_equal expected, ::Psych.unsafe_load(written)
  ensure
    GC.stress = false
  end

  def test_a_store
    Dir.mktmpdir do |folder|
      store = YAML::Store.new("#{folder}/fleet.yml", indentation: 4)
      store.transaction { store[:ketch] = { "masts" => 2, built: Date.new(1902, 5, 1) } }
      assert_equal "---\n:ketch:\n    masts: 2\n    :built: 1902-05-01\n", File.read("#{folder}/fleet.yml")
      store.transaction { store["yawl"] = 2 }
      assert_raises(YAML::DisallowedClass) { store.transaction { store["bad"] = Object.new } }
      again = YAML::Store.new("#{folder}/fleet.yml")
      again.transaction(true) { assert_equal [{ "masts" => 2, built: Date.new(1902, 5, 1) }, 2], [again[:ketch], again["yawl"]] }
    end
  end

  REPLACED = <<~'RUBY'
    require "ketch/psych/replace"
    require "yaml"
    require "yaml/store"
    require "psych"
    raise unless YAML.equal?(Ketch::Psych) && Psych.equal?(Ketch::Psych)
    raise unless { a: :b }.to_yaml == "---\n:a: :b\n" && YAML.load("a: :b") == { "a" => :b }
    raise unless $LOADED_FEATURES.grep(/psych\.so/).empty? == (ARGV[0] == "alone")
    begin
      YAML.load("[")
    rescue Psych::SyntaxError => e
      raise unless e.line == 1
    end
    begin
      Class.new { yaml_tag "!x" }
    rescue NoMethodError
      print YAML::Store.name
    end
  RUBY

  def test_replace_makes_it_yaml_and_psych
    { "alone" => "", "after" => "require 'yaml'; require 'yaml/store'\n" }.each do |name, before|
      assert_equal "Ketch::Psych::Store", run_ruby(before + REPLACED, name), name
    end
  end

  def test_ractors
    assert_equal "ok", run_ruby(<<~'RUBY')
      require "ketch/psych"
      Warning[:experimental] = false
      loaded = Ractor.new do
        [Ketch::Psych.load("a: :b"), (Ketch::Psych.load("- *a") rescue $!.class.name), Ketch::Psych.load_stream("a: 12:30\nb: !!set {a}").size]
      end.take
      print loaded == [{ "a" => :b }, "Ketch::Psych::AliasesNotEnabled", 1] ? "ok" : loaded
    RUBY
  end

  private

  def safe_dump_of(value, psych, options)
    psych.safe_dump(value, **options)
  rescue psych::DisallowedClass => e
    e.message
  end

  def shape(node)
    facts = %i[value anchor tag].select { |name| node.respond_to?(name) }.map { |name| node.public_send(name) }
    # Like libyaml, Ketch omits `!` where it has no effect.
    facts[-1] = nil if facts[-1] == "!" && node.scalar?
    [node.class, facts, (node.children || []).map { |child| shape(child) }]
  end

  def run_ruby(program, *arguments)
    IO.popen([RbConfig.ruby, "-I#{LIBRARY}", "-e", program, *arguments], err: %i[child out], &:read)
  end
end
