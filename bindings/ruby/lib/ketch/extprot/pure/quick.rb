# frozen_string_literal: true
# shareable_constant_value: experimental_everything

module Ketch::Extprot::Pure
  # Reads the common wire types, several times as fast as Reader: it gets the bytes from an array,
  # which takes less time than method calls, and keeps the offset in a local variable. For anything
  # else, and for errors, it raises Unclear, and Reader reads that value.
  class Quick
    # Raised for a value that Reader has to read.
    class Unclear < StandardError; end

    DEPTH_MAX = 500
    # A value that exceeds its block is detected at the end of the block or, if it exceeds the
    # input, by these bytes, which start no value.
    PADDING = Array.new(16, 15).freeze
    # The wire type for the first byte of a value, if this class reads values of that type.
    ROWS = Array.new(128) { |prefix| prefix if [0, 2, 3, 5, 6, 7, 8, 10].include?(prefix) }.freeze
    ANY = Array.new(128) { |prefix| prefix & 15 == 1 ? 5 : prefix & 15 }.freeze
    # The values of Bits8 by byte, and the constants by tag.
    BOOLEANS = [false, true].freeze
    BYTES = [false, true, *2..255].freeze
    NULL = [nil].freeze
    CONSTANTS = Ketch::Extprot.const_get(:CONSTANTS)
    private_constant(*constants(false) - [:Unclear])

    # The offset at which the next value starts.
    attr_accessor :at

    def initialize(source, shape)
      @source = source.dup.force_encoding(Encoding::UTF_8)
      @bytes = source.bytes.concat(PADDING)
      @at, @stop, @is_any = 0, source.bytesize, shape == ArraysShape
      @kinds, @bits8, @constants = @is_any ? [ANY, BYTES, CONSTANTS] : [ROWS, BOOLEANS, NULL]
    end

    # Returns the next value.
    def value = elements(1, @stop, 0)[0]

    private

    # Returns the next +count+ values in a block that ends at +stop+. Short values are read without
    # a call.
    def elements(left, stop, depth)
      raise Unclear if left > stop - @at

      bytes, kinds, at, values = @bytes, @kinds, @at, []
      while left > 0
        left -= 1
        case kinds[prefix = bytes[at]]
        when 0
          if (number = bytes[at + 1]) < 128
            at += 2
          elsif (second = bytes[at + 2]) < 128
            number += (second - 1) << 7
            at += 3
          else
            number, at = vint(at + 1)
          end
          values << (number.even? ? number >> 1 : ~(number >> 1))
        when 2
          bit = @bits8[bytes[at + 1]]
          raise Unclear if bit.nil?

          values << bit
          at += 2
        when 3
          size = bytes[at + 1]
          at += 2
          size, at = vint(at - 1) if size > 127
          raise Unclear if at + size > stop

          values << text(at, size)
          at += size
        when 5, 7
          size = bytes[at + 1]
          at += 2
          size, at = vint(at - 1) if size > 127
          raise Unclear if at + size > stop || depth > DEPTH_MAX

          count = bytes[at]
          @at = at + 1
          count, @at = vint(at) if count > 127
          values << (prefix & 15 == 7 ? assoc(count, at + size, depth + 1) : elements(count, at + size, depth + 1))
          at += size
        when 6, 8
          raise Unclear if at + 9 > stop

          values << @source.unpack1(prefix & 15 == 6 ? "q<" : "E", offset: at + 1)
          at += 9
        when 10
          values << @constants.fetch(prefix >> 4) { raise Unclear }
          at += 1
        else raise Unclear
        end
      end
      raise Unclear if at > stop

      @at = at
      values
    end

    def assoc(count, stop, depth)
      hash = Ketch::Extprot::Pure.pairs(elements(count * 2, stop, depth))
      hash.size == count ? hash : raise(Unclear)
    end

    # Returns the number at an offset, and the offset after it.
    def vint(at)
      number = shift = 0
      while (byte = @bytes[at]) > 127
        number += byte - 128 << shift
        at += 1
        raise Unclear if (shift += 7) > 56
      end
      [number + (byte << shift), at + 1]
    end

    def text(at, size)
      text = @source.byteslice(at, size)
      return text if text.valid_encoding?

      @is_any ? text.force_encoding(Encoding::BINARY) : raise(Unclear)
    end
  end

  # Reads values with Quick until it has raised Unclear too often, and then only with Reader.
  class Readers
    # The maximum number of bytes that are converted to an array, which takes eight times as much
    # memory.
    QUICK_BYTES_MAX = 1 << 22
    UNCLEAR_MAX = 16
    private_constant :QUICK_BYTES_MAX, :UNCLEAR_MAX

    def initialize(source, shape, limits)
      @source, @shape, @limits = source, shape, limits
      @quick = Quick.new(source, shape) if quick?
      @unclear = 0
    end

    # The offset after the last value.
    attr_reader :at

    # Returns the value at an offset.
    def value(at)
      return read(at) unless @quick

      @quick.at = at
      value = @quick.value
      @at = @quick.at
      value
    rescue Quick::Unclear
      @quick = nil if (@unclear += 1) > UNCLEAR_MAX
      read(at)
    end

    private

    def read(at)
      @reader ||= Reader.new(@source, @shape, @limits)
      @reader.at = at
      value = @reader.value
      @at = @reader.at
      value
    end

    def quick?
      @source.bytesize <= QUICK_BYTES_MAX && @limits.equal?(LIMITS) && @shape != TaggedShape && whole?
    end

    # Returns whether the first value may be complete, according to its length.
    def whole?
      return true if (prefix = @source.getbyte(0)).nil? || prefix > 127 || prefix.even?

      size = shift = 0
      (1..10).each do |at|
        byte = @source.getbyte(at) or return false
        size |= (byte & 127) << shift
        shift += 7
        return size <= @source.bytesize if byte < 128
      end
      true
    end
  end
end
