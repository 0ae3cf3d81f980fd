# frozen_string_literal: true

require_relative "helper"
require "ketch/syck"

# Checks the same kinds of texts and values as the tests of ruby/syck. Objects, structs and exceptions are loaded only
# if their class is permitted. For each test of ruby/syck, `syck_kinds.yml` names the tests in this file that correspond
# to it. Ketch deliberately behaves differently in one of them; for it, `syck_kinds.yml` gives the reason and names
# the test of what Ketch does instead.
class SyckKindsTest < Minitest::Test
  Syck = Ketch::Syck

  Pair = Struct.new(:left, :right)

  class Marked < Struct.new(:name)
    attr_reader :mark

    def initialize(*)
      super
      @mark = "set"
    end
  end

  class Bare < Struct.new(:name)
    attr_reader :mark

    def initialize(*)
      super
      @mark = "set"
    end

    def to_yaml_properties = []
  end

  class Leak < StandardError
    attr_reader :litres, :deck

    def initialize(*)
      super
      @litres = 40
      @deck = 2
    end
  end

  class Hull
    attr_reader :length, :beam, :draft

    def initialize
      @length, @beam, @draft = 12, 4, 2
    end

    def to_yaml_properties = %i[@length @beam]
  end

  class Knots < Numeric
    attr_reader :speed

    def initialize(speed) = @speed = speed
    def ==(other) = other.is_a?(Knots) && speed == other.speed
  end

  CLASSES = [Pair, Marked, Bare, Leak, Hull, Knots].freeze

  def load(text) = Syck.load(text, permitted_classes: CLASSES)

  # Loads and parses a text.
  def reads(expected, text)
    expected.nil? ? assert_nil(load(text)) : assert_equal(expected, load(text), text)
    assert_equal [expected], [Syck.parse(text).transform], text unless text.include?("!ruby/")
  end

  # Writes a value in both habits, and loads it again.
  def cycles(value)
    %i[c yecht].each do |habit|
      text = Syck.dump(value, indentation: habit)
      assert_equal [value], [load(text)], text
    end
  end

  def both(value, text)
    reads(value, text)
    cycles(value)
  end

  def utc(*fields) = Time.utc(*fields)

  # Kinds of values, each of which is written and read again.
  CYCLES = {
    "a regexp without an encoding" => [//n],
    "strings that look like symbols" => ["x", ":x", ":", "::", ":x y"],
    "a comment sign in text" => ["Ask for berth #7", "#7", "a #"],
    "indicators in text" => ["Hello, you: in the boat, aft", "- a", "? a", "a: b", "@a", "`a", "%a", "&a", "*a", "!a"],
    "blanks before lines" => ["\n a\nb\n", "\n a\n  b\nc\n", "\n  a\n b\n", "  Is it?\nNo", "  \n  Is it?\nNo",
                              "\n  Is it?\nNo", "\n", "\n\n", "\r\n"],
    "a long indented text" => ["    Harbour:\n        Port Na\n\n    Berths:\n        9\n\n--\nSee (a) [b]: c #d\nuntil 9.\n"],
    "an array" => [[:a, "b", 1], [[], [[]]]],
    "an empty array" => [[]],
    "booleans" => [true, false],
    "words of booleans as text" => %w[true false yes no on off Yes NO],
    "nil" => [nil, [nil], { "a" => nil }, { nil => 1 }],
    "words of nil as text" => ["null", "~", "", "Null"],
    "a hash with symbols" => [{ a: "b" }, { "a" => :b }],
    "a symbol" => %i[a b?],
    "a symbol that needs quotes" => [:"1", :"^a", :"a b", :"", :":"],
    "integers" => [1, 0, -1, 2**100, -(2**70)],
    "a subclass of Numeric" => [Knots.new(3)],
    "floats" => [1.5, -0.25, 1e20, 1e-9, 1.0 / 0, -1.0 / 0],
    "ranges" => ["a".."z", 0..1, 1.0e20..2.0e20, "0".."1", "..".."...", ".a".."._b", ".a"..."._b", "\""...".", "'"...".", 1...3],
    "a struct" => [Pair.new("a", [1, Pair.new(nil, "b")])],
    "a rational number" => [Rational(1, 2), Rational(-3, 4)],
    "a complex number" => [Complex(3, 4), Complex(0, -1)],
    "a time" => [Time.at(1_000_000_000, 123_456), Time.utc(2001, 2, 3, 4, 5, 6)],
    "a date" => [Date.new(2001, 2, 3)],
    "an ordered map" => [Syck::Omap["a", "b", "b", "c"]],
    "a set" => [Syck::Set.new.merge!("a" => "b", "c" => "d")],
    "a null byte" => ["\0"],
    "control characters" => ["#{"\b" * 31}#{"a" * 69}"],
    "an empty sequence as a key" => [{ [] => "" }],
    "an empty map as a key" => [{ {} => "" }],
    "a regexp with options" => [{ "a" => /a.b/, "b" => %r{\A"((?:[^"]|\\")+)"/}, "c" => /Ketch/i }],
    "a comma at the end of text" => [{ "A" => "A,", "B" => "B" }],
    "keys that are digits" => [{ "1" => 2, "2" => 3 }]
  }.freeze

  CYCLES.each do |kind, values|
    define_method("test_cycle: #{kind}") { values.each { |value| cycles(value) } }
  end

  # Texts, and their values. Those that are followed by true are also written and read again.
  READS = {
    "a map" => ["one: ketch\ntwo: yawl\n", { "one" => "ketch", "two" => "yawl" }],
    "styles of scalars" => [
      "1: plain text\n2: 42\n3: '1 in single'\n4: \"it's \\\"double\\\"\"\n5: |\n  a\n    b\n6: |-\n  c \"d\"\n7: >\n  e\n  f\n   g\n8: \": h\"\n",
      { 1 => "plain text", 2 => 42, 3 => "1 in single", 4 => "it's \"double\"", 5 => "a\n  b\n", 6 => "c \"d\"",
        7 => "e f\n g\n", 8 => ": h" }
    ],
    "a sequence" => ["- Ada Byron\n- Sam Rig\n", ["Ada Byron", "Sam Rig"], true],
    "numbers in a map" => ["avg: 0.278\nhr: 65\n", { "avg" => 0.278, "hr" => 65 }, true],
    "a map of sequences" => ["a:\n  - b c\n  - d\ne:\n  - f\n", { "a" => ["b c", "d"], "e" => ["f"] }, true],
    "a sequence of maps" => ["-\n  a: 1\n  b: c d\n-\n  a: 2\n", [{ "a" => 1, "b" => "c d" }, { "a" => 2 }], true],
    "inline sequences" => ["- [ a    , b , c ]\n- [ d e  , 1 , 2.5 ]\n", [%w[a b c], ["d e", 1, 2.5]]],
    "inline maps" => ["a b: {c: 1, d: 2.5}\ne:   {c: 3,\n      d: 4}\n",
                      { "a b" => { "c" => 1, "d" => 2.5 }, "e" => { "c" => 3, "d" => 4 } }],
    "a comment sign in quotes" => ["--- \"Ask for berth #7\"\n", "Ask for berth #7", true],
    "comments between nodes" => ["a: # of b\n  - b\nc:\n  # of d\n  - d\n", { "a" => ["b"], "c" => ["d"] }],
    "anchors and aliases" => ["a:\n   - b\n   # c\n   - &x c d\ne:\n   # f\n   - *x\n", { "a" => ["b", "c d"], "e" => ["c d"] }],
    "aliases as keys" => ["  -\n    &F a: b\n    &C c: d\n  - { *F: e, *C: f }\n", [{ "a" => "b", "c" => "d" }, { "a" => "e", "c" => "f" }], true],
    "aliases as keys of blocks" => ["---\nA: [&f a, &c b]\nB:\n- *f: c\n  *c: d\n\n- *f: e\n\n",
                                    { "A" => %w[a b], "B" => [{ "a" => "c", "b" => "d" }, { "a" => "e" }] }, true],
    "sequences as keys" => ["? # of\n  - a\n  - b\n:\n  - 2001-07-23\n\n? [ c,\n    d ]\n: [ 1,\n    2 ]\n",
                            { %w[a b] => [Date.new(2001, 7, 23)], %w[c d] => [1, 2] }],
    "sequences as keys below the mark" => ["?\n    - a\n:\n  - 1\n?\n    - b\n:\n  - 2\n", { ["a"] => [1], ["b"] => [2] }],
    "blanks before colons" => ["a: 1\nb   : 2001-01-23\nc:\n  - d    : e\n    ff: 1\n",
                               { "a" => 1, "b" => Date.new(2001, 1, 23), "c" => [{ "d" => "e", "ff" => 1 }] }],
    "sequences on one line" => ["- - - one\n    - two\n", [[%w[one two]]]],
    "shortcuts together" => ["- - - - one\n  - - two\n    - three\n  - four:\n  - - five:\n      - six\n- - eight\n",
                             [[[["one"]], %w[two three], { "four" => nil }, [{ "five" => ["six"] }]], ["eight"]]],
    "a literal scalar" => ["- |\n    \\/|\\\n    / |  |_\n", ["\\/|\\\n/ |  |_\n"]],
    "a folded scalar" => ["- >\n    The keel\n    was laid\n    in May.\n", ["The keel was laid in May.\n"]],
    "indented lines of a folded scalar" => ["--- >\n a\n b\n\n   c\n   d\n\n e\n", "a b\n\n  c\n  d\n\ne\n"],
    "blocks and the next key" => ["a: b\nc: >\n   d\n   e\nf: |\n   g\n   h\n", { "a" => "b", "c" => "d e\n", "f" => "g\nh\n" }],
    "scalars over lines" => ["a: b\n   c\n   d\ne: \"\\\n  f g\n  h.\\n\"\n", { "a" => "b c d", "e" => "f g h.\n" }],
    "integers" => ["a: 12345\nb: +12,345\nc: 014\nd: 0xC\n", { "a" => 12_345, "b" => 12_345, "c" => 12, "d" => 12 }],
    "integers with commas in base 16 and 60" => ["a: 0x0A,74,AE\nb: 02472256\nc: 190:20:30\n", { "a" => 685_230, "b" => 685_230, "c" => 685_230 }],
    "floats" => ["a: 1.25e+3\nb: 12.5e+02\nc: 1,250.5\nd: -.inf\n", { "a" => 1250.0, "b" => 1250.0, "c" => 1250.5, "d" => -1.0 / 0 }],
    "words" => ["null: ~\ntrue: yes\nfalse: no\na: '12'\n", { nil => nil, true => true, false => false, "a" => "12" }],
    "a bill" => [
      "bill: 7\ndate   : 2001-01-23\nto: &id001\n    given  : Ada\n    family : !str Byron\n    lines: |\n        1 Quay\n        Room 2\nship: *id001\n" \
      "goods:\n    - !map\n      sku         : B4\n      price       : 450.00\n    - sku         : H8\n      price       : 2.50\nnote: >\n    Late is\n    best @ 3.\n",
      { "bill" => 7, "date" => Date.new(2001, 1, 23), "to" => { "given" => "Ada", "family" => "Byron", "lines" => "1 Quay\nRoom 2\n" },
        "ship" => { "given" => "Ada", "family" => "Byron", "lines" => "1 Quay\nRoom 2\n" },
        "goods" => [{ "sku" => "B4", "price" => 450.0 }, { "sku" => "H8", "price" => 2.5 }], "note" => "Late is best @ 3.\n" }
    ],
    "a folded root" => ["--- >\nThis is\none - long -\ntext.\n", "This is one - long - text.\n"],
    "a map as the root" => ["# top\na : 1\nb    : 2001-01-23\n", { "a" => 1, "b" => Date.new(2001, 1, 23) }],
    "comments before, in and after" => ["### a ###\n\n### b ###\nthis: |   # c\n    d\n    # e\n\n# f\n# g\n", { "this" => "d\n# e\n" }],
    "implicit typing by force" => ["a: 12\nb: ! \"12\"\nc: !str 12\n", { "a" => 12, "b" => 12, "c" => "12" }],
    "an anchor that is used again" => ["a : &X one\nb : &X >\n two\n three\nc : *X\n", { "a" => "one", "b" => "two three\n", "c" => "two three\n" }],
    "explicit floats" => ["- 10.0\n- !float 10\n- !yaml.org,2002/^float '10'\n- !yaml.org,2002/float \"\\\n  1\\\n  0\"\n", [10.0] * 4],
    "sequences of all forms" => ["a: []\nb: [ c, d # e\n    , f,   # g\n      h ]\ni:\n - j\n -\n  - k\n - >\n   l\n   m\n - n\n",
                                 { "a" => [], "b" => %w[c d f h], "i" => ["j", ["k"], "l m\n", "n"] }],
    "maps of all forms" => [
      "a: {}\nb: { c: 1, d: 2 }\ne: { f: 1,\n   g: 2 }\nh:\n i : j\n k:\n  l: m\n n:\n  - { }\n  - o: p\n    q: r:s\n  -\n    o: p\n !float 12 : t\n ? >\n  ?\n : u\n" \
      " \"\\a\" : v\n ? >\n   w\n   x\n : >\n   y\n   z\n ?\n  - aa\n :\n  - bb\n",
      { "a" => {}, "b" => { "c" => 1, "d" => 2 }, "e" => { "f" => 1, "g" => 2 },
        "h" => { "i" => "j", "k" => { "l" => "m" }, "n" => [{}, { "o" => "p", "q" => "r:s" }, { "o" => "p" }], 12.0 => "t", "?\n" => "u",
                 "\a" => "v", "w x\n" => "y z\n", ["aa"] => ["bb"] } }
    ],
    "literal scalars of all forms" => [
      "a: |\n\nb: |\n c \\ ' \" d\n    e\n\n f\n\ng: \"h \\\n i\\nj\\n\"\n\n# k\n\nl: |2-\n    m\n\nn: |-2\n    m\n\no: \"  m\"\n",
      { "a" => "", "b" => "c \\ ' \" d\n   e\n\nf\n", "g" => "h i\nj\n", "l" => "  m", "n" => "  m", "o" => "  m" }
    ],
    "line breaks at the end of blocks" => ["a: |\n    b\n\nc: |-\n    d\n\ne: |+\n    f\n\ng: h\n", { "a" => "b\n", "c" => "d", "e" => "f\n\n", "g" => "h" }],
    "single quotes over lines" => ["a: ''\nb: '! : \\ c'\nd: 'e '' f'\ng: 'h\n      i\n\n      j\n      k'\n",
                                   { "a" => "", "b" => "! : \\ c", "d" => "e ' f", "g" => "h i\nj k" }],
    "double quotes over lines" => ["a: \"\"\nb: \"! : c\"\nd: \"e \\\" f \\\\ g\"\nh: \"i\\n\"\nj: \"k\n  l  \\\n      m\"\n",
                                   { "a" => "", "b" => "! : c", "d" => "e \" f \\ g", "h" => "i\n", "j" => "k l  m" }],
    "times" => ["a: 2001-12-15T02:59:43.1Z\nb: 2001-12-14t21:59:43.10-05:00\nc: 2001-12-14 21:59:43.10 -05:00\nd: 2002-12-14\n",
                { "a" => Time.utc(2001, 12, 15, 2, 59, 43, 100_000), "b" => Time.utc(2001, 12, 15, 2, 59, 43, 100_000),
                  "c" => Time.utc(2001, 12, 15, 2, 59, 43, 100_000), "d" => Date.new(2002, 12, 14) }],
    "binary" => ["a: !binary \"\\\n aGVs\\\n bG8=\"\nb: !binary |\n aGVs\n bG8=\nc: >\n d\n e\n", { "a" => "hello", "b" => "hello", "c" => "d e\n" }],
    "an alias to a map" => ["- &id001\n  a: b\n- *id001\n", [{ "a" => "b" }] * 2, true],
    "a merged map" => ["---\na: &a\n  b: c\nd:\n  <<: *a\n", { "a" => { "b" => "c" }, "d" => { "b" => "c" } }],
    "an ordered map" => ["--- !omap\n- a: b\n- c: d\n", Syck::Omap["a", "b", "c", "d"]],
    "a set" => ["--- !set\na: b\nc: d\n", Syck::Set.new.merge!("a" => "b", "c" => "d")],
    "a quoted symbol" => ["--- :'1'\n", :"1"],
    "a struct" => ["- !ruby/struct:SyckKindsTest::Pair\n  left: a\n  right: !ruby/struct:SyckKindsTest::Pair\n    left:\n      - b\n    right: 2\n",
                   [Pair.new("a", Pair.new(["b"], 2))], true],
    "regexps" => ["a: !ruby/regexp \"/Ketch/i\"\nb: !ruby/regexp \"/\\\\A\\\"(\\\\w)/\"\n", { "a" => /Ketch/i, "b" => /\A"(\w)/ }, true],
    "ranges" => ["--- !ruby/range 1..3\n", 1..3, true],
    "ranges of letters" => ["--- !ruby/range a..z\n", "a".."z", true],
    "ranges of floats" => ["--- !ruby/range 10.5...30.3\n", 10.5...30.3, true],
    "a rational number as a map" => ["--- !ruby/object:Rational\nnumerator: 1\ndenominator: 2\n", Rational(1, 2), true],
    "a rational number as text" => ["!ruby/object:Rational 1/2\n", Rational(1, 2), true],
    "a complex number as a map" => ["--- !ruby/object:Complex\nimage: 4\nreal: 3\n", Complex(3, 4), true],
    "a complex number as text" => ["!ruby/object:Complex 3+4i\n", Complex(3, 4), true],
    "a date before 1970" => ["1900-01-01T00:00:00+00:00", Time.utc(1900)],
    "a long fraction of a second" => ["2000-01-01 00:00:00.#{"0" * 1000} +00:00\n", Time.utc(2000)],
    "booleans" => ["- yes\n- True\n- off\n- y\n", [true, true, false, "y"]],
    "nulls" => ["- ~\n- null\n- Null\n-\n- nil\n", [nil, nil, nil, nil, "nil"]]
  }.freeze

  READS.each do |kind, (text, value, is_written)|
    define_method("test_read: #{kind}") { is_written ? both(value, text) : reads(value, text) }
  end

  { true => %w[yes Yes YES true True TRUE on On ON], false => %w[no No NO false False FALSE off Off OFF] }.each do |value, words|
    words.each { |word| define_method("test_word: #{word}") { assert_equal value, load("--- #{word}") } }
  end

  %w[y n].each do |letter|
    define_method("test_word: #{letter}") do
      [letter, letter.upcase].each { |word| assert_equal word, load("--- #{word}") }
    end
  end

  # Fractions of a second, and the microseconds that they stand for.
  FRACTIONS = {
    "longer than microseconds" => ["0000781111", 78],
    "very long" => ["0000781#{"0" * 1000}1", 78],
    "of six digits" => ["781111", 781_111],
    "short" => ["78", 780_000]
  }.freeze

  FRACTIONS.each do |kind, (digits, microseconds)|
    define_method("test_fraction: #{kind}") do
      assert_equal microseconds, load("2009-05-12t07:41:23.#{digits}+02:00").usec
    end
  end

  def test_not_a_number
    assert_predicate load("a: .NaN\n")["a"], :nan?
    assert_predicate load(Syck.dump(0.0 / 0)), :nan?
  end

  def test_a_log
    text = "---\nTime: 2001-11-23 15:01:42 -05:00\nW: >\n  a\n  b\n---\nTime: 2001-11-23 15:02:31 -05:00\nStack:\n  - code: |\n      x(\"\\n\")\n  - code: |-\n      y\n"
    expected = [{ "Time" => utc(2001, 11, 23, 20, 1, 42), "W" => "a b\n" },
                { "Time" => utc(2001, 11, 23, 20, 2, 31), "Stack" => [{ "code" => "x(\"\\n\")\n" }, { "code" => "y" }] }]
    assert_equal expected, Syck.load_documents(text).to_a
  end

  def test_documents_on_a_line
    assert_equal [{}, [], ""], Syck.load_documents("# a\n--- {}\n--- [ ]\n--- ''\n").to_a
  end

  # Registers types, which belong to the process, for the time of the block.
  def with_types(names, convert)
    names.each { |name| Syck.add_domain_type("kinds.test,2002", name, &convert) }
    yield
  ensure
    names.each { |name| Syck.types.delete("tag:kinds.test,2002:#{name}") }
  end

  def test_a_prefix_for_tags
    with_types(%w[bill buyer], ->(type, value) { value.merge("type" => type.split(":", 3).last) }) do
      text = "# a\nbill: !kinds.test,2002/^bill\n  # b\n  buyers: !seq\n    # c\n    - !^buyer\n      given : Ada\n"
      reads({ "bill" => { "buyers" => [{ "given" => "Ada", "type" => "buyer" }], "type" => "bill" } }, text)
    end
  end

  def test_private_types
    text = "# a\n---\npool: !!ball\n   number: 8\n---\nbearing: !!ball\n   of: steel\n"
    documents = Syck.parse_documents(text).to_a
    assert_equal ["x-private:ball"] * 2, [documents[0]["pool"].type_id, documents[1]["bearing"].type_id]
    assert_equal [{ "number" => 8 }, { "of" => "steel" }],
                 [documents[0]["pool"].transform.value, documents[1]["bearing"].transform.value]
  end

  def test_escapes_in_tags
    with_types(["type0"], ->(_, value) { "one #{value}" }) do
      with_types(["type%30"], ->(_, value) { "two #{value}" }) do
        text = "- !kinds.test,2002/type\\x30 a\n- !kinds.test,2002/type0 a\n- !kinds.test,2002/type%30 a\n"
        reads(["one a", "one a", "two a"], text)
      end
    end
  end

  def test_tags_of_domains
    with_types(["type"], ->(_, value) { "seen: #{value}" }) do
      text = "not-date: !str 2002-04-28\npicture: !binary |\n R0lGODlhDAAMAIQ\n AAP//9w==\n\nhmm: !kinds.test,2002/type |\n a\n b\n"
      picture = "GIF89a\f\0\f\0\x84\0\0\xFF\xFF\xF7".b
      reads({ "not-date" => "2002-04-28", "picture" => picture, "hmm" => "seen: a\nb\n" }, text)
    end
  end

  def test_tags_of_an_application
    shape = ->(type, value) { value.merge("is" => type.split(":").last) }
    with_types(%w[graph/circle graph/line], shape) do
      with_types(["graph/shape"], ->(_, value) { value + ["whole"] }) do
        text = "- !kinds.test,2002/graph/^shape\n  - !^circle\n    at: &O {x: 7, y: 9}\n    r: 7\n  - !^line # straight\n    from: *O\n    to: { x: 0xFF, y: 1 }\n"
        point = { "x" => 7, "y" => 9 }
        reads([[{ "at" => point, "r" => 7, "is" => "graph/circle" },
                { "from" => point, "to" => { "x" => 255, "y" => 1 }, "is" => "graph/line" }, "whole"]], text)
      end
    end
  end

  def test_a_number_that_is_none
    assert_raises(ArgumentError, Ketch::ValueError) { load("!ruby/object:Rational NOT/ONE\n") }
    assert_raises(ArgumentError, Ketch::ValueError) { load("!ruby/object:Complex NOT+ONEi\n") }
  end

  def test_a_stream
    stream = Syck::Stream.new
    stream.add({ "a" => "b", "time" => utc(2001), "try" => /^po(.*)$/ })
    stream.add({ %w[a b] => %w[c d] })
    stream.add([true, false])
    assert_equal 3, Syck.load_documents(stream.emit).count
  end

  def test_options_of_a_stream
    stream = Syck::Stream.new(Indent: 2, UseVersion: 0, indentation: :yecht)
    [1, { "a" => [2] }, 3].each { |value| stream.add(value) }
    stream.edit(0, { "b" => [1] })
    stream.edit(4)
    assert_equal({ Indent: 2, UseVersion: 0, indentation: :yecht }, stream.options)
    text = "--- \nb: \n  - 1\n--- \na: \n  - 2\n--- 4\n"
    assert_equal [text, text], [stream.emit, stream.emit(StringIO.new).string]
  end

  def test_segments_of_paths
    { "/*/((one|three)/name|place)|//place" => [%w[* one name], %w[* three name], %w[* place], %w[/ place]],
      "a" => [%w[a]], "/a/b" => [%w[a b]], "(a|b)/(c|d)" => [%w[a c], %w[a d], %w[b c], %w[b d]],
      "/../x" => [%w[.. x]], "(a|(b|c))d" => [%w[ad], %w[bd], %w[cd]], "a//(b" => nil, "//a/./b" => [%w[/ a . b]], "a|b|c" => [%w[a], %w[b], %w[c]], "(a)" => [%w[a]] }.each do |path, segments|
      next assert_raises(Syck::PathError, path) { Syck::YPath.each_path(path).to_a } unless segments

      assert_equal segments, Syck::YPath.each_path(path).map(&:segments), path
    end
    assert_equal [[nil, "x", ".=1"]], Syck::YPath.each_path("/a/b[x]/c[.=1]").map(&:predicates)
    assert_raises(Syck::PathError) { Syck::YPath.each_path("a[b").to_a }
  end

  def test_a_struct_with_a_name
    book = Struct.const_defined?(:KetchBook) ? Struct::KetchBook : Struct.new("KetchBook", :title, :year)
    books = [book.new("Knots", 1944), book.new(["a", book.new("b", nil)], 2)]
    text = Syck.dump(books)
    assert_equal 3, text.scan("!ruby/struct:KetchBook").size
    [[book], ["Struct::KetchBook"]].each do |permitted|
      assert_equal books, Syck.load(text, permitted_classes: permitted)
      assert_equal books, Syck.parse(text).transform(permitted_classes: permitted)
    end
    assert_kind_of Syck::DomainType, Syck.load(text)[0]
  end

  def test_choices_of_paths
    root = Syck.parse("a:\n  one: {name: 1}\n  three: {name: 3}\n  place: 4\nplace: 5\n")
    assert_equal %w[/a/one/name /a/three/name /a/place /place], root.search("/*/((one|three)/name|place)|place")
  end

  def test_a_cycle
    cycle = []
    cycle.push(cycle, cycle)
    assert_equal "[[...], [...]]", load(Syck.dump(cycle)).inspect
  end

  def test_no_anchors_without_aliases
    map = Syck::Omap.new
    1000.times { |index| map["key_#{index}"] = { "value" => index } }
    refute_match(/id\d+/, Syck.dump(map))
  end

  def test_classes_have_no_form
    assert_raises(TypeError) { Syck.dump(SyckKindsTest) }
  end

  def test_exceptions
    2.times do
      leak = load(Syck.dump(Leak.new("aft")))
      assert_equal [Leak, "aft", 40, 2], [leak.class, leak.message, leak.litres, leak.deck]
    end
  end

  def test_some_variables_of_an_exception
    leak = Leak.new("aft")
    def leak.to_yaml_properties = [:@litres]
    leak = load(Syck.dump(leak))
    assert_equal [Leak, "aft", 40, nil], [leak.class, leak.message, leak.litres, leak.deck]
  end

  def test_some_variables_of_an_object
    hull = load(Syck.dump(Hull.new))
    assert_equal [12, 4, nil], [hull.length, hull.beam, hull.draft]
  end

  def test_variables_of_a_struct
    assert_equal %w[a set], load(Syck.dump(Marked.new("a"))).then { |one| [one.name, one.mark] }
  end

  def test_variables_of_a_struct_in_a_text
    one = load("--- !ruby/struct:SyckKindsTest::Marked\nname: a\n@mark: set\n")
    assert_equal %w[a set], [one.name, one.mark]
  end

  def test_no_variables_of_a_struct
    assert_equal ["a", nil], load(Syck.dump(Bare.new("a"))).then { |one| [one.name, one.mark] }
  end

  def test_ordered_maps
    map = Syck::Omap.new
    map["a"] = "b"
    map["c"] = "d"
    assert_equal ["b", [%w[a b], %w[c d]]], [map["a"], map.to_a]
    assert_equal [%w[a b], %w[c d]], Syck::Omap["a", "b", "c", "d"].to_a
    text = Syck.dump(map)
    ["!omap", "- a: b", "- c: d"].each { |part| assert_includes text, part }
  end

  def test_choices_in_the_parts_of_paths
    root = Syck.parse("a: {one: {name: 1}, three: {name: 3}, place: 2}\nplace: 4\nb: {c: {place: 5}}\n")
    assert_equal %w[/a/one/name /a/three/name /a/place /place /b/c/place],
                 root.search("/*/((one|three)/name|place)|//place")
  end

  def test_sets_have_a_tag
    assert_match(/!set/, Syck.dump(Syck::Set.new.merge!("a" => nil)))
  end

  def test_binary_is_marked
    ["\0", "#{"\b" * 31}#{"a" * 69}"].each { |text| assert_match(/binary/, Syck.dump(text)) }
  end

  # Syck writes text unchanged if fewer than 30% of its characters are control characters. Ketch writes any text with
  # control characters as binary, since other readers reject them.
  def test_few_control_characters
    text = "#{"\b" * 29}#{"a" * 71}"
    assert_match(/binary/, Syck.dump(text))
    assert_equal text, load(Syck.dump(text))
  end

  def test_variables_of_strings
    text = +"a"
    text.instance_variable_set(:@tastes, "good")
    assert_equal "--- !str \nstr: a\n:@tastes: good\n", Syck.dump(text)
    loaded = load(Syck.dump(text))
    assert_equal %w[a good], [loaded, loaded.instance_variable_get(:@tastes)]
  end

  def test_chosen_variables_of_strings
    text = +"a"
    text.instance_variable_set(:@tastes, "good")
    text.instance_variable_set(:@smells, "odd")
    def text.to_yaml_properties = [:@tastes]
    assert_equal [:@tastes], load(Syck.dump(text)).instance_variables
  end

  def test_a_text_with_variables
    loaded = load("--- !str \nstr: herring\n:@tastes: salty\n")
    assert_equal %w[herring salty], [loaded, loaded.instance_variable_get(:@tastes)]
  end

  def test_collection_of_garbage_in_documents
    text = Array.new(2) { |document| Syck.dump({ "k" => "v#{document}" }) }.join
    GC.stress = true
    begin
      loaded = Syck.load_documents(text).to_a
    ensure
      GC.stress = false
    end
    assert_equal [{ "k" => "v0" }, { "k" => "v1" }], loaded
  end

  # Checks that each test that syck_kinds.yml names exists.
  def test_the_list_of_kinds
    lists = Ketch.load(File.read("#{__dir__}/syck_kinds.yml"))
    kinds = lists.flat_map { |_, tests| tests.to_a }
    assert_equal 121, kinds.size
    others, same = kinds.partition { |_, ours| ours.is_a?(Hash) }
    assert_operator same.size, :>=, 118
    others.each { |name, other| assert_operator other["because"].length, :>, 20, name }
    named = same.flat_map(&:last) + others.flat_map { |_, other| other["instead"] }
    assert_empty named.map { |name| "test_#{name}" } - self.class.instance_methods(false).map(&:to_s)
  end

  def test_collection_of_garbage
    text = Syck.dump(Array.new(5) { |index| ["k#{index}", "v" * 64] }.to_h)
    GC.stress = NEW_OBJECTS
    begin
      loaded = Syck.load(text)
    ensure
      GC.stress = false
    end
    assert_equal 5, loaded.size
  end
end
