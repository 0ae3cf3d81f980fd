# frozen_string_literal: true

# extprot: the table of the older decoder, with the same objects on both sides of each row. Messages are
# of the specification's benchmark shape, `complex_rtt`, as many as make 1.8 to 1.9 MB.

require "ketch"
require "ketch/extprot/pure"
require "json"
require "oj"
require "msgpack"
require "stringio"
require_relative "measure"

E = Ketch::Extprot
rounds = Integer(ENV.fetch("ROUNDS", "5"))
BYTES = [0, 1].map { |byte| E.load([2, byte].pack("CC"), as: :tagged) }.freeze
RANDOM = Random.new(42)

def draw(limit) = RANDOM.rand(limit)
def tuple(tag, *elements) = E::Tuple.new(tag, elements)
def list(count) = E::Htuple.new(0, Array.new(count) { yield })

# type sum_type 'a 'b 'c = A 'a | B 'b | C 'c | D
def sum
  case draw(4)
  when 0 then tuple(0, draw(100_000))
  when 1 then tuple(1, "x" * draw(12))
  when 2 then tuple(2, E::Primitive.new(:long, 0, draw(2**40)))
  else E::Enum.new(0)
  end
end

# message complex_rtt =
#   A { a1 : [ ( int * [bool] ) ]; a2 : [ sum_type<int, string, long> ] }
# | B { b1 : bool; b2 : (string * [int]) }
def message
  return tuple(1, BYTES[draw(2)], tuple(0, "s" * draw(20), list(draw(6)) { draw(10_000) })) if draw(2).zero?

  tuple(0, list(draw(4)) { tuple(0, draw(1000) - 500, list(draw(4)) { BYTES[draw(2)] }) }, list(draw(4)) { sum })
end

def plain(value)
  case value
  when E::Tuple, E::Htuple then value.elements.map { |element| plain(element) }
  when E::Enum then nil
  when E::Primitive then value.type == :bits8 ? value.value == 1 : value.value
  else value
  end
end

tagged = []
size = 0
while size < 1_850_000
  tagged << message
  size += E.dump(tagged.last).bytesize
end

{ "tagged values" => tagged, "plain arrays" => tagged.map { |value| plain(value) } }.each do |name, values|
  shape = name == "tagged values" ? :tagged : :values
  options = { as: shape }
  own = values.map { |value| E.dump(value) }
  marshal = values.map { |value| Marshal.dump(value) }
  raise unless own.map { |bytes| E.load(bytes, **options) } == values
  raise unless own.map { |bytes| E::Pure.load(bytes, **options) } == values
  raise unless E::Decoder.new(StringIO.new(own.join), **options).to_a == values

  io = ->(strings) { joined = strings.join; -> { StringIO.new(joined) } }
  own_io, marshal_io = io.(own), io.(marshal)
  count = values.size
  rows = {
    "Marshal.load, strings" => -> { marshal.each { |bytes| Marshal.load(bytes) } },
    "extprot, strings" => shape == :values ? -> { own.each { |bytes| E.load(bytes) } } : -> { own.each { |bytes| E.load(bytes, as: :tagged) } },
    "Marshal.load, IO" => -> { source = marshal_io.(); count.times { Marshal.load(source) } },
    "extprot, IO" => -> { E::Decoder.new(own_io.(), **options).each { |value| value } },
    "pure Ruby, IO" => -> { E::Decoder.new(own_io.(), codec: E::Pure, **options).each { |value| value } },
    "Marshal.dump" => -> { values.each { |value| Marshal.dump(value) } },
    "extprot dump" => -> { values.each { |value| E.dump(value) } }
  }
  if shape == :values
    packed = values.map { |value| MessagePack.pack(value) }
    json = values.map { |value| JSON.generate(value) }
    raise unless packed.map { |bytes| MessagePack.unpack(bytes) } == values && json.map { |text| Oj.load(text, mode: :strict) } == values

    packed_io = io.(packed)
    rows["MessagePack, strings"] = -> { packed.each { |bytes| MessagePack.unpack(bytes) } }
    rows["MessagePack, IO"] = -> { MessagePack::Unpacker.new(packed_io.()).each { |value| value } }
    rows["MessagePack.pack"] = -> { values.each { |value| MessagePack.pack(value) } }
    rows["JSON.parse, strings"] = -> { json.each { |text| JSON.parse(text) } }
    rows["Oj.load, strings"] = -> { json.each { |text| Oj.load(text, mode: :strict) } }
  end
  times = Measure.times(rounds, rows)
  least = times.transform_values(&:min)

  bytes = own.sum(&:bytesize)
  puts format("%s: %d messages, extprot %d bytes, Marshal %d (%.2f)%s", name, count, bytes, marshal.sum(&:bytesize),
              bytes.to_f / marshal.sum(&:bytesize), packed ? ", MessagePack #{packed.sum(&:bytesize)}, JSON #{json.sum(&:bytesize)}" : "")
  least.each do |row, time|
    manner = row.include?("IO") ? "extprot, IO" : row.match?(/dump|pack\z/) ? "extprot dump" : "extprot, strings"
    spread = (times[row].max / time - 1) * 100
    puts format("  %-24s %8.3f s (+%2d%%)  %6.2f times the extension", row, time, spread, time / least[manner])
  end
  puts format("  %-24s %8.2f times Marshal.load from an IO", "pure Ruby, IO", least["pure Ruby, IO"] / least["Marshal.load, IO"])
end
