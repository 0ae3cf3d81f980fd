# frozen_string_literal: true

# extprot: the table of the older decoder, with the same objects on both sides of each row. Messages
# are of the specification's benchmark shape, `complex_rtt`, as many as make 1.8 to 1.9 MB. Each row
# has its least time and how much longer the longest took; ratios are medians of those of the
# rounds.
#
# PLOT=file.svg draws the times from an IO, by gnuplot.

require "ketch"
require "ketch/extprot/pure"
require "json"
require "oj"
require "msgpack"
require "stringio"
require "tempfile"
require_relative "measure"
require_relative "messages"
require_relative "record"

E = Ketch::Extprot
ROUNDS = Integer(ENV.fetch("ROUNDS", "15"))

# The rows of one kind of objects: reading and writing them with extprot and with its rivals.
class Table
  # The shortest time of each row, and what goes into the record of the run.
  attr_reader :least, :record

  def initialize(name, values, read:, read_all:, write:, stream:, marshalled: values, packed: nil)
    @name, @values, @read, @read_all, @write, @stream = name, values, read, read_all, write, stream
    @bytes = values.map(&write)
    @marshal = marshalled.map { |value| Marshal.dump(value) }
    @packed = packed&.map { |value| MessagePack.pack(value) }
    @json = packed&.map { |value| JSON.generate(value) }
    @objects = { marshal: marshalled, packed: packed }
    check
  end

  def print
    measured = apart { measure(readers) }.merge(measure(writers))
    times = measured.transform_values(&:first)
    @least = times.transform_values(&:min)
    @record = { size: @bytes.sum(&:bytesize).fdiv(@marshal.sum(&:bytesize)) }
    puts sizes
    note(measured, times)
    measured.each do |row, (taken, objects)|
      ours = "extprot, #{row[/, (.+)/, 1]}"
      puts format("  %-26s %8.3f s (+%3d%%)  %6.2f times the extension %9d objects",
                  row, taken.min, (taken.max / taken.min - 1) * 100, Measure.ratio(taken, times[ours]), objects)
    end
    puts format("  %-26s %8.2f times Marshal.load from an IO", "Ruby alone, IO", Measure.ratio(times["Ruby alone, IO"], times["Marshal, IO"]))
    peaks
  end

  # Returns the number of messages, and the length of one.
  def messages = { count: @bytes.size, bytes: @bytes.sum(&:bytesize).fdiv(@bytes.size) }

  private

  def note(measured, times)
    others = times.keys.grep(/\A(Marshal|MessagePack), /)
    others.each { |row| @record[row] = Measure.ratio(times[row], times["extprot, #{row[/, (.+)/, 1]}"]) }
    @record["Ruby alone, IO"] = Measure.ratio(times["Ruby alone, IO"], times["Marshal, IO"])
    kinds = %w[extprot Marshal MessagePack].select { |kind| measured["#{kind}, IO"] }
    @record[:objects] = kinds.to_h { |kind| [kind, measured["#{kind}, IO"].last] }
    @record[:held] = {}
  end

  # Returns the times of each row, and the number of objects it allocates.
  def measure(rows)
    times = Measure.times(ROUNDS, rows)
    rows.to_h { |row, block| [row, [times[row], Measure.allocations(&block)]] }
  end

  # Returns the result of the block, run in a process whose heap has little more than the bytes to be read. In this
  # process, the objects that were encoded would fragment the heap.
  def apart
    reader, writer = IO.pipe(binmode: true)
    process = fork do
      @values = @objects = nil
      Messages.forget
      GC.start
      GC.compact
      writer << Marshal.dump(yield)
      exit!(true)
    end
    writer.close
    Marshal.load(reader.read)
  ensure
    Process.wait(process)
  end

  # Checks the answers before anything is timed.
  def check
    raise @name unless @bytes.map { |bytes| @read.(bytes, E) } == @values
    raise @name unless @bytes.map { |bytes| @read.(bytes, E::Pure) } == @values
    raise @name unless [E, E::Pure].all? { |codec| @stream.(StringIO.new(@bytes.join), codec).to_a == @values }
    raise @name unless @marshal.map { |bytes| Marshal.load(bytes) } == @objects[:marshal]
    return unless @packed

    raise @name unless @packed.map { |bytes| MessagePack.unpack(bytes) } == @objects[:packed]
    raise @name unless @json.map { |text| Oj.load(text, mode: :strict) } == @objects[:packed]
  end

  def readers
    count, joined, marshal = @bytes.size, @bytes.join, @marshal.join
    rows = {
      "extprot, strings" => -> { @read_all.(@bytes) },
      "Marshal, strings" => -> { @marshal.each { |bytes| Marshal.load(bytes) } },
      "extprot, IO" => -> { @stream.(StringIO.new(joined), E).each { |value| value } },
      "Marshal, IO" => -> { StringIO.new(marshal).then { |io| count.times { Marshal.load(io) } } },
      "Ruby alone, IO" => -> { @stream.(StringIO.new(joined), E::Pure).each { |value| value } }
    }
    @packed ? rows.merge(rival_readers) : rows
  end

  def rival_readers
    packed = @packed.join
    {
      "MessagePack, strings" => -> { @packed.each { |bytes| MessagePack.unpack(bytes) } },
      "MessagePack, IO" => -> { MessagePack::Unpacker.new(StringIO.new(packed)).each { |value| value } },
      "JSON.parse, strings" => -> { @json.each { |text| JSON.parse(text) } },
      "Oj.load, strings" => -> { @json.each { |text| Oj.load(text, mode: :strict) } }
    }
  end

  def writers
    rows = { "extprot, dump" => -> { @values.each(&@write) }, "Marshal, dump" => -> { @objects[:marshal].each { |value| Marshal.dump(value) } } }
    rows["MessagePack, dump"] = -> { @objects[:packed].each { |value| MessagePack.pack(value) } } if @packed
    rows
  end

  def sizes
    own, marshal = @bytes.sum(&:bytesize), @marshal.sum(&:bytesize)
    text = format("%s: %d messages, extprot %d bytes, Marshal %d (%.2f)", @name, @values.size, own, marshal, own.to_f / marshal)
    @packed ? "#{text}, MessagePack #{@packed.sum(&:bytesize)}, JSON #{@json.sum(&:bytesize)}" : text
  end

  # Returns the peak memory, beyond that of the input, of processes that hold all values at once.
  def peaks
    { "extprot" => @bytes, "Marshal" => @marshal, "MessagePack" => @packed }.each do |kind, inputs|
      next unless inputs

      Tempfile.create("messages", binmode: true) do |file|
        file.write(inputs.join)
        file.flush
        kib = IO.popen([RbConfig.ruby, "-I#{__dir__}/../lib", "#{__dir__}/peak.rb", kind, @name, file.path], &:read)
        @record[:held][kind] = Integer(kib) / 1024.0
        puts format("  %-26s %8.1f MiB to hold all", kind, Integer(kib) / 1024.0)
      end
    end
  end
