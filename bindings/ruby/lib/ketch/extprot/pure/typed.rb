# frozen_string_literal: true
# shareable_constant_value: experimental_everything

require_relative "writer"
require_relative "shapes"

module Ketch
  module Extprot
    # The position in the input while values are read by their types. Inside a block, the end of the block is treated
    # as the end of the input.
    class Cursor
      WIRE_NAMES = { 0 => "Vint", 1 => "Tuple", 2 => "Bits8", 3 => "Bytes", 4 => "Bits32", 5 => "Htuple",
                     6 => "Bits64_long", 7 => "Assoc", 8 => "Bits64_float", 10 => "Enum" }.freeze
      FIXED = { 2 => [1, "C"], 4 => [4, "l<"], 6 => [8, "q<"], 8 => [8, "E"] }.freeze
      DEFAULTS_MAX = 1_000_000
      private_constant :WIRE_NAMES, :FIXED, :DEFAULTS_MAX

      attr_reader :at

      def initialize(source, limits)
        @source, @limits = source, limits
        @at, @stop = 0, source.bytesize
        @defaults_left = DEFAULTS_MAX + source.bytesize
      end

      def at_end? = @at == @stop

      def prefix = vint

      # Reads a prefix, which must not have a tag, and returns its wire type.
      def untagged_wire
        tag, wire = prefix.divmod(16)
        tag.zero? ? wire : unknown_tag(tag)
      end

      def vint
        number = shift = 0
        while @at < @stop
          byte = @source.getbyte(@at)
          @at += 1
          number |= (byte & 127) << shift
          shift += 7
          break if byte < 128

          fail(:vint_too_long, "a vint has more than 64 bits or more than 10 bytes") if shift >= 70
          fail_eof if @at == @stop
        end
        fail_eof if shift.zero?
        number < 1 << 64 ? number : fail(:vint_too_long, "a vint has more than 64 bits or more than 10 bytes")
      end

      # Yields the count and the length of a block whose prefix has been read, and continues after the block.
      def block
        length = vint
        fail_eof if length > @stop - @at
        outer, @stop = @stop, @at + length
        count = vint
        value = yield count, length
        @at, @stop = @stop, outer
        value
      end

      def check_list(count, length)
        check(:max_block_bytes, length)
        check(:max_elements, count)
        fail_eof if count > @stop - @at
      end

      def check_message(count, length)
        check(:max_elements, count)
        check(:max_block_bytes, length)
      end

      # Returns the scalar that follows a prefix of this wire type.
      def scalar(wire)
        case wire
        when 0 then int
        when 3 then text
        else
          size, form = FIXED[wire]
          take(size)
          @source.unpack1(form, offset: @at - size)
        end
      end

      # Skips the next value.
      def skip
        case wire = prefix & 15
        when 0 then vint
        when 10 then nil
        when 2, 4, 6, 8 then take(FIXED[wire][0])
        when 1, 3, 5, 7 then take(vint)
        else bad_wire_type("a value", wire)
        end
      end

      # Returns the bytes of the next value.
      def raw
        start = @at
        skip
        @source.byteslice(start...@at)
      end

      # Returns whether the next field is decoded immediately, even if it is lazy, because it is an empty list or a
      # constant.
      def made_at_once?(type)
        start, stop = @at, @stop
        wire = prefix & 15
        case type
        when Types::List then wire == 5 && block { |count, _| count.zero? }
        when Sum then wire == 10
        end
      rescue Error
        false
      ensure
        @at, @stop = start, stop
      end

      # Counts a value that was created for a default.
      def spend_default
        @defaults_left -= 1
        fail(:limit_exceeded, "defaults add more than #{DEFAULTS_MAX} values") if @defaults_left.negative?
      end

      def fail(name, message, facts = {}) = raise(Error.new(message, { name: name, offset: @at, **facts }))
      def fail_eof = raise(EndOfInput.new("the bytes end in the middle of a value", { name: :eof, offset: @at }))
      def unknown_tag(tag) = fail(:unknown_tag, "unknown tag #{tag}: perhaps the data was written with a newer schema")

      def bad_wire_type(wanted, wire)
        fail(:bad_wire_type, "expected #{wanted}, found #{WIRE_NAMES.fetch(wire) { "the invalid wire type #{wire}" }}")
      end

      private

      def int
        number = vint
        number = number.even? ? number >> 1 : ~(number >> 1)
        return number if number.bit_length < 63

        fail(:int_range, "the int #{number} is outside -2^62 to 2^62-1")
      end

      def text
        length = vint
        check(:max_string_bytes, length)
        take(length)
        Pure.text_or_bytes(@source.byteslice(@at - length, length).force_encoding(Encoding::UTF_8))
      end

      def take(size)
        fail_eof if size > @stop - @at
        @at += size
      end

      def check(setting, number)
        return if number <= @limits[setting]

        fail(:limit_exceeded, "#{number} exceeds the limit #{setting}", { setting: setting })
      end

      NOWHERE = new("", Hash.new(Float::INFINITY)).freeze
    end

    module Pure
      # Writes values by their types, from the end to the start.
      class TypedWriter < Writer
        def write(type, value)
          @parts = []
          @size = @raw = 0
          type.encode(self, value) or raise Error.new("the value is not of type #{Types.name_of(type)}", { name: :shape })
          @parts.reverse!.join.force_encoding(Encoding::BINARY)
        end

        # Writes a block: first what the given Ruby block writes, and then the head that precedes it.
        def block(count, tag, kind)
          mark = @size
          yield
          header(mark, count, tag, kind)
          true
        end

        def raw(bytes) = put(bytes.b)
        def constant_tag(tag) = put(number(tag << 4 | 10))
        def typed_bool(value) = put(value ? "\x02\x01".b : "\x02\x00".b)
        def typed_byte(value) = put([2, value].pack("CC"))
        def typed_int(value) = put("\0".b + number(value.negative? ? ~(value << 1) : value << 1))
        def typed_long(value) = put([6, value].pack("Cq<"))
        def typed_float(value) = put([8, value].pack("CE"))

        def typed_string(value)
          unless [Encoding::BINARY, Encoding::UTF_8, Encoding::US_ASCII].include?(value.encoding)
            value = value.encode(Encoding::UTF_8)
          end
          string(value)
        end
      end

      class << self
        # Returns the only value in a string, which has this type.
        def read_typed(type, bytes, options)
          cursor = Cursor.new(bytes, typed_limits(options))
          value = type.decode(cursor)
          cursor.at_end? ? value : cursor.fail(:trailing_bytes, "bytes follow the end of the value")
        end

        # Reads the complete messages in a part of a stream, up to the first one that is invalid. Returns the messages,
        # the offset after them, the error, and whether reading can continue there.
        def typed_batch(type, buffer, at, base, options)
          limits = typed_limits(options)
          values = []
          while at < buffer.bytesize && (size = Decoder.whole_size(buffer, at))
            start, at = at, at + size
            values << type.decode(Cursor.new(buffer.byteslice(start, size), limits))
          end
          [values, at, nil, true]
        rescue Error => e
          start ||= at
          e.instance_variable_set(:@offset, base + start + e.offset) if e.offset
          [values, at, e, size]
        end

        def write_typed(type, value) = TypedWriter.new.write(type, value)

        private

        def typed_limits(options) = shape_and_limits(options.except(:max_depth))[1]
      end
    end
  end
end
