# frozen_string_literal: true

require_relative "helper"
require "ketch/extprot/pure"

Ketch::Extprot::BITS8_FOR_TESTS = Ketch::Extprot.send(:const_get, :BITS8)

# A list around bytes.
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

  def test_it_is_the_extension
    assert_nil Ketch::Extprot.method(:load).source_location
  end

  def test_strict
    assert_raises(Ketch::Extprot::Error) { Ketch::Extprot.load("\x00\x82\x00".b, strict: true) }
    assert_equal 1, Ketch::Extprot.load("\x00\x82\x00".b)
  end

  def test_values_survive_a_collection_at_each_allocation
    value = { "a" => [1, "ö", 2**70, 1e300, "\xff".b, Time.at(0)], [1] => Ketch::Tagged.new("!t", ["x"]) }
    bytes = Ketch::Extprot.dump(value)
    GC.stress = true
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

class PureExtprotTest < Minitest::Test
  include ExtprotCases

  def codec = Ketch::Extprot::Pure

  def test_it_is_small
    lines = File.readlines("#{__dir__}/../lib/ketch/extprot/pure/reader.rb").size
    assert_operator lines, :<=, 100
  end

  def test_it_is_taken_where_the_extension_is_missing
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
