# frozen_string_literal: true

module Ketch
  module Psych
    # The tags that Psych supports: those of YAML, and its own for Ruby values. All other tags are ignored.
    # @private
    module Tags
      # The tags of collections that name a class, which is an error unless the class is one of VALUES.
      OBJECTS = {
        mapping: %r{\A!(?:ruby/(?:struct|exception|object):?|(?:ruby/(?:marshalable|hash|array|hash-with-ivars|string)|map|str)(?::|\z))(.*)\z}m,
        sequence: /\A!(?:seq|ruby\/array):(.*)\z/m
      }.freeze
      # The classes whose objects are treated as values.
      VALUES = %w[Complex Rational Set Hash].freeze
      OMAP = /\A(?:!|tag:yaml\.org,2002:)omap\z/
      SET = /\A(?:!|tag:yaml\.org,2002:)set\z/
      STRING = /\A(?:!(?:str|ruby\/string)(?::(.*))?|tag:yaml\.org,2002:str)\z/m
      SYMBOL = /\A!ruby\/sym/
      RATIONAL_OR_COMPLEX = /\A!ruby\/object:(Rational|Complex)\z/
      private_constant :OBJECTS, :VALUES, :OMAP, :SET, :STRING, :SYMBOL, :RATIONAL_OR_COMPLEX

      # The class for a tag that does not contain the name of a class.
      UNNAMED = { "struct" => "Struct", "exception" => "Exception", "object" => "Object" }.freeze
      private_constant :UNNAMED

      class << self
        # Raises an error if the tag of a collection names a class that is not permitted, or whose objects are not
        # values.
        def check(node, permissions)
          tag = node.tag or return
          name = class_of_value(node, tag)
          return permissions.permit!(name) if name && (name != Indifferent::NAME || Indifferent.defined?)

          found = OBJECTS[node.mapping? ? :mapping : :sequence].match(tag) or return
          name = found[1].to_s
          name = UNNAMED[tag.delete_prefix("!ruby/")] if name.empty?
          permissions.refuse!(name) if name && !VALUES.include?(name)
        end

        # Returns whether a collection is an array or a hash, whatever its tag.
        def plain?(node)
          tag = node.tag
          return true if tag.nil? || tag == "!ruby/object:Hash"
          return !OMAP.match?(tag) if node.sequence?

          !(OMAP.match?(tag) || SET.match?(tag) || tag.start_with?("!ruby/", "!str") || tag == "tag:yaml.org,2002:str")
        end

        # Returns the empty collection for a node, to which aliases inside the node may refer. Returns nil if the
        # value can only be created from the children.
        def empty(node)
          tag = node.tag
          return Omap.new if tag && OMAP.match?(tag)
          return Psych::Set.new if tag && node.mapping? && SET.match?(tag)
          return Indifferent.new if tag && node.mapping? && Indifferent::HASH.match?(tag)

          (node.mapping? ? {} : []) if plain?(node)
        end

        # Returns the value of a scalar with a tag.
        def scalar(tag, text, permissions)
          case tag
          when "!binary", "tag:yaml.org,2002:binary" then text.unpack1("m")
          when "!float", "tag:yaml.org,2002:float" then Float(Scalars.value(text, permissions))
          when STRING then string(text, ::Regexp.last_match(1), permissions)
          when SYMBOL then permissions.symbol(text)
          when "!ruby/class", "!ruby/module" then permissions.refuse!(text)
          when "!ruby/encoding" then Encoding.find(text)
          when "!ruby/regexp" then permissions.permit!("Regexp") || regexp(text)
          when "!ruby/range" then permissions.permit!("Range") || range(text, permissions)
          when "!ruby/object:DateTime" then permissions.permit!("DateTime") || date_time(text)
          when "!ruby/object:BigDecimal" then permissions.permit!("BigDecimal") || decimal(text)
          when RATIONAL_OR_COMPLEX then numeric(::Regexp.last_match(1), text, permissions)
          else Scalars.value(text, permissions)
          end
        end

        # Returns the value of a mapping with a tag, from a hash with its pairs.
        def mapping(node, hash)
          case node.tag
          when "!ruby/range" then Range.new(hash["begin"], hash["end"], hash["excl"])
          when "!ruby/object:Complex" then Complex(number(hash["real"]), number(hash["image"]))
          when "!ruby/object:Rational" then Rational(number(hash["numerator"]), number(hash["denominator"]))
          when "!ruby/object:Set" then set(hash)
          when "!ruby/hash-with-ivars" then hash.fetch("elements", {})
          when Indifferent::WITH_VARIABLES then Indifferent.new(hash.fetch("elements", {}))
          when STRING then hash.fetch("str", "")
          else hash
          end
        end

        # Returns whether a sequence is an ordered mapping.
        def omap?(node) = node.sequence? && OMAP.match?(node.tag.to_s)

        # Adds the pairs in a sequence of mappings, each of which has one pair.
        def fill_omap(omap, entries)
          entries.each_with_object(omap) do |entry, filled|
            key, value = entry.is_a?(::Hash) ? entry.first : entry
            filled[key] = value
          end
        end

        private

        def class_of_value(node, tag)
          return unless node.mapping?
          return "Psych::Set" if SET.match?(tag)
          return "Psych::Omap" if OMAP.match?(tag)
          return "Range" if tag == "!ruby/range"
          return Indifferent::NAME if Indifferent::HASH.match?(tag) || Indifferent::WITH_VARIABLES.match?(tag)

          tag[/\A!ruby\/object:(Complex|Rational|Set)\z/, 1]
        end

        def string(text, name, permissions)
          permissions.refuse!(name) unless name.to_s.empty?
          text
        end

        def regexp(text)
          source, options = text.match(%r{\A/(.*)/([mixn]*)\z}m)&.captures
          raise Exception, "not a regular expression: #{text}" unless source

          bits = { "x" => ::Regexp::EXTENDED, "i" => ::Regexp::IGNORECASE, "m" => ::Regexp::MULTILINE, "n" => ::Regexp::NOENCODING }
          ::Regexp.new(source, options.each_char.sum { |option| bits[option] })
        end

        def range(text, permissions)
          first, dots, last = text.split(/(\.{2,3})/, 2)
          Range.new(Scalars.value(first.to_s, permissions), Scalars.value(last.to_s, permissions), dots == "...")
        end

        def date_time(text)
          Ketch.__send__(:need, "date", :Date)
          time = Scalars.time_of(text) or raise Exception, "not a time: #{text}"
          Host.date_time(time)
        end

        # Reads a decimal number such as `18:0.15e1`. The number before the colon is the precision.
        def decimal(text)
          Ketch.__send__(:need, "bigdecimal", :BigDecimal)
          BigDecimal(text[/[^:]*\z/])
        end

        def numeric(name, text, permissions)
          permissions.permit!(name)
          name == "Complex" ? Complex(text) : Rational(text)
        end

        def number(value) = value.is_a?(String) ? Rational(value) : value

        def set(hash)
          Ketch.__send__(:need, "set", :Set)
          ::Set.new(hash.fetch("hash", {}).keys)
        end
      end
    end
  end
end
