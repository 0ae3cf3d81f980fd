# frozen_string_literal: true

require_relative "helper"
require "ketch/psych"

# Tests what Ruby may do during a load: collect garbage, move objects, switch threads, interrupt.
class HostTest < Minitest::Test
  # Values of all kinds, for both paths.
  YAML = <<~EOS
    name: &name a ketch
    masts: [main, "mi\\x7azen", 'it''s', 1.5e300, 12345678901234567890123]
    deep: &deep {a: [b, {c: [d, e]}], long: "#{"x" * 300}"}
    again: [*name, *deep]
    block: |
      fair
      wind
    #{(0..50).map { |n| "key#{n}: value#{n}" }.join("\n")}
  EOS
  TAGGED = "#{YAML}tagged: !t [!u a, !!binary /wA=, !!timestamp 2001-12-14T21:59:43Z]\n? [k]\n: v\n"

  def teardown
    GC.stress = false
  end

  def test_objects_survive_a_collection_at_each_allocation
    [YAML, TAGGED].each do |yaml|
      [{}, { symbolize_names: true }, { freeze: true }].each do |options|
        expected = Ketch.load(yaml, **options)
        GC.stress = NEW_OBJECTS
        loaded = Ketch.load(yaml, **options)
        GC.stress = false
        assert_equal expected, loaded
      end
    end
  end

  def test_errors_survive_a_collection_at_each_allocation
    GC.stress = NEW_OBJECTS
    error = assert_raises(Ketch::DuplicateKeyError) { Ketch.load("a: [b, c]\na: 1\n", filename: "f") }
    GC.stress = false
    assert_equal 2, error.line
  end

  def test_objects_survive_being_moved
    expected = Ketch.load(TAGGED)
    20.times do |round|
      documents = Ketch.each_document("#{TAGGED}---\n" * 3)
      loaded = documents.map { |value| GC.compact && value }
      assert_equal [expected] * 3, loaded.first(3), round
    end
    GC.verify_compaction_references(double_heap: true, toward: :empty)
    assert_equal expected, Ketch.load(TAGGED)
  end

  def test_collections_in_the_middle_of_a_load
    yaml = (0...20_000).map { |n| "- {id: #{n}, name: name #{n}, list: [a#{n}, b]}" }.join("\n")
    collector = Thread.new { loop { GC.start && sleep(0.001) } }
    loaded = Ketch.load(yaml)
    assert_equal((0...20_000).map { |n| { "id" => n, "name" => "name #{n}", "list" => ["a#{n}", "b"] } }, loaded)
  ensure
    collector.kill.join
  end

  def test_threads_load_at_the_same_time
    yaml = (0...5_000).map { |n| "k#{n}: [#{n}, *a]" }.unshift("a: &a [x]").join("\n")
    expected = Ketch.load(yaml)
    threads = (1..4).map { Thread.new { (1..10).map { Ketch.load(yaml) } } }
    threads.flat_map(&:value).each { |loaded| assert_equal expected, loaded }
  end

  def test_ractors_load_at_the_same_time
    verbose, $VERBOSE = $VERBOSE, nil
    # In a separate process, since the first Ractor changes how all of Ruby runs.
    program = <<~'RUBY'
      require "ketch"
      yaml = (0...2_000).map { |n| "- {id: #{n}, name: name #{n}, t: !t x}" }.join("\n").freeze
      Warning[:experimental] = false
      ractors = (1..4).map { Ractor.new(yaml) { |text| (1..10).map { Ketch.load(text, symbolize_names: true) } } }
      expected = Ketch.load(yaml, symbolize_names: true)
      abort unless ractors.flat_map(&:take).all? { |loaded| loaded == expected }
      failed = Ractor.new { Ketch.load("[") rescue $!.line }
      print failed.take
    RUBY
    assert_equal "1", run_ruby(program)
  ensure
    $VERBOSE = verbose
  end

  def test_ractors_share_the_classes_of_a_schema
    program = <<~'RUBY'
      require "ketch"
      Warning[:experimental] = false
      Fleet = Ketch::Extprot.schema_text(<<~SCHEMA)
        type rig 'a = Ketch | Other 'a int
        message log = A { a : int } | B { b : [string] }
        message boat = { id : int; rig : rig<string>; papers [@lazy] : [int]; name : string }
      SCHEMA
      other = Fleet.const_get(Fleet.constants.grep(/\ARig/)[0])::Other
      boat = Fleet::Boat.new(id: 1, rig: other.new("Yawl", 2), papers: [1, 2], name: "Ann")
      [Ketch::Extprot::Codec::Native, Ketch::Extprot::Pure].each do |codec|
        inputs = [boat.write, Fleet::Log::B.new(b: ["x"]).write, codec].freeze
        ractors = (1..3).map do
          Ractor.new(Ractor.make_shareable(inputs)) do |boat, log, codec|
            read = Fleet::Boat.read(boat, codec: codec)
            failed = begin Fleet::Boat.read("\x01", codec: codec) rescue $!.class end
            read.name += "!"
            [read.write(codec: codec), read.papers, read.rig.value2, Fleet::Log.read(log, codec: codec).b, failed]
          end
        end
        made = ractors.map(&:take)
        boat.name = "Ann!"
        abort unless made == [[boat.write, [1, 2], 2, ["x"], Ketch::Extprot::EndOfInput]] * 3
        boat.name = "Ann"
      end
      print "well"
    RUBY
    assert_equal "well", run_ruby(program)
  end

  LONG = "- {a: b, c: [d, 1, 2.5], e: 'f'}\n" * 1_000_000

  def test_a_timeout_ends_a_long_load
    [{}, { max_nodes: Float::INFINITY, duplicate_keys: :last }].each do |options|
      started = now
      assert_raises(Timeout::Error) { Timeout.timeout(0.1) { loop { Ketch.load(LONG, **options) } } }
      assert_operator now - started, :<, 5
      assert_equal [1], Ketch.load("[1]")
    end
  end

  LONG_TEXTS = {
    "nodes" => -> { "- {a: b, c: [d, 1, 2.5], e: 'f'}\n" * 3_000_000 },
    "documents" => -> { "---\n" * 10_000_000 },
    "double-quoted" => -> { "\"#{"\\x41b" * 20_000_000}\"" },
    "double-quoted lines" => -> { "\"#{"ab\n\n" * 25_000_000}\"" },
    "integer" => -> { "9" * 50_000_000 }
  }.freeze

  # Calls that take long. A call that takes less time than Ruby's time slice for a thread could not be interrupted.
  LONG_CALLS = {
    load: %w[nodes documents integer] + ["double-quoted lines"],
    parse: ["nodes", "documents", "double-quoted", "double-quoted lines"],
    each_event: ["nodes", "documents", "double-quoted", "double-quoted lines"],
    each_document: LONG_TEXTS.keys
  }.freeze

  LONG_TEXTS.each do |name, make|
    define_method("test_a_timeout_ends_one_call_#{name.tr(" -", "_")}") do
      text = make.call.freeze
      LONG_CALLS.select { |_, names| names.include?(name) }.each_key do |call|
        assert_ends_by_timeout(call) { Ketch.public_send(call, text) { nil } }
      end
    end
  end

  def test_a_timeout_ends_a_long_load_of_ketch_psych
    text = "\"#{"ab\n\n" * 25_000_000}\""
    [:load, :load_stream, :parse].each do |call|
      assert_ends_by_timeout(call) { Ketch::Psych.public_send(call, text) }
    end
  end

  # The first call looks up the classes of its objects, and the interrupt should come during that call. On a fast
  # machine, it may come during a later one.
  def test_the_first_load_of_a_process_can_be_interrupted
    program = <<~'RUBY'
      require "ketch"
      require "timeout"
      text = "- {a: b, c: [d, 1, 2.5], e: 'f'}\n" * 300_000
      Timeout.timeout(0.01) { 1000.times { Ketch.parse(text) } } rescue print($!.class)
    RUBY
    assert_equal "Timeout::Error", run_ruby(program)
  end

  def test_integers_of_many_digits_are_converted_in_parts
    [(1 << 18) + 1, 1_000_000].each do |digits|
      text = (0...digits).map { |at| (at * 7 + at / 11) % 9 + 1 }.join
      assert_equal text.to_i, Ketch.load(text)
      assert_equal(-text.to_i, Ketch.load("-#{text}"))
      assert_equal(-text.to_i, Ketch::Psych.load("-#{text}"))
    end
  end

  def test_a_signal_ends_a_long_load
    program = <<~'RUBY'
      require "ketch"
      yaml = "- {a: b, c: [d, 1, 2.5], e: 'f'}\n" * 1_000_000
      # Tests in the background may ignore it.
      trap(:INT, "DEFAULT")
      Thread.new { sleep 0.2; Process.kill(:INT, $$) }
      begin
        200.times { Ketch.load(yaml) }
        abort "no signal came"
      rescue Interrupt
        print Ketch.load("[left]")[0]
      end
    RUBY
    assert_equal "left", run_ruby(program)
  end

  def test_the_input_may_change_during_a_load
    yaml = +"- {a: b, c: d}\n" * 100_000
    changer = Thread.new { sleep 0.001 and yaml.clear << "[" * 1_000_000 }
    loaded = Ketch.load(yaml)
    changer.join
    assert_includes [100_000], loaded.size
    assert_equal [{ "a" => "b", "c" => "d" }], loaded.uniq
  end

  def test_memory_does_not_grow
    yaml = TAGGED * 1
    failing = "a: [#{"b, " * 500}"
    round = lambda do
      200.times { |n| Ketch.load(yaml) && Ketch.load("unique#{n}#{rand}: 1", symbolize_names: true) }
      200.times { Ketch.load(failing) rescue nil }
      GC.start
      resident
    end
    3.times { round.call }
    before = round.call
    10.times { round.call }
    assert_operator round.call - before, :<, 8 * 1024
  end

  private

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

  # Returns the resident memory in KiB.
  def resident = File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i

  def run_ruby(program)
    IO.popen([RbConfig.ruby, "-I#{LIBRARY}", "-e", program], &:read)
  end
end
