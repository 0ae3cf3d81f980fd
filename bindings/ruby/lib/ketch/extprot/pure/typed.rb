# frozen_string_literal: true
# shareable_constant_value: experimental_everything

require_relative "cursor"
require_relative "writer"
require_relative "shapes"

module Ketch
  module Extprot
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
