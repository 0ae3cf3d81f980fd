# frozen_string_literal: true

require "ketch/extprot/pure"

# extprot beside Marshal, MessagePack and JSON: messages from strings, from an IO, and into strings. An input names the
# bytes of the messages, which are of the specification's benchmark shape, and a seed.
module Board
  E = Ketch::Extprot

  # The messages, as all kinds of objects that are measured.
  module Messages
    SCHEMA = <<~TEXT
      type sum_type 'a 'b 'c = A 'a | B 'b | C 'c | D
      message complex_rtt =
        A { a1 : [ ( int * [bool] ) ]; a2 : [ sum_type<int, string, long> ] }
      | B { b1 : bool; b2 : (string * [int]) }
    TEXT
    Complex = E.schema_text(SCHEMA, name: "bench.proto")::ComplexRtt
    BYTES = [0, 1].map { |byte| E.load([2, byte].pack("CC"), as: :tagged) }.freeze
    # For Marshal, which cannot write the classes of a schema.
    CaseA = Struct.new(:a1, :a2)
    CaseB = Struct.new(:b1, :b2)
    SumA = Struct.new(:value)
    SumB = Struct.new(:value)
    SumC = Struct.new(:value)

    class << self
      # Returns the bytes of each message.
      def encoded(path) = (@encoded ||= {})[path] ||= made(*JSON.parse(File.read(path)).values_at("bytes", "seed"))

      # Returns a value without tags, as arrays and scalars.
      def plain(value)
        case value
        when E::Primitive then value.type == :bits8 ? value.value == 1 : value.value
        when E::Tuple, E::Htuple then value.elements.map { |element| plain(element) }
        when E::Enum, Symbol, E::Sum::Constant then nil
        when Array, Struct then value.map { |element| plain(element) }
        else value
        end
      end

      # Returns a value as Structs.
      def structs(value)
        first, second = value.elements.map { |element| plain(element) }
        return CaseB.new(first, second) if value.tag == 1

        CaseA.new(first, value.elements[1].elements.map { |sum| sum.is_a?(E::Enum) ? :D : [SumA, SumB, SumC][sum.tag].new(plain(sum)[0]) })
      end

      private

      def made(bytes, seed)
        @random = Random.new(seed)
        messages = []
        while bytes.positive?
          messages << E.dump(message)
          bytes -= messages.last.bytesize
        end
        messages
      end

      def message
        return tuple(1, BYTES[draw(2)], tuple(0, "s" * draw(20), list(draw(6)) { draw(10_000) })) if draw(2).zero?

        tuple(0, list(draw(4)) { tuple(0, draw(1000) - 500, list(draw(4)) { BYTES[draw(2)] }) }, list(draw(4)) { sum })
      end

      def sum
        case draw(4)
        when 0 then tuple(0, draw(100_000))
        when 1 then tuple(1, "x" * draw(12))
        when 2 then tuple(2, E::Primitive.new(:long, 0, draw(2**40)))
        else E::Enum.new(0)
        end
      end

      def draw(limit) = @random.rand(limit)
      def tuple(tag, *elements) = E::Tuple.new(tag, elements)
      def list(count) = E::Htuple.new(0, Array.new(count) { yield })
    end
  end

  # What an engine does with one kind of objects: `make` converts a tagged value to one, `write` and `read` convert one,
  # and `stream` reads all of an IO.
  Codec = Struct.new(:make, :write, :read, :stream)

  def self.marshal(make)
    stream = ->(io, &each) { each.(Marshal.load(io)) until io.eof? }
    Codec.new(make, proc { |value| Marshal.dump(value) }, proc { |bytes| Marshal.load(bytes) }, stream)
  end

  PLAIN = Messages.method(:plain)
  PACKED = {
    "MessagePack" => Codec.new(PLAIN, proc { |value| MessagePack.pack(value) }, proc { |bytes| MessagePack.unpack(bytes) },
                               ->(io, &each) { MessagePack::Unpacker.new(io).each(&each) }),
    "JSON" => Codec.new(PLAIN, proc { |value| JSON.generate(value) }, proc { |text| JSON.parse(text) }),
    "Oj" => Codec.new(PLAIN, proc { |value| Oj.dump(value, mode: :strict) }, proc { |text| Oj.load(text, mode: :strict) })
  }.freeze
  DUMP = proc { |value| E.dump(value) }
  PURE_DUMP = proc { |value| E::Pure.dump(value) }
  KINDS = {
    "tagged" => {
      "ketch" => Codec.new(:itself, DUMP, proc { |bytes| E.load(bytes, as: :tagged) },
                           ->(io, &each) { E.decoder(io, as: :tagged).each(&each) }),
      "pure" => Codec.new(:itself, PURE_DUMP, proc { |bytes| E::Pure.load(bytes, as: :tagged) },
                          ->(io, &each) { E::Pure.decoder(io, as: :tagged).each(&each) }),
      "Marshal" => marshal(:itself)
    },
    "arrays" => {
      "ketch" => Codec.new(PLAIN, DUMP, proc { |bytes| E.load(bytes) }, ->(io, &each) { E.decoder(io).each(&each) }),
      "pure" => Codec.new(PLAIN, PURE_DUMP, proc { |bytes| E::Pure.load(bytes) }, ->(io, &each) { E::Pure.decoder(io).each(&each) }),
      "Marshal" => marshal(PLAIN), **PACKED
    },
    "classes" => {
      "ketch" => Codec.new(->(value) { Messages::Complex.read(E.dump(value)) }, :write.to_proc, proc { |bytes| Messages::Complex.read(bytes) },
                           ->(io, &each) { Messages::Complex.decoder(io).each(&each) }),
      "pure" => Codec.new(->(value) { Messages::Complex.read(E.dump(value)) }, proc { |value| value.write(codec: E::Pure) },
                          proc { |bytes| Messages::Complex.read(bytes, codec: E::Pure) },
                          ->(io, &each) { Messages::Complex.decoder(io, codec: E::Pure).each(&each) }),
      "Marshal" => marshal(Messages.method(:structs)), **PACKED
    }
  }.freeze

  # Returns the task, whose values are compared by `reduce`. What was made meanwhile would fragment the heap.
  def self.messages(source, work, reduce, &all)
    GC.compact unless JRUBY
    task(source, work, value: -> { all.call.map { |value| Board.canonical(reduce.to_proc.(value)) } })
  end

  KINDS.each do |kind, codecs|
    reduce = kind == "classes" ? PLAIN : :itself
    prepared = lambda do |engine, path|
      codec = codecs[engine] or next
      values = Messages.encoded(path).map { |bytes| codec.make.to_proc.(E.load(bytes, as: :tagged)) }
      [codec, values]
    end
    operation("extprot.#{kind}.load") do |engine, path|
      codec, values = prepared.(engine, path)
      next unless codec

      bytes = values.map(&codec.write)
      messages(bytes, ->(all) { all.each(&codec.read) }, reduce) { bytes.map(&codec.read) }
    end
    streams = codecs.transform_values(&:stream).compact
    collect = streams.transform_values { |stream| ->(bytes) { [].tap { |found| stream.(StringIO.new(bytes)) { |value| found << value } } } }
    operation("extprot.#{kind}.read") do |engine, path|
      codec, values = prepared.(engine, path)
      next unless codec&.stream

      bytes = values.map(&codec.write).join
      messages(bytes, ->(all) { codec.stream.(StringIO.new(all)) { |value| value } }, reduce) { collect[engine].(bytes) }
    end
    held("extprot.#{kind}.held", collect) do |engine, path|
      codec, values = prepared.(engine, path)
      [values.map(&codec.write).join, nil, ->(found) { found.map(&reduce) }]
    end
    operation("extprot.#{kind}.dump") do |engine, path|
      codec, values = prepared.(engine, path)
      codec && messages(values, ->(all) { all.each(&codec.write) }, reduce) { values.map(&codec.write).map(&codec.read) }
    end
  end
end
