# frozen_string_literal: true

require "stringio"

module Ketch
  module Extprot
    # Reads the values in a stream, one after another, with bounded memory.
    #
    #   File.open("log", "rb") { |io| Ketch::Extprot::Decoder.new(io).each { |value| p value } }
    #
    # If data are corrupt, all values before them are returned before the error is raised.
    class Decoder
      include Enumerable

      # The number of bytes that are decoded at once. Together with the objects for them, they fit into
      # the caches of the processor.
      STEP_BYTES = 32 * 1024
      private_constant :STEP_BYTES

      # Returns the bytes of the next value of an IO, without reading more.
      def self.one(io)
        io.respond_to?(:getbyte) or raise TypeError, "expected a String or an IO, not #{io.class}"
        bytes = +"".b
        prefix = read_vint(io, bytes)
        case prefix & 15
        when 0 then read_vint(io, bytes)
        when 2, 4, 6, 8 then read_bytes(io, { 2 => 1, 4 => 4, 6 => 8, 8 => 8 }[prefix & 15], bytes)
        when 1, 3, 5, 7 then read_bytes(io, read_vint(io, bytes), bytes)
        end
        bytes
      end

      # Returns the length of the value at an offset in a string, or nil if the value is truncated.
      def self.whole_size(bytes, at)
        io = StringIO.new(bytes)
        io.pos = at
        prefix = read_vint(io, +"".b)
        case prefix & 15
        when 0 then read_vint(io, +"".b)
        when 2 then io.pos += 1
        when 4 then io.pos += 4
        when 6, 8 then io.pos += 8
        when 10 then nil
        when 1, 3, 5, 7
          size = read_vint(io, +"".b)
          io.pos += size
        else raise Error.new("#{prefix & 15} is not a wire type", { name: :bad_wire_type, offset: 0 })
        end
        io.pos - at if io.pos <= bytes.bytesize
      rescue EndOfInput, RangeError
        nil
      end

      def self.read_vint(io, bytes)
        number = shift = 0
        loop do
          byte = io.getbyte or raise EndOfInput, "the bytes end in the middle of a value"
          bytes << byte
          number |= (byte & 127) << shift
          return number if byte < 128

          shift += 7
          raise Error, "a number of more than 10 bytes" if shift > 63
        end
      end

      def self.read_bytes(io, count, bytes)
        while count.positive?
          part = io.read([count, STEP_BYTES].min) or raise EndOfInput, "the bytes end in the middle of a value"
          bytes << part
          count -= part.bytesize
        end
      end
      private_class_method :read_vint, :read_bytes

      # Creates a decoder for an IO or a string, with the options of Extprot.load. +codec+ is Extprot or
      # Extprot::Pure.
      def initialize(source, codec: Extprot, **options)
        @codec = codec
        @io = source.is_a?(String) ? StringIO.new(source) : source
        @buffer = "".b
        @at = 0
        # The offset in the stream at which the buffer starts.
        @base = 0
        @options = options
        @values = []
        @error = nil
      end

      # Yields each value. Without a block, returns an Enumerator. If the iteration was stopped, it
      # continues there.
      def each(&block)
        return enum_for(:each) unless block

        @codec.send(:yield_all, @values, &block) while ready?
        self
      end

      # Returns the next value, or raises an EOFError if there are no more values.
      def next_value
        ready? or raise EOFError, "end of the stream"
        @values.shift
      end

      private

      # Returns whether there are more values.
      def ready?
        while @values.empty?
          give_up if @error
          start = @at
          @values, @at, @error, @goes_on = @codec.send(:decode_batch, @buffer, @at, @base + @at, @options)
          next if @at > start || @error || more?
          return false if @at == @buffer.bytesize

          cut = "the stream ends in the middle of a value, which starts at byte #{@base + @at}"
          raise EndOfInput.new(cut, { offset: @base + @at })
        end
        true
      end

      # Raises the error. If the start of the next value is known, the next call continues there.
      def give_up
        error = @error
        @error = nil if @goes_on
        raise error
      end

      # Reads more bytes, and returns whether there were any.
      def more?
        left = @buffer.byteslice(@at..)
        step = [STEP_BYTES, left.bytesize].max
        part = @io.respond_to?(:readpartial) ? @io.readpartial(step) : @io.read(step)
        return false unless part

        @base += @at
        @at = 0
        @buffer = left.empty? ? part : left << part
        true
      rescue EOFError
        false
      end
    end
  end
end
