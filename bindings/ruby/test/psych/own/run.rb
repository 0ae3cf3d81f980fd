# frozen_string_literal: true

# Runs Psych's own tests, and prints the result of each as JSON: null, or the error.
#
#   ruby run.rb FOLDER psych|ketch
#
# With `ketch`, Ketch::Psych takes the place of Psych.

folder, psych = ARGV.shift(2)
$LOAD_PATH.unshift("#{folder}/tool/lib", "#{folder}/test")
%w[json stringio bigdecimal ostruct set].each { |library| require library }

# Puts Ketch::Psych in place of Psych, and keeps Psych's own files from being loaded, because they would define
# their classes in Ketch::Psych.
module Replaced
  OWN = %w[psych/helper].freeze
  THERE = %w[psych/json/stream].freeze

  def require(name)
    return super unless name.to_s.start_with?("psych/") && !OWN.include?(name)

    THERE.include?(name) ? false : raise(LoadError, "no file of Psych's: #{name}")
  end

  # The only internal class of Psych that the tests' helper uses.
  class Tree
    def self.create = new
    def <<(object) = @object = object
    def tree = Ketch::Psych.parse_stream(Ketch::Psych.dump(@object))
  end
end

if psych == "ketch"
  require "ketch/psych/replace"
  Object.prepend(Replaced)
  Ketch::Psych.const_set(:Visitors, Module.new { const_set(:YAMLTree, Replaced::Tree) })
end

require "test/unit"
require "core_assertions"

Dir["#{folder}/test/psych/**/test_*.rb"].sort.each do |file|
  require file
rescue LoadError, NoMethodError => e
  # The file needs something that does not exist, so its tests are missing.
  warn "#{file}: #{e.message.lines.first}" if ENV["VERBOSE"]
end

# Returns the result of a test, which runs with its setup and teardown.
def outcome(test)
  test.setup
  test.public_send(test.__name__)
  nil
rescue Exception => e # rubocop:disable Lint/RescueException
  raise if e.is_a?(Interrupt)

  "#{e.class}: #{e.message.lines.first}"
ensure
  test.teardown
end

cases = ObjectSpace.each_object(Class).select { |klass| klass < Test::Unit::TestCase && klass.name }
results = cases.sort_by(&:name).flat_map do |klass|
  klass.public_instance_methods.grep(/\Atest/).sort.filter_map do |name|
    next if klass.instance_method(name).owner == Test::Unit::TestCase

    ["#{klass.name.delete_prefix("Ketch::")}##{name}", outcome(klass.new(name.to_s))]
  end
end
$stdout.puts JSON.generate(results.to_h)
$stdout.flush
# Exits without the test runner that test/unit would start at the end.
exit!(0)
