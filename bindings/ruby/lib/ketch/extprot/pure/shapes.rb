# frozen_string_literal: true
# shareable_constant_value: experimental_everything

module Ketch
  module Extprot
    module Pure
      # Modules that create the results of a reader, one for each choice of +as:+.

      # Creates tagged values.
      module TaggedShape
        BLOCKS = { 1 => Tuple, 5 => Htuple, 7 => Assoc }.freeze

        class << self
          def block(kind, tag, values, _at) = BLOCKS[kind].new(tag, values)
          def bytes(tag, text, *) = primitive(:bytes, tag, Pure.text_or_bytes(text))
          def vint(tag, value) = primitive(:vint, tag, value)
          def float(tag, value) = primitive(:float, tag, value)
          def long(tag, value) = Primitive.new(:long, tag, value)
          def bits32(tag, value, _at) = Primitive.new(:bits32, tag, value)
          def bits8(tag, value, _at) = tag.zero? ? BITS8[value] : Primitive.new(:bits8, tag, value)
          def constant(tag, *) = CONSTANTS[tag] || Enum.new(tag)

          private

          def primitive(type, tag, value) = tag.zero? ? value : Primitive.new(type, tag, value)
        end
      end

      # Creates plain arrays, hashes and scalars.
      module ArraysShape
        class << self
          def block(kind, _tag, values, at) = kind == 7 ? Pure.assoc(values, at) : values
          def bytes(_tag, text, *) = Pure.text_or_bytes(text)
          def vint(_tag, value) = value
          def float(_tag, value) = value
          def long(_tag, value) = value
          def bits32(_tag, value, _at) = value
          def bits8(_tag, value, _at) = value > 1 ? value : value == 1
          def constant(tag, *) = CONSTANTS[tag] || Enum.new(tag)
        end
      end

      # Creates values of the data model, as in docs/data-model.md.
      module ValuesShape
        BIG_INT, BINARY, TIMESTAMP, TAGGED = 1, 2, 3, 15

        class << self
          def block(kind, tag, values, at)
            return row(tag, values, at) if kind == 1

            refuse("a list or mapping with a tag", at) unless tag.zero?
            kind == 7 ? Pure.assoc(values, at) : values
          end

          def bytes(tag, text, around, at)
            refuse("a tagged scalar", at) unless tag.zero?
            return text.force_encoding(Encoding::BINARY) if around == BINARY
            raise Error.new("invalid UTF-8", { offset: at }) unless text.valid_encoding?

            text
          end

          def vint(tag, value) = tag.zero? ? value : refuse("a tagged scalar", nil)
          def float(tag, value) = tag.zero? ? value : refuse("a tagged scalar", nil)
          def long(tag, value) = tag.zero? ? value : refuse("a tagged scalar", nil)
          def bits32(_tag, _value, at) = refuse("this", at)

          def bits8(tag, value, at)
            refuse("this", at) if tag.positive? || value > 1
            value == 1
          end

          def constant(tag, around, at)
            return nil if tag.zero?

            tag == 1 && around == TIMESTAMP ? true : refuse("this", at)
          end

          private

          def row(tag, values, at)
            case [tag, values.size]
            when [BIG_INT, 1] then big(values[0], at)
            when [BINARY, 1] then values[0].is_a?(String) ? values[0] : refuse("this tuple", at)
            when [TIMESTAMP, 3] then Ketch.send(:time_of, *values)
            when [TAGGED, 2] then tagged(*values, at)
            else refuse("this tuple", at)
            end
          end

          NO_TAGS = ["", "!", *%w[null bool int float str binary timestamp merge value seq map].map { |name| "tag:yaml.org,2002:#{name}" }].freeze

          def tagged(tag, value, at)
            refuse("this tag", at) if !tag.is_a?(String) || NO_TAGS.include?(tag) || value.is_a?(Tagged)
            Tagged.new(tag, value)
          end

          def big(digits, at)
            is_number = digits.is_a?(String) && /\A-?[1-9][0-9]*\z/.match?(digits)
            is_number ? digits.to_i : refuse("this integer", at)
          end

          def refuse(what, at)
            raise Error.new("#{what} is not in the data model: read with `as: :tagged`, or by its schema", { offset: at })
          end
        end
      end

      class << self
        def text_or_bytes(text) = text.valid_encoding? ? text : text.force_encoding(Encoding::BINARY)

        # Returns a hash with these alternating keys and values.
        def pairs(values)
          # The arguments of a call are on the machine stack, whose size is limited.
          values.size < 1000 ? Hash[*values] : values.each_slice(2).to_h
        end

        def assoc(values, at)
          hash = pairs(values)
          return hash if hash.size * 2 == values.size

          raise Error.new("duplicate key", { offset: at })
        end
      end
    end
  end
end
