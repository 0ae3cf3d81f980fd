# frozen_string_literal: true
# shareable_constant_value: experimental_everything

module Ketch
  module Extprot
    # Methods that define the classes of a schema. Generated modules are extended with them.
    #
    #   module Fleet
    #     extend Ketch::Extprot::Types
    #
    #     Ship = message("ship", name: string, masts: list(string), launched: int(default: 1902))
    #   end
    #
    # A type has +decode+ and +encode+ for pure Ruby, and +description+, which the extension compiles.
    module Types
      # One of the six primitive types.
      class Primitive
        attr_reader :kind

        # The number of the wire type as which a type is written.
        WIRES = { bool: 2, byte: 2, int: 0, long: 6, float: 8, string: 3 }.freeze
        # The numbers of the wire types as which a type can be read.
        READ = { bool: [2], byte: [2], int: [0, 2], long: [6, 0, 2, 4], float: [8, 6, 0, 4, 2], string: [3] }.freeze
        RANGES = { byte: 0..255, int: -2**62..2**62 - 1, long: -2**63..2**63 - 1 }.freeze
        private_constant :WIRES, :READ, :RANGES

        def initialize(kind, default)
          @kind, @default = kind, default
          freeze
        end

        def description = [:primitive, @kind, !@default.nil?, @default]
        def default? = !@default.nil?
        def wire = WIRES[@kind]

        def default(cursor)
          cursor.spend_default
          @default.nil? ? cursor.fail(:missing_field, "a field is missing and has no default") : @default
        end

        def decode(cursor)
          wire = cursor.untagged_wire
          return promoted(cursor, wire) unless wire == 1

          cursor.block do |count, _|
            cursor.bad_wire_type(@kind, 1) if count.zero?
            promoted(cursor, cursor.untagged_wire)
          end
        end

        # Returns the value that follows a prefix, which has been read.
        def promoted(cursor, wire)
          cursor.bad_wire_type(@kind, wire) unless READ[@kind].include?(wire)
          value = cursor.scalar(wire)
          case @kind
          when :bool then value != 0
          when :float then value.to_f
          else value
          end
        end

        def encode(writer, value)
          writer.__send__(:"typed_#{@kind}", value) if fits?(value)
        end

        private

        def fits?(value)
          case @kind
          when :bool then value == true || value == false
          when :string then value.is_a?(String)
          when :float then value.is_a?(Float) || value.is_a?(Integer)
          else value.is_a?(Integer) && RANGES[@kind].cover?(value)
          end
        end
      end

      # A list or an array; the value of both is an Array.
      class List
        def initialize(element)
          @element = element
          freeze
        end

        def description = [:list, @element]
        def default? = true
        def wire = nil

        def default(cursor)
          cursor.spend_default
          []
        end

        def decode(cursor)
          wire = cursor.prefix & 15
          cursor.bad_wire_type("a list or array", wire) unless wire == 5
          cursor.block do |count, length|
            cursor.check_list(count, length)
            Array.new(count) { |index| Types.within("[#{index}]") { @element.decode(cursor) } }
          end
        end

        def encode(writer, value)
          value.is_a?(Array) && writer.block(value.size, 0, 5) do
            (value.size - 1).downto(0) { |index| Types.written(@element, writer, value[index], "[#{index}]") }
          end
        end
      end

      # A tuple, whose value is an Array with this number of elements.
      class Tuple
        def initialize(elements)
          @elements = elements.freeze
          freeze
        end

        def description = [:tuple, *@elements]
        def default? = @elements.all?(&:default?)
        def wire = nil

        def default(cursor)
          cursor.spend_default
          @elements.map { |element| element.default(cursor) }
        end

        def decode(cursor)
          prefix = cursor.prefix
          return cursor.block { |count, _| Types.elements(@elements, cursor, count) } if prefix & 15 == 1

          Types.promoted_elements(@elements, cursor, prefix) or cursor.bad_wire_type("a tuple", prefix & 15)
        end

        def encode(writer, value)
          value.is_a?(Array) && value.size == @elements.size && Types.write_elements(@elements, writer, value, 0)
        end
      end

      # A field that is decoded when it is used for the first time.
      LazyField = Struct.new(:type)
      # A field of a subset, with its index in the message.
      FieldAt = Struct.new(:index, :type)

      class << self
        # Runs the block. If it raises an error, adds a step to the path of the error.
        def within(segment)
          yield
        rescue Error => e
          raise e.within(segment)
        end

        # Returns the elements of a tuple, or the arguments of a constructor. Missing ones get their default values.
        def elements(types, cursor, count)
          types.map.with_index do |type, index|
            within("[#{index}]") do
              if index < count then type.decode(cursor)
              elsif type.default? then type.default(cursor)
              else cursor.fail(:missing_tuple_element, "element #{index} is missing and has no default")
              end
            end
          end
        end

        # Returns the elements of a tuple of which only the first element was written, without a tuple around it.
        # Returns nil if one of the others has no default value.
        def promoted_elements(types, cursor, prefix)
          first, *others = types
          return unless promotes?(first, prefix) && others.all?(&:default?)

          [first.promoted(cursor, prefix & 15)] + others.map { |type| type.default(cursor) }
        end

        def promotes?(type, prefix) = type&.wire == prefix & 15

        def write_elements(types, writer, values, tag)
          writer.block(types.size, tag, 1) do
            (types.size - 1).downto(0) { |index| written(types[index], writer, values[index], "[#{index}]") }
          end
        end

        # Writes a value. If it does not have the type, raises an error that names the type.
        def written(type, writer, value, segment)
          within(segment) { type.encode(writer, value) or raise Error.new("the value is not of type #{name_of(type)}", { name: :shape }) }
        end

        def name_of(type)
          kind, *parts = type.description
          case kind
          when :primitive then parts[0].to_s
          when :list then "[ #{name_of(parts[0])} ]"
          when :tuple then "(#{parts.map { |part| name_of(part) }.join(" * ")})"
          else parts[0]
          end
        end
      end

      private

      def bool(default: false) = Primitive.new(:bool, default)
      def byte(default: nil) = Primitive.new(:byte, default)
      def int(default: nil) = Primitive.new(:int, default)
      def long(default: nil) = Primitive.new(:long, default)
      def float(default: nil) = Primitive.new(:float, default)
      def string(default: nil) = Primitive.new(:string, default)
      def list(element) = List.new(element)
      def tuple(*elements) = Tuple.new(elements)
      def lazy(type) = LazyField.new(type)
      def at(index, type) = FieldAt.new(index, type)

      # Returns the class for a message or a record.
      def message(name, **fields) = Message.define(name, fields)

      # Returns the class for a subset, which contains some fields of a message, and can only be read.
      def subset(name, **fields) = Message.define(name, fields, is_subset: true)

      # Returns a union of messages. The block defines them with #union_case.
      def union(name, &body) = Union.define(name, &body)

      # Returns a sum type. The block defines its constructors with #constant and #constructor.
      def sum(name, &body) = Sum.define(name, &body)
    end
  end
end
