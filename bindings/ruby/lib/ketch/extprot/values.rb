# frozen_string_literal: true

module Ketch
  module Extprot
    # Tagged values: the results of +as: :tagged+, which are written unchanged.
    #
    #   Ketch::Extprot.load("\x01\x08\x02\x00\x02\x03\x03Ann", as: :tagged)
    #   # => #<struct Ketch::Extprot::Tuple tag=0, elements=[1, "Ann"]>
    Tuple = Struct.new(:tag, :elements)
    Htuple = Struct.new(:tag, :elements)
    # +pairs+ is an Array of alternating keys and values.
    Assoc = Struct.new(:tag, :pairs)
    # A constant constructor.
    Enum = Struct.new(:tag)
    # A value that is not an Integer, Float or String. +type+ is :bits8, :bits32 or :long, or :vint,
    # :float or :bytes with a tag other than 0.
    Primitive = Struct.new(:type, :tag, :value)

    # Preallocated: constants of small tags, and all bytes of tag 0.
    CONSTANTS = Array.new(64) { |tag| Enum.new(tag).freeze }.freeze
    BITS8 = Array.new(256) { |byte| Primitive.new(:bits8, 0, byte).freeze }.freeze
    private_constant :CONSTANTS, :BITS8

    # An error in bytes, or in a value to be written.
    class Error < Ketch::Error
      # The path by the schema, if there is one: the outermost message, then fields, constructors
      # and elements: "user.names[2]".
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

    # An error in a schema; the message shows the line with a caret.
    class SchemaError < Ketch::Error; end

    # The bytes end in the middle of a value.
    class EndOfInput < Error
      def name = :eof
    end
  end
end
