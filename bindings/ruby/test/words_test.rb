# frozen_string_literal: true

require_relative "helper"
require "ketch/psych"

# Errors name options and limits as a Ruby program writes them, and say what to write instead of Psych's keywords.
class WordsTest < Minitest::Test
  # Inputs that exceed each limit.
  EXCEEDED = {
    max_depth: ["[[1]]", 1], max_nodes: ["[1, 2]", 2],
    max_tag_bytes: ["!long x", 2], max_tag_handles: ["%TAG !a! b\n%TAG !b! c\n--- x", 1],
    max_implicit_key_chars: ["long: 1", 2], max_scalar_bytes: ["long", 2]
  }.freeze

  def test_limits_are_keywords
    EXCEEDED.each do |name, (text, limit)|
      error = assert_raises(Ketch::LimitError, name) { Ketch.load(text, merge: true, max_nodes: 1000, name => limit) }
      assert_equal name, error.setting
      assert_match(/raise `#{name}:`/i, error.help)
      assert error.message.end_with?(error.help), error.message
    end
  end

  def test_limits_of_extprot_are_keywords
    bytes = Ketch::Extprot.dump([["long"]])
    [Ketch::Extprot, Ketch::Extprot::Pure].each do |codec|
      %i[max_depth max_string_bytes max_elements max_block_bytes].each do |name|
        error = assert_raises(Ketch::Extprot::Error) { codec.load(bytes, name => 0) }
        assert_equal [name, "If you trust the data, raise `#{name}:`."], [error.setting, error.message.lines.last]
      end
    end
  end

  def test_options_are_keywords
    error = assert_raises(Ketch::DuplicateKeyError) { Ketch.load("max_depth: 1\nmax_depth: 2") }
    assert_equal "duplicate key `max_depth`", error.problem
    assert_includes error.message, "choose with the option `duplicate_keys:` which one wins."
    error = assert_raises(Ketch::ThroughAliasError) { Ketch.edit("a: &x {b: 1}\nc: *x\n") { |edit| edit["c"]["b"] = 2 } }
    assert_equal "`alias: :through` edits the anchored node, `alias: :detach` a copy of it here.", error.help
    error = assert_raises(Ketch::AnchorInUseError) { Ketch.edit("a: &x {b: 1}\nc: *x\n") { |edit| edit.delete("a") } }
    assert_includes error.message, "`anchors: :promote` moves"
    assert_includes error.message, "`anchors: :expand` copies"
  end

  def test_wrong_values_of_options
    { schema: ":core, :json, :failsafe, :yaml11, :syck", duplicate_keys: ":error, :first, :last" }.each do |name, values|
      error = assert_raises(ArgumentError) { Ketch.load("a", name => :best) }
      assert_equal "#{name}: expected one of #{values}", error.message
    end
    assert_equal "dialect: expected :yaml or :syck", assert_raises(ArgumentError) { Ketch.load("a", dialect: :best) }.message
    error = assert_raises(ArgumentError) { Ketch.dump(1, sequences: :best) }
    assert_equal "sequences: expected :flush or :indented", error.message
  end

  # Ketch::Psych has Psych's keywords, so there are none for limits.
  def test_limits_in_the_front_of_psych
    error = assert_raises(Ketch::Psych::SyntaxError) { Ketch::Psych.load("[" * 20_000) }
    assert_includes error.message, "load it with Ketch.load and a higher `max_depth:`"
  end

  HINTS = {
    load: { permitted_classes: "schema: :yaml11", permitted_symbols: "symbolize_names: true", whitelist_classes: "schema:",
            aliases: "always permitted", fallback: "|| fallback", strict_integer: "1,000", stringify_names: "transform_keys" },
    dump: { indentation: "`indent:`", line_width: "`width:`", canonical: "`flow: true`", version: "`header: true`",
            permitted_classes: "plain values", permitted_symbols: "as text", aliases: "anchor", stringify_names: "as text" }
  }.freeze

  def test_keywords_of_psych_have_hints
    HINTS.each do |method, hints|
      hints.each do |keyword, hint|
        error = assert_raises(ArgumentError) { Ketch.public_send(method, "a", keyword => nil) }
        assert_match(/\Aunknown keyword: :#{keyword}\n.*#{Regexp.escape(hint)}.* Ketch::Psych\.#{method},/, error.message)
      end
    end
    %i[load_stream parse parse_stream edit].each do |method|
      assert_includes assert_raises(ArgumentError) { Ketch.public_send(method, "a", aliases: true) }.message, "always permitted"
    end
  end

  def test_other_unknown_keywords
    %i[load dump].each do |method|
      error = assert_raises(ArgumentError) { Ketch.public_send(method, "a", speed: 1) }
      assert_equal "unknown keyword: :speed", error.message
    end
  end
end
