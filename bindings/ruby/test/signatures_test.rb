# frozen_string_literal: true

require_relative "helper"
require "ketch/psych"
require "ketch/syck"

# Checks that the signatures in sig are well-formed, and that every method in them exists.
class SignaturesTest < Minitest::Test
  FOLDER = File.expand_path("../sig", __dir__)

  # In a separate process: the parser of rbs 2.1 does not survive the compactions of other tests.
  def test_the_signatures_are_well_formed
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

  def test_every_signature_has_a_method
    names = File.read("#{FOLDER}/ketch.rbs").scan(/^  def self\.(\w+[?]?):/).flatten
    assert_operator names.size, :>=, 9
    names.each { |name| assert_respond_to Ketch, name }
    public_names = Ketch.singleton_methods.map(&:to_s) - names
    assert_empty public_names
  end

  def test_the_methods_of_regular_expressions_are_there
    { Ketch::Regexp => "Regexp", Ketch::MatchData => "MatchData" }.each do |kind, name|
      body = File.read("#{FOLDER}/ketch.rbs")[/^  class #{name}\n(.*?)^  end/m, 1]
      [kind.singleton_class, kind].zip([/^    def self\.(\S+): /, /^    def (?!self)(\S+): /]) do |owner, method|
        named = body.scan(method).flatten - ["initialize"]
        assert_operator named.size, :>=, 9 if owner == kind
        assert_empty named.reject { |each| owner.public_method_defined?(each) }
        assert_empty owner.public_instance_methods(false).map(&:to_s) - named - %w[incompatible marshal_dump marshal_load]
      end
    end
  end

  # Methods of Edit that only the views call.
  INTERNAL = { Ketch::Edit => %w[child child? comments_of count_of edits entries_of facts_of kind_of path_of run run_all value_of wrap],
               Ketch::Edit::View => %w[id] }.freeze

  def test_every_method_of_edits_has_a_signature
    bodies = File.read("#{FOLDER}/edit.rbs")
    { Ketch::Edit => /^  class Edit\n(.*?)^    class View/m, Ketch::Edit::View => /^    class View\n(.*?)^    end/m,
      Ketch::Edit::Mapping => /^    class Mapping.*?\n(.*?)^    end/m, Ketch::Edit::Sequence => /^    class Sequence.*?\n(.*?)^    end/m,
      Ketch::Edit::Node => /^    class Node\n(.*?)^    end/m }.each do |kind, body|
      named = bodies[body, 1].gsub(/class Patch.*?end$/m, "").scan(/^ +(?:def|alias|attr_reader) (\S+?):? /).flatten
      named.map! { |name| name.delete_suffix(":") }
      assert_equal named.uniq, named
      assert_equal kind.public_instance_methods(false).map(&:to_s).sort - ["inspect", *INTERNAL[kind]], named.sort, kind
    end
  end

  def test_the_methods_of_psych_are_there
    names = File.read("#{FOLDER}/psych.rbs").scan(/^    def self\.(\w+[?]?):/).flatten
    assert_empty names.reject { |name| Ketch::Psych.respond_to?(name) }
    assert_equal %w[present_options text_of utf8 with_breaks], (Ketch::Psych.singleton_methods.map(&:to_s) - names).sort
  end

  def test_the_methods_of_syck_are_there
    names = File.read("#{FOLDER}/syck.rbs").scan(/^    def self\.(\w+[?]?):/).flatten
    assert_empty names.reject { |name| Ketch::Syck.respond_to?(name) }
    assert_equal %w[own_method? types], (Ketch::Syck.singleton_methods.map(&:to_s) - names).sort
  end
end
