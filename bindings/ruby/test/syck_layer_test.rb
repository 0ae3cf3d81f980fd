# frozen_string_literal: true

require_relative "helper"
require "ketch/syck"
require "psych"

# Syck's Ruby layer. The values were compared with those of JRuby 1.7.27, as Ruby 1.8.
class SyckLayerTest < Minitest::Test
  Syck = Ketch::Syck
  Point = Struct.new(:x, :y)

  class Boat
    attr_accessor :masts, :name
  end

  VALUES = {
    "" => false,
    "--- " => nil,
    "# c\n" => false,
    "--- 1\n--- 2\n" => 1,
    "!str 12" => "12",
    "!null x" => nil,
    "! \"~\"" => nil,
    "!float x" => ArgumentError,
    "!int abc" => ArgumentError,
    "!bool maybe" => Syck::DomainType.new("yaml.org,2002", "bool", "maybe"),
    ":sym" => :sym,
    "\":sym\"" => ":sym",
    ":\"a b\"" => :"a b",
    ":'a b'" => :"a b",
    "::a" => :":a",
    "- :a\n- {:b: :c}" => [:a, { b: :c }],
    "!ruby/sym a" => :a,
    "!ruby/sym \":a\"" => :":a",
    "!ruby/symbol :a" => :a,
    "!ruby/range 1..2" => 1..2,
    "!ruby/range \"a...c\"" => "a"..."c",
    "--- !ruby/range \nbegin: 1\nend: 2\nexcl: true\n" => 1...2,
    "!ruby/regexp /a/i" => /a/i,
    "!ruby/regexp \"/(/\"" => Syck::DomainType.new("ruby.yaml.org,2002", "regexp", "/(/"),
    "!ruby/object:Complex {real: 1, image: 2}" => Complex(1, 2),
    "!ruby/object:Rational {numerator: 1, denominator: 2}" => Rational(1, 2),
    "!ruby/object:Rational {numerator: 1, denominator: 0}" =>
      Syck::DomainType.new("ruby.yaml.org,2002", "object:Rational", { "numerator" => 1, "denominator" => 0 }),
    "!ruby/object:Object {a: 1}" => Syck::DomainType.new("ruby.yaml.org,2002", "object:Object", { "a" => 1 }),
    "!ruby/struct:Foo {a: 1}" => Syck::DomainType.new("ruby.yaml.org,2002", "struct:Foo", { "a" => 1 }),
    "!ruby/exception:IOError {message: x}" =>
      Syck::DomainType.new("ruby.yaml.org,2002", "exception:IOError", { "message" => "x" }),
    "!binary aGVsbG8=" => "hello",
    "!set {a, b}" => Syck::Set.new.merge!("a" => nil, "b" => nil),
    "!omap [a: 1, b: 2]" => Syck::Omap["a", 1, "b", 2],
    "!pairs [a: 1, a: 2]" => Syck::Pairs["a", 1, "a", 2],
    "!omap [1]" => ArgumentError,
    "!seq {a: 1}" => [["a", 1]],
    "!foo x" => Syck::DomainType.new("yaml.org,2002", "foo", "x"),
    "!!foo x" => Syck::PrivateType.new("foo", "x"),
    "!dom.com,2004/x y" => Syck::DomainType.new("dom.com,2004", "x", "y"),
    "!dom/x [1]" => Syck::DomainType.new("dom.yaml.org,2002", "x", [1]),
    "{a: *x}" => { "a" => Syck::BadAlias.new("x") },
    "{=: 1}" => { Syck::DefaultKey => 1 },
    "2001-12-14 21:59:43 -05:00" => Time.new(2001, 12, 14, 21, 59, 43, "-05:00"),
    "1,000.5" => 1000.5,
    "- <<: [{a: 1}, {b: 2, a: 3}]" => [{ "a" => 1, "b" => 2 }],
    "{<<: {a: 1}, a: 2}" => { "a" => 2 },
    "{a: 2, <<: {a: 1}}" => { "a" => 2 },
    "- &a {b: 1}\n- *a" => [{ "b" => 1 }, { "b" => 1 }],
    "- [1,2]\n- -1:30" => [[12], -30]
  }.freeze

  def test_values
    VALUES.each do |text, value|
      if value == ArgumentError
        assert_raises(Ketch::ValueError, text) { Syck.load(text) }
      else
        found = Syck.load(text)
        assert_equal [value.class, value.inspect], [found.class, found.inspect], text
      end
    end
  end

  def test_the_same_node_is_the_same_object
    value = Syck.load("- &a [1]\n- *a\n- &b [*b]\n")
    assert_same value[0], value[1]
    assert_same value[2], value[2][0]
    deep = Syck.load("#{"- " * 900}!x a")
    900.times { deep = deep[0] }
    assert_equal "x", deep.type_id
  end

  def test_streams
    text = "- 1\n--- :a\n"
    assert_equal [[1], :a], Syck.load_stream(text).documents
    assert_equal "--- \n- 1\n--- :a\n", Syck.load_stream(text).emit
    assert_nil Syck.load_stream("")
    assert_equal [[1], :a], Syck.load_documents(text).to_a
    assert_equal [:sequence, :scalar], Syck.parse_documents(StringIO.new(text)).map(&:kind)
    assert_equal false, Syck.parse("")
    assert_equal %w[int#hex null str], ["0x1F", "", "x"].map { |part| Syck.detect_implicit(part) }
  end

  def test_permitted_classes
    text = "!ruby/object:#{Boat} {name: a, masts: [1]}"
    boat = Syck.load(text, permitted_classes: [Boat])
    assert_equal [Boat, "a", [1]], [boat.class, boat.name, boat.masts]
    assert_instance_of Syck::DomainType, Syck.load(text)
    assert_equal Point.new(1, 2), Syck.load("!ruby/struct:#{Point} {x: 1, y: 2}", permitted_classes: [Point.name])
    error = Syck.load("!ruby/exception:IOError {message: m, a: 1}", permitted_classes: ["IOError"])
    assert_equal [IOError, "m", 1], [error.class, error.message, error.instance_variable_get(:@a)]
  end

  def test_types
    Syck.add_domain_type("dom,2004", "x") { |tag, value| [tag, value] }
    Syck.add_private_type("p") { |_, value| value.to_s * 2 }
    Syck.add_builtin_type("int") { |_, value| "int #{value}" }
    assert_equal [["tag:dom,2004:x", "y"], "aa", "int 1", 1.5], Syck.load("- !dom,2004/x y\n- !!p a\n- 1\n- 1.5")
  ensure
    Syck.types.clear
  end

  def test_transfer
    assert_equal [31, nil, "1", 1.5], [Syck.transfer("int", "0x1F"), Syck.transfer("null", ""),
                                       Syck.transfer("str", "1"), Syck.transfer("float", "1.5")]
  end

  def test_dumps
    {
      1 => "--- 1\n", nil => "--- \n", "" => "--- \"\"\n", "yes" => "--- \"yes\"\n", "a b" => "--- a b\n",
      "a\nb\n" => "--- |\n  a\n  b\n", "a\nb" => "--- |-\n  a\n  b\n", "\0" => "--- !binary \"AA==\"\n",
      [] => "--- []\n", {} => "--- {}\n", [1, [2, [3]]] => "--- \n- 1\n- - 2\n  - - 3\n",
      { "a" => { "b" => 1 } } => "--- \na: \n  b: 1\n", { nil => nil } => "--- \n~: \n", :sym => "--- :sym\n",
      1.0 / 0 => "--- .Inf\n", { [1] => 2 } => "--- \n? - 1\n: 2\n", Syck::Omap["a", 1] => "--- !omap \n- a: 1\n",
      Syck::DomainType.new("d,2001", "t", [1]) => "--- !d,2001/t \n- 1\n",
      1..2 => "--- !ruby/range \nbegin: 1\nend: 2\nexcl: false\n"
    }.each { |value, text| assert_equal text, Syck.dump(value) }
    assert_equal ["--- \na: \n- 1\n", "--- \na: \n  - 1\n"],
                 %i[c yecht].map { |habit| Syck.dump({ "a" => [1] }, indentation: habit) }
    assert_equal "--- \na: \n  - 1\n", Ketch.dump({ "a" => [1] }, dialect: :syck, indentation: :yecht)
    assert_equal "- 1\n", Ketch.dump([1], dialect: :yaml)
    assert_raises(ArgumentError) { Ketch.dump([1], dialect: :json) }
    assert_equal ["--- \"\u00e9\"\n", "--- !binary \"/w==\"\n"], ["\xE9".dup.force_encoding("ISO-8859-1"), "\xFF"].map { |text| Syck.dump(text) }
    assert_raises(ArgumentError) { Syck.quick_emit { |out| out.scalar("http:x", "a") } }
    shared = [1]
    assert_equal "--- \n- &id001 \n  - 1\n- *id001\n", Syck.dump([shared, shared])
    cycle = {}
    cycle["me"] = cycle
    assert_equal "--- &id001 \nme: *id001\n", Syck.dump(cycle)
    assert_raises(TypeError) { Syck.dump([proc {}]) }
    deep = (1..5000).inject([]) { |inner, _| [inner] }
    assert_equal 5004, Syck.dump(deep).count("-[")
  end

  ROUND = ["x", "", "1", "1:30", "null", "~", "a: b", "- a", "a #b", " a", "a\nb", "a\n\n b\n", "\n", "a\r\nb", "é",
           "\t", "=", "<<", ":a", "\u0085", "a\\b\"c'", "@a", "%a", "x" * 200, 0, -5, 10**30, 1.5, -0.25, 1e100, 1e-7,
           true, false, nil].freeze

  def test_random_values_read_back_unchanged
    random = Random.new(20)
    make = lambda do |depth|
      case depth.positive? ? random.rand(4) : 3
      when 0 then Array.new(random.rand(4)) { make.call(depth - 1) }
      when 1 then Array.new(random.rand(4)) { [ROUND.sample(random: random), make.call(depth - 1)] }.to_h
      else ROUND.sample(random: random)
      end
    end
    1_000.times do
      value = make.call(4)
      text = Syck.dump(value, indentation: random.rand(2).zero? ? :c : :yecht)
      assert_equal [value], [Syck.load(text)], text
      # To Psych, binary is text without an encoding, and "<<" merges even in quotes.
      assert_equal [value], [Psych.safe_load(text)], text unless text.match?(/!binary|"<<":/)
    end
  end

  def test_typed_values_read_back_unchanged
    values = [:a, :"a b", 1..2, "a"..."c", /a\/b/mi, Complex(1, 2), Rational(1, 3), Syck::Omap["a", 1, "b", [2]],
              Syck::Pairs["a", 1, "a", 2], Syck::Set.new.merge!("x" => nil), Syck::DomainType.new("d,2001", "t", "v"),
              Syck::PrivateType.new("t", { "a" => 1 }), Time.utc(2001, 2, 3, 4, 5, 6), Date.new(2001, 2, 3)]
    found = Syck.load(Syck.dump(values))
    assert_equal values, found
    assert_equal values.map(&:class), found.map(&:class)
    assert_equal Point.new(1, [2]), Syck.load(Syck.dump(Point.new(1, [2])), permitted_classes: [Point])
    boat = Boat.new.tap { |made| made.name = "a" }
    assert_equal "--- !ruby/object:#{Boat} \nname: a\n", Syck.dump(boat)
  end

  def test_quick_emit
    text = Syck.quick_emit { |out| out.map("!point") { |map| map.add("x", [1]) } }
    assert_equal "--- !point \nx: \n- 1\n", text
    text = Syck.quick_emit { |out| out.seq { |seq| seq.add(out.scalar("!a", "b")) } }
    assert_equal "--- \n- !a b\n", text
  end

  # Logs nodes: a handler.
  class Log
    attr_reader :lines, :errors

    def initialize
      @lines = []
      @errors = []
    end

    def handle(_parser, node)
      @lines << [node.kind, node.tag, node.anchor, node.style, node.value, node.offset, node.length]
      @lines.size - 1
    end

    def bad_anchor(_parser, name) = name.to_sym
    def error(_parser, error) = @errors << error.class
  end

  def test_handlers
    log = Log.new
    assert_equal 4, Syck::Parser.new(log).load("- &a 0x1\n- {b: *a, c: *d}\n")
    int = "tag:yaml.org,2002:int#hex"
    str = "tag:yaml.org,2002:str"
    assert_equal [[:scalar, int, "a", :plain, "0x1", 5, 3], [:scalar, str, nil, :plain, "b", 12, 1],
                  [:scalar, str, nil, :plain, "c", 19, 1], [:mapping, nil, nil, :flow, [1, 0, 2, :d], 11, 14],
                  [:sequence, nil, nil, :block, [0, 3], 0, 25]], log.lines
    Syck::Parser.new(log).load("[a, ]")
    assert_equal [Ketch::SyntaxError], log.errors
    assert_raises(IOError) { Syck::Parser.new(Class.new { def handle(*) = raise(IOError) }.new).load("a") }
    plain = Syck::Parser.new(log, implicit_typing: false)
    plain.load("1")
    assert_nil log.lines.last[1]
  end

  # The handler of conformance/tests/syck.rs in Ruby.
  class Logged
    attr_reader :out
    attr_accessor :count

    def initialize
      @out = +""
      @count = 0
    end

    def handle(_parser, node)
      value = node.kind == :scalar ? node.value.gsub("\\") { "\\\\" }.gsub("\n", "\\n") : node.value.join(" ")
      style = node.style.to_s.delete("_")
      line = "#{@count += 1} #{node.kind} #{node.tag || "-"} #{node.anchor || "-"} #{style} " \
             "#{node.offset}+#{node.length} #{node.inside || "-"} #{value}\n"
      @out << line.gsub("\r", "\\r").gsub("\t", "\\t")
      @count.to_s
    end

    def bad_anchor(_parser, name)
      @out << "bad #{name}\n"
      "?#{name}"
    end

    def error(_parser, error) = @out << "error #{error.line}\n"
  end

  def test_a_handler_logs_as_in_rust
    log = Logged.new
    parser = Syck::Parser.new(log)
    Ketch.load_file("#{REPOSITORY}/conformance/syck/documents.yml").each do |text|
      parser.each_root(text) { |root| log.out << "root #{root}\n" }
      log.count = 0
      log.out << "end\n"
    end
    assert_equal File.read("#{REPOSITORY}/conformance/syck/handler.log", encoding: "UTF-8"), log.out
  end

  def test_ypath
    groups = Ketch.load_file("#{REPOSITORY}/crates/ketch-cli/tests/ypath.yml")
    groups.each do |group|
      root = Syck.parse(group.fetch("text", "a: 1"))
      group.fetch("paths", []).each do |one|
        assert_equal one["search"], root.search(one["path"]), one["path"]
        assert_equal one["select"], root.select!(one["path"]), one["path"]
      end
      group.fetch("wrong", []).each do |one|
        error = assert_raises(Syck::PathError, one["path"]) { root.select(one["path"]) }
        assert_equal one["column"], one["path"].byteslice(0, error.offset).size + 1
        assert_match(/^ *\^$/, error.message)
      end
    end
    assert_raises(Ketch::LimitError) { Syck.parse("a: &a [*a, *a]").select("//b") }
  end

  def test_nodes
    node = Syck.parse("a: {b: !x c}\n1: [d]\n")
    assert_equal ["c", "tag:yaml.org,2002:x"], [node["a"]["b"].value, node.at("a").at("b").type_id]
    assert_equal "d", node[1][0].transform
    assert_equal [["a", 1], 2], [node.children_with_index.map(&:last), node.children.size]
    assert_equal Syck::DomainType.new("yaml.org,2002", "x", "c"), node["a"].transform["b"]
  end

  # In a separate process, as it changes all objects.
  def test_replace
    program = <<~'RUBY'
      require "ketch/syck/replace"
      class Boat
        yaml_as "tag:example.com,2006:boat"
        def initialize = (@a, @b = 1, 2)
        def to_yaml_properties = [:@b]
      end
      class Point
        def to_yaml(options = {}) = YAML.quick_emit(object_id, options) { |out| out.scalar(nil, "1;2") }
      end
      print YAML.load("[1,2]").to_yaml, Boat.new.to_yaml, [Point.new].to_yaml, "a".to_yaml_style.inspect
    RUBY
    printed = IO.popen([RbConfig.ruby, "-w", "-I#{LIBRARY}", "-e", program], err: %i[child out], &:read)
    assert_equal "--- \n- 12\n--- !example.com,2006/boat \nb: 2\n--- \n- \"1;2\"\nnil", printed
  end
end
