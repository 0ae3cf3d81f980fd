# frozen_string_literal: true

module Ketch
  module Syck
    # Chooses the representation of values.
    module Represent
      RUBY = "tag:ruby.yaml.org,2002:"
      # Symbols that are written without quotes.
      SYMBOL = /\A@?[A-Za-z_][A-Za-z0-9_]*[?!]?\z/
      private_constant :RUBY, :SYMBOL

      module_function

      # Returns the Emitted for a value, or the value itself if it is a scalar that needs no tag.
      def of(value)
        case value
        when Emitted, ::Float, ::Time, ::Date then value
        when ::Symbol then symbol(value)
        when ::String then text_with_variables(value)
        when Omap, Pairs then Emitted.new(:seq, value.taguri, value.map { |key, entry| { key => entry } })
        when ::Hash then Emitted.new(:map, value.is_a?(Set) ? value.taguri : nil, value.to_a)
        when ::Array then Emitted.new(:seq, nil, value.to_a)
        when DomainType, PrivateType then typed(value)
        else of_ruby(value)
        end
      end

      def symbol(value)
        name = value.to_s
        name.match?(SYMBOL) ? value : Emitted.new(:scalar, "#{RUBY}sym", name)
      end

      def typed(value)
        inner = of(value.value) unless value.value.is_a?(::String) || value.value.nil?
        inner = Emitted.new(:scalar, nil, value.value) unless inner.is_a?(Emitted)
        Emitted.new(inner.kind, value.taguri, inner.value)
      end

      def of_ruby(value)
        case value
        when ::Range
          pairs = { "begin" => value.begin, "end" => value.end, "excl" => value.exclude_end? }
          Emitted.new(:map, "#{RUBY}range", pairs.to_a)
        when ::Regexp then Emitted.new(:scalar, "#{RUBY}regexp", value.inspect)
        when ::Complex
          Emitted.new(:map, "#{RUBY}object:Complex", [["real", value.real], ["image", value.imaginary]])
        when ::Rational
          pairs = [["numerator", value.numerator], ["denominator", value.denominator]]
          Emitted.new(:map, "#{RUBY}object:Rational", pairs)
        else custom(value) || object(value)
        end
      end

      # Returns what the method +to_yaml+ of the object's class writes with quick_emit, or nil if there is no such
      # method.
      def custom(value)
        return unless Syck.own_method?(value, :to_yaml)

        emitted = value.to_yaml(:nested)
        raise TypeError, "#{value.class}#to_yaml does not pass its options to quick_emit" unless emitted.is_a?(Emitted)

        emitted
      end

      # Returns the instance variables of an object, the members of a struct, or the message of an exception.
      def object(value)
        name = value.class.name
        raise TypeError, "cannot write a #{value.class} as YAML" if name.nil? || !plain?(value)

        case value
        when ::Struct
          members = value.to_h.map { |key, entry| [key.to_s, entry] }
          Emitted.new(:map, "#{RUBY}struct:#{name.delete_prefix("Struct::")}", members + variables(value, "@"))
        when ::Exception
          Emitted.new(:map, "#{RUBY}exception:#{name}", [["message", value.message], *variables(value)])
        else Emitted.new(:map, Syck.taguri(value), variables(value))
        end
      end

      # Returns whether an object consists only of instance variables.
      def plain?(value)
        case value
        when ::Module, ::Proc, ::Method, ::UnboundMethod, ::IO, ::Thread, ::Binding then false
        else true
        end
      end

      def variables(value, sigil = "")
        Syck.to_yaml_properties(value).map do |name|
          ["#{sigil}#{name.to_s.delete_prefix("@")}", value.instance_variable_get(name)]
        end
      end

      # Returns the text and the instance variables of a string.
      def text_with_variables(value)
        variables = Syck.to_yaml_properties(value).map { |name| [name.to_sym, value.instance_variable_get(name)] }
        Emitted.new(:map, "tag:yaml.org,2002:str", [["str", +"#{value}"], *variables])
      end
      private_class_method :symbol, :typed, :of_ruby, :custom, :object, :plain?, :variables, :text_with_variables
    end
  end
end
