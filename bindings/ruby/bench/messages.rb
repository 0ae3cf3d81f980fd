# frozen_string_literal: true

require "ketch"

# Messages of the specification's benchmark shape, as all kinds of objects that are measured.
module Messages
  E = Ketch::Extprot
  SCHEMA = <<~TEXT
    type sum_type 'a 'b 'c = A 'a | B 'b | C 'c | D
    message complex_rtt =
      A { a1 : [ ( int * [bool] ) ]; a2 : [ sum_type<int, string, long> ] }
    | B { b1 : bool; b2 : (string * [int]) }
  TEXT
  SIZE = 1_850_000
  Classes = E.schema_text(SCHEMA, name: "bench.proto")
  Complex = Classes::ComplexRtt
  Sum = Classes.const_get(Classes.constants.grep(/\ASumType/)[0])
  BYTES = [0, 1].map { |byte| E.load([2, byte].pack("CC"), as: :tagged) }.freeze
  # For Marshal.
  CaseA = Struct.new(:a1, :a2)
  CaseB = Struct.new(:b1, :b2)
  SumA = Struct.new(:value)
  SumB = Struct.new(:value)
  SumC = Struct.new(:value)

  @random = Random.new(42)

  class << self
    # Returns values for SIZE bytes, the same on each run.
    def tagged = @tagged ||= made

    # Returns the values without tags, as arrays and scalars.
    def arrays = @arrays ||= tagged.map { |value| plain(value) }

    def forget = @tagged = @arrays = nil

    def made
      messages = []
      size = 0
      while size < SIZE
        messages << message
        size += E.dump(messages.last).bytesize
      end
      messages
    end

    def plain(value)
      case value
      when E::Tuple, E::Htuple then value.elements.map { |element| plain(element) }
      when E::Enum then nil
      when E::Primitive then value.type == :bits8 ? value.value == 1 : value.value
      else value
      end
    end

    # Returns a value as objects of the schema's classes.
    def of_class(value) = Complex.read(E.dump(value))

    # Returns a value as Structs, which Marshal writes.
    def structs(value)
      first, second = value.elements.map { |element| plain(element) }
      return CaseB.new(first, second) if value.tag == 1

      CaseA.new(first, value.elements[1].elements.map { |sum| sum.is_a?(E::Enum) ? :D : [SumA, SumB, SumC][sum.tag].new(plain(sum)[0]) })
    end

    # Plots the times of the others relative to the extension's, as bars for each kind of object.
    def plot(tables, path)
      rivals = ["Marshal, IO", "MessagePack, IO", "Ruby alone, IO"]
      rows = tables.map do |name, times|
        [name.dump, *rivals.map { |rival| times[rival] ? format("%.2f", times[rival] / times["extprot, IO"]) : "NaN" }].join(" ")
      end
      gnuplot(<<~SCRIPT)
        set terminal svg size 640,300 font "sans-serif,13" background "white"
        set output #{path.dump}
        set style data histogram
        set style histogram clustered gap 1
        set style fill solid noborder
        set boxwidth 0.9
        set yrange [0:*]
        set grid ytics
        set ylabel "time, the extension = 1"
        set key top right
        $data << EOD
        #{rows.join("\n")}
        EOD
        plot #{rivals.each_with_index.map { |rival, at| "$data using #{at + 2}:xtic(1) title #{rival.dump}" }.join(", ")}, 1 title "the extension" with lines lc black
      SCRIPT
    end

    private

    def gnuplot(script)
      IO.popen(["gnuplot"], "w") { |io| io.write(script) }
      Process.last_status.success? or raise "gnuplot failed"
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
