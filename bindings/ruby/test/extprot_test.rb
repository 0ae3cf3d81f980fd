# frozen_string_literal: true

require_relative "helper"
require "ketch/extprot/pure"
require "objspace"

Ketch::Extprot::BITS8_FOR_TESTS = Ketch::Extprot.send(:const_get, :BITS8)

# Returns bytes inside a list.
def (Ketch::Extprot::Pure).frame_for_tests(bytes)
  vint = ->(n) { n < 128 ? n.chr.b : (n & 127 | 128).chr.b + vint.(n >> 7) }
  "\x05".b + vint.(bytes.bytesize + 1) + "\x01".b + bytes
end

require_relative "extprot_cases"

class ExtprotTest < Minitest::Test
  include ExtprotCases

  # The extension.
  CODEC = Ketch::Extprot

  def codec = CODEC

  def test_the_codec_is_the_extension
    assert_nil Ketch::Extprot.method(:load).source_location
  end

  def test_strict_rejects_bytes_that_no_writer_produces
    assert_raises(Ketch::Extprot::Error) { Ketch::Extprot.load("\x00\x82\x00".b, strict: true) }
    assert_equal 1, Ketch::Extprot.load("\x00\x82\x00".b)
  end

  def test_strict_streams_yield_the_values_before_an_error
    values = []
    decoder = Ketch::Extprot::Decoder.new("\x00\x02\x00\x82\x00".b, strict: true)
    error = assert_raises(Ketch::Extprot::Error) { decoder.each { |value| values << value } }
    assert_equal [[1], 2], [values, error.offset]
  end

  def test_values_survive_a_collection_at_each_allocation
    value = { "a" => [1, "ö", 2**70, 1e300, "\xff".b, Time.at(0)], [1] => Ketch::Tagged.new("!t", ["x"]) }
    bytes = Ketch::Extprot.dump(value)
    GC.stress = NEW_OBJECTS
    loaded = Ketch::Extprot.load(bytes)
    written = Ketch::Extprot.dump(loaded)
    tagged = Ketch::Extprot.load(bytes, as: :tagged)
    batch = Ketch::Extprot::Decoder.new(bytes * 2, as: :arrays).to_a
    GC.stress = false
    assert_equal [value, bytes, bytes, 2], [loaded, written, Ketch::Extprot.dump(tagged), batch.size]
  ensure
    GC.stress = false
  end
end

class SymbolsTest < Minitest::Test
  # Symbols of strings that were there before the extension.
  PROGRAM = <<~'RUBY'
    names = %w[bits8 bits32 long vint float bytes]
    symbols = names.map { |name| name.dup.to_sym }
    require "ketch"
    bytes = ["12 05", "14 01 00 00 00", "06 01 00 00 00 00 00 00 00", "10 02", "18 00 00 00 00 00 00 f8 3f", "13 01 61"]
    types = bytes.map { |text| Ketch::Extprot.load([text.delete(" ")].pack("H*"), as: :tagged).type }
    print symbols.zip(types).map { |symbol, type| symbol.equal?(type) }.uniq, types
  RUBY

  def test_symbols_are_those_of_the_program
    answer = IO.popen([RbConfig.ruby, "-I#{LIBRARY}", "-e", PROGRAM], &:read)
    assert_equal "[true][:bits8, :bits32, :long, :vint, :float, :bytes]", answer
  end
end

