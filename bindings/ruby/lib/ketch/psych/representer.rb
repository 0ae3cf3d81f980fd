# frozen_string_literal: true

module Ketch
  module Psych
    # Represents objects as Psych does, other than nil, booleans, numbers, strings, arrays and hashes. The extension
    # calls this for each of them.
    # @private
    class Representer
      REFUSED = "Ketch writes plain values, not objects of other classes: convert it to a Hash first."
      # The symbols that can be plain after their colon.
      PLAIN_SYMBOL = /\A[[:alnum:]_?!=@$+*<>.\/-](?:[[:alnum:]_?!=@$+*<>.\/ -]*[[:alnum:]_?!=@$+*<>.\/-])?\z/
      private_constant :PLAIN_SYMBOL

      def initialize
        @stand_ins = {}.compare_by_identity
        @single = []
      end

      # Returns the representation of an object: a plain string, a Tagged (without a tag: a plain string with an anchor
      # if it is written twice), a hash or an array. For the same object, it returns the same representation, so that
      # the object is written only once.
      def represent(object)
        return symbol(object) if Symbol === object

        @stand_ins[object] || stand_in(object).then { |made| @single.last.equal?(made) ? made : @stand_ins[object] = made }
      end

      # Returns whether a symbol that is a word is written as `:word` without calling #represent.
      def plain_symbols? = true

      # The extension calls this if a collection occurs again. It does nothing, since that is permitted.
      def permit_aliases! = nil

      private

      def stand_in(object)
        case object
        when Time then Ketch::Tagged.new(nil, Representer.time(object))
        when Set then Ketch::Tagged.new("!set", Hash[object])
        when Omap then Ketch::Tagged.new("tag:yaml.org,2002:omap", object.map { |key, value| { key => value } })
        when ::Hash then Indifferent === object ? Ketch::Tagged.new(Indifferent::TAG, Hash[object]) : Hash[object]
        when Range then Ketch::Tagged.new("!ruby/range", { "begin" => object.begin, "end" => object.end, "excl" => object.exclude_end? })
        when ::Regexp then Ketch::Tagged.new("!ruby/regexp", object.inspect)
        when Complex then Ketch::Tagged.new("!ruby/object:Complex", { "real" => object.real, "image" => object.imag })
        when Rational then Ketch::Tagged.new("!ruby/object:Rational", { "denominator" => object.denominator, "numerator" => object.numerator })
        when Encoding then single("!ruby/encoding", object.name)
        when Enumerator then object.to_a
        else of_library(object) || refuse(object)
        end
      end

      # Represents a value of a class whose library may not be loaded. Returns nil for all other classes.
      def of_library(object)
        case class_of(object).name
        when "Date" then date(object)
        when "DateTime" then Ketch::Tagged.new("!ruby/object:DateTime", Representer.time(Host.written(object)))
        when "Set" then Ketch::Tagged.new("!ruby/object:Set", { "hash" => object.to_h { |member| [member, true] } })
        when "BigDecimal" then single("!ruby/object:BigDecimal", object._dump.encode(Encoding::UTF_8))
        end
      end

      # Represents a date. If Psych writes an anchor for a date that occurs twice, the same date always has the same
      # representation.
      def date(object)
        text = Representer.date(Host.written(object))
        Host.anchors_dates? ? Ketch::Tagged.new(nil, text) : text
      end

      # Returns a Tagged for an object that is written again each time, since Psych gives it no anchor. The Tagged is
      # kept, so that no other object gets its identity.
      def single(tag, text)
        @single.push(Ketch::Tagged.new(tag, text)).last
      end

      # Returns the class of an object, which may be a BasicObject.
      def class_of(object) = Kernel.instance_method(:class).bind_call(object)

      def symbol(symbol)
        PLAIN_SYMBOL.match?(symbol) ? ":#{symbol}" : Ketch::Tagged.new("!ruby/symbol", symbol.name)
      end

      def refuse(object)
        raise DisallowedClass.new("dump", class_of(object).name || class_of(object).inspect, REFUSED)
      end

      # Returns the text that Psych writes for a Time or a DateTime. An application may have changed Time#to_s.
      def self.time(time)
        is_utc = time.respond_to?(:utc?) ? time.utc? : time.offset.zero?
        time.strftime(is_utc ? "%F %T.%9N Z" : "%F %T.%9N %:z")
      end

      # Returns the text that Psych writes for a Date.
      def self.date(date) = date.strftime("%F")
    end

    # Represents objects with the permissions of safe_dump.
    # @private
    class RestrictedRepresenter < Representer
      def initialize(permitted_classes, permitted_symbols, aliases)
        super()
        @classes = permitted_classes
        @symbols = permitted_symbols
        @aliases = aliases
      end

      def represent(object)
        return permitted_symbol(object) { super } if Symbol === object

        refuse(object) unless @classes.include?(class_of(object))
        super
      end

      def plain_symbols? = false

      def permit_aliases!
        raise BadAlias, "Tried to dump an aliased object" unless @aliases
      end

      private

      def refuse(object)
        raise DisallowedClass.new("dump", class_of(object).name || class_of(object).inspect)
      end

      # Yields if a symbol is permitted, or raises. Psych 4 requires permission for the class and the symbol, Psych 5
      # for one of them.
      def permitted_symbol(symbol)
        is_listed = @symbols.include?(symbol)
        has_class = @classes.include?(Symbol)
        refuse(symbol) unless has_class || Host.symbols_without_class?
        return yield if is_listed || (has_class && Host.symbols_without_class?)

        raise DisallowedClass.new("dump", "Symbol(#{symbol.inspect})")
      end
    end
  end
end
