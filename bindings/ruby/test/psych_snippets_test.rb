# frozen_string_literal: true

require_relative "helper"
require "bigdecimal"
require "date"
require "psych"
require "set"
require "ketch/psych"
require_relative "psych/snippets"
require_relative "psych/differences"

# Checks that Psych and Ketch::Psych read common snippets in the same way, except for the listed differences.
class PsychSnippetsTest < Minitest::Test
  # Uses a time zone other than UTC, so that times without a zone are shown differently. Psych warns about floats that
  # are too large.
  def setup
    @verbose, $VERBOSE = $VERBOSE, nil
    @zone, ENV["TZ"] = ENV["TZ"], "America/St_Johns"
  end

  def teardown
    ENV["TZ"] = @zone
    $VERBOSE = @verbose
  end

  def test_there_are_enough_snippets
    assert_operator Snippets.all.size, :>=, 300
    assert_empty Snippets::DIFFERENCES.keys - Snippets.all.keys
  end

  def test_snippets_are_read_alike_or_listed
    agreeing = Snippets.all.count do |name, text|
      differing = Snippets::WAYS.keys.reject { |way| agree?(way, text) }
      reason, ways = Snippets::DIFFERENCES[name]
      listed = ways == :all ? Snippets::WAYS.keys : Array(ways)
      assert_equal listed, differing, "#{name} (#{reason || "not listed"})\n#{text}#{described(differing | listed, text)}"
      differing.empty?
    end
    puts "#{agreeing} snippets agree with Psych #{::Psych::VERSION} in #{Snippets::WAYS.size} ways to read them, " \
         "#{Snippets::DIFFERENCES.size} are listed"
  end

  def test_written_values_are_read_alike
    written = Snippets.all.count do |name, text|
      [::Psych, Ketch::Psych].each { |psych| psych.load(text, permitted_classes: Snippets.classes(psych), aliases: true) }
      assert_nil Snippets.dump_failure(text, ::Psych, Ketch::Psych), name
      true
    rescue ::Psych::Exception, Ketch::Psych::Exception, ArgumentError
      false
    end
    assert_operator written, :>=, 280
  end

  ATOMS = %w[0 1 5 9 12 60 2026 05 31 _ , . : - + e E x X b o f F a T t Z / ~ " ' ! inf nan yes no on null true] + [" "]

  # Random scalars of meaningful pieces must resolve as in Psych's scanner. If that raises an error, they are text.
  def test_plain_scalars_of_all_kinds
    permissions = Ketch::Psych::Permissions.all
    scanner = ::Psych::ScalarScanner.new(::Psych::ClassLoader.new)
    random = Random.new(5)
    60_000.times do
      text = Array.new(random.rand(1..7)) { ATOMS.sample(random: random) }.join
      theirs = begin
        scanner.tokenize(text)
      rescue ArgumentError
        text
      end
      ours = Ketch::Psych::Scalars.value(text, permissions)
      assert_equal Snippets.description(theirs), Snippets.description(ours), text
    end
  end

  # Compares the two paths on damaged snippets.
  def test_both_paths_agree_on_damaged_texts
    permissions = Ketch::Psych::Permissions.all
    random = Random.new(5)
    texts = Snippets.all.values
    agreeing = 4_000.times.count do
      text = damaged(texts.sample(random: random), random)
      quick = Ketch.__send__(:psych_document, text, permissions.bits, permissions) { next }
      next if quick.nil?

      slow = Ketch::Psych::Reviver.new(permissions).value(Ketch::Psych.parse(text))
      assert_equal Snippets.description(slow), Snippets.description(quick), text
    end
    assert_operator agreeing, :>=, 500
  end

  # Compares the values that the extension builds from events with those that Ruby builds from nodes.
  def test_both_paths_agree
    permissions = Ketch::Psych::Permissions.all
    both = Snippets.all.count do |name, text|
      quick = Ketch.__send__(:psych_document, text, permissions.bits, permissions) { next }
      next if quick.nil?

      slow = Ketch::Psych::Reviver.new(permissions).value(Ketch::Psych.parse(text))
      assert_equal Snippets.description(slow), Snippets.description(quick), name
    end
    assert_operator both, :>=, 250
  end

  private

  MARKS = [": ", "- ", "&a ", "*a", "!", "!!str ", "|", ">", "'", '"', "{", "}", "[", "]", ",", "#", "? ", "~", "<<: ", "0", "1", ".", " ", "\n", "\t"].freeze

  # Returns a text in which something is inserted, removed or repeated.
  def damaged(text, random)
    text = text.dup
    random.rand(1..3).times do
      at = random.rand(0..text.size)
      case random.rand(3)
      when 0 then text.slice!(at, random.rand(1..3))
      when 1 then text.insert(at, MARKS.sample(random: random))
      else text.insert(at, text[random.rand(0..text.size), random.rand(20)].to_s)
      end
    end
    text
  end

  def agree?(way, text)
    Snippets.agree?(Snippets.outcome(way, ::Psych, text), Snippets.outcome(way, Ketch::Psych, text))
  end

  def described(ways, text)
    ways.map do |way|
      "#{way}\n  Psych: #{Snippets.outcome(way, ::Psych, text)}\n  Ketch: #{Snippets.outcome(way, Ketch::Psych, text)}\n"
    end.join
  end
end
