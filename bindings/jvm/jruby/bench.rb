# frozen_string_literal: true

# Compares Ketch.load_stream with JRuby's Psych, after checking that the values are equal. `bench/run jruby` runs it.

require "psych"
require "date"
require "ketch"
require_relative "bench_pass"

# Compares values. Psych on JRuby reads some scalars differently, so up to one in a hundred may differ. Psych drops unknown
# tags, so these are ignored.
class Shape
  attr_reader :scalars, :different, :tags

  def initialize
    @scalars = @different = @tags = 0
  end

  # Returns whether both have the same collections; counts the scalars that differ, including keys.
  def matches?(ours, theirs)
    ours = untagged(ours)
    case ours
    when Hash then matches_hash?(ours, theirs)
    when Array
      theirs.is_a?(Array) && ours.size == theirs.size && ours.zip(theirs).all? { |our, their| matches?(our, their) }
    else
      @scalars += 1
      @different += 1 unless ours == theirs || (ours.is_a?(Float) && theirs.is_a?(Float) && ours.nan? && theirs.nan?)
      !theirs.is_a?(Hash) && !theirs.is_a?(Array)
    end
  end

  # Pairs the keys that both have, and the others in order. Duplicate keys can change the order of the entries.
  def matches_hash?(ours, theirs)
    return false unless theirs.is_a?(Hash) && ours.size == theirs.size

    others = theirs.keys - ours.keys
    ours.all? do |key, value|
      their = theirs.key?(key) ? key : others.shift
      matches?(key, their) && matches?(value, theirs[their])
    end
  end

  def untagged(value)
    while value.is_a?(Ketch::Tagged)
      @tags += 1
      value = value.value
    end
    value
  end

  # Returns why values are not equal enough; nil if they are.
  def refusal(ours, theirs)
    return "its collections differ" unless matches?(ours, theirs)

    "#{different} of #{scalars} scalars differ" if different * 100 > scalars
  end
end

OURS = ->(text) { Ketch.load_stream(text, duplicate_keys: :last, schema: :yaml11) }
# As Psych.load_stream, but without the limit of 3 million characters.
THEIRS = lambda do |text|
  parser = Psych.parser
  parser.code_point_limit = 1 << 30
  parser.parse(text)
  parser.handler.root.children.map(&:to_ruby)
end
ENGINES = { "Ketch.load_stream" => OURS, "Psych" => THEIRS }.freeze

# Returns why a file is left out; nil if the values are equal.
def refusal(name, text)
  shape = Shape.new
  reason = shape.refusal(OURS.(text), THEIRS.(text))
  unless reason || shape.different + shape.tags == 0
    Pass.print({ note: "#{name}: #{shape.different} of #{shape.scalars} scalars differ; Psych drops #{shape.tags} tags" })
  end
  reason
rescue StandardError => e
  e.message.lines.first.chomp
end

first = "name: Ariel\nmasts: [main, mizzen]\n"
# The first call of this method itself takes some milliseconds.
Pass.seconds { nil }
times = ENGINES.transform_values { |load| [Pass.seconds { load.(first) }] }
Pass.print({ level: "first document", file: "two lines", bytes: first.bytesize, seconds: times })
Pass.print({ versions: { "Psych" => "#{Psych::VERSION} of JRuby #{JRUBY_VERSION}" } })
Pass.print({ note: "Psych's code_point_limit is raised to 2^30" })
ARGV.each do |file|
  text = File.read(file, encoding: "UTF-8")
  name = File.basename(file)
  if (reason = refusal(name, text))
    Pass.print({ level: "load", engine: "Psych", file: name, reason: })
  else
    Pass.race("load", name, text.bytesize, ENGINES.transform_values { |load| -> { load.(text) } })
  end
end
