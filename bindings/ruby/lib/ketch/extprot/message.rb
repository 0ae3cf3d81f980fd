# frozen_string_literal: true

module Ketch
  module Extprot
    # Makes an object, which has to be complete, shareable if Ruby has Ractors.
    def self.shareable(object) = defined?(Ractor) ? Ractor.make_shareable(object) : object
    private_class_method :shareable

    # The value of a field that is not decoded yet. When it is written, its bytes are copied, including data that
    # this schema does not describe. To change the field, assign a new value to it.
    class Lazy
      attr_reader :bytes

      def initialize(bytes, type, offset)
        @bytes, @type, @offset = bytes, type, offset
      end

      def inspect = "#<#{self.class} of #{bytes.bytesize} bytes>"

      # Returns the value. It is decoded by the first call.
      def value
        @value = Codec.default.read_typed(@type, @bytes, {}) unless defined?(@value)
        @value
      rescue Error => e
        e.instance_variable_set(:@offset, e.offset + @offset) if e.offset
        raise
      end
    end

    # Decodes and encodes a type, with the extension or in pure Ruby.
    module Codec
      def self.default = Extprot.respond_to?(:read_typed, true) ? Native : Pure

      # Uses the extension, which compiles a type when a Ractor uses it for the first time.
      module Native
        class << self
          def read_typed(type, bytes, options) = Extprot.send(:read_typed, program(type), bytes, options)
          def write_typed(type, value) = Extprot.send(:write_typed, program(type), value)
          def yield_all(...) = Extprot.send(:yield_all, ...)

          def typed_batch(type, *arguments) = Extprot.send(:typed_batch, program(type), *arguments)

          private

          def program(type)
            programs = Ractor.current[:ketch_extprot_programs] ||= {}.compare_by_identity
            programs[type] ||= Program.new(type)
          end
        end
      end

      # The messages in a stream. Decoder uses this as its codec.
      Stream = Struct.new(:codec, :type) do
        def decode_batch(...) = codec.typed_batch(type, ...)
        def yield_all(...) = codec.yield_all(...)
      end
    end

    # The class methods of a message, and of a union.
    module MessageType
      # Returns the only message in a string, or the next message of an IO, of which no more bytes are read. If a
      # message is invalid, the next call therefore reads the one after it. The options are the limits of
      # Extprot.load.
      def read(source, codec: Codec.default, **options)
        source = Decoder.one(source) unless source.is_a?(String)
        codec.read_typed(self, source, options)
      end

      # Returns an Extprot::Decoder for the messages in a stream. After a message that is invalid, it continues with
      # the next one.
      def decoder(source, codec: Codec.default, **options)
        Decoder.new(source, codec: Codec::Stream.new(codec, self), **options)
      end

      def default? = true
      def wire = nil
      def description = [:message, schema_name, is_subset, cases.map(&:description_of_case)]

      def decode(cursor)
        Types.within(schema_name.to_sym) do
          prefix = cursor.prefix
          next promoted(cursor, prefix) unless prefix & 15 == 1

          cursor.block do |count, length|
            cursor.check_message(count, length)
            case_of(cursor, prefix >> 4).decode_fields(cursor, count)
          end
        end
      end

      # Returns the default value of the field, or raises an error if there is none.
      def default(cursor)
        cursor.spend_default
        Types.within(schema_name.to_sym) { cases[0].default_fields(cursor) }
      end

      def encode(writer, value)
        tag = cases.index { |type| value.instance_of?(type) } or return false
        raise Error.new("a subset can be read, but not written", { name: :read_only }) if is_subset

        Types.within(schema_name.to_sym) { value.encode_fields(writer, tag) }
        true
      end

      private

      def promoted(cursor, prefix)
        value = case_of(cursor, prefix >> 4).promoted_fields(cursor, prefix) unless is_subset
        value or cursor.bad_wire_type("a message", prefix & 15)
      end

      def case_of(cursor, tag) = cases[tag] || cursor.unknown_tag(tag)
    end

    # A message or a record: a Struct that can be written.
    #
    #   user = User.new(name: "Ann", id: 7)   # fields with defaults are optional
    #   user.write                            # => the bytes
    #   case user
    #   in { name:, id: 1.. } then name
    #   end
    module Message
      # The methods that all classes of messages have.
      module ClassMethods
        attr_reader :schema_name, :case_name, :union, :fields, :is_subset

        def cases = [self]

        def inherited(heir)
          super
          instance_variables.each { |name| heir.instance_variable_set(name, instance_variable_get(name)) }
        end

        # Returns the values of all fields in order: the given ones, and defaults for the others.
        def fill(given)
          unknown = given.keys - members
          raise ArgumentError, "unknown keyword: #{unknown[0].inspect}" unless unknown.empty?

          members.map { |name| given.fetch(name) { default_of(name) } }
        end

        def decode_fields(cursor, count)
          at = 0
          new(*fields.map do |name, (index, type, is_lazy)|
            Types.within(name.to_s) do
              while at < index && at < count
                cursor.skip
                at += 1
              end
              at += 1
              next missing(cursor, type) if index >= count

              is_lazy ? lazy(cursor, type) : type.decode(cursor)
            end
          end)
        end

        def promoted_fields(cursor, prefix)
          (_, (_, first)), *others = fields.to_a
          return unless Types.promotes?(first, prefix)

          new(first.promoted(cursor, prefix & 15), *others.map { |_, (_, type)| missing(cursor, type) })
        end

        def default_fields(cursor)
          new(*fields.map { |name, (_, type)| Types.within(name.to_s) { missing(cursor, type) } })
        end

        def description_of_case = [self, case_name, fields.map { |name, field| [name.to_s, *field.values_at(1, 2, 0)] }]

        private

        def default_of(name)
          type = fields[name][1]
          raise ArgumentError, "missing keyword: #{name.inspect}" unless type.default?

          type.default(Cursor::NOWHERE.dup)
        rescue Error
          raise ArgumentError, "missing keyword: #{name.inspect}"
        end

        def missing(cursor, type)
          type.default? ? type.default(cursor) : cursor.fail(:missing_field, "a field is missing and has no default")
        end

        # Returns a Lazy. An empty list and a constant are decoded immediately.
        def lazy(cursor, type)
          return type.decode(cursor) if cursor.made_at_once?(type)

          offset = cursor.at
          Lazy.new(cursor.raw, type, offset)
        end
      end

      # Decodes a lazy field when it is read.
      module LazyFields
        def to_a = members.map { |name| public_send(name) }
        def to_h = members.zip(to_a).to_h
        def deconstruct_keys(_) = to_h
        def ==(other) = other.class == self.class && other.to_a == to_a
        def eql?(other) = other.class == self.class && other.to_a.eql?(to_a)
        def hash = [self.class, to_a].hash
        alias deconstruct to_a
        alias values to_a
      end

      class << self
        def define(name, fields, is_subset: false, union: nil, case_name: nil)
          fields = places(fields)
          type = Struct.new(*fields.keys)
          type.include(self)
          type.extend(ClassMethods)
          type.extend(MessageType) unless union
          { schema_name: name, fields: fields, is_subset: is_subset, union: union, case_name: case_name }
            .each { |variable, value| type.instance_variable_set(:"@#{variable}", Extprot.__send__(:shareable, value)) }
          make_lazy(type, fields.select { |_, (_, _, is_lazy)| is_lazy }.keys)
          type
        end

        private

        # Returns, for each field, its index, its type, and whether it is lazy.
        def places(fields)
          fields.each_with_index.to_h do |(name, type), index|
            index, type = type.to_a if type.is_a?(Types::FieldAt)
            is_lazy = type.is_a?(Types::LazyField)
            [name, [index, is_lazy ? type.type : type, is_lazy].freeze]
          end.freeze
        end

        def reader_of(name)
          Extprot.__send__(:shareable, proc do
            stored = self[name]
            stored.is_a?(Lazy) ? stored.value : stored
          end)
        end

        def make_lazy(type, names)
          return if names.empty?

          type.include(LazyFields)
          names.each do |name|
            type.remove_method(name)
            type.define_method(name, &reader_of(name))
          end
        end
      end

      # Accepts the values of all fields in order, or those of some fields by name.
      def initialize(*values, **fields)
        super(*(values.empty? ? self.class.fill(fields) : values))
      end

      # Writes the message to an IO, and returns the IO. Without an IO, returns the bytes.
      def write(io = nil, codec: Codec.default)
        bytes = codec.write_typed(self.class.union || self.class, self)
        return bytes unless io

        io.write(bytes)
        io
      end

      def encode_fields(writer, tag)
        fields = self.class.fields
        writer.block(fields.size, tag, 1) do
          fields.reverse_each do |name, (_, type, _)|
            value = self[name]
            value.is_a?(Lazy) ? writer.raw(value.bytes) : Types.written(type, writer, value, name.to_s)
          end
        end
      end
    end

    # A union of messages: a module that the classes of its cases include.
    class Union < Module
      include MessageType
      include Types

      attr_reader :schema_name, :cases

      def self.define(name, &body)
        union = new(name)
        union.instance_exec(&body)
        union.__send__(:share)
        union
      end

      def initialize(name)
        super()
        @schema_name, @cases = name, []
      end

      def is_subset = false

      private

      # Makes the class, which is complete now, shareable between Ractors.
      def share
        @schema_name, @cases = Extprot.__send__(:shareable, [@schema_name, @cases])
      end

      def union_case(name, **fields)
        type = Message.define(@schema_name, fields, union: self, case_name: name.to_s)
        type.include(self)
        @cases << const_set(name, type)
      end
    end

    # A sum type: a module that its constructors include. A constructor with arguments is a Struct; one without
    # arguments is a single value.
    class Sum < Module
      include Types

      # A constructor without arguments.
      class Constant
        attr_reader :name, :tag, :sum

        def initialize(sum, name, tag)
          @sum, @name, @tag = sum, name, tag
          extend(sum)
          freeze
        end

        def inspect = "#{sum.name || sum.schema_name}::#{name}"
        alias to_s inspect
      end

      # The methods of the class of a constructor.
      module Constructor
        attr_reader :types, :constructor_name
      end

      attr_reader :schema_name

      def self.define(name, &body)
        sum = new(name)
        sum.instance_exec(&body)
        sum.__send__(:share)
        sum
      end

      def initialize(name)
        super()
        @schema_name, @constants, @constructors = name, [], []
      end

      def default? = !@constants.empty?
      def wire = nil

      # Returns the first constant.
      def default(cursor)
        cursor.spend_default
        @constants[0] || cursor.fail(:missing_field, "a field is missing and has no default")
      end

      def description
        [:sum, @schema_name, @constants, @constructors.map { |type| [type, type.constructor_name, type.types] }]
      end

      def decode(cursor)
        prefix = cursor.prefix
        tag, wire = prefix.divmod(16)
        if wire == 10 && default?
          @constants[tag] || cursor.unknown_tag(tag)
        elsif wire == 1 && !@constructors.empty?
          type = @constructors[tag] || cursor.unknown_tag(tag)
          Types.within(type.constructor_name) do
            type.new(*cursor.block { |count, _| Types.elements(type.types, cursor, count) })
          end
        else
          promoted(cursor, prefix) or cursor.bad_wire_type("a constructor", wire)
        end
      end

      def encode(writer, value)
        return value.sum.equal?(self) && writer.constant_tag(value.tag) if value.is_a?(Constant)

        tag = @constructors.index { |type| value.instance_of?(type) } or return false
        Types.within(value.class.constructor_name) { Types.write_elements(value.class.types, writer, value.to_a, tag) }
        true
      end

      private

      # Makes the class, which is complete now, shareable between Ractors.
      def share
        @schema_name, @constants, @constructors = Extprot.__send__(:shareable, [@schema_name, @constants, @constructors])
      end

      def promoted(cursor, prefix)
        return unless (type = @constructors[0])

        arguments = Types.promoted_elements(type.types, cursor, prefix)
        arguments && type.new(*arguments)
      end

      def constant(name) = @constants << const_set(name, Constant.new(self, name.to_s, @constants.size))

      def constructor(name, *types)
        members = types.size == 1 ? [:value] : types.each_index.map { |index| :"value#{index + 1}" }
        type = Struct.new(*members)
        type.include(self)
        type.extend(Constructor)
        type.instance_variable_set(:@types, Extprot.__send__(:shareable, types))
        type.instance_variable_set(:@constructor_name, name.to_s.freeze)
        @constructors << const_set(name, type)
      end
    end

    # Messages that follow a header of two bytes, which contains their version: 0 for the first of the given classes,
    # and so on.
    #
    #   versions = Ketch::Extprot::Versions.new(UserV0, UserV1)
    #   versions.read(versions.write(user))  # => the user, a UserV0 or UserV1
    class Versions
      def initialize(*messages)
        @messages = messages
      end

      # Returns the only message in a string, or the next message of an IO.
      def read(source, **options)
        io = source.is_a?(String) ? StringIO.new(source) : source
        version = io.read(2)&.unpack1("v")
        message = @messages[version] if version
        unless message
          found = version ? "version #{version} is unknown" : "the version header is incomplete"
          raise Error.new("#{found}: #{@messages.size} are known", { name: :wrong_protocol_version })
        end

        message.read(source.is_a?(String) ? source.byteslice(2..) : io, **options)
      end

      # Writes the header and the message to an IO, and returns the IO. Without an IO, returns the bytes.
      def write(message, io = nil)
        version = @messages.index { |type| type === message } or raise TypeError, "a #{message.class} is not one of the versions"
        bytes = [version].pack("v") + message.write
        return bytes unless io

        io.write(bytes)
        io
      end
    end
  end
end
