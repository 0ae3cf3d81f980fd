# frozen_string_literal: true

module Ketch
  module Psych
    # What is permitted in a text: classes by name, symbols, and aliases.
    #
    # Ketch creates only values. If a text names a class that is not one of VALUES, it is rejected even if the class is
    # permitted. A text can therefore never create an object of such a class.
    class Permissions
      # The classes whose objects are treated as values, and which can therefore be permitted.
      VALUES = %w[Symbol Date Time DateTime Set Regexp Range Complex Rational BigDecimal Psych::Set Psych::Omap
                  ActiveSupport::HashWithIndifferentAccess].freeze

      # The message for other classes.
      REFUSED = "Ketch creates no objects of classes named in the input, permitted or not: " \
                "load plain data, and create the object from that."

      # The bits that the extension uses, see load/psych.rs.
      SYMBOLS = 1
      ALIASES = 1 << 1
      STRICT_INTEGER = 1 << 2
      SYMBOLIZE_NAMES = 1 << 3
      FREEZE = 1 << 4
      TIMES = 1 << 5
      private_constant :TIMES, :SYMBOLS, :ALIASES, :STRICT_INTEGER, :SYMBOLIZE_NAMES, :FREEZE

      # The permissions, apart from classes, as bits for the extension.
      # @private
      attr_reader :bits

      # Returns the permissions for the options of a call.
      # @private
      def self.of(classes, symbols, aliases: false, symbolize_names: false, freeze: false, strict_integer: false)
        options = { aliases: aliases, symbolize_names: symbolize_names, freeze: freeze, strict_integer: strict_integer }
        return new(classes, symbols, **options) unless symbols.empty? && (classes.empty? || classes == [Symbol])

        USUAL[classes.size * SYMBOLS | switches(**options)]
      end

      # Returns the bits for permissions other than classes.
      def self.switches(aliases:, symbolize_names:, freeze:, strict_integer:)
        (aliases ? ALIASES : 0) | (symbolize_names ? SYMBOLIZE_NAMES : 0) | (freeze ? FREEZE : 0) |
          (strict_integer ? STRICT_INTEGER : 0)
      end
      private_class_method :switches

      # Returns permissions for all values, as for the method to_ruby of a node. Other classes count as permitted, too,
      # so that errors give the reason why they are rejected.
      def self.all(**options) = new(VALUES, [], aliases: true, all: true, **options)

      def initialize(classes, symbols, aliases: false, symbolize_names: false, freeze: false, strict_integer: false,
                     all: false)
        @all = all
        @classes = classes.map { |name| Indifferent.full(name.to_s.delete_prefix("Ketch::")) }.freeze
        @symbols = symbols.map(&:to_s).freeze
        @bits = self.class.__send__(:switches, aliases: aliases, symbolize_names: symbolize_names, freeze: freeze,
                                               strict_integer: strict_integer)
        @bits |= SYMBOLS if @symbols.empty? && permits?("Symbol")
        @bits |= TIMES if permits?("Time")
        freeze()
      end

      # Returns the same permissions with this value of strict_integer.
      def with(strict_integer:)
        switches = { aliases: aliases?, symbolize_names: symbolize_names?, freeze: freeze? }
        Permissions.new(@classes, @symbols, all: @all, strict_integer: strict_integer, **switches)
      end

      def aliases? = @bits.anybits?(ALIASES)
      def strict_integer? = @bits.anybits?(STRICT_INTEGER)
      def symbolize_names? = @bits.anybits?(SYMBOLIZE_NAMES)
      def freeze? = @bits.anybits?(FREEZE)

      # Raises an error if a class is not permitted.
      def permit!(name)
        raise DisallowedClass.new("load", name) unless permits?(name)
      end

      # Returns the symbol with a name, if it is permitted.
      def symbol(name)
        permit!("Symbol")
        raise DisallowedClass.new("load", "Symbol") unless @symbols.empty? || @symbols.include?(name)

        name.to_sym
      end

      # Raises the error for a class whose objects are not values.
      def refuse!(name)
        raise DisallowedClass.new("load", name, @all || permits?(name) ? REFUSED : nil)
      end

      # Returns the value, after freezing it if that was requested.
      def finished(value)
        return value unless freeze?

        value.is_a?(String) ? -value : value.freeze
      end

      private

      def permits?(name) = @classes.include?(name)

      # The most common permissions, which are created only once. They are frozen, and can therefore be shared between
      # Ractors.
      USUAL = Host.shareable((0...32).map do |bits|
        new([Symbol].first(bits & SYMBOLS), [], aliases: bits.anybits?(ALIASES), freeze: bits.anybits?(FREEZE),
                                                symbolize_names: bits.anybits?(SYMBOLIZE_NAMES),
                                                strict_integer: bits.anybits?(STRICT_INTEGER))
      end)
      private_constant :USUAL
    end
  end
end
