# frozen_string_literal: true

# Prints what comes of the snippets of Psych, read in each way, and of what was read, written. On CRuby it is
# what Psych makes of them; for differences that are listed, what Ketch::Psych makes of them. JRuby has to print
# the same. It gets the version of CRuby's Psych as its argument, since versions read dates differently.

require "bigdecimal"
require "date"
require "set"
if RUBY_ENGINE == "ruby"
  require "psych"
else
  Psych = Module.new { const_set(:VERSION, ARGV.fetch(0)) }
end
require "ketch/psych"
require "psych/snippets"
require "psych/differences"

# The module whose outcome counts.
def reader(name, way)
  _, ways = Snippets::DIFFERENCES[name]
  RUBY_ENGINE == "ruby" && ways != :all && !Array(ways).include?(way) ? ::Psych : Ketch::Psych
end

# Errors are compared in psych_snippets_test.rb.
def described(outcome) = outcome.key?(:error) ? "an error" : alike(outcome[:value]).inspect

# A description with the bits of floats, which CRuby and JRuby write with different digits, with the nanoseconds
# of times, of which JRuby keeps no part, and without whether encodings are frozen.
def alike(description)
  return description unless description.is_a?(Array)

  type, value, *rest = description
  return [type, [value.to_f].pack("G").unpack1("H*")] if type == "Float" && value.match?(/\d/)
  return [type, value.floor(9), *rest] if type == "Time"
  return [type, value] if type == "Encoding"

  description.map { |part| alike(part) }
end

def written(text)
  value = Ketch::Psych.load(text, permitted_classes: Snippets.classes(Ketch::Psych), aliases: true)
  # JRuby knows no precision of a BigDecimal.
  [Ketch::Psych.dump(value).gsub(/BigDecimal \d+:/, "BigDecimal :"), Ketch::Psych.parse_stream(text).to_yaml]
rescue StandardError => e
  e.class.name
end

Snippets.all.each do |name, text|
  Snippets::WAYS.each_key do |way|
    puts "#{name}, #{way}: #{described(Snippets.outcome(way, reader(name, way), text))}"
  end
  puts "#{name}, written: #{written(text).inspect}"
end
