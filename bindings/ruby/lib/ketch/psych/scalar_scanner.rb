# frozen_string_literal: true

module Ketch
  module Psych
    # The classes that a ScalarScanner may use.
    class ClassLoader
      # The permissions that this loader checks. @private
      attr_reader :permissions

      # Permits all values.
      def initialize
        @permissions = Permissions.all
      end

      # The classes of a list.
      class Restricted < ClassLoader
        def initialize(classes, symbols)
          super()
          @permissions = Permissions.of(classes, symbols)
        end
      end
    end

    # Resolves plain text.
    #
    #   scanner = Ketch::Psych::ScalarScanner.new(Ketch::Psych::ClassLoader.new)
    #   scanner.tokenize("0b101")  # => 5
    class ScalarScanner
      attr_reader :class_loader

      def initialize(class_loader, strict_integer: false)
        @class_loader = class_loader
        @permissions = class_loader.permissions
        @permissions = @permissions.with(strict_integer: true) if strict_integer
      end

      # Returns the value of plain text: nil, a boolean, a number, a symbol, a time, a day, or the
      # text.
      #
      # @raise [DisallowedClass] for classes that the class loader does not permit
      def tokenize(string) = string.nil? ? nil : Scalars.value(string, @permissions)

      # Parses a time.
      def parse_time(string) = Scalars.time_of(string)

      # Parses an integer.
      def parse_int(string) = Integer(string.delete(",_"))
    end
  end
end
