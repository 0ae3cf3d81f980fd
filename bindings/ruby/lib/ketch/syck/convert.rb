# frozen_string_literal: true

module Ketch
  module Syck
    # Converts nodes to values, without recursion.
    class Convert
      RUBY = "tag:ruby.yaml.org,2002:"
      MERGE = "#{YAML_PREFIX}merge".freeze
      DEFAULT = "#{YAML_PREFIX}default".freeze
      REGEXP_FLAGS = { "m" => ::Regexp::MULTILINE, "i" => ::Regexp::IGNORECASE, "x" => ::Regexp::EXTENDED }.freeze
      VARIABLE = /\A@[A-Za-z_][A-Za-z0-9_]*\z/
      private_constant :RUBY, :MERGE, :DEFAULT, :REGEXP_FLAGS, :VARIABLE

      # @param permitted_classes [Array<Class, String>] classes whose objects the tags of Ruby may create
      def initialize(permitted_classes)
        @permitted = permitted_classes.map(&:to_s)
        @known = {}.compare_by_identity
        # Collections that are still empty. Nodes inside a collection may refer to it.
        @shells = {}.compare_by_identity
        @scalars = {}
      end

      # Returns the value of a node. It is always the same object for the same node.
      def value(root)
        work = [root]
        until work.empty?
          node = work.last
          if @known.key?(node)
            work.pop
          elsif node.kind == :scalar
            @known[node] = scalar(node)
          else
            collection(node, work)
          end
        end
        @known[root]
      end

      # Converts a plain value to the type with this name, and returns it.
      def transfer(type, plain)
        tag = type.include?(":") ? type : "#{YAML_PREFIX}#{type}"
        block = Syck.types[tag]
        return block.call(tag, plain) if block
        return typed(tag, plain) unless plain.is_a?(String)

        builtin(tag, plain) { ruby(tag, plain) { foreign(tag, plain) } }
      end

      private

      # Starts a collection, or completes it if its children are known.
      def collection(node, work)
        if @shells.key?(node)
          work.pop
          plain = plain(node)
          @known[node] = typed(node.type_id, plain)
          return
        end
        @shells[node] = node.kind == :mapping ? {} : []
        parts = node.kind == :mapping ? node.value.flatten(1) : node.value
        parts.reverse_each { |part| work << part unless @known.key?(part) || @shells.key?(part) }
      end

      def known(node) = @known.fetch(node) { @shells[node] }

      def plain(node)
        shell = @shells[node]
        return shell.concat(node.value.map { |part| known(part) }) if node.kind == :sequence

        merged = []
        node.value.each do |key, entry|
          entry = known(entry)
          if key.type_id == MERGE && (entry.is_a?(Hash) || entry.is_a?(Array) && entry.all?(Hash))
            merged.concat(entry.is_a?(Hash) ? [entry] : entry)
          else
            shell.store(known(key), entry)
          end
        end
        # The mapping's own keys take precedence wherever they are, and earlier merged mappings over later
        # ones.
        merged.each { |other| other.each { |key, entry| shell[key] = entry unless shell.key?(key) } }
        shell
      end

      def scalar(node)
        tag = node.type_id || "#{YAML_PREFIX}str"
        return BadAlias.new(node.value) if tag == "x-private:bad-alias"

        if tag == "#{YAML_PREFIX}str" && node.style == :plain && node.value.start_with?(":")
          return symbol(node.value)
        end

        transfer(tag, node.value)
      end

      # Returns the symbol for a plain scalar that starts with a colon.
      def symbol(text)
        name = text[1..]
        name = name[/\A"(.*)"\z/m, 1] || name[/\A'(.*)'\z/m, 1] || name
        name.empty? ? text : name.to_sym
      end

      # Returns the value of a scalar with one of YAML's own tags.
      def builtin(tag, text)
        return yield unless tag.start_with?(YAML_PREFIX)

        case tag.delete_prefix(YAML_PREFIX)[/\A[^#]*/]
        when "str" then text
        when "default" then DefaultKey
        when "merge" then "<<"
        when "null" then nil
        when "binary" then binary(text)
        when "int" then expect(tag, text, Integer)
        when "float" then expect(tag, text, Float, Integer).to_f
        when "timestamp" then expect(tag, text, Time, Date)
        when "bool"
          value = implicit(text)
          [true, false].include?(value) ? value : yield
        else yield
        end
      end

      # Returns the bytes that are encoded in base64, as a string in UTF-8 if they are valid in it.
      def binary(text)
        bytes = text.unpack1("m").force_encoding(Encoding::UTF_8)
        bytes.valid_encoding? ? bytes : bytes.b
      end

      # Returns the value of a plain scalar, which has to be an object of one of these classes. If it is not, raises a
      # ValueError.
      def expect(tag, text, *classes)
        value = implicit(text)
        return value if classes.any? { |one| value.is_a?(one) }

        raise ValueError, "#{text.inspect} is not a valid !#{tag.delete_prefix(YAML_PREFIX)}"
      end

      # Returns the value of a plain scalar, whose type the core determines.
      def implicit(text)
        @scalars.fetch(text) do
          quoted = text.gsub(/[\\"\n]/, "\\" => "\\\\", "\"" => "\\\"", "\n" => "\\n")
          @scalars[text] = Ketch.load("- ! \"#{quoted}\"\n", dialect: :syck)[0]
        end
      end

      # Returns the value of a collection with a tag.
      def typed(tag, plain)
        return plain if tag.nil?

        block = Syck.types[tag]
        return block.call(tag, plain) if block

        case tag.delete_prefix(YAML_PREFIX)
        when "map" then plain
        when "str" then plain.is_a?(Hash) ? text_with_variables(plain) : plain
        when "seq" then plain.to_a
        when "omap" then pairs(Omap.new, plain)
        when "pairs" then pairs(Pairs.new, plain)
        when "set" then plain.is_a?(Hash) ? Set.new.merge!(plain) : plain
        else ruby(tag, plain) { foreign(tag, plain) }
        end
      end

      # Returns a string with its instance variables, or the hash itself if it does not describe a string.
      def text_with_variables(plain)
        return plain unless plain["str"].is_a?(::String)

        plain.each_with_object(+plain["str"]) do |(name, value), text|
          text.instance_variable_set(name, value) if name.is_a?(::Symbol) && name.match?(VARIABLE)
        end
      end

      def pairs(into, plain)
        unless plain.is_a?(Array) && plain.all?(Hash)
          raise ValueError, "expected a list of pairs for #{into.taguri}, found #{plain.class}"
        end

        plain.each { |entry| entry.each { |key, value| into[key] = value } }
        into
      end

      # Returns a value of Ruby's core, or an object of a permitted class.
      def ruby(tag, plain, &block)
        return yield unless tag.start_with?(RUBY)

        kind, name = tag.delete_prefix(RUBY).split(":", 2)
        case kind
        when "sym" then plain.to_s.to_sym
        when "symbol" then symbol(plain.to_s.start_with?(":") ? plain : ":#{plain}")
        when "range" then range(plain, &block)
        when "regexp" then regexp(plain, &block)
        when "object", "struct", "exception" then object(kind, name, plain, &block)
        else yield
        end
      end

      def range(plain)
        return Range.new(plain["begin"], plain["end"], plain["excl"] || false) if plain.is_a?(Hash)

        parts = /\A(.*?[^.])(\.\.\.?)([^.].*)\z/m.match(plain.to_s)
        return yield unless parts

        Range.new(implicit(unquoted(parts[1])), implicit(unquoted(parts[3])), parts[2].size == 3)
      rescue ArgumentError
        yield
      end

      def unquoted(text) = text.strip.delete_prefix("'").delete_suffix("'")

      def regexp(plain)
        parts = %r{\A/(.*)/([a-z]*)\z}m.match(plain.to_s)
        return yield unless parts

        ::Regexp.new(parts[1].gsub("\\/", "/"), parts[2].chars.sum { |char| REGEXP_FLAGS.fetch(char, 0) })
      rescue RegexpError
        yield
      end

      # Creates an object. Complex and rational numbers are always permitted. Other objects need a permitted
      # class.
      def object(kind, name, plain)
        return number(name, plain) || yield if %w[Complex Rational].include?(name)
        # Struct.new("Name") is the class Struct::Name, and its tag has only the name.
        name = "Struct::#{name}" if kind == "struct" && !@permitted.include?(name)
        return yield unless plain.is_a?(Hash) && @permitted.include?(name)

        made = kind == "exception" ? exception(name, plain) : Object.const_get(name).allocate
        plain.each do |key, value|
          if kind == "struct" && key.to_s.match?(VARIABLE) then made.instance_variable_set(key, value)
          elsif kind == "struct" then made[key] = value
          elsif kind != "exception" || key != "message" then made.instance_variable_set("@#{key}", value)
          end
        end
        made
      end

      # Returns the number that a text such as 1/2 or 3+4i denotes, or nil if its denominator is zero. Raises a
      # ValueError for any other text.
      def number_of_text(name, text)
        number = Kernel.__send__(name, text.to_s, exception: false)
        number || raise(ValueError, "`#{text}` is not a #{name}")
      rescue ZeroDivisionError
        nil
      end

      # Returns a complex or rational number, or nil if its parts are not numbers.
      def number(name, plain)
        return number_of_text(name, plain) unless plain.is_a?(Hash)

        parts = name == "Complex" ? [plain["real"], plain["image"]] : [plain["numerator"], plain["denominator"]]
        return unless parts.all?(Numeric)

        name == "Complex" ? Complex(*parts) : Rational(*parts)
      rescue ZeroDivisionError
        nil
      end

      def exception(name, plain)
        Object.const_get(name).allocate.exception(plain["message"].to_s)
      end

      def foreign(tag, plain)
        if tag.start_with?("x-private:")
          PrivateType.new(tag.delete_prefix("x-private:"), plain)
        elsif (parts = /\Atag:([^:]*):(.*)\z/m.match(tag))
          DomainType.new(parts[1], parts[2], plain)
        else
          DomainType.new("yaml.org,2002", tag, plain)
        end
      end
    end
  end
end
