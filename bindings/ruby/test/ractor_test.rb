# frozen_string_literal: true

require_relative "helper"
require "json"
require "open3"
require "tmpdir"

# All of Ketch works in Ractors, once the main one has loaded it. (host_test.rb has the classes of a schema, which only the
# main Ractor can define.)
class RactorTest < Minitest::Test
  # Programs, each with its result in the main Ractor. They run in other Ractors, in one process, since the first Ractor
  # changes how all of Ruby runs.
  PROGRAMS = [
    'Ketch.load("a: [1, 2.5, ~, !t x]\nb: &a {c: d}\ne: *a")',
    'Ketch.load("- 2001-01-01\n- 2001-01-01T00:00:00Z", schema: :yaml11)',
    'Ketch.load("a: 1", symbolize_names: true, freeze: true)',
    'Ketch.load("a: 1", positions: true).position("a").to_s',
    'Ketch.load_stream("1\n--- [2]")',
    'Ketch.each_document("1\n--- [2]").to_a',
    'Ketch.each_event("[a]").map(&:kind)',
    'Ketch.parse("a: 1").root["a"].value',
    'begin; Ketch.load("[a"); rescue => e; [e.class, e.message]; end',
    'Ketch.dump({ "a" => [1, 2.5, :b, nil, Time.at(0).utc, Date.new(2001, 1, 1)] })',
    'Ketch.dump_stream([1, [2]])',
    'Ketch::Extprot.load(Ketch::Extprot.dump({ "a" => 1 }))',
    'Ketch::Extprot::Decoder.new(Ketch::Extprot.dump(1) * 2).to_a',
    'Ketch::Extprot::Pure.load("\x00\x54")',
    'Ketch::Regexp.new("(?<k>\\\\w+)=\\\\d", timeout: 1).match("a=1")[:k]',
    'Ketch::Regexp.new("b+").then { |r| [r.gsub("abba", "x"), r.scan("abba"), r.split("abba"), r.inspect] }',
    '[Ketch::Regexp.escape("a.b"), Ketch::Regexp.union("a", "b").source, Ketch::Regexp.timeout, Ketch::Regexp.last_match]',
    'begin; Ketch::Regexp.new("("); rescue => e; [e.class, e.message]; end',
    'Ketch.each_line("a1b", Ketch::Regexp.new("\\\\d")).to_a',
    '[Ketch.lines("a\nb"), Ketch.each_line("a\nb").to_a, Ketch.split("a b")]',
    'Ketch.edit("a: 1\nb: [2]") { |edit| edit["a"] = 2 and edit["b"] << 3 }',
    'Ketch::Psych.load("a: :b\nc: 1_000\nd: 1:30\ne: 2001-01-01", permitted_classes: [Symbol, Date])',
    'Ketch::Psych.unsafe_load("- !ruby/range 1..2\n- !ruby/regexp /x/\n- !!set {x}\n- !!omap [a: 1]\n- 2001-01-01 10:00:00 Z")',
    'Ketch::Psych.unsafe_load("- !ruby/object:BigDecimal 18:0.15e1\n- !ruby/object:Set {hash: {a: true}}")',
    'Ketch::Psych.dump({ a: [1..2, /x/, Time.at(0).utc, 1.5r] })',
    '[Ketch::Psych.safe_dump({ "a" => 1 }), Ketch::Psych.to_json({ "a" => 1 })]',
    'Ketch::Psych.parse("a: 1").to_ruby',
    'begin; Ketch::Psych.load("[a"); rescue => e; [e.class, e.message]; end',
    'Ketch::Psych.add_domain_type("", "x") { |_, value| [value] }; Ketch::Psych.load("!x 1")',
    'Ketch::Syck.load("a: !int 3\nb: :x\nc: 1:30\nd: !omap [e: 1]")',
    'Ketch::Syck.parse("a: {b: 1}").search("//b")',
    'Ketch::Syck.dump({ "a" => [1, nil, :b, 1..2] })',
    'Ketch::Syck.add_private_type("y") { |_, value| [value] }; Ketch::Syck.load("--- !!y z")',
    'Ketch.load("- 1:30", dialect: :syck)',
    'Ketch::Store.new("#{FOLDER}/#{rand}.yml").then { |store| store.transaction { store["a"] = 1 } }'
  ].freeze

  def test_programs_return_in_a_ractor_what_they_return_in_the_main_one
    Dir.mktmpdir do |folder|
      results = JSON.parse(run_ruby(<<~RUBY, PROGRAMS.to_json))
        require "ketch/ractor"
        Warning[:experimental] = false
        FOLDER = #{folder.dump}.freeze
        puts(JSON.parse($stdin.read).map do |program|
          inside = Ractor.new(program) { |text| eval(text).inspect }.take
          [program, eval(program).inspect, inside]
        end.to_json)
      RUBY
      assert_equal PROGRAMS.size, results.size
      results.each { |program, outside, inside| assert_equal outside, inside, program }
    end
  end

  # In Ruby 3, only the main Ractor can load files.
  def test_a_library_that_is_missing_in_a_ractor_is_named
    message = run_ruby(<<~'RUBY')
      require "ketch"
      Warning[:experimental] = false
      Thread.report_on_exception = false
      Ractor.new { Ketch.load("2001-01-01", schema: :yaml11) }.take rescue print($!.cause.message)
    RUBY
    assert_match(/\Aa Ractor cannot load the library date: write `require "ketch\/ractor"`/, message)
  end

  # Otherwise, a Ractor could not read the constant.
  def test_all_constants_are_shareable
    found = run_ruby(<<~'RUBY')
      require "ketch/ractor"
      require "ketch/psych/store"
      names = $LOADED_FEATURES.grep(%r{/ketch(/.*)?\.rb\z}).flat_map do |path|
        File.read(path).scan(/^\s*([A-Z]\w*(?:, [A-Z]\w*)*) = /).flat_map { |(list)| list.split(", ") }
      end
      print(names.size, " ")
      name_of = Module.instance_method(:name)
      ObjectSpace.each_object(Module).select { |one| name_of.bind_call(one).to_s.match?(/\AKetch(::|\z)/) }.each do |one|
        names.uniq.each do |name|
          next if !one.const_defined?(name, false) || one.autoload?(name)

          puts "#{one}::#{name}" unless Ractor.shareable?(one.const_get(name, false))
        end
      end
    RUBY
    assert_match(/\A\d{3} \z/, found)
  end

  private

  def run_ruby(program, input = "")
    out, err, status = Open3.capture3(RbConfig.ruby, "-W0", "-I#{LIBRARY}", "-e", program, stdin_data: input)
    assert_predicate status, :success?, err
    out
  end
end
