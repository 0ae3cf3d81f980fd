# frozen_string_literal: true

# Runs the tests of the gem on JRuby. exclusions.txt has the files that cannot run, and the tests that
# have to fail, perhaps only on one version of JRuby, with reasons: one that passes is an error, too.
#
#   jruby -I target/lib -I ../../ruby/lib -I ../../ruby/test tests.rb

GEM = File.expand_path("../../ruby", __dir__)
FILES, TESTS = File.readlines(File.join(__dir__, "exclusions.txt"), chomp: true)
                   .grep_v(/\A(#|\s*\z)/).to_h { |line| line.split(": ", 2) }
                   .partition { |name, _| name.end_with?(".rb") }.map(&:to_h)

Dir["#{GEM}/test/*_test.rb"].sort.each do |file|
  require file unless FILES.key?(File.basename(file))
end
missing = FILES.keys.reject { |file| File.exist?("#{GEM}/test/#{file}") }
abort "exclusions.txt: there is no #{missing.join(", ")}" unless missing.empty?

TESTS.each do |name, reason|
  name, version = name.split(/ \((.+)\)\z/)
  next if version && !"#{JRUBY_VERSION}.".start_with?("#{version}.")

  type, test = name.split("#")
  abort "exclusions.txt: #{name}: why?" if reason.to_s.empty?
  type = Object.const_get(type)
  original = type.instance_method(test)
  type.define_method(test) do
    passes = begin
      original.bind_call(self)
      true
    rescue Minitest::Assertion, StandardError, NotImplementedError, Java::JavaLang::StackOverflowError
      false
    end
    refute passes, "#{name} passes on JRuby: take it out of exclusions.txt"
  end
end
puts "#{TESTS.size} tests are expected to fail on JRuby, #{FILES.size} files are left out: see exclusions.txt"
