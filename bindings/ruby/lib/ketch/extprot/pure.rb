# frozen_string_literal: true
# shareable_constant_value: experimental_everything

# extprot in pure Ruby. It is used if the extension is missing, and can also be used
# with it.
#
#   require "ketch/extprot/pure"
#   Ketch::Extprot::Pure.load("\x00\x54")  # => 42

require_relative "../version"
require_relative "../errors"
require_relative "../tagged"
require_relative "../times"
require_relative "values"
require_relative "decoder"
require_relative "pure/reader"
require_relative "pure/quick"
require_relative "pure/shapes"
require_relative "pure/writer"
require_relative "types"
require_relative "message"
require_relative "pure/typed"

module Ketch
  module Extprot
    # The methods of Extprot in pure Ruby.
    module Pure
      SHAPES = { values: ValuesShape, tagged: TaggedShape, arrays: ArraysShape }.freeze
      LIMITS = { max_depth: 10_000, max_string_bytes: Float::INFINITY, max_elements: Float::INFINITY,
                 max_block_bytes: Float::INFINITY }.freeze
      DEFAULTS = {}.freeze
      private_constant :SHAPES, :LIMITS, :DEFAULTS

      module_function

      # Does the same as Extprot.load.
      def load(source, **options)
        source = Decoder.one(source) unless source.is_a?(String)
        decode(source, options)
      end

      # Does the same as Extprot.dump.
      def dump(value) = Writer.new.write(value)

      # Does the same as Extprot::Decoder.new.
      def decoder(source, **options) = Decoder.new(source, codec: self, **options)

      # Returns the only value in a string.
      def decode(bytes, options = DEFAULTS)
        readers = Readers.new(bytes, *shape_and_limits(options))
        value = readers.value(0)
        return value if readers.at == bytes.bytesize

        raise Error.new("bytes after the value", { offset: readers.at })
      end

      # Returns the complete values in a part of a stream. Decoder calls this.
      def decode_batch(buffer, at, base, options)
        source = at.zero? ? buffer : buffer.byteslice(at..)
        readers = Readers.new(source, *shape_and_limits(options))
        values = []
        whole = 0
        while whole < source.bytesize
          values << readers.value(whole)
          whole = readers.at
        end
        [values, at + whole, nil]
      rescue EndOfInput
        # A truncated value may be corrupt, or be continued in the next part.
        [values, at + whole, nil]
      rescue Error => e
        e.instance_variable_set(:@offset, base + e.offset) if e.offset
        [values, at + whole, e]
      end

      # Yields the values in an array, after removing each from it.
      def yield_all(values)
        yield values.shift until values.empty?
      end

      def shape_and_limits(options)
        return [ValuesShape, LIMITS] if options.empty?

        unknown = options.keys - LIMITS.keys - [:as]
        raise ArgumentError, "unknown keyword: #{unknown[0].inspect}" unless unknown.empty?

        shape = SHAPES[options.fetch(:as, :values)] or raise ArgumentError, "as: expected one of :values, :tagged, :arrays"
        [shape, options.keys == [:as] ? LIMITS : LIMITS.merge(options)]
      end
      private_class_method :shape_and_limits
    end
  end
end
