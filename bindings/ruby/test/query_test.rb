# frozen_string_literal: true

require_relative "helper"
require "bigdecimal"
require "json"
require "rbconfig"

# Programs in jq's language.
class QueryTest < Minitest::Test
  def results(source, program, **options)
    Ketch.query(source, program, **options).to_a
  end

  def cases(name) = JSON.parse(File.read("#{REPOSITORY}/conformance/query/#{name}.json"))

  # The lines of the results, and the kind, the column and the place in the text of an error.
  def outcome(query, found = [])
    yield(query).each { found.concat(_1.lines(chomp: true)) }
    found
  rescue Ketch::QueryError, Ketch::LimitError => e
    [*found, [e.name.to_s.tr("_", "-"), e.column, e.related_line && "#{e.related_line}:#{e.related_column}"]]
  rescue Ketch::Error => e
    [*found, [nil, nil, "#{e.line}:#{e.column}"]]
  end

  # The cases of the command that need nothing but the library.
  def test_cases
    count = cases("cases").count do |one|
      next unless (library = one["library"])

      options = library["options"].to_h { |name, value| [name.to_sym, %w[format schema].include?(name) ? value.to_sym : value] }
      program = [one["program"], *library["after"]].join("\n| ")
      found = outcome(program) do |text|
        query = Ketch::Query.new(text)
        one["file"] ? [query.edit(one["input"], **options)] : query.run(one["input"] || "", **options)
      end
      expected = one["file"]&.lines(chomp: true) || library["results"] || one["stdout"]
      expected = [] if one["file"] && library["error"]
      assert_equal [*expected, *library["error"]&.then { [_1] }], found, one["id"]
    end
    assert_operator count, :>=, 115
  end

  def test_messages
    count = cases("messages").count do |one|
      found = outcome(one["query"]) do |text|
        Ketch.query(one["input"], text, messages: true).map { [_1].inspect }
      end
      expected = one["output"].lines.map do |line|
        error = line.start_with?('{"error"') ? JSON.parse(line) : nil
        error ? [error["error"], error["at"][0] + 1] : results(line, ".").inspect
      end
      assert_equal expected, found.map { _1.is_a?(Array) ? _1.first(2) : _1 }, one["name"]
    end
    assert_operator count, :>=, 30
  end

  def test_results_are_objects_of_ruby
    expected = [1, BigDecimal("2.50"), "x", nil, true, { "b" => [] }]
    assert_equal expected, results("a: [1, 2.50, x, null, true, {b: []}]", ".a[]")
    assert_instance_of BigDecimal, results("2.50", ".")[0]
    assert_equal [0.1, 1.0], results("[0.1, 1.0]", ".[]", floats: true)
    assert_instance_of Float, results("0.1", ".", floats: true)[0]
    assert_equal [3**50], results("3", "pow(.; 50)")
    assert_predicate results(".nan", ".")[0], :nan?
    assert_equal [{ a: 1 }], results("a: 1", ".", symbolize_names: true)
    assert_equal [true], results("é", 'test("^\\\\w$")')
  end

  def test_results_are_lazy
    run = Ketch.query("1", "repeat(1)")
    assert_instance_of Enumerator::Lazy, run
    assert_equal [2, 2], run.map { _1 + 1 }.first(2)
    run = Ketch::Query.new(".[]").run("[1, 2]")
    assert_equal [[1, 2], [1, 2]], [run.to_a, run.to_a]
    assert_equal [3, 4], results(StringIO.new("3\n--- 4"), ".")
    assert_equal [1, 2, [3]], results("1 2 [3]", ".", format: :json)
  end

  def test_the_example_of_the_page_is_correct
    run = Ketch::Query.new(".[] | 1 / .").run("[2, 4, 0]")
    assert_equal [0.5, 0.25], run.first(2)
    assert_raises(Ketch::QueryError) { run.to_a }
  end

  def test_variables_and_modules
    assert_equal [BigDecimal("2.5")], results("2", ". * $n", vars: { n: 1.25 })
    assert_equal ["x"], results("1", "$a.b[0]", vars: { "a" => { "b" => ["x"] } })
    assert_equal [7], results("1", 'import "m" as m; m::f', modules: { m: "def f: 7;" })
    texts = { "a" => 'import "b" as b; def f: b::f;', "b" => "def f: 8;" }
    assert_equal [8], results("1", 'import "a" as a; a::f', modules: ->(name) { texts[name] })
    error = assert_raises(Ketch::QueryError) { Ketch::Query.new('import "x" as x; 1', modules: texts.method(:[])) }
    assert_equal :no_such_module, error.name
  end

  def test_errors_have_a_kind_and_places
    error = assert_raises(Ketch::QueryError) { Ketch::Query.new("1 |\n foo(2)") }
    assert_equal [:undefined_function, 2, 2, " foo(2)"], [error.name, error.line, error.column, error.line_text]
    found = []
    error = assert_raises(Ketch::QueryError) do
      Ketch::Query.new(".[] | .prot").run("- {prot: 1}\n- {port: 2}\n", strict: true, filename: "f.yml")
                  .each { found << _1 }
    end
    assert_equal [1], found
    assert_equal [:no_such_key, 1, 8], [error.name, error.line, error.column]
    assert_equal ["f.yml", 2, 3], [error.file, error.related_line, error.related_column]
    assert_includes error.help, "Did you mean `port`?"
    assert_equal 2, assert_raises(Ketch::SyntaxError) { results("1\n--- [", ".") }.line
    error = assert_raises(Ketch::LimitError) { results("1", "last(repeat(1))", max_steps: 1000) }
    assert_equal :max_steps, error.setting
    assert_equal :not_allowed, assert_raises(Ketch::QueryError) { results("1", "env") }.name
    assert_raises(ArgumentError) { results("1", ".", max_stps: 1) }
    assert_raises(TypeError) { results(7, ".") }
  end

  def test_edits_change_only_what_the_program_changes
    query = Ketch::Query.new(".image.tag = $tag | del(.debug)", vars: { tag: "1.10" })
    text = "image: {tag: '1.9'}   # pinned\ndebug: true\n"
    assert_equal "image: {tag: '1.10'}   # pinned\n", query.edit(text)
    error = assert_raises(Ketch::QueryError) { Ketch::Query.new("empty").edit("a: 1\n") }
    assert_equal :result_count, error.name
    assert_raises(Ketch::EditError) { Ketch::Query.new(".b.c = 2").edit("a: &x {c: 1}\nb: *x\n") }
  end

  def test_a_timeout_ends_a_run
    endless = "last(repeat(1))"
    assert_raises(Timeout::Error) { Timeout.timeout(0.1) { results("1", endless, max_steps: 10**15) } }
    query = Ketch::Query.new(endless)
    assert_raises(Timeout::Error) { Timeout.timeout(0.1) { query.edit("1\n", max_steps: 10**15) } }
  end

  def test_threads_share_a_query
    query = Ketch::Query.new("[range(100)] | map(. * $n) | add", vars: { n: 2 })
    found = Array.new(64) { Thread.new { Array.new(20) { query.run("0").first } } }.map(&:value)
    assert_equal [9900], found.flatten.uniq
  end

  def test_memory_does_not_grow
    skip "the memory of the process is only known on Linux" unless File.exist?("/proc/self/statm")
    skip "the JVM frees memory when it likes" if RUBY_ENGINE == "jruby"

    query = Ketch::Query.new(".[]")
    pages = lambda do |count|
      count.times do
        query.run("[1, [2.5], {a: x}, 3]").first(2)
        query.run("[1, 2]").each { raise "out" }
      rescue RuntimeError
        nil
      end
      GC.start
      File.read("/proc/self/statm").split[1].to_i
    end
    before = pages.call(10_000)
    assert_operator pages.call(20_000) - before, :<, 2_000
  end

  def test_values_survive_the_collector
    GC.stress = NEW_OBJECTS
    assert_equal [{ "a" => [BigDecimal("1.5"), "x"] }], results("a: [1.5, x]", ".")
  ensure
    GC.stress = false
  end
end
