# frozen_string_literal: true

require "stringio"
require "ketch"
require "ketch/extprot/pure"

# Passes random mutations of real texts and messages to all readers. Nothing may crash or hang; both paths of YAML must
# agree, and so must the extension and pure Ruby. The seed and the number of an input determine it, so each input can be
# reproduced.
class Fuzzer
  E = Ketch::Extprot
  Difference = Class.new(StandardError)
  INPUT_BYTES_MAX = 2_000
  # Far more than any input takes, even on a busy machine.
  SECONDS_MAX = 5
  # Pieces of text that have a meaning.
  WORDS = ["\n", "  ", "- ", ": ", "? ", "[", "]", "{", "}", ", ", "&a ", "*a", "!t ", "!!binary ", "<<: *a\n", "|\n", ">-\n", "'", "\"", "# ",
           "---\n", "...\n", "%YAML 1.2\n", "\t", "~", "\u00e9", "\u{1f600}", "\ufeff"].map(&:b).freeze
  BYTES = ["\x00", "\x01", "\x02", "\x03", "\x05", "\x07", "\x0a", "\x11", "\x21", "\x31", "\xf1\x01", "\x7f", "\x80", "\xff",
           "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\x80\x80\x01"].map(&:b).freeze
  private_constant :WORDS, :BYTES

  attr_reader :slowest, :values, :errors

  # Inputs are made of +texts+ and +messages+. +classes+ are pairs: a class or union of a schema, and bytes of one of
  # its messages.
  def initialize(seed, texts:, messages:, classes:)
    @seed, @texts, @messages, @classes = seed, texts.map(&:b), messages, classes
    @slowest = 0.0
    @values = @errors = 0
  end

  def run(numbers)
    numbers.each do |number|
      @random = Random.new(@seed * 1_000_003 + number)
      started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      [method(:yaml), method(:extprot), method(:stream), method(:typed)][@random.rand(4)].call(number)
      seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
      @slowest = [@slowest, seconds].max
      raise Difference, "input #{number} of seed #{@seed} takes #{seconds} s" if seconds > SECONDS_MAX

      yield number if block_given?
    end
  end

  private

  # Compares loading by events with loading by documents.
  def yaml(number)
    text = changed(@texts, WORDS).force_encoding(Encoding::UTF_8)
    options = { schema: pick(%i[core json failsafe yaml11]), duplicate_keys: pick(%i[error first last]) }
    compare(number, text, -> { Ketch.load(text, **options) }, -> { Ketch.load(text, positions: true, **options).value })
  end

  def extprot(number)
    bytes = changed(@messages, BYTES)
    shape = pick(%i[values tagged arrays])
    compare(number, bytes, -> { E.load(bytes, as: shape) }, -> { E::Pure.load(bytes, as: shape) })
  end

  # Returns all values before corrupt data.
  def stream(number)
    bytes = Array.new(@random.rand(4)) { pick(@messages) }.join + changed(@messages, BYTES)
    shape = pick(%i[values tagged arrays])
    compare(number, bytes, -> { all(E.decoder(StringIO.new(bytes), as: shape)) }, -> { all(E::Pure.decoder(StringIO.new(bytes), as: shape)) })
  end

  def typed(number)
    type, bytes = pick(@classes)
    bytes = changed([bytes, pick(@classes)[1]], BYTES) if @random.rand(8).positive?
    codecs = [E::Codec::Native, E::Pure]
    compare(number, bytes, *codecs.map { |codec| -> { plain(type.read(bytes, codec: codec)) } })
    compare(number, bytes, *codecs.map { |codec| -> { type.read(bytes, codec: codec).write(codec: codec) } })
  end

  def all(decoder)
    values = []
    decoder.each { |value| values << value }
    [values, nil]
  rescue E::Error
    [values, true]
  end

  def compare(number, input, one, other)
    one, other = outcome(one), outcome(other)
    return if one == other

    raise Difference, "input #{number} of seed #{@seed}: #{input.inspect}\n#{one.inspect[0, 500]}\n#{other.inspect[0, 500]}"
  end

  # Returns a value as text that is different for different values, or nil for an error.
  def outcome(attempt)
    value = attempt.call
    @values += 1
    plain(value).inspect
  rescue Ketch::Error
    @errors += 1
    nil
  end

  # Returns a value with the encodings of its texts, and with its lazy fields decoded. A value that
  # contains itself, by an alias, is replaced by its distance.
  def plain(value, around = [])
    case value
    when String then return value.encoding == Encoding::UTF_8 ? value : [value.encoding.name, value]
    when Array, Hash, Struct
      place = around.rindex { |outer| outer.equal?(value) }
      return :"holds #{around.size - place}" if place
    else return value
    end
    around.push(value)
    parts = value.to_a.map { |part| plain(part, around) }
    around.pop
    value.is_a?(Struct) ? [value.class.name, *parts] : parts
  end

  def changed(sources, pieces)
    input = pick(sources).dup
    @random.rand(4).times { input = change(input, pieces, sources) }
    input.byteslice(0, INPUT_BYTES_MAX)
  end

  def change(input, pieces, sources)
    at = @random.rand(input.bytesize + 1)
    size = @random.rand(8)
    front, back = input.byteslice(0, at), input.byteslice(at..) || ""
    case @random.rand(7)
    when 0 then front + pick(pieces) + back
    when 1 then front + (back.byteslice(size..) || "")
    when 2 then front + (back.byteslice(0, size) * 2) + back
    when 3 then front + @random.bytes(1) + (back.byteslice(1..) || "")
    when 4 then front + pick(sources).byteslice(0, 100) + back
    when 5 then front
    else front + flipped(back)
    end
  end

  def flipped(bytes)
    return bytes if bytes.empty?

    bytes.setbyte(0, bytes.getbyte(0) ^ 1 << @random.rand(8))
    bytes
  end

  def pick(list) = list[@random.rand(list.size)]
end
