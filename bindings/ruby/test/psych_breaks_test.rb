# frozen_string_literal: true

require_relative "helper"
require "psych"
require "ketch/psych"

# The line breaks of YAML 1.1 that YAML 1.2 lacks: next line, line separator, paragraph separator.
class PsychBreaksTest < Minitest::Test
  OTHERS = ["\u0085", "\u2028", "\u2029"].freeze
  PIECES = ["a", "\r", "\r\n", "b c", "\u00e9", "\u2020", "\u2014 x", " ", "  ", "\n", "\n", "\n ", "\n  ", "\\n", "\\L", "''", "\\\"", "#", " # ", ":", ": ", "-",
            "- ", "?", ",", "\t", *OTHERS, *OTHERS, *OTHERS.map { |other| "#{other}  " }, *OTHERS.map { |other| " \\#{other}  " }].freeze
  FRAMES = ["%s", "k: %s\nl: m\n", "- %s\n- x\n", "k: '%s'\nl: m\n", "- \"%s\"\n- x\n", "k: |\n  %s\nl: m\n", "k: |-\n  %s\nl: m\n", "k: |+\n  %s\nl: m\n",
            "k: >\n  %s\nl: m\n", "k: >-\n  %s\nl: m\n", "k: >+\n  %s\nl: m\n", "[%s, x]\n", "['%s', x]\n", "{k: \"%s\", x: y}\n", "# %s\nk: v\n",
            "k:%s\n  v\n", "k: |2%s\n  v\n", "--- >%s\n"].freeze
  COUNT = Integer(ENV.fetch("COUNT", 20_000))

  def test_all_of_them_end_lines
    assert_equal({ "a" => 1, "b" => 2 }, Ketch::Psych.load("a: 1\u0085b: 2"))
    assert_equal %w[a b], Ketch::Psych.load("- a # c\u2028- b\u2029")
  end

  def test_separators_stay_in_scalars
    assert_equal "a\u2028b", Ketch::Psych.load("a \u2028  b")
    assert_equal "a\u2028\nb", Ketch::Psych.load("'a\u2028\n  b'")
    assert_equal "a\u2029b", Ketch::Psych.load("\"a\n\u2029  b\"")
    assert_equal ["a\u2028b\n"], Ketch::Psych.load("- |\n  a\u2028  b\n")
    assert_equal ["a\u2028b c\u2029"], Ketch::Psych.load("- >\n  a\u2028  b\n  c\u2029")
    assert_equal "a b", Ketch::Psych.load("a\u0085b")
  end

  def test_what_follows_keeps_its_line
    error = assert_raises(Ketch::Psych::SyntaxError) { Ketch::Psych.load("- 'a\u2028\u2028\n  b'\n- |\n  c\u2029  d\n- }\n") }
    psych = assert_raises(::Psych::SyntaxError) { ::Psych.load("- 'a\u2028\u2028\n  b'\n- |\n  c\u2029  d\n- }\n") }
    assert_equal psych.line, error.line
    nodes = Ketch::Psych.parse("- 'a\u2028\u2028\n  b'\n- |\n  c\u2029  d\n- e\n").root.children
    assert_equal 7, nodes.last.start_line
  end

  def test_carriage_returns_in_front_of_them
    ["\r", "\r\r", "\r\r\r", "\r\n\r"].product(OTHERS).each do |returns, other|
      text = "['#{returns}#{other} a', x]\n"
      assert_equal ::Psych.load(text), Ketch::Psych.load(text), text.inspect
    end
  end

  def test_yaml_1_2_has_them_as_characters
    OTHERS.each { |other| assert_equal "a#{other}b", Ketch.load("a#{other}b") }
  end

  def test_other_encodings
    text = "- a\u2028  b\n- \u0085"
    expected = ::Psych.load(text)
    assert_equal expected, Ketch::Psych.load(text.b)
    assert_equal expected, Ketch::Psych.load(text.encode("UTF-16LE"))
    assert_equal expected, Ketch::Psych.load(StringIO.new(text))
  end

  # Values agree; what one of them refuses, the other may take where YAML 1.1 and 1.2 differ, never as another value.
  def test_random_texts_are_read_as_psych_reads_them
    random = Random.new(14)
    read = 0
    COUNT.times do
      inner = Array.new(random.rand(1..7)) { PIECES.sample(random: random) }.join
      text = FRAMES.sample(random: random) % inner
      theirs = value(::Psych, text) { next }
      ours = value(Ketch::Psych, text) { next }
      assert_same_value(theirs, ours, text) unless differs_anyway?(text)
      read += 1 if text.match?(/[\u0085\u2028\u2029]/)
    end
    assert_operator read, :>, COUNT / 5
  end

  def test_what_psych_dumps_is_read_as_it_was
    random = Random.new(28)
    pieces = ["a", " ", "b c", "\n", ":", "#", "'", "\"", "- ", *OTHERS, *OTHERS]
    (COUNT / 4).times do
      string = Array.new(random.rand(1..8)) { pieces.sample(random: random) }.join
      value = { "x" => string, "y" => [string, { string => 1 }] }
      dumped = ::Psych.dump(value)
      # Psych itself reads some of what it dumps as another value.
      assert_equal ::Psych.load(dumped), Ketch::Psych.load(dumped), dumped.inspect
      assert_equal value, ::Psych.load(Ketch::Psych.dump(value)), string.inspect
      assert_equal value, Ketch::Psych.load(Ketch::Psych.dump(value)), string.inspect
    end
  end

  private

  def assert_same_value(theirs, ours, text) = assert([theirs] == [ours], "#{text.inspect}\nPsych: #{theirs.inspect}\nKetch: #{ours.inspect}")

  # With line feeds in their places, too: that is no matter of these breaks.
  def differs_anyway?(text)
    text = text.gsub(/[\u0085\u2028\u2029]/, "\n")
    theirs, ours = [::Psych, Ketch::Psych].map { |psych| value(psych, text) { :refused } }
    theirs != ours
  end

  def value(psych, text)
    psych.load(text)
  rescue psych::SyntaxError, psych::DisallowedClass, psych::BadAlias
    yield
  end
end
