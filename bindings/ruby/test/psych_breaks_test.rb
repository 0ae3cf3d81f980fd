# frozen_string_literal: true

require_relative "helper"
require "psych"
require "ketch/psych"

# The line breaks of YAML 1.1 that YAML 1.2 lacks: next line, line separator, paragraph separator.
class PsychBreaksTest < Minitest::Test
  OTHERS = ["\u0085", "\u2028", "\u2029"].freeze
  PIECES = ["a", "b c", "\u00e9", "\u2020", "\u2014 x", " ", "  ", "\n", "\n", "\n ", "\n  ", "\n    ", "\n\n", "\r", "\r\n", "\t", " \t",
            "\\n", "\\L", "\\P", "\\N", "\\", "\\\\", "\\x41", "\\ ", "\\\t", "\\\n", "\\\r\n", "\\\r", "''", "'", "\"", "\\\"", "#", " # ", "# x", ":", ": ", "-", "- ", "?", "? ",
            ",", ", ", "[", "]", "{", "}", "&a ", "&b\n", "*a", "*a ", "!t ", "!!str ", "! ", "---", "--- ", "\n---\n", "\n--- ", "...", "\n...\n", "\n... # c\n",
            "%YAML 1.1\n", "\n%TAG ! tag:x,1:\n", "%", "@", "`", "|", ">", "|\n", "|2\n", ">1-\n  ", "|+\n", "> # c\n", "k: v", "k:", "l: ", "\ufeff", "1", ":s", "yes",
            "2001-01-01", "<<: ", *OTHERS * 4, *OTHERS.map { |other| "#{other}  " } * 2, *OTHERS.map { |other| " \\#{other}  " },
            *OTHERS.flat_map { |other| ["\\#{other}", "#{other}- ", "#{other}\t", "#{other}---#{other}", "#{other}...#{other}"] }].freeze
  # `~` is replaced by pieces.
  FRAMES = ["~", "~", "k: ~\nl: m\n", "- ~\n- x\n", "k: '~'\nl: m\n", "- \"~\"\n- x\n", "- \"~\n", "\"~\"", "'~'", "k: |\n  ~\nl: m\n", "k: |-\n  ~\nl: m\n",
            "k: |+\n  ~\nl: m\n", "k: >\n  ~\nl: m\n", "k: >-\n  ~\nl: m\n", "k: >+\n  ~\nl: m\n", "[~, x]\n", "['~', x]\n", "{k: \"~\", x: y}\n", "# ~\nk: v\n",
            "k:~\n  v\n", "k: |2~\n  v\n", "--- >~\n", "--- |1\n ~", "--- |~", "--- ~\n--- b\n", "--- '~'\n...\n--- b\n", "%YAML 1.1\n--- ~\n", "%YAML 1.1~--- a\n",
            "a\n...\n~\n--- b\n", "a~\n--- \ufeff b", "\ufeff~\n", "\ufeffk: ~\n", "? ~\n: b\n", "? '~'\n: b\n", "~: x\n", "'~': x\n", "{~: x}", "{'~': x}", "{? ~ : x}", "&a ~\n",
            "!t~ a\n", "k: !t ~\nl: *a\n", "k: &a ~\nl: *a\n", "- !!str ~\n- &b~\n  c\n", "k: !!str\n  ~\n", "- - ~\n  - |2\n      ~\n  - x\n", "k: >2-\n  ~\n   ~\nl: \"~\"\n",
            "- |+\n  a~~\n\n# c\n- b\n", "a: b\r\nc: ~\r\n", "a: |\r\n  ~\r\n  b\r\nl: m", "a: >\r  ~\r  b\rl: m", "- '~\r  x'\r- y\r", "[a,~\n b, \"~\"]\n~- }\n",
            "k: ~\n- }\n", "k: '~'\n }\n", "k: |\n  ~\n }\n", "\t~\n", "- a\n~\n-\tb\n", "k:\t~\n", "k: a~", "k:~", "\"~", "'~", "k: |\n~", "k: >~", "x: [\n~\n]\n",
            "- >\n ~\n\n ~\n\n\n- z", "- |\n\n\n  ~\n  z\n- y"].freeze
  COUNT = Integer(ENV.fetch("COUNT", 20_000))

  def test_marks_count_bytes_of_the_given_text
    text = "é: \"x\u2028  y\"\u0085b: c\n"
    handler = Class.new(Ketch::Psych::Handler) do
      attr_accessor :parser
      attr_reader :read

      def scalar(*) = (@read ||= []) << parser.mark.index
    end.new
    handler.parser = Ketch::Psych::Parser.new(handler)
    handler.parser.parse(text)
    expected = ["é", "é: \"x\u2028  y\"", "é: \"x\u2028  y\"\u0085b", "é: \"x\u2028  y\"\u0085b: c"]
    assert_equal expected.map(&:bytesize), handler.read
  end

  def test_yaml_1_1_breaks_end_lines
    assert_equal({ "a" => 1, "b" => 2 }, Ketch::Psych.load("a: 1\u0085b: 2"))
    assert_equal %w[a b], Ketch::Psych.load("- a # c\u2028- b\u2029")
  end

  def test_separators_are_kept_in_scalars
    assert_equal "a\u2028b", Ketch::Psych.load("a \u2028  b")
    assert_equal "a\u2028\nb", Ketch::Psych.load("'a\u2028\n  b'")
    assert_equal "a\u2029b", Ketch::Psych.load("\"a\n\u2029  b\"")
    assert_equal ["a\u2028b\n"], Ketch::Psych.load("- |\n  a\u2028  b\n")
    assert_equal ["a\u2028b c\u2029"], Ketch::Psych.load("- >\n  a\u2028  b\n  c\u2029")
    assert_equal "a b", Ketch::Psych.load("a\u0085b")
  end

  def test_lines_after_a_separator_keep_their_numbers
    error = assert_raises(Ketch::Psych::SyntaxError) { Ketch::Psych.load("- 'a\u2028\u2028\n  b'\n- |\n  c\u2029  d\n- }\n") }
    psych = assert_raises(::Psych::SyntaxError) { ::Psych.load("- 'a\u2028\u2028\n  b'\n- |\n  c\u2029  d\n- }\n") }
    assert_equal psych.line, error.line
    nodes = Ketch::Psych.parse("- 'a\u2028\u2028\n  b'\n- |\n  c\u2029  d\n- e\n").root.children
    assert_equal 7, nodes.last.start_line
  end

  def test_carriage_returns_before_yaml_1_1_breaks
    ["\r", "\r\r", "\r\r\r", "\r\n\r"].product(OTHERS).each do |returns, other|
      text = "['#{returns}#{other} a', x]\n"
      assert_equal ::Psych.load(text), Ketch::Psych.load(text), text.inspect
    end
  end

  def test_in_yaml_1_2_they_are_ordinary_characters
    OTHERS.each { |other| assert_equal "a#{other}b", Ketch.load("a#{other}b") }
  end

  def test_other_encodings
    text = "- a\u2028  b\n- \u0085"
    expected = ::Psych.load(text)
    assert_equal expected, Ketch::Psych.load(text.b)
    assert_equal expected, Ketch::Psych.load(text.encode("UTF-16LE"))
    assert_equal expected, Ketch::Psych.load(StringIO.new(text))
  end

  def test_scalars_keep_their_style
    nodes = Ketch::Psych.parse("- |\n  a\u2028\n- >\n  a\u2029\n- a\u2028  b\n- 'a\u2028  '\n- \"a\u2028  \"\n").root.children
    assert_equal [4, 5, 1, 2, 3], nodes.map(&:style)
    assert_equal ["a\u2028", "a\u2029", "a\u2028b", "a\u2028", "a\u2028"], nodes.map(&:value)
    assert_equal [true, true, false, true, true], nodes.map(&:quoted)
  end

  def test_each_break_counts_as_a_line
    texts = ["['a\u2028', x, \u0085y]", "- '\u2028\r  x'\r- y\r", "['\r \u2029', x]", "\"\u2029\t# x\u2029  \u2029\"", "- \"\n \u2029\u2029\n   \"\n- x\n"]
    texts.each do |text|
      ours, theirs = [Ketch::Psych, ::Psych].map { |psych| scalar_lines(psych, text) }
      assert_equal theirs, ours, text.inspect
    end
  end

  def test_errors_show_the_original_text
    ["--- |1\n a\u2029- b", "=\u2029\tb\u2028: x\n", "k: >\r  a\u2028\r  b\rl"].each do |text|
      given, plain = [text, text.tr("\u2028\u2029", "\n")].map { |yaml| nodes(Ketch::Psych, yaml) }
      assert plain.error
      assert_equal [plain.error, plain.places], [given.error, given.places], text.inspect
    end
    text = "- '\u2028\u0085 '\n- \u00e9\n- }"
    error = assert_raises(Ketch::Psych::SyntaxError) { Ketch::Psych.load(text) }
    assert_equal [5, 3, text.b.index("}")], [error.line, error.column, error.offset]
  end

  # `load` reads the first document before it looks for breaks, and only as far as they matter.
  def test_breaks_decide_where_the_first_document_ends
    ends = ["# c~b: 2\n---\nx: 1", "---~x: 1", "--- ~x: 1", "...~x: 1", "...\n# c~---\nx: 1", "\n \n# c\n~b: 2\n---\n", "~", "---\nx: 'a~b'", "# ~\n]"]
    ends.product(OTHERS).each do |rest, other|
      ["a: 1\n", "a: [1,\n2]\n", "a: |\n  x\n", "a: x\r", "!a b: 1\n"].each do |document|
        text = document + rest.gsub("~", other)
        psych, ketch = [::Psych, Ketch::Psych].map { |module_| module_.load(text) rescue $!.class.name[/\w+\z/] }
        assert_equal [psych], [ketch], text.inspect
      end
    end
  end

  def test_a_timeout_ends_the_search_for_breaks
    text = "- a\u2028b\n#{"- {a: b, c: [d, 1, 2.5], e: 'f'}\n" * 4_000_000}"
    assert_ends_by_timeout { Ketch.__send__(:psych_breaks, text) }
  end

  # If Psych and Ketch agree on a text with line feeds in place of these breaks, they must agree on the text itself, and
  # Ketch must report the same lines and the same error.
  def test_random_texts_are_read_as_psych_reads_them
    random = Random.new(Integer(ENV.fetch("SEED", 14)))
    read = refused = 0
    COUNT.times do
      text = FRAMES.sample(random: random).gsub("~") { Array.new(random.rand(1..7)) { PIECES.sample(random: random) }.join }
      next unless text.match?(/[\u0085\u2028\u2029]/)

      plain = text.gsub(/(\r*)[\u0085\u2028\u2029]/) { "\n" * (Regexp.last_match(1).size + 1) }
      theirs, plain_theirs, ours, plain_ours = [::Psych, Ketch::Psych].flat_map { |psych| [nodes(psych, text), nodes(psych, plain)] }
      assert_equal plain_ours.places, ours.places, text.inspect if plain_ours.error == ours.error
      next unless plain_theirs.tree == plain_ours.tree

      assert([theirs.tree] == [ours.tree], "#{text.inspect}\nPsych: #{theirs.tree}\nKetch: #{ours.tree}")
      assert([plain_ours.error] == [ours.error], text.inspect) unless plain_ours.tree
      ours.tree ? read += 1 : refused += 1
      assert_same_value(text) if ours.tree
    end
    assert_operator read, :>, COUNT / 10
    assert_operator refused, :>, COUNT / 10
  end

  def test_dumps_of_psych_are_read_back
    random = Random.new(28)
    pieces = ["a", " ", "b c", "\n", ":", "#", "'", "\"", "- ", *OTHERS, *OTHERS]
    (COUNT / 4).times do
      string = Array.new(random.rand(1..8)) { pieces.sample(random: random) }.join
      value = { "x" => string, "y" => [string, { string => 1 }] }
      dumped = ::Psych.dump(value)
      # Psych itself reads some of what it dumps as a different value.
      assert_equal ::Psych.load(dumped), Ketch::Psych.load(dumped), dumped.inspect
      assert_equal value, ::Psych.load(Ketch::Psych.dump(value)), string.inspect
      assert_equal value, Ketch::Psych.load(Ketch::Psych.dump(value)), string.inspect
    end
  end

  private

  Parsed = Struct.new(:tree, :places, :error)

  # Returns the properties and lines of each node of a text, and the error if there is one.
  def nodes(psych, text)
    all = psych.parse_stream(text).each.to_a
    tree = all.map { |node| [node.class.name[/\w+\z/], *FACTS.map { |fact| node.public_send(fact) if node.respond_to?(fact) }] }
    Parsed.new(tree, all.map { |node| [node.start_line, node.end_line] }, nil)
  rescue psych::SyntaxError => e
    Parsed.new(nil, [e.line, e.column], e.problem)
  end

  FACTS = %i[value plain quoted style tag anchor implicit implicit_end].freeze

  def scalar_lines(psych, text) = psych.parse(text).root.children.to_a.map { |node| [node.start_line, node.end_line] }

  def assert_same_value(text)
    theirs, ours = [::Psych, Ketch::Psych].map do |psych|
      psych.load(text)
    rescue psych::SyntaxError, psych::DisallowedClass, psych::BadAlias, ArgumentError, NameError, TypeError, FrozenError, RangeError
      return
    end
    assert([theirs] == [ours] || theirs.inspect == ours.inspect, "#{text.inspect}\nPsych: #{theirs.inspect}\nKetch: #{ours.inspect}")
  end
end
