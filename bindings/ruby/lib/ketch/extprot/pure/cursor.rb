# frozen_string_literal: true
# shareable_constant_value: experimental_everything

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
  end
end
