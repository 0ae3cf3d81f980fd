# frozen_string_literal: true

require_relative "helper"

# sig/ketch.rbs: it is well-formed, and every method that it names is there.
class SignaturesTest < Minitest::Test
  FOLDER = File.expand_path("../sig", __dir__)

  # In a process of its own: the parser of rbs 2.1 does not survive the compactions of other tests.
  def test_it_is_well_formed
    program = <<~'RUBY'
      require "pathname"
      require "rbs"
      loader = RBS::EnvironmentLoader.new
      loader.add(path: Pathname.new(ARGV[0]))
      environment = RBS::Environment.from_loader(loader).resolve_type_names
      builder = RBS::DefinitionBuilder.new(env: environment)
      ours = environment.class_decls.keys.select { |name| name.to_s.start_with?("::Ketch") }
      ours.each { |name| builder.build_instance(name) && builder.build_singleton(name) }
      print ours.size
    RUBY
    described = IO.popen([RbConfig.ruby, "-e", program, FOLDER], &:read)
    assert_operator described.to_i, :>=, 15, described
  end

  def test_its_methods_are_there
    names = File.read("#{FOLDER}/ketch.rbs").scan(/^  def self\.(\w+[?]?):/).flatten
    assert_operator names.size, :>=, 9
    names.each { |name| assert_respond_to Ketch, name }
    public_names = Ketch.singleton_methods.map(&:to_s) - names
    assert_empty public_names
  end
end
