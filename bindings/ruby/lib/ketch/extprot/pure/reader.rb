# frozen_string_literal: true

module Ketch::Extprot::Pure
  # Reads values without a schema. The low four bits of a prefix select a method from a table. Open
  # blocks are kept in an array, so there is no recursion.
  class Reader
    METHODS = (%i[vint block bits8 bytes bits32 block long block float invalid constant] + [:invalid] * 5).freeze
    TUPLE, ASSOC = 1, 7

    attr_accessor :at

    def initialize(source, shape, limits)
      @source, @shape, @limits = source, shape, limits
      @at, @stop, @open = 0, source.bytesize, []
    end

    def value
      @kind, @values, @left = nil, nil, 1
      loop do
        while @left.zero?
          done = close
          @values ? @values << done : (return done)
        end
        number = (@at < @stop && @source.getbyte(@at)) or raise_eof
        @at += 1
        number = long_vint(number) if number > 127
        opened = @open.size
        item = __send__(METHODS[number & 15], number >> 4, number & 15)
        raise_eof if @at > @stop
        next if @open.size > opened

        @left -= 1
        @values ? @values << item : (return item)
      end
    end

    private

    def number
      byte = @source.getbyte(@at) or raise_eof
      @at += 1
      byte < 128 ? byte : long_vint(byte)
    end

    def long_vint(byte)
      number, shift = byte & 127, 7
      while byte > 127 && shift < 70 # Ten bytes.
        byte = @source.getbyte(@at) or raise_eof
        @at += 1
        number |= (byte & 127) << shift
        shift += 7
      end
      return number if byte < 128 && number < 1 << 64

      raise Ketch::Extprot::Error.new("a number of more than 64 bits", { offset: @at })
    end

    def block(tag, kind)
      length, start = number, @at
      raise_eof if @at + length > @stop
      raise_limit(:max_block_bytes) if length > @limits[:max_block_bytes]
      raise_limit(:max_depth) if @open.size >= @limits[:max_depth]
      count = number
      raise_limit(:max_elements) if count > @limits[:max_elements]
      count *= 2 if kind == ASSOC
      raise_eof if count > start + length - @at
      @open << [@values, @left, @stop, @kind, @tag]
      @values, @left, @stop, @kind, @tag = [], count, start + length, kind, tag
    end

    def close
      done = @shape.block(@kind, @tag, @values, @at)
      @at = @stop
      @values, @left, @stop, @kind, @tag = @open.pop
      @left -= 1
      done
    end

    def bytes(tag, _)
      length = number
      raise_eof if @at + length > @stop
      raise_limit(:max_string_bytes) if length > @limits[:max_string_bytes]
      text = @source.byteslice(@at, length).force_encoding(Encoding::UTF_8)
      @shape.bytes(tag, text, @kind == TUPLE && @tag, (@at += length) - length)
    end

    def vint(tag, _) = @shape.vint(tag, (n = number).even? ? n >> 1 : -(n >> 1) - 1)
    def bits8(tag, _) = @shape.bits8(tag, fixed(1, "C"), @at)
    def bits32(tag, _) = @shape.bits32(tag, fixed(4, "l<"), @at)
    def long(tag, _) = @shape.long(tag, fixed(8, "q<"))
    def float(tag, _) = @shape.float(tag, fixed(8, "E"))
    def constant(tag, _) = @shape.constant(tag, @kind == TUPLE && @tag, @at)

    def fixed(size, form) = (@at += size) > @stop ? raise_eof : @source.unpack1(form, offset: @at - size)

    def invalid(_tag, kind) = raise(Ketch::Extprot::Error.new("#{kind} is not a wire type", { offset: @at }))
    def raise_eof = raise(Ketch::Extprot::EndOfInput.new("the bytes end in the middle of a value", { offset: @at }))
    def raise_limit(name) = raise(Ketch::Extprot::Error.new("exceeds the limit #{name}", { offset: @at, setting: name }))
  end
end