# The extension lays out small arrays and strings itself: they must equal those of Ruby.
class SmallObjectsTest < Minitest::Test
  def test_arrays
    (0..5).each do |size|
      own = Array.new(size) { |n| "value #{n}" }
      read = Ketch::Extprot.load(Ketch::Extprot.dump(own))
      assert_equal own, read
      assert_equal ObjectSpace.memsize_of(own), ObjectSpace.memsize_of(read)
      same { |list| list << 1 << 2 << 3 << 4 }.(own, read)
      same { |list| list.shift(2) && list.unshift(7, 8).rotate!.pop }.(own, read)
      same { |list| list.replace([9]).freeze }.(own, read)
    end
  end

  def test_strings
    ["a", "ö"].product((0..30).to_a).each do |letter, size|
      own = letter * size
      read = Ketch::Extprot.load(Ketch::Extprot.dump(own))
      assert_equal [own, own.encoding, own.hash, own.ascii_only?], [read, read.encoding, read.hash, read.ascii_only?]
      assert_equal ObjectSpace.memsize_of(own), ObjectSpace.memsize_of(read)
      same { |text| text << "more than fits" << "ß" }.(own, read)
      same { |text| text.replace("b").succ!.freeze }.(own, read)
    end
  end

  def test_small_objects_keep_the_heap_consistent
    bytes = Ketch::Extprot.dump([[], [1], ["a", "b"], ["c", ["d", "e", []], "f"], "x" * 23])
    kept = Array.new(5_000) { Ketch::Extprot.load(bytes) }
    GC.start
    GC.compact
    assert_nil GC.verify_internal_consistency
    assert_equal [Ketch::Extprot.load(bytes)], kept.uniq
  end

  private

  # Changes copies of both in the same way, and compares them.
  def same(&change)
    lambda do |own, read|
      copies = [own.dup, read.dup].each(&change)
      assert_equal(*copies)
    end
  end
end

class PureExtprotTest < Minitest::Test
  include ExtprotCases

  def codec = Ketch::Extprot::Pure

  # Checks what the fast path reads, and what it leaves to the slow path in the middle of a part.
  def test_fast_path_and_slow_path_read_one_part
    values = [[1, -64, 64, 8191, -8192, 2**40, -2**62], 2**70, { "a" => [true, nil] }, Time.at(0).utc, [[]] * 300, 1.5, 2**63 - 1,
              "ö" * 200, { [1] => { "b" => "c" } }] * 9
    bytes = values.map { |value| codec.dump(value) }.join
    assert_equal values, codec.decoder(bytes).to_a
    assert_equal codec.decoder(bytes, max_depth: 9_999, as: :arrays).to_a.inspect, codec.decoder(bytes, as: :arrays).to_a.inspect
  end

  def test_both_readers_reject_the_same_data
    BYTES.each do |text|
      bytes = hex(text)
      bytes.bytesize.times do |at|
        damaged = bytes.dup
        damaged.setbyte(at, (damaged.getbyte(at) + 1) & 255)
        assert_equal(*[{}, { max_depth: 9_999 }].map { |options| outcome(damaged, options) }, text)
      end
    end
  end

  def outcome(bytes, options)
    codec.load(bytes, as: :arrays, **options).inspect
  rescue Ketch::Extprot::Error => e
    [e.class, e.message, e.offset]
  end

  def test_a_long_number_is_refused_at_its_tenth_byte
    [10, 11, 100_000].each do |size|
      error = assert_raises(Ketch::Extprot::Error) { codec.load("\xff".b * size) }
      assert_equal ["a number of more than 64 bits", 10], [error.message, error.offset]
    end
  end

  def test_the_reader_is_small
    lines = File.readlines("#{__dir__}/../lib/ketch/extprot/pure/reader.rb").size
    assert_operator lines, :<=, 100
  end

  def test_an_invalid_source_is_a_type_error
    [Ketch::Extprot, Ketch::Extprot::Pure].each do |codec|
      error = assert_raises(TypeError) { codec.load(nil) }
      assert_equal "expected a String or an IO, not NilClass", error.message
    end
  end

  def test_pure_ruby_is_used_without_the_extension
    folder = File.expand_path("../lib", __dir__)
    program = <<~'RUBY'
      module Kernel
        alias original_require require
        def require(name) = name == "ketch/ketch" ? raise(LoadError) : original_require(name)
      end
      require "ketch/extprot"
      print Ketch::Extprot.load(Ketch::Extprot.dump([1, { "a" => nil }]))
      print Ketch::Extprot::Decoder.new("\x0a\x0a").to_a
    RUBY
    assert_equal '[1, {"a"=>nil}][nil, nil]', IO.popen([RbConfig.ruby, "-I#{folder}", "-e", program], &:read)
  end
end
