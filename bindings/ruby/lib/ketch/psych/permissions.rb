# frozen_string_literal: true

module Ketch
  module Psych
    # What a caller lets a text make: classes by name, symbols, aliases.
    #
    # Ketch makes values only. So a class that is permitted, but is none of VALUES, is refused when a
    # text names it: nothing of a class that a text chooses is called or filled in.
    class Permissions
      # The classes whose objects are values, and what they are without any permission.
      VALUES = %w[Symbol Date Time DateTime Set Regexp Range Complex Rational BigDecimal Psych::Set Psych::Omap].freeze

      REFUSED = "Ketch restores no objects of classes that a text names, permitted or not: " \
                "load plain data and make the object of it."

      # Bits that the extension knows, see load/psych.rs.
      SYMBOLS = 1
      ALIASES = 1 << 1
      STRICT_INTEGER = 1 << 2
      SYMBOLIZE_NAMES = 1 << 3
      FREEZE = 1 << 4

      attr_reader :bits

      def self.of(classes, symbols, aliases: false, symbolize_names: false, freeze: false, strict_integer: false)
        if symbols.empty? && classes.size < 2 && (classes.empty? || classes[0].equal?(Symbol))
          return PLAIN[[classes.size, aliases ? 1 : 0, symbolize_names ? 1 : 0, freeze ? 1 : 0, strict_integer ? 1 : 0]]
        end

        new(classes, symbols, aliases: aliases, symbolize_names: symbolize_names, freeze: freeze, strict_integer: strict_integer)
      end

      # All that is a value, as a node's to_ruby gives it.
      def self.all(**options) = new(VALUES, [], aliases: true, **options)

      def initialize(classes, symbols, aliases: false, symbolize_names: false, freeze: false, strict_integer: false)
        @classes = classes.map { |name| name.to_s.delete_prefix("Ketch::") }.freeze
        @symbols = symbols.map(&:to_s).freeze
        @bits = [
          [SYMBOLS, @symbols.empty? && permits?("Symbol")], [ALIASES, aliases],
          [STRICT_INTEGER, strict_integer], [SYMBOLIZE_NAMES, symbolize_names], [FREEZE, freeze]
        ].sum { |bit, set| set ? bit : 0 }
        freeze()
      end

      def aliases? = @bits.anybits?(ALIASES)
      def strict_integer? = @bits.anybits?(STRICT_INTEGER)
      def symbolize_names? = @bits.anybits?(SYMBOLIZE_NAMES)
      def freeze? = @bits.anybits?(FREEZE)

      # Raises unless a class is permitted.
      def permit!(name)
        raise DisallowedClass.new("load", name) unless permits?(name)
      end

      # The symbol of a name, if that may be.
      def symbol(name)
        permit!("Symbol")
        raise DisallowedClass.new("load", "Symbol") unless @symbols.empty? || @symbols.include?(name)

        name.to_sym
      end

      # Raises for a class that Ketch makes no objects of.
      def refuse!(name)
        raise DisallowedClass.new("load", name, permits?(name) ? REFUSED : nil)
      end

      # A value as it is handed over: frozen, if that is asked for.
      def finished(value)
        return value unless freeze?

        value.is_a?(String) ? -value : value.freeze
      end

      private

      def permits?(name) = @classes.include?(name)

      # What most callers ask for, made once. A Ractor may see it, since all of it is frozen.
      PLAIN = Ractor.make_shareable([0, 1].product(*[[0, 1]] * 4).to_h do |symbols, *switches|
        names = %i[aliases symbolize_names freeze strict_integer].zip(switches.map { |switch| switch == 1 })
        [[symbols, *switches], new([Symbol].first(symbols), [], **names.to_h)]
      end)
      private_constant :PLAIN
    end
  end
end
