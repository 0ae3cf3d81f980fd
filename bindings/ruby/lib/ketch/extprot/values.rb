# frozen_string_literal: true

module Ketch
  module Extprot
    # Tagged values are the results with +as: :tagged+. They can be written again without a change.
    #
    #   Ketch::Extprot.load("\x01\x08\x02\x00\x02\x03\x03Ann", as: :tagged)
    #   # => #<struct Ketch::Extprot::Tuple tag=0, elements=[1, "Ann"]>
    Tuple = Struct.new(:tag, :elements)
    Htuple = Struct.new(:tag, :elements)
    # An associative array. +pairs+ is an Array of alternating keys and values.
    Assoc = Struct.new(:tag, :pairs)
    # A constructor without arguments.
    Enum = Struct.new(:tag)
    # A primitive value that cannot be an Integer, a Float or a String. +type+ is :bits8, :bits32 or
    # :long, or, with a tag other than 0, :vint, :float or :bytes.
    Primitive = Struct.new(:type, :tag, :value)

    # Objects that are created only once: constants with small tags, and all bytes with tag 0.
    CONSTANTS = Array.new(64) { |tag| Enum.new(tag).freeze }.freeze
    BITS8 = Array.new(256) { |byte| Primitive.new(:bits8, 0, byte).freeze }.freeze
    private_constant :CONSTANTS, :BITS8

    # An error in bytes that are read, or in a value that is written.
    class Error < Ketch::Error
      # The path in the schema, if there is one: the outermost message, followed by fields,
      # constructors and elements, such as "user.names[2]".
      attr_reader :path

      def initialize(message = nil, facts = {})
        super
        @help ||= "If you trust the data, raise `#{setting}:`." if setting
      end

      # Adds a step at the start of the path. A symbol is the name of a message, which is only kept if
      # the message is the outermost one.
      def within(segment)
        @steps = [segment, *@steps&.grep_v(Symbol)]
        @path = @steps.join(".").gsub(".[", "[")
        self
      end

      def to_s
        place = "#{" at byte #{offset}" if offset}, in #{path}" if @steps
        "#{super}#{place}#{"\n#{help}" if help}"
      end
    end

    # An error in a schema. The message shows the line with a caret.
    class SchemaError < Ketch::Error; end

    # An error for bytes that end before the end of a value.
    class EndOfInput < Error
      def name = :eof
    end
  end
end