end

one = ->(bytes, codec) { codec.load(bytes, as: :tagged) }
plain = ->(bytes, codec) { codec.load(bytes) }
codec_of = ->(codec) { codec == E ? E::Codec::Native : codec }

# One after the other, so that none is measured while another's objects are alive.
tables = {
  "tagged values" => -> { Table.new("tagged values", Messages.tagged, read: one, write: E.method(:dump),
                               read_all: ->(all) { all.each { |bytes| E.load(bytes, as: :tagged) } }, stream: ->(io, codec) { codec.decoder(io, as: :tagged) }) },
  "plain arrays" => -> { Table.new("plain arrays", Messages.arrays, read: plain, write: E.method(:dump), packed: Messages.arrays,
                              read_all: ->(all) { all.each { |bytes| E.load(bytes) } }, stream: ->(io, codec) { codec.decoder(io) }) },
  # Marshal writes Structs of the same fields; MessagePack has no classes, and gets arrays.
  "classes of a schema" => -> { Table.new("classes of a schema", Messages.tagged.map { |value| Messages.of_class(value) }, write: :write.to_proc, marshalled: Messages.tagged.map { |value| Messages.structs(value) },
                                     packed: Messages.arrays, read: ->(bytes, codec) { Messages::Complex.read(bytes, codec: codec_of.(codec)) },
                                     read_all: ->(all) { all.each { |bytes| Messages::Complex.read(bytes) } },
                                     stream: ->(io, codec) { Messages::Complex.decoder(io, codec: codec_of.(codec)) }) }
}
printed = tables.transform_values { |table| table.call.tap(&:print) }
Record.add(messages: printed["tagged values"].messages, extprot: printed.transform_values(&:record))
times = printed.transform_values(&:least)
Messages.plot(times, ENV["PLOT"]) if ENV["PLOT"]
