# frozen_string_literal: true

# Prints the results of reading the snippets of Psych in each way, and of writing the values again. On CRuby, these are
# the results of Psych or, for the listed differences, of Ketch::Psych. JRuby must print the same. Its argument is the
# version of CRuby's Psych, since versions read dates differently.

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

# Returns the module whose outcome is the expected one.
def reader(name, way)
  _, ways = Snippets::DIFFERENCES[name]
  RUBY_ENGINE == "ruby" && ways != :all && !Array(ways).include?(way) ? ::Psych : Ketch::Psych
end

# Returns an outcome as text to compare. All errors are alike, because psych_snippets_test.rb compares them.
def described(outcome) = outcome.key?(:error) ? "an error" : alike(outcome[:value]).inspect

# Returns a description with the bits of floats, which CRuby and JRuby write with different digits, with whole
# nanoseconds of times, since JRuby keeps no fractions of them, and without whether encodings are frozen.
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
  # JRuby does not keep the precision of a BigDecimal.
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
