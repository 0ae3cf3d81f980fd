# frozen_string_literal: true

module Ketch
  module Psych
    # Decides which classes a ScalarScanner may use.
    class ClassLoader
      # The permissions of this loader. @private
      attr_reader :permissions

      # Creates a loader that permits all values.
      def initialize
        @permissions = Permissions.all
      end

      # Permits only the classes in a list.
      class Restricted < ClassLoader
        def initialize(classes, symbols)
          super()
          @permissions = Permissions.of(classes, symbols)
        end
      end
    end

    # Resolves plain scalars.
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

      # Returns the value of a plain scalar: nil, a boolean, a number, a symbol, a time, a day, or
      # the string itself.
      #
      # @raise [DisallowedClass] for a class that the class loader does not permit
      def tokenize(string) = string.nil? ? nil : Scalars.value(string, @permissions)

      # Parses a time.
      def parse_time(string) = Scalars.time_of(string)

      # Parses an integer.
      def parse_int(string) = Integer(string.delete(",_"))
    end
  end
end
