# frozen_string_literal: true

require_relative "helper"
require "ketch/psych"
require "ketch/syck"
require "tempfile"

# A panic in the extension is a bug in Ketch. It raises an ordinary exception, and the next call works. The private
# method `plant_panic(n)` makes the n-th point panic that a call passes; 0 removes the plant. There is a point at the
# start of each method, and in each part of it that may call Ruby.
class PanicTest < Minitest::Test
  LONG = "- {a: b, c: [d, *x]}\n".sub("*x", "e") * 5_000
  Users = Ketch::Extprot.schema_text("message user = { id : int; name : string }")
  DATE = Ketch::Regexp.new('(?<year>\d+)-(\d+)')
  SLOW = Ketch::Regexp.new('(a|b|ab)*\1c')

  # Calls of all methods of the extension that take an input.
  CALLS = {
    load: -> { Ketch.load(LONG) },
    load_tree: -> { Ketch.load(LONG, max_nodes: 1_000_000) },
    load_positions: -> { Ketch.load(LONG, positions: true).position(0, "a").line },
    load_stream: -> { Ketch.load_stream("1\n--- [2]\n") },
    each_document: -> { Ketch.each_document("1\n--- [2]\n").to_a },
    parse: -> { Ketch.parse(LONG).root.children[1].text },
    parse_stream: -> { Ketch.parse_stream("1\n--- [2]\n").map(&:value) },
    each_event: -> { Ketch.each_event("[a, b]").map(&:kind) },
    dump: -> { Ketch.dump([[1, "a", nil, :b, { "c" => 2.5 }]]) },
    dump_shared: -> { Ketch.dump([CALLS, CALLS].map { ["x"] }.then { |a, _| [a, a] }) },
    dump_stream: -> { Ketch.dump_stream([1, [2]]) },
    psych_load: -> { Ketch::Psych.load("- :a\n- 12\n") },
    psych_load_stream: -> { Ketch::Psych.load_stream("- :a\n--- 1\n") },
    psych_parse: -> { Ketch::Psych.parse("- a").to_ruby },
    psych_dump: -> { Ketch::Psych.dump({ a: [1..2, "x"] }) },
    psych_emitter: -> { Ketch::Psych.parse_stream("- a").to_yaml },
    syck_load: -> { Ketch.load("- 1:30", dialect: :syck) },
    syck_parse: -> { Ketch::Syck.parse("a: {b: 1}").search("//b") },
    syck_dump: -> { Ketch::Syck.dump({ "a" => [1, nil] }) },
    extprot_load: -> { Ketch::Extprot.load(Ketch::Extprot.dump({ "id" => [7, "x"] })) },
    extprot_decoder: -> { Ketch::Extprot::Decoder.new(StringIO.new(Ketch::Extprot.dump(1) * 3)).to_a },
    extprot_typed: -> { Users::User.read(Users::User.new(id: 1, name: "Ann").write).name },
    extprot_schema: -> { Ketch::Extprot.schema_text("message m = { a : int }").name },
    regexp_new: -> { Ketch::Regexp.new("a+").source },
    regexp_match: -> { DATE.match("on 2026-11")[:year] },
    regexp_match?: -> { [DATE.match?("on 2026-11"), DATE =~ "2026-11", DATE === "x"] },
    regexp_long: -> { SLOW.match?("ab" * 40_000) },
    regexp_scan: -> { DATE.scan("2026-11 2026-12") },
    regexp_split: -> { DATE.split("a2026-11b") },
    regexp_gsub: -> { DATE.gsub("2026-11") { |found| found.reverse } },
    regexp_offsets: -> { DATE.match("é2026-11").then { |found| [found.offset(1), found.post_match, found.to_a] } },
    each_line: -> { Ketch.each_line("a1b22c", Ketch::Regexp.new('\d+')).to_a },
    each_line_of_io: -> { Ketch.each_line(StringIO.new("a1b22c"), Ketch::Regexp.new('\d+')).to_a },
    edit: -> { Ketch.edit("a: 1\nb: [2]\n") { |edit| edit["b"] << 3 and edit["c"] = edit["a"] } },
    edit_read: -> { Ketch.edit("a: {b: 1}\n").then { |edit| [edit["a"].to_h, edit["a"].path, edit.node("a").style] } },
    edit_diff: -> { Ketch.edit("a: 1\n").then { |edit| edit["a"] = 2 and [edit.diff, edit.patches.size, edit.lsp_edits] } },
    edit_apply: -> { Ketch.edit("a: 1\n").apply("- {op: set, path: .a, value: 2}").text },
    edit_file: lambda {
      Tempfile.create("ketch") do |file|
        File.write(file.path, "a: 1\n")
        Ketch.edit_file(file.path) { |edit| edit["a"] = 2 }
        File.read(file.path)
      end
    },
    store: lambda {
      Dir.mktmpdir do |folder|
        store = Ketch::Store.new("#{folder}/s.yml")
        store.transaction { store["a"] = 1 }
        store.transaction(true) { store["a"] }
      end
    }
  }.freeze

  def setup
    @backtrace = ENV.delete("RUST_BACKTRACE")
  end

  def teardown
    ENV["RUST_BACKTRACE"] = @backtrace
    plant(0)
  end

  CALLS.each do |name, call|
    define_method("test_each_panic_in_#{name}_is_an_exception") do
      expected = [call.call]
      points = points_of(call)
      assert_operator points, :>=, 1
      # Calls with long inputs pass many points in their loops, so a part of these is enough.
      numbers = points > 60 ? [*1..30, *Array.new(20) { |index| points * (index + 1) / 20 }] : 1..points
      numbers.each do |number|
        plant(number)
        error = assert_raises(Ketch::InternalError, "point #{number} of #{points}", &call)
        assert_equal 0, plant(0)
        assert_match(/\Aplanted by a test \(.*panics\.rs:\d+\)\nThis is a bug in Ketch\. /, error.message)
        assert_equal expected, [call.call], "after point #{number} of #{points}"
      end
    end
  end

  def test_the_message_is_not_written_to_stderr
    program = 'require "ketch"; Ketch.__send__(:plant_panic, 1); begin; Ketch.load("a"); rescue => e; print e.class; end'
    output = IO.popen([RbConfig.ruby, "-I#{LIBRARY}", "-e", program], err: %i[child out], &:read)
    assert_equal "Ketch::InternalError", output
  end

  # A panic in the middle of an edit may leave anything, so the text can no longer be used.
  def test_an_edit_that_has_panicked_is_not_used_again
    edit = Ketch.edit("a: 1\nb: #{"[x, " * 50}y#{"]" * 50}\n" + LONG.gsub(/^/, "  ").prepend("c:\n"))
    failed = (1..50).find do |number|
      plant(number)
      edit.rewrite("c", [number])
      plant(0)
      false
    rescue Ketch::InternalError
      plant(0)
      broken?(edit)
    end
    assert failed, "no point is in the session"
    assert_raises(Ketch::InternalError) { edit["a"] = 2 }
    assert_equal "a: 2\n", Ketch.edit("a: 1\n") { |other| other["a"] = 2 }
  end

  private

  def plant(number) = Ketch.__send__(:plant_panic, number)

  # Returns the number of points that a call passes.
  def points_of(call)
    plant(1 << 31)
    call.call
    # The call that returns the number passes a point, too.
    (1 << 31) - plant(0) - 1
  end

  def broken?(edit)
    edit.text
    false
  rescue Ketch::InternalError
    true
  end
end
