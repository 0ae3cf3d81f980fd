# frozen_string_literal: true

require_relative "helper"
require_relative "instructions"
require "ketch/psych"
require "ketch/extprot/pure"
require "tmpdir"

# Time must be linear in the size of input and output: each hostile input is doubled three times, and the CPU time
# may not grow with an exponent of 1.2 or more. Many inputs are invalid or meet a limit; then that takes linear time.
#
# Large tables miss the processor's caches, and other processes take them away, so time can grow faster than work. If
# it does in several tries, the instructions are counted, and their exponent decides.
#
# LINEAR=all tries every shape with every method that reads; by default, methods that share their code share shapes.
class LinearTest < Minitest::Test
  EXPONENT_MAX = 1.2
  # Ruby multiplies long integers in more than linear time.
  EXPONENTS = { "integer" => 1.7 }.freeze
  DOUBLINGS = 3
  # The largest input takes at least this long, in several runs if it is read faster.
  SECONDS_MIN = 0.3
  BYTES_MIN = 16_000
  BYTES_MAX = 2_000_000
  TRIES = 3
  # The maximum number of runs, for inputs that exceed a limit at once.
  RUNS_MAX = 20
  # The inputs whose instructions are counted, in bytes.
  COUNTED = { tiny: 64, small: 250_000, large: 2_000_000 }.freeze
  # If the largest input takes no longer than this, it is skipped or refused at once, and the exponent would only
  # reflect caches and the clock.
  SECONDS_FLOOR = 0.001

  def self.repeat(size, &block)
    text = +""
    (0..).each do |number|
      break if text.bytesize >= size

      text << block.call(number)
    end
    text
  end

  # Shapes whose cost is the parser's or the composer's.
  DEEP = {
    "chain of aliases" => ->(size) { "- &a0 x\n#{repeat(size) { |n| "- &a#{n + 1} {x: *a#{n}}\n" }}" },
    "doubling aliases" => ->(size) { "- &a0 [x, x]\n#{repeat(size) { |n| "- &a#{n + 1} [*a#{n}, *a#{n}]\n" }}" },
    "chain of merges" => ->(size) { "m0: &m0 {k: v}\n#{repeat(size) { |n| "m#{n + 1}: &m#{n + 1} {<<: *m#{n}, k: #{n}}\n" }}" },
    "merges of one mapping" => ->(size) { "m: &m {k: v}\n#{repeat(size) { |n| "m#{n}: {<<: *m, l: #{n}}\n" }}" },
    "keys" => ->(size) { repeat(size) { |n| "k#{n}: v\n" } },
    "keys that are collections" => ->(size) { repeat(size) { |n| "? [a, #{n}]\n: v\n" } },
    "deep brackets" => ->(size) { "[" * (size / 2) + "]" * (size / 2) },
    "deep blocks" => ->(size) { "- " * (size / 2) + "x" },
    "integer" => ->(size) { "9" * size },
    "integers" => ->(size) { repeat(size) { |n| "- #{"9" * 400}#{n}\n" } },
    "tag handles" => ->(size) { "#{repeat(size / 2) { |n| "%TAG !a#{n}! tag:a#{n},1:\n" }}---\n#{repeat(size / 2) { |n| "- !a#{n}!b c\n" }}" },
    "tags of a long prefix" => ->(size) { "%TAG !a! tag:#{"a" * (size / 2)}\n---\n#{"- !a!b c\n" * (size / 18)}" },
    "escapes" => ->(size) { "\"#{"\\x41\\n" * (size / 6)}\"" }
  }.freeze

  # Shapes of lines and scalars.
  FLAT = {
    "anchors" => ->(size) { repeat(size) { |n| "- &a#{n} x\n" } },
    "open braces" => ->(size) { "{a: " * (size / 4) },
    "questions" => ->(size) { "? " * (size / 2) + "x" },
    "plain lines" => ->(size) { "a: b\n#{" c\n" * (size / 3)}" },
    "folded lines" => ->(size) { ">\n#{"  a\n\n" * (size / 5)}" },
    "open quotes" => ->(size) { "- 'a\n" * (size / 5) },
    "comments" => ->(size) { "# c\n" * (size / 4) },
    "documents" => ->(size) { "--- a\n" * (size / 6) },
    "underscores and colons" => ->(size) { "1_0:#{"0:" * (size / 2)}x" },
    "other line breaks" => ->(size) { "- |\n  a\u2028  b\n- 'a\u2029\n  b'\u0085" * (size / 32) },
    "times" => ->(size) { repeat(size) { |n| "- 2001-12-14 #{"1:" * 20}#{n}\n" } }
  }.freeze

  # The inputs that are given to all methods.
  COMMON = ["keys that are collections", "chain of aliases", "other line breaks"].freeze

  CALLS = {
    load: ->(text) { Ketch.load(text) },
    load_yaml11: ->(text) { Ketch.load(text, schema: :yaml11, duplicate_keys: :last, symbolize_names: true, freeze: true) },
    load_positions: ->(text) { Ketch.load(text, positions: true).value },
    load_stream: ->(text) { Ketch.load_stream(text) },
    each_document: ->(text) { Ketch.each_document(StringIO.new(text)) { nil } },
    parse: ->(text) { Ketch.parse(text)&.value },
    parse_stream: ->(text) { Ketch.parse_stream(text) },
    each_event: ->(text) { Ketch.each_event(text) { nil } },
    psych_load: ->(text) { Ketch::Psych.load(text, permitted_classes: Ketch::Psych::Permissions::VALUES, aliases: true) },
    psych_safe_load: ->(text) { Ketch::Psych.safe_load(text) },
    psych_load_stream: ->(text) { Ketch::Psych.load_stream(text) },
    psych_parse: ->(text) { Ketch::Psych.parse(text) },
    psych_parse_stream: ->(text) { Ketch::Psych.parse_stream(text) }
  }.freeze

  SHAPES_OF = {
    load: FLAT.merge(DEEP), parse: DEEP, psych_load: DEEP,
    each_event: FLAT.merge(DEEP.slice("tag handles", "tags of a long prefix"))
  }.freeze

  CALLS.each do |name, call|
    define_method("test_#{name}") do
      all = FLAT.merge(DEEP)
      shapes = ENV["LINEAR"] == "all" ? all : all.slice(*COMMON).merge(SHAPES_OF.fetch(name, {}))
      shapes.each { |shape, make| assert_linear(name, shape, make, call) }
    end
  end

  def test_files
    Dir.mktmpdir do |folder|
      make = ->(size) { "#{folder}/#{size}".tap { |path| File.write(path, DEEP.fetch("keys").call(size)) } }
      assert_linear("load_file", "keys", make, ->(path) { Ketch.load_file(path) })
      assert_linear("Psych.load_file", "keys", make, ->(path) { Ketch::Psych.load_file(path) })
    end
  end

  VALUES = {
    "deep arrays" => ->(size) { [(1..100).reduce([]) { |inner, _| [inner] }] * (size / 200) },
    "one array many times" => ->(size) { [[1]] * (size / 4) },
    "doubling arrays" => ->(size) { (1..size / 8).reduce([[]]) { |all, _| all << [all.last, all.last] } },
    "hash" => ->(size) { (1..size / 8).to_h { |n| ["k#{n}", n] } },
    "integers" => ->(size) { (1..size / 400).map { |n| 10**400 + n } },
    "text" => ->(size) { "a \"b'\n" * (size / 6) },
    "long line" => ->(size) { "ab " * (size / 3) }
  }.freeze

  WRITERS = {
    dump: ->(value) { Ketch.dump(value) },
    dump_width: ->(value) { Ketch.dump(value, width: 80, ascii: true) },
    dump_stream: ->(value) { Ketch.dump_stream([value, value]) },
    psych_dump: ->(value) { Ketch::Psych.dump(value) },
    extprot_dump: ->(value) { Ketch::Extprot.dump(value) },
    pure_dump: ->(value) { Ketch::Extprot::Pure.dump(value) }
  }.freeze

  WRITERS.each do |name, call|
    define_method("test_#{name}") do
      # extprot has no aliases: its output of doubling arrays is exponential.
      shapes = name.match?(/extprot|pure/) ? VALUES.except("doubling arrays") : VALUES
      shapes.each { |shape, make| assert_linear(name, shape, make, call) }
    end
  end

  { extprot: Ketch::Extprot, pure: Ketch::Extprot::Pure }.each do |name, codec|
    define_method("test_#{name}_load") do
      ["hash", "integers", "text", "one array many times", "deep arrays"].each do |shape|
        make = ->(size) { Ketch::Extprot.dump(VALUES.fetch(shape).call(size)) }
        assert_linear("#{name}_load", shape, make, ->(bytes) { codec.load(bytes) })
      end
    end
  end

  SCHEMAS = {
    "messages" => ->(size) { repeat(size / 8) { |n| "message m#{n} = { a : int }\n" } },
    "fields" => ->(size) { "message m = { #{repeat(size / 8) { |n| "f#{n} : int; " }} }\n" },
    "chain of types" => ->(size) { "type t0 = A int\n#{repeat(size / 8) { |n| "type t#{n + 1} = A t#{n}\n" }}" },
    "invalid" => ->(size) { "message = {\n" * (size / 96) }
  }.freeze

  def test_schema_text
    SCHEMAS.each { |shape, make| assert_linear("schema_text", shape, make, ->(text) { Ketch::Extprot.schema_text(text) }) }
  end

  # Reads schema files and makes their classes. The chain of types is left out, because it exceeds a limit.
  def test_schema
    Dir.mktmpdir do |folder|
      SCHEMAS.except("chain of types").each do |shape, schema|
        make = ->(size) { "#{folder}/#{size}.proto".tap { |path| File.write(path, schema.call(size)) } }
        assert_linear("schema", shape, make, ->(path) { Ketch::Extprot.schema(path) })
      end
    end
  end

  FLEET = Ketch::Extprot.schema_text(<<~SCHEMA)
    type rig = Sloop | Ketch int
    message boat = { id : int; rig : rig; name : string; masts : [(int * string)]; papers [@lazy] : [string] }
    message harbour = { boats : [boat] }
    message list = { names : [string] }
    message newer_list = { names : [string]; boats : [boat] }
  SCHEMA

  BOAT = FLEET::Boat.new(id: 1, rig: FLEET::Rig::Ketch.new(2), name: "Ann", masts: [[1, "main"], [2, "mizzen"]], papers: %w[a b])

  # Messages, and their class.
  MESSAGES = {
    "many fields" => [FLEET::Harbour, ->(size) { FLEET::Harbour.new(boats: [BOAT] * (size / 40)) }],
    "many strings" => [FLEET::List, ->(size) { FLEET::List.new(names: ["x"] * (size / 4)) }],
    "long string" => [FLEET::Boat, ->(size) { FLEET::Boat.new(id: 1, rig: FLEET::Rig::Sloop, name: "x" * size, masts: [], papers: []) }],
    "lazy field" => [FLEET::Boat, ->(size) { FLEET::Boat.new(id: 1, rig: FLEET::Rig::Sloop, name: "", masts: [], papers: ["x"] * (size / 4)) }],
    "unknown field" => [FLEET::List, ->(size) { FLEET::NewerList.new(names: [], boats: [BOAT] * (size / 40)) }]
  }.freeze

  # Bytes that are not a message, and their readers.
  BROKEN = {
    "end of input" => [FLEET::Harbour, ->(size) { FLEET::Harbour.new(boats: [BOAT] * (size / 40)).write[0...-1] }],
    "long number" => [FLEET::Boat, ->(size) { "\x01#{"\xff" * size}".b }]
  }.freeze

  { native: Ketch::Extprot::Codec::Native, pure: Ketch::Extprot::Pure }.each do |name, codec|
    define_method("test_typed_#{name}") do
      MESSAGES.each do |shape, (type, make)|
        assert_linear("typed_write of #{name}", shape, make, ->(message) { message.write(codec: codec) })
        assert_linear("typed_read of #{name}", shape, ->(size) { make.call(size).write }, ->(bytes) { every_field(type.read(bytes, codec: codec)) })
      end
      BROKEN.each { |shape, (type, make)| assert_linear("typed_read of #{name}", shape, make, ->(bytes) { type.read(bytes, codec: codec) }) }
    end

    define_method("test_typed_decoder_#{name}") do
      good = BOAT.write
      { "messages" => good, "messages of another type" => FLEET::List.new(names: ["x"]).write, "invalid bytes" => "\xff" }.each do |shape, piece|
        make = ->(size) { piece.b * (size / piece.bytesize) }
        assert_linear("typed_decoder of #{name}", shape, make, ->(bytes) { FLEET::Boat.decoder(bytes, codec: codec).each { nil } })
        assert_linear("typed_decoder of #{name}, IO", shape, make, ->(bytes) { FLEET::Boat.decoder(StringIO.new(bytes), codec: codec).each { nil } })
      end
    end
  end

  { extprot: Ketch::Extprot, pure: Ketch::Extprot::Pure }.each do |name, codec|
    define_method("test_#{name}_decoder") do
      { "values" => Ketch::Extprot.dump({ "a" => [1, "b"] }), "invalid bytes" => "\xff" }.each do |shape, piece|
        make = ->(size) { piece.b * (size / piece.bytesize) }
        assert_linear("#{name}_decoder", shape, make, ->(bytes) { Ketch::Extprot::Decoder.new(bytes, codec: codec).each { nil } })
        assert_linear("#{name}_decoder, IO", shape, make, ->(bytes) { Ketch::Extprot::Decoder.new(StringIO.new(bytes), codec: codec).each { nil } })
      end
    end
  end

  %i[yaml extprot].each do |format|
    define_method("test_store_#{format}") do
      Dir.mktmpdir do |folder|
        VALUES.slice("hash", "text", "one array many times", "deep arrays").each do |shape, make|
          saved = ->(size) { [Ketch::Store.new("#{folder}/#{shape} #{size}", format: format), make.call(size)] }
          save = ->((store, value)) { store.transaction { value.is_a?(Hash) ? value.each { |name, entry| store[name] = entry } : store["root"] = value } }
          assert_linear("store of #{format}, saved", shape, saved, save)
          read = ->(size) { saved.call(size).tap(&save)[0] }
          assert_linear("store of #{format}, read", shape, read, ->(store) { store.transaction(true) { store.keys.map { |name| store[name] } } })
        end
      end
    end
  end

  private

  # Returns the fields of a message, including lazy fields.
  def every_field(message) = message.to_a

  # Checks that a call takes linear time. Each retry measures larger inputs. If no time grows linearly, the instructions
  # are counted.
  def assert_linear(method, shape, make, call)
    return if Instructions.counted?(name, method, shape, make) { |input| result(input, call) }

    most = EXPONENTS.fetch(shape, EXPONENT_MAX)
    tries = (0...TRIES).map do |number|
      exponent = exponent(make, call, number)
      warn "#{method} of #{shape}: #{exponent.round(2)}" if ENV["LINEAR_VERBOSE"]
      return assert_operator(exponent, :<, most) if exponent < most

      exponent.round(2)
    end
    work = Instructions.exponent(name, method, shape, **COUNTED)
    warn "#{method} of #{shape}: time #{tries.join(", ")}, instructions #{work.round(2)}"
    assert_operator work, :<, most, "#{method} of #{shape}: instructions grow with an exponent of #{work.round(2)}, time with #{tries.join(", ")}"
  end

  # Compares one large input with as many small ones as have its size. Their results are kept, so
  # both use the same memory, and the cost of new pages does not affect the exponent.
  def exponent(make, call, retries)
    size = BYTES_MIN
    times = 1 << DOUBLINGS
    enough = SECONDS_MIN * 2**retries
    size *= 2 while size * times < BYTES_MAX << retries && run_calls(make.call(size), call, 1) * times < enough
    small = seconds(make.call(size), call, times, enough)
    large = seconds(make.call(size * times), call, 1, enough)
    large < SECONDS_FLOOR ? 0.0 : 1 + Math.log2(large / small) / DOUBLINGS
  end

  # Repeats the calls until all runs have taken +enough+ seconds, at most RUNS_MAX times. Returns the CPU time of the
  # fastest run in seconds.
  def seconds(input, call, times, enough)
    runs = []
    runs << run_calls(input, call, times) until runs.sum >= enough || runs.size == RUNS_MAX
    runs.min
  end

  # Runs the calls without the garbage collector, whose time depends on all objects of the process.
  def run_calls(input, call, times)
    GC.start
    GC.disable
    started = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
    Array.new(times) { result(input, call) }
    Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - started
  ensure
    GC.enable
  end

  # Returns the result of a call, or its error: invalid inputs and limits must also take linear time.
  def result(input, call)
    call.call(input)
  rescue Ketch::Error, Ketch::Psych::Exception, Ketch::Extprot::Error, Ketch::Extprot::SchemaError => e
    e
  end
end
