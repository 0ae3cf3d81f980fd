# frozen_string_literal: true

require_relative "helper"
require "psych"
require "ketch/psych"

# A stand-in for the class of Rails, which test/rails uses. It converts keys and hashes as Rails does.
module ActiveSupport
  unless const_defined?(:HashWithIndifferentAccess)
    class HashWithIndifferentAccess < Hash
      def initialize(hash = {})
        super()
        update(hash)
      end

      def []=(key, value)
        value = self.class.new(value) if value.instance_of?(Hash)
        super(key.is_a?(Symbol) ? key.name : key, value)
      end

      def [](key) = super(key.is_a?(Symbol) ? key.name : key)

      def update(hash)
        hash.each { |key, value| self[key] = value }
        self
      end
      alias merge! update
    end
  end
end

# Ketch::Psych reads and writes ActiveSupport::HashWithIndifferentAccess as Psych does.
class PsychIndifferentTest < Minitest::Test
  Indifferent = ActiveSupport::HashWithIndifferentAccess
  TAG = "!ruby/hash:ActiveSupport::HashWithIndifferentAccess"

  TEXTS = [
    "--- #{TAG}\nmasts: 2\nrig: {sails: [a, {b: c}]}\n",
    "--- #{TAG} {}\n",
    "a: #{TAG}\n  b: #{TAG}\n    c: 1\n",
    "- &1 #{TAG} {a: 1}\n- *1\n",
    "a: &a {x: 1}\nb: #{TAG}\n  <<: *a\n  y: 2\n",
    "--- &1 #{TAG}\nself: *1\n",
    "--- !map:ActiveSupport::HashWithIndifferentAccess\na: 1\n",
    "--- !ruby/hash-with-ivars:ActiveSupport::HashWithIndifferentAccess\nelements: {a: 1}\nivars: {}\n"
  ].freeze

  def test_texts_are_read_as_by_psych
    TEXTS.each do |text|
      [{ permitted_classes: [Indifferent] }, { permitted_classes: [Indifferent.name] }].each do |options|
        assert_same_value Psych.safe_load(text, aliases: true, **options), Ketch::Psych.safe_load(text, aliases: true, **options), text
        assert_same_value Psych.load(text, aliases: true, **options), Ketch::Psych.load(text, aliases: true, **options), text
      end
      assert_same_value Psych.unsafe_load(text), Ketch::Psych.unsafe_load(text), text
      assert_same_value Psych.load_stream(text), Ketch::Psych.load_stream(text), text
      assert_same_value Psych.parse(text).to_ruby, Ketch::Psych.parse(text).to_ruby, text
    end
  end

  def test_it_has_to_be_permitted
    TEXTS.each do |text|
      [Psych, Ketch::Psych].each do |psych|
        error = assert_raises(psych::DisallowedClass, text) { psych.safe_load(text, aliases: true) }
        assert_includes error.message, "ActiveSupport::HashWithIndifferentAccess"
      end
    end
  end

  def test_the_short_name
    text = "--- !ruby/hash:HashWithIndifferentAccess\na: 1\n"
    loaded = Ketch::Psych.safe_load(text, permitted_classes: ["HashWithIndifferentAccess"])
    assert_equal [Indifferent, 1], [loaded.class, loaded[:a]]
  end

  VALUES = [
    -> { Indifferent.new }, -> { Indifferent.new(masts: 2, rig: { sails: ["a", { b: :c }] }) }, -> { [Indifferent.new(a: 1)] * 2 },
    -> { { "a" => Indifferent.new(b: Indifferent.new(c: nil)) } },
    -> { Indifferent.new(a: 1).then { |one| [one, one] } }
  ].freeze

  def test_values_are_written_as_by_psych
    VALUES.each do |make|
      value = make.call
      text = Ketch::Psych.dump(value)
      assert_equal Psych.parse(Psych.dump(value)).each.map(&:tag), Psych.parse(text).each.map(&:tag)
      assert_same_value value, Psych.unsafe_load(text), text
      assert_same_value value, Ketch::Psych.unsafe_load(text), text
      assert_same_value value, Ketch::Psych.unsafe_load(Psych.dump(value)), text
    end
  end

  def test_safe_dump_needs_permission
    [Psych, Ketch::Psych].each do |psych|
      next unless psych.respond_to?(:safe_dump)

      assert_raises(psych::DisallowedClass) { psych.safe_dump(Indifferent.new(a: 1)) }
    end
    assert_equal "--- #{TAG}\na: 1\n", Ketch::Psych.safe_dump(Indifferent.new(a: 1), permitted_classes: [Indifferent])
  end

  def test_other_subclasses_are_written_as_hashes
    assert_equal "---\na: 1\n", Ketch::Psych.dump(Class.new(Indifferent).new(a: 1))
    assert_raises(Ketch::Psych::DisallowedClass) { Ketch::Psych.unsafe_load("!ruby/hash:Other {a: 1}") }
  end

  def test_a_program_without_the_class
    program = 'require "ketch/psych"; Ketch::Psych.unsafe_load(ARGV[0]) rescue print $!.class, " ", $!.message[/Act.*?Access/]'
    output = IO.popen([RbConfig.ruby, "-I#{LIBRARY}", "-e", program, "--", TEXTS[0]], &:read)
    assert_equal "Ketch::Psych::DisallowedClass ActiveSupport::HashWithIndifferentAccess", output
  end

  private

  # Compares values with the classes of all hashes in them.
  def assert_same_value(expected, found, message)
    assert_equal shape(expected), shape(found), message
  end

  def shape(value, seen = {}.compare_by_identity)
    return "again #{seen[value]}" if seen.key?(value)

    case value
    when Hash, Array then seen[value] = seen.size
    end
    case value
    when Hash then [value.class, value.map { |key, entry| [key, shape(entry, seen)] }]
    when Array then [Array, value.map { |entry| shape(entry, seen) }]
    else value
    end
  end
end
