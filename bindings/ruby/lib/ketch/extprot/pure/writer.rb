# frozen_string_literal: true
# shareable_constant_value: experimental_everything

module Ketch
  module Extprot
    module Pure
      # Writes values from the end to the start, so that the length of each block is known when
      # its head is written. Open collections are kept in an array, so there is no recursion.
      class Writer
        METHODS = {
          NilClass => :null, TrueClass => :yes, FalseClass => :no, Integer => :integer, Float => :float,
          String => :text, Symbol => :symbol, Array => :array, Hash => :hash, Tagged => :tagged,
          Tuple => :tuple, Htuple => :htuple, Assoc => :assoc, Enum => :constant, Primitive => :primitive
        }.freeze
        DEPTH_MAX = 10_000
        FORMS = { bits8: [2, "C", 0..255], bits32: [4, "l<", -2**31..2**31 - 1], long: [6, "q<", -2**63..2**63 - 1] }.freeze
        Open = Struct.new(:values, :count, :mark, :tag, :kind, :raw, :name)

        def write(root)
          @parts = []
          @size = @raw = 0
          @open = []
          value(root)
          until @open.empty?
            block = @open.last
            block.values.empty? ? close(@open.pop) : value(block.values.pop)
          end
          @parts.reverse!.join.force_encoding(Encoding::BINARY)
        end

        private

        def value(value)
          method = METHODS[value.class] if Object === value
          kind = METHODS.keys.find { |klass| klass === value } unless method
          __send__(method || METHODS.fetch(kind, :time), value)
        end

        def put(bytes)
          @parts << bytes
          @size += bytes.bytesize
        end

        def number(value)
          return value.chr if value < 128

          bytes = "".b
          while value > 127
            bytes << (value & 127 | 128)
            value >>= 7
          end
          bytes << value
        end

        def header(mark, count, tag, kind)
          count = number(count)
          put(number(tag << 4 | kind) + number(@size - mark + count.bytesize) + count)
        end

        def null(_) = put("\x0a".b)
        def yes(_) = put("\x02\x01".b)
        def no(_) = put("\x02\x00".b)
        def float(value) = put([8, @raw.zero? && value.nan? ? Float::NAN : value].pack("CE"))
        def symbol(value) = text(value.name)
        def array(values) = start(values.dup, 0, 5)
        def hash(value) = start(value.flatten(1), 0, 7)
        def tuple(value) = described(value, 1)
        def htuple(value) = described(value, 5)
        def assoc(value) = described(value, 7)
        def constant(value) = put(number(tag_of(value.tag) << 4 | 10))

        def integer(value)
          case value
          when -2**62..2**62 - 1 then put("\0".b + number(value.negative? ? ~(value << 1) : value << 1))
          when -2**63..2**63 - 1 then put([6, value].pack("Cq<"))
          else
            mark = @size
            string(value.to_s)
            header(mark, 1, 1, 1)
          end
        end

        def text(value)
          return string(value) if @raw.positive?

          mark = @size
          if value.encoding == Encoding::BINARY
            string(value)
            header(mark, 1, 2, 1)
          else
            value = value.encode(Encoding::UTF_8)
            raise EncodingError, "a string is not valid UTF-8" unless value.valid_encoding?

            string(value)
          end
        end

        def string(value) = put("\x03".b + number(value.bytesize) + value.b)

        def start(values, tag, kind, raw: 0, name: nil, mark: @size)
          raise TypeError, "the value is nested more than 10,000 levels deep, or contains itself" if @open.size >= DEPTH_MAX

          @raw += raw
          @open << Open.new(values, kind == 7 ? values.size / 2 : values.size, mark, tag, kind, raw, name)
        end

        def close(block)
          header(block.mark, block.count, block.tag, block.kind)
          @raw -= block.raw
          close_tagged(block.name, block.mark) if block.name
        end

        def tagged(value)
          case value.value
          when Array then start(value.value.dup, 0, 5, name: value)
          when Hash then start(value.value.flatten(1), 0, 7, name: value)
          else
            mark = @size
            open = @open.size
            value(value.value)
            close_tagged(value, mark, is_whole: @open.size == open)
          end
        end

        def close_tagged(tagged, mark, is_whole: true)
          unless tagged.tag.is_a?(String) && @raw.zero? && is_whole
            raise TypeError, "a Ketch::Tagged needs a text tag, and cannot be inside a tagged value"
          end

          string(tagged.tag.encode(Encoding::UTF_8))
          header(mark, 2, 15, 1)
        end

        def described(value, kind)
          elements = value[1]
          unless elements.is_a?(Array) && (kind != 7 || elements.size.even?)
            raise TypeError, "expected an Array as the elements of a block; in an Assoc, keys and values alternate"
          end

          start(elements.dup, tag_of(value.tag), kind, raw: 1)
        end

        def tag_of(tag)
          return tag if tag.is_a?(Integer) && tag.between?(0, 2**59 - 1)

          raise TypeError, "a tag must be an Integer from 0 to 2**59 - 1"
        end

        def primitive(value)
          kind, content = content_of(value.type, value.value)
          put(number(tag_of(value.tag) << 4 | kind) + content)
        end

        def content_of(type, value)
          code, form, range = FORMS[type]
          return [code, [value].pack(form)] if code && value.is_a?(Integer) && range.cover?(value)
          return [8, [value].pack("E")] if type == :float && value.is_a?(Float)
          return [3, number(value.bytesize) + value.b] if type == :bytes && value.is_a?(String)
          return [0, number(value.negative? ? ~(value << 1) : value << 1)] if type == :vint && FORMS[:long][2].cover?(value)

          raise TypeError, "a Ketch::Extprot::Primitive whose value does not fit its type"
        end

        def time(value)
          seconds, nanoseconds, offset, is_day = Ketch.send(:timestamp_of, value)
          mark = @size
          is_day ? put("\x1a".b) : value(offset)
          value(nanoseconds)
          value(seconds)
          header(mark, 3, 3, 1)
        end
      end
    end
  end
end
