# frozen_string_literal: true

require_relative "helper"
require "date"
require "json"
require "psych"
require "set"
require "ketch/extprot/pure"
require "ketch/psych"

# Compares edge cases that applications found with Psych.
class PsychEdgesTest < Minitest::Test
  YAML = Ketch::Psych

  # Redefines Date#to_s and Time#to_s, as ActiveSupport does.
  def test_dates_do_not_depend_on_to_s
    assert_equal "---\n- 2026-05-17\n- 2026-05-17 10:00:00.000000000 Z\n", run_ruby(<<~'RUBY')
      require "date"
      require "ketch/psych"
      [Date, Time].each { |klass| klass.class_eval { def to_s(*) = "17 May" } }
      print Ketch::Psych.dump([Date.new(2026, 5, 17), Time.utc(2026, 5, 17, 10)])
    RUBY
    [Date.new(-1, 1, 1), Date.new(12_345, 1, 1)].each { |date| assert_equal ::Psych.dump(date), YAML.dump(date) }
  end

  def test_aliases_as_keys_with_a_colon
    texts = ["a: &F x\nb: {*F: y}\n", "- &F 1\n- {*F: x, *F : y}\n", "- &F 1\n- *F: x\n", "- &F 1\n- [*F: x]\n"]
    texts.each { |text| assert_equal ::Psych.load(text, aliases: true), YAML.load(text, aliases: true), text }
    # In YAML 1.2 the colon is part of the name, and valid YAML keeps its meaning.
    assert_raises(Ketch::Error) { Ketch.load("- &F 1\n- {*F: x}") }
    [false, true].each { |lenient| assert_equal [1, { 1 => nil }], Ketch.load("- &F: 1\n- {*F: }", lenient: lenient) }
  end

  def test_versions
    [true, false, nil, "1.1", "1.2", [1, 1], [1, 2], 1.2].each do |version|
      assert_equal ::Psych.dump("x", version: version), YAML.dump("x", version: version), version.inspect
      assert_equal ::Psych.dump("x", version: version, header: true), YAML.dump("x", version: version, header: true)
    end
    [::Psych, YAML].each { |psych| assert_raises(RuntimeError) { psych.dump("x", version: [1, 0]) } }
  end

  def test_options_of_dump
    value = { "a" => { "b" => 1 } }
    [{ foo: 1 }, { "indentation" => 4 }, { 1 => 2 }, { indentation: 1 }, { indentation: 9 }, { indentation: 99 }, { SortKeys: true }].each do |options|
      assert_equal ::Psych.dump(value, options), YAML.dump(value, options), options.inspect
      assert_equal ::Psych.safe_dump(value, options), YAML.safe_dump(value, options), options.inspect
    end
    [{ line_width: "x" }, { line_width: -2 }].each do |options|
      [::Psych, YAML].each { |psych| assert_raises(ArgumentError) { psych.dump(value, options) } }
    end
  end

  def test_values_that_contain_themselves
    omap = YAML::Omap.new
    omap["a"] = omap
    set = YAML::Set.new
    set["a"] = set
    [omap, set].each do |value|
      text = YAML.dump(value)
      [YAML.unsafe_load(text), YAML.load(text, permitted_classes: [value.class], aliases: true)].each do |read|
        assert_instance_of value.class, read
        assert_same read, read["a"]
      end
      assert_same(*::Psych.unsafe_load(text).then { |read| [read, read["a"]] })
    end
    set = YAML.unsafe_load("--- &1 !set\na: 1\n*1 : x\n")
    assert_equal ["a", set], set.keys
    omap = YAML.unsafe_load("--- &1 !!omap {a: *1}")
    assert_same omap, omap["a"]
  end

  # An IO that misbehaves.
  class Reader
    def initialize(*parts) = @parts = parts
  end

  class FreeReader < Reader
    def read = @parts.shift
  end

  class LengthReader < Reader
    def read(_bytes) = @parts.shift
  end

  def test_ios_that_do_not_return_text
    [42, :a, [1]].each do |part|
      [FreeReader, LengthReader].each do |io|
        assert_raises(TypeError) { YAML.load(io.new(part)) }
        assert_raises(TypeError) { YAML.parse(io.new(part)) }
        assert_raises(TypeError) { Ketch.each_document(io.new(part)).to_a } if io == LengthReader
      end
      error = assert_raises(TypeError) { Ketch.load(FreeReader.new(part)) }
      assert_equal "expected `read` to return a String, not #{part.class}", error.message
      assert_raises(TypeError) { Ketch.parse(FreeReader.new(part)) }
    end
    assert_equal({ "a" => 12 }, YAML.load(LengthReader.new("a: ", "12", nil)))
    assert_equal [{ "a" => 1 }, false], [YAML.load(FreeReader.new("a: 1")), YAML.unsafe_load(FreeReader.new(nil))]
  end

  def test_a_time_that_occurs_twice
    time, date_time, pattern = Time.utc(2026, 5, 17), DateTime.new(2026, 5, 17), /a/
    [time, date_time, pattern, 1..2, 1i].each do |value|
      assert_equal ::Psych.dump([value, value, { value => value }]).scan(/[&*]\d/), YAML.dump([value, value, { value => value }]).scan(/[&*]\d/)
      first, second = YAML.unsafe_load(YAML.dump([value, value]))
      assert_same first, second
      assert_equal value, first
    end
    # Some versions of Psych give it an anchor.
    date = Date.new(2026, 5, 17)
    assert_equal ::Psych.dump([date, date]), YAML.dump([date, date])
    [Encoding::UTF_8, :"a b", "text", 1.5].each do |value|
      assert_empty YAML.dump([value, value]).scan(/[&*]\d/), value.inspect
    end
    assert_raises(YAML::BadAlias) { YAML.safe_dump([time, time], permitted_classes: [Time]) }
    assert_raises(::Psych::BadAlias) { ::Psych.safe_dump([time, time], permitted_classes: [Time]) }
    assert_equal "--- 2026-05-17 00:00:00.000000000 Z\n", YAML.dump(time)
  end

  # As in Psych, most syntax errors have a context. Errors about limits have none.
  def test_the_context_of_a_syntax_error
    texts = ["a: [b\nc", "{a: 'b", "--- `foo", "a: \"\\q\"", "%TAG x\n---\na", "a: |x\n b"]
    texts.each do |text|
      [::Psych, YAML].each do |psych|
        assert_match(/\Awhile /, assert_raises(psych::SyntaxError, text) { psych.load(text) }.context, text)
      end
    end
    assert_equal "while reading a scalar in quotes", assert_raises(YAML::SyntaxError) { YAML.load("{a: 'b") }.context
    assert_nil assert_raises(YAML::SyntaxError) { YAML.load("[" * 3000) }.context
  end

  def test_to_json
    [nil, 1, "a\"é\n", :a, [], {}, [1, [2, { "a" => [nil, true] }]], { a: 1, "b" => 1.5 },
     { "a" => Time.utc(2026, 5, 17, 1, 2, 3) }, { "a" => DateTime.new(2026, 5, 17) }, Time.at(0, in: "+02:00")].each do |value|
      assert_equal ::Psych.to_json(value), YAML.to_json(value), value.inspect
    end
    # Psych writes a day without quotes, which is not JSON.
    assert_equal "{\"on\": \"2026-05-17\"}\n", YAML.to_json({ on: Date.new(2026, 5, 17) })
    endless = []
    endless << endless
    assert_raises(JSON::NestingError) { YAML.to_json(endless) }
    assert_raises(JSON::GeneratorError) { YAML.to_json(Float::NAN) }
  end

  WRONG_CALLS = [
    [:start_stream, "utf8"], [:start_document, nil, [], false], [:start_document, [nil, nil], [], false],
    [:start_document, [], "foo", false], [:start_document, [], ["foo"], false], [:start_document, [1, 1], [[nil, "tag:a"]], false],
    [:scalar, :foo, nil, nil, false, true, 1], [:scalar, "foo", Object.new, nil, false, true, 1],
    [:scalar, "foo", nil, Object.new, false, true, 1], [:scalar, "foo", nil, nil, false, true, :foo],
    [:start_sequence, nil, Object.new, true, 1], [:start_sequence, nil, nil, true, :foo], [:start_mapping, Object.new, nil, true, 1]
  ].freeze

  def test_events_of_an_emitter
    WRONG_CALLS.each do |call|
      [::Psych, YAML].each do |psych|
        emitter = psych::Emitter.new(StringIO.new)
        emitter.start_stream(psych::Nodes::Stream::UTF8) unless call[0] == :start_stream
        emitter.start_document([], [], false) unless call[0].start_with?("start_document", "start_stream")
        assert_raises(TypeError, "#{psych} #{call}") { emitter.public_send(*call) }
      end
    end
    [::Psych, YAML].each do |psych|
      emitter = psych::Emitter.new(StringIO.new)
      emitter.start_stream(psych::Nodes::Stream::UTF8)
      assert_raises(RuntimeError) { emitter.start_document([], [["!"]], false) }
    end
  end

  def test_a_tag_prefix_beyond_ascii
    [["!", "鍵".encode("EUC-JP")], ["!e!", "tag:größe%,2026:"]].each do |directive|
      texts = [::Psych, YAML].map { |psych| emitted(psych, directive) }
      [::Psych, YAML].product(texts) do |psych, text|
        document = psych.parse(text)
        assert_equal [directive.map { |part| part.encode("UTF-8") }], document.tag_directives, text
      end
      assert_equal [Ketch.parse(texts[0]).root.tag] * 2, texts.map { |text| Ketch.parse(text).root.tag }
    end
  end

  def test_a_merge_key_of_ketch_is_text_to_psych
    value = { "<<" => { "a" => 1 }, "b" => "<<" }
    assert_equal [value] * 4, [Ketch.load(Ketch.dump(value)), Ketch.load(Ketch.dump(value), schema: :yaml11),
                               ::Psych.load(Ketch.dump(value)), YAML.load(Ketch.dump(value))]
    assert_equal [value, value], [::Psych.load(Ketch.dump(value, flow: true)), ::Psych.load_stream(Ketch.dump_stream([value]))[0]]
  end

  def test_modules_can_be_keys
    modules = [Ketch, Ketch::Extprot, Ketch::Extprot::Pure, YAML]
    assert_equal modules.size, modules.to_h { |name| [name, 1] }.size
  end

  # A BasicObject lacks most methods, so none can be called on it.
  def test_basic_objects
    [-> { YAML.dump(BasicObject.new) }, -> { YAML.dump([BasicObject.new]) }, -> { YAML.safe_dump({ "a" => BasicObject.new }) }].each do |call|
      assert_equal "Tried to dump unspecified class: BasicObject", assert_raises(YAML::DisallowedClass, &call).message.lines.first.chomp
    end
    assert_equal "no implicit conversion of BasicObject into String", assert_raises(TypeError) { YAML.load(BasicObject.new) }.message
    [-> { Ketch.dump([BasicObject.new]) }, -> { Ketch.load(BasicObject.new) }, -> { Ketch::Extprot.dump([BasicObject.new]) },
     -> { Ketch::Extprot::Pure.dump([BasicObject.new]) }].each do |call|
      assert_match(/BasicObject/, assert_raises(TypeError, &call).message)
    end
  end

  def test_streams_and_scanners
    texts = [::Psych, YAML].map do |psych|
      StringIO.new.tap { |io| psych::Stream.new(io).start { |stream| stream.push({ "a" => [1] }); stream.push("b") } }.string
    end
    assert_equal [[{ "a" => [1] }, "b"]] * 2, texts.map { |text| ::Psych.load_stream(text) }
    scanners = [::Psych, YAML].map { |psych| psych::ScalarScanner.new(psych::ClassLoader.new) }
    ["0b101", ":a", "2026-05-17", "1,000", "~", "x"].each { |text| assert_equal(*scanners.map { |scanner| [scanner.tokenize(text)] }) }
    assert_equal "1,000", YAML::ScalarScanner.new(YAML::ClassLoader.new, strict_integer: true).tokenize("1,000")
    restricted = YAML::ScalarScanner.new(YAML::ClassLoader::Restricted.new([], []))
    assert_raises(YAML::DisallowedClass) { restricted.tokenize("2026-05-17") }
  end

  private

  def emitted(psych, directive)
    io = StringIO.new
    emitter = psych::Emitter.new(io)
    emitter.start_stream(psych::Nodes::Stream::UTF8)
    emitter.start_document([1, 1], [directive], false)
    emitter.scalar("foo", nil, "#{directive[1].encode("UTF-8")}x", false, false, 1)
    emitter.end_document(false)
    emitter.end_stream
    io.string
  end

  def run_ruby(program) = IO.popen([RbConfig.ruby, "-I#{LIBRARY}", "-e", program], err: %i[child out], &:read)
end
