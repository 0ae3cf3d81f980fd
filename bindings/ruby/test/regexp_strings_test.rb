# frozen_string_literal: true

require_relative "helper"

# Ketch::Regexp::Strings: the methods of String, refined.
class RegexpStringsTest < Minitest::Test
  using Ketch::Regexp::Strings

  PATTERNS = ["a", "(a)(b)?", '(?<x>\d)', "", "x*", '\s+', '\b', "$", "é", "(?=b)", "(?<=b)c?"].freeze
  TEXTS = ["", "abc", "aabbab", "12-ab 3-", "éaéx", "a b\nc", "xxaxx"].freeze

  # Returns what a call does to a string, and its result or exception.
  def self.outcome(text, pattern)
    value = yield(text, pattern)
    [text, value.is_a?(Enumerator) ? value.to_a : value]
  rescue StandardError => e
    [text, e.class, e.message]
  end

  CALLS = {
    match: ->(text, pattern) { [text.match(pattern)&.to_a, text.match(pattern, 1)&.begin(0), text.match?(pattern)] },
    operator: ->(text, pattern) { text =~ pattern },
    scan: ->(text, pattern) { text.scan(pattern) },
    gsub: ->(text, pattern) { [text.gsub(pattern, "-"), text.gsub(pattern) { |part| part * 2 }, text.gsub(pattern).to_a] },
    sub: ->(text, pattern) { [text.sub(pattern, "-"), text.sub(pattern, "a" => "b")] },
    gsub!: ->(text, pattern) { text.gsub!(pattern, '<\0>') },
    gsub_by_block!: ->(text, pattern) { text.gsub!(pattern) { |part| "#{part}!" } },
    gsub_without_block!: ->(text, pattern) { text.gsub!(pattern).to_a },
    sub!: ->(text, pattern) { text.sub!(pattern, '<\0>') },
    sub_without_argument!: ->(text, pattern) { text.sub!(pattern) },
    split: ->(text, pattern) { [text.split(pattern), text.split(pattern, 2), text.split(pattern, -1)] },
    index: ->(text, pattern) { [text.index(pattern), text.index(pattern, 1), text.rindex(pattern), text.rindex(pattern, 2)] },
    slice: ->(text, pattern) { [text[pattern], text[pattern, 1], text.slice(pattern), text.slice(pattern, 0)] },
    slice_by_name: ->(text, pattern) { text[pattern, "x"] },
    slice!: ->(text, pattern) { text.slice!(pattern) },
    slice_group!: ->(text, pattern) { text.slice!(pattern, 1) },
    assign: ->(text, pattern) { text[pattern] = "Z" },
    assign_group: ->(text, pattern) { text[pattern, 1] = "Z" },
    assign_name: ->(text, pattern) { text[pattern, "x"] = "Z" },
    start_with: ->(text, pattern) { [text.start_with?(pattern), text.start_with?("zz", pattern)] },
    partition: ->(text, pattern) { [text.partition(pattern), text.rpartition(pattern)] },
    frozen: ->(text, pattern) { text.freeze.gsub!(pattern, "x") },
    sent: ->(text, pattern) { text.send(:gsub, pattern, "x") }
  }.freeze

  CALLS.each do |name, call|
    define_method("test_#{name}") do
      PATTERNS.product(TEXTS) do |source, text|
        expected = self.class.outcome(text.dup, ::Regexp.new(source), &call)
        found = self.class.outcome(text.dup, Ketch::Regexp.new(source), &call)
        # A difference of nil is also a difference.
        assert(expected == found, "/#{source}/ on #{text.inspect}: #{found.inspect}, Ruby #{expected.inspect}")
      end
    end
  end

  def test_other_patterns_are_left_to_ruby
    assert_equal "x<a>y", "xay".gsub(/(a)/) { "<#{$1}>" }
    assert_equal "a", $~[0]
    assert "xyz".match(/y/)
    assert_equal ["x", "y", "z"], [$`, $&, $']
    assert_equal [%w[a b], "abb", "b", "bc"], ["a.b".split("."), "aba".sub("ba", "bb"), "abc"[1], "abc"[1..]]
    text = +"abc"
    text[0] = "Q"
    text["b"] = "R"
    text[/c/] = "S"
    assert_equal ["QRS", "R", "QS"], [text.dup, text.slice!(1), text]
    assert_raises(ArgumentError) { "x".gsub }
    assert_raises(TypeError) { "x".match?(1) }
    assert_equal [1, 4], "oxxo".gsub(/o/).with_index.map { |_, index| 1 + index * 3 }
  end

  def test_blocks_may_break_or_throw
    pattern = Ketch::Regexp.new(".")
    assert_equal "b", ("abc".gsub(pattern) { |part| break part if part == "b" })
    assert_equal %w[a b], [].tap { |parts| catch(:done) { "abc".scan(pattern) { |part| parts << part; throw :done if part == "b" } } }
    assert_raises(ZeroDivisionError) { "abc".sub(pattern) { 1 / 0 } }
  end
end
