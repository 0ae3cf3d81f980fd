# frozen_string_literal: true

module Ketch
  module Extprot
    # Values that describe themselves: what +as: :tagged+ gives, and what is written as it stands.
    #
    #   Ketch::Extprot.load("\x01\x08\x02\x00\x02\x03\x03Ann", as: :tagged)
    #   # => #<struct Ketch::Extprot::Tuple tag=0, elements=[1, "Ann"]>
    Tuple = Struct.new(:tag, :elements)
    Htuple = Struct.new(:tag, :elements)
    # +pairs+ is an Array of keys and values in turn.
    Assoc = Struct.new(:tag, :pairs)
    # A constant constructor.
    Enum = Struct.new(:tag)
    # A value that Integer, Float and String are not enough for. +type+ is :bits8, :bits32 or :long, or
    # :vint, :float or :bytes where the tag is not 0.
    Primitive = Struct.new(:type, :tag, :value)

    # Constants of small tags, and all bytes of tag 0: made once for all.
    CONSTANTS = Array.new(64) { |tag| Enum.new(tag).freeze }.freeze
    BITS8 = Array.new(256) { |byte| Primitive.new(:bits8, 0, byte).freeze }.freeze
    private_constant :CONSTANTS, :BITS8

    # What is wrong with bytes, or with a value to be written.
    class Error < Ketch::Error
      # The outermost message, then fields, constructors and elements down to the place, if a schema
      # was read or written by: "user.names[2]".
      attr_reader :path

      # Adds the step that encloses the path. A message is a symbol, and part of the path only if it is
      # the outermost one.
      def within(segment)
        @steps = [segment, *@steps&.grep_v(Symbol)]
        @path = @steps.join(".").gsub(".[", "[")
        self
      end

      def to_s
        return super unless @steps

        "#{super}#{" at byte #{offset}" if offset}, in #{path}"
      end
    end

    # What is wrong with a schema; the message shows the line with a caret.
    class SchemaError < Ketch::Error; end

    # The bytes end in the middle of a value.
    class EndOfInput < Error
      def name = :eof
    end
  end
end
