# frozen_string_literal: true

require "json"
require "date"

# Tests that the extension and pure Ruby must pass. The including class has `codec`.
module ExtprotCases
  E = Ketch::Extprot
  REPOSITORY = File.expand_path("../../..", __dir__)
  VECTORS = "#{REPOSITORY}/crates/ketch-extprot/tests/vectors"
  MODEL = JSON.parse(File.read("#{REPOSITORY}/conformance/data-model.json"))

  # Returns golden vectors of the format.
  def self.vectors(name) = JSON.parse(File.read("#{REPOSITORY}/conformance/extprot/#{name}.json"))

  UNTYPED = vectors("untyped")
  ROUND_TRIPS = vectors("roundtrip")
  STREAMS = vectors("streams")

  def test_the_data_model
    rows = MODEL.reject { |row| row["error"] }
    assert_operator rows.size, :>=, 70
    rows.each do |row|
      bytes = hex(row["hex"])
      value = codec.load(bytes)
      assert_equal Ketch.load(row["yaml"], schema: (row["schema"] || :core).to_sym).inspect, value.inspect, row.inspect if row["yaml"]
      assert_equal hex(row["canonical"] || row["hex"]), codec.dump(value), row.inspect
    end
  end

  def test_values_that_are_not_rows_of_the_data_model
    rows = MODEL.select { |row| row["error"] }
    assert_equal 28, rows.size
    rows.each { |row| assert_raises(E::Error, row.inspect) { codec.load(hex(row["hex"])) } }
    # The digits of a wide integer as an integer.
    assert_raises(E::Error) { codec.load(hex("11 03 01 00 02")) }
  end

  # Reads each vector of self-describing data as the expected tree, and writes the same bytes again.
  def test_untyped_vectors
    assert_equal 108, UNTYPED.size
    UNTYPED.each do |vector|
      value = codec.load(hex(vector["hex"]), as: :tagged)
      assert_equal vector["tree"], tree(value), vector["id"]
    end
  end

  # Reads what a writer with a schema has written without the schema, and writes the same bytes again.
  def test_round_trip_vectors_are_written_unchanged
    bytes = ROUND_TRIPS.filter_map { |vector| vector["hex"] }
    assert_operator bytes.size, :>, 800
    bytes.each { |text| assert_equal hex(text), codec.dump(codec.load(hex(text), as: :tagged)), text }
  end

  def test_stream_vectors
    whole = STREAMS.select { |vector| vector["results"].all? { |result| result.key?("value") } }
    assert_operator whole.size, :>=, 3
    whole.each do |vector|
      values = []
      codec.decoder(hex(vector["hex"]), as: :tagged).each { |value| values << value }
    rescue E::EndOfInput
      assert_includes vector["id"], "trunc"
    ensure
      assert_equal vector["results"].size, values.size, vector["id"]
    end
  end

  def test_tagged_values_are_written_unchanged
    BYTES.each do |bytes|
      value = codec.load(hex(bytes), as: :tagged)
      assert_equal hex(bytes), codec.dump(value), bytes
    end
  end

  BYTES = ["01 08 02 00 02 03 03 41 6e 6e", "05 06 03 2a 02 2a 00 03", "07 0d 02 03 01 61 00 02 03 01 62 05 02 01 0a",
           "8a 01", "8a 80 80 10", "91 01 06 01 04 ff ff ff ff", "10 02", "12 05", "16 01 00 00 00 00 00 00 80",
           "18 00 00 00 00 00 00 f8 3f", "13 01 ff", "06 ff ff ff ff ff ff ff 7f", "01 0a 01 08 01 00 00 00 00 00 f0 7f",
           "00 ff ff ff ff ff ff ff ff 7f", "03 00", "05 01 00", "01 01 00", "07 01 00", "f1 01 01 00"].freeze

  def test_corrupt_bytes_are_errors
    BYTES.each do |bytes|
      whole = hex(bytes)
      (0...whole.bytesize).each do |size|
        assert_raises(E::EndOfInput, bytes) { codec.load(whole.byteslice(0, size), as: :tagged) }
      end
      assert_raises(E::Error) { codec.load("#{whole}\0", as: :tagged) }
    end
    %w[09 0b 0c 0d 0e 0f 19].each { |bytes| assert_raises(E::Error) { codec.load("#{hex(bytes)}\0\0", as: :tagged) } }
    assert_raises(E::Error) { codec.load("\0#{"\xff" * 10}\x01".b) }
    # A count beyond the block, a length beyond the block around it.
    ["05 03 ff 7f 0a", "07 03 02 0a 0a", "05 04 01 03 7f 61 61 61", "05 03 01 00 80 01"].each do |bytes|
      assert_raises(E::EndOfInput, bytes) { codec.load(hex(bytes), as: :tagged) }
    end
    # A count below the contents.
    assert_equal [nil, 1], codec.decoder(hex("05 03 01 0a ff 00 02")).map { |value| value.is_a?(Array) ? value[0] : value }
  end

  def test_data_is_read_as_plain_arrays
    bytes = codec.dump(E::Tuple.new(3, [1, E::BITS8_FOR_TESTS[1], E::Enum.new(2), E::Assoc.new(1, ["k", "\xff".b]), E::Primitive.new(:long, 4, 9)]))
    assert_equal [1, true, E::Enum.new(2), { "k" => "\xff".b }, 9], codec.load(bytes, as: :arrays)
  end

  def test_streams
    values = [{ "a" => [1, "ö"] }, nil, [], "x" * 100_000, 2**70, { [1] => { "b" => 1.5 } }] * 3
    bytes = values.map { |value| codec.dump(value) }.join
    assert_equal values, codec.decoder(bytes).to_a
    assert_equal values, codec.decoder(StringIO.new(bytes)).to_a
    trickle = StringIO.new(bytes)
    trickle.define_singleton_method(:readpartial) { |_| super(7) }
    assert_equal values, codec.decoder(trickle).to_a
    decoder = codec.decoder(StringIO.new(bytes))
    assert_equal values[0], decoder.next_value
    decoder.each { |value| break assert_nil(value) }
    assert_equal values[2..], decoder.to_a
    assert_raises(EOFError) { decoder.next_value }
  end

  def test_load_reads_no_byte_after_the_value_of_an_io
    values = [1, "text" * 50_000, [nil, true], 1.5, 2**62, nil]
    io = StringIO.new(values.map { |value| codec.dump(value) }.join)
    values.each { |value| value.nil? ? assert_nil(codec.load(io)) : assert_equal(value, codec.load(io)) }
    assert_raises(E::EndOfInput) { codec.load(io) }
    assert_raises(E::EndOfInput) { codec.load(StringIO.new("\x05\x05\x01")) }
  end

  def test_values_before_corrupt_data_are_yielded
    [hex("00 02 00 04 09 00"), hex("00 02 00 04 03 05 61"), hex("00 02 00 04 02 07")].each do |bytes|
      [bytes, StringIO.new(bytes)].each do |source|
        values = []
        error = assert_raises(E::Error) { codec.decoder(source).each { |value| values << value } }
        assert_equal [1, 2], values
        assert_operator error.offset, :>=, 4
      end
    end
  end

  def test_limits
    deep = "\x0a".b
    30.times { deep = E::Pure.frame_for_tests(deep) }
    error = assert_raises(E::Error) { codec.load(deep, max_depth: 29) }
    assert_equal :max_depth, error.setting
    assert codec.load(deep, max_depth: 30)
    { max_string_bytes: ["abcd", 3, 4], max_elements: [[1, 2, 3], 2, 3], max_block_bytes: [[1, 2, 3], 6, 7] }
      .each do |name, (value, too_little, enough)|
        error = assert_raises(E::Error) { codec.load(codec.dump(value), name => too_little) }
        assert_equal name, error.setting
        assert_equal value, codec.load(codec.dump(value), name => enough)
        assert_equal value, codec.load(codec.dump(value), name => Float::INFINITY)
      end
    assert_raises(ArgumentError) { codec.load("\x0a", deep: 1) }
    assert_raises(ArgumentError) { codec.load("\x0a", as: :any) }
  end

  def test_deep_nesting_does_not_overflow_the_stack
    deep = "\x0a".b
    9_000.times { deep = E::Pure.frame_for_tests(deep) }
    value = codec.load(deep)
    assert_equal deep, codec.dump(value)
    list = []
    list << list
    assert_raises(TypeError) { codec.dump(list) }
  end

  def test_values_that_extprot_cannot_represent
    [Object.new, 1..2, E::Tuple.new(-1, []), E::Tuple.new(0, 1), E::Assoc.new(0, [1]), E::Enum.new(nil),
     E::Primitive.new(:bits8, 0, 256), E::Primitive.new(:other, 0, 1), Ketch::Tagged.new(nil, 1),
     Ketch::Tagged.new("!a", Ketch::Tagged.new("!b", []))].each do |value|
      error = assert_raises(TypeError, value.inspect) { codec.dump(value) }
      refute_includes error.message, "YAML"
      assert_raises(TypeError, value.inspect) { codec.dump([value]) }
    end
  end

  def test_text
    assert_equal codec.dump("größe"), codec.dump("größe".encode("UTF-16LE"))
    assert_equal codec.dump("a"), codec.dump(:a)
    assert_raises(EncodingError) { codec.dump("a\xFF") }
    assert_equal Encoding::UTF_8, codec.load(codec.dump("größe")).encoding
    assert_equal Encoding::BINARY, codec.load(codec.dump("\xff".b)).encoding
  end

  private

  def hex(text) = [text.delete(" ")].pack("H*")

  # Returns a value in the notation of the vectors.
  def tree(value)
    case value
    when E::Enum then { "type" => "enum", "tag" => value.tag }
    when E::Tuple, E::Htuple
      { "type" => value.is_a?(E::Tuple) ? "tuple" : "htuple", "tag" => value.tag, "v" => value.elements.map { |element| tree(element) } }
    when E::Assoc
      { "type" => "assoc", "tag" => value.tag, "v" => value.pairs.each_slice(2).map { |pair| pair.map { |part| tree(part) } } }
    when E::Primitive then scalar(value.type, value.tag, value.value)
    when Integer then scalar(:vint, 0, value)
    when Float then scalar(:float, 0, value)
    else scalar(:bytes, 0, value)
    end
  end

  TYPES = { long: "bits64_long", float: "bits64_float" }.freeze

  def scalar(type, tag, value)
    text = case type
           when :bits8 then value
           when :float then [value].pack("G").unpack1("H*")
           when :bytes then bytes_as_json(value)
           else value.to_s
           end
    { "type" => TYPES.fetch(type, type.to_s), "tag" => tag, "v" => text }
  end

  def bytes_as_json(bytes)
    bytes = bytes.b
    run = bytes.size > 200 && bytes.squeeze.size == 1
    return { "repeat" => bytes[0].unpack1("H*"), "count" => bytes.size } if run

    bytes.match?(/\A[\x20-\x7e]*\z/n) ? bytes.force_encoding("UTF-8") : { "hex" => bytes.unpack1("H*") }
  end
end
