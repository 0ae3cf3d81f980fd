# frozen_string_literal: true

# Prints what Ketch::Regexp and its refinement of String return in the tests that compare them with Ruby's own Regexp.
# JRuby's Regexp differs from CRuby's, so JRuby must print what CRuby prints.

require "minitest"
def Minitest.autorun = nil
require "regexp_test"
require "regexp_strings_test"

# Prints the results that the tests compare, instead of comparing them.
module Recorded
  def assert_equal(_, found, *) = puts(shown(found))

  def assert_like_ruby(patterns: RegexpTest::PATTERNS, texts: RegexpTest::TEXTS)
    patterns.product(texts) do |pattern, text|
      puts "/#{pattern}/ #{text.dump} #{shown(outcome { yield Ketch::Regexp.new(pattern), text.dup })}"
    end
  end

  # Returns a result as ASCII, with the encodings of strings, but not of the messages of errors. JRuby describes a wrong
  # number of arguments in other words.
  def shown(value)
    case value
    in [/Error\z/ => name, String => message] then "#{name}: #{message.b.sub(/.*(wrong number of arguments).*/, '\1')}"
    else shown_value(value)
    end
  end

  def shown_value(value)
    case value
    when String then "#{value.b.inspect}#{value.encoding}"
    when Array then "[#{value.map { |entry| shown(entry) }.join(", ")}]"
    when Hash then "{#{value.map { |key, entry| "#{shown(key)}: #{shown(entry)}" }.join(", ")}}"
    else value.inspect.b
    end
  end
end
RegexpTest.prepend(Recorded)

%w[matches groups scan replacement split index patterns construction union_and_escape errors_have_a_caret encodings
   invalid_text the_last_match_is_local_to_the_fiber union_keeps_slashes ascii_pattern_may_have_escaped_bytes].each do |name|
  puts name
  RegexpTest.new(name).send("test_#{name}")
end

recorder = Object.new.extend(Recorded)
RegexpStringsTest::CALLS.each do |name, call|
  RegexpStringsTest::PATTERNS.product(RegexpStringsTest::TEXTS) do |source, text|
    result = RegexpStringsTest.outcome(text.dup, Ketch::Regexp.new(source), &call)
    puts "#{name} /#{source.dump}/ #{text.dump} #{recorder.shown(result)}"
  end
end
