# frozen_string_literal: true

module Ketch
  module Syck
    # The representation of a value: :scalar, :seq or :map, the tag or nil, and the text, the items or the pairs.
    Emitted = Struct.new(:kind, :tag, :value)

    # Collects what the block of Syck.quick_emit writes to it.
    class Out
      # Writes a mapping. The block receives the Out, and calls its method #add.
      def map(tag = nil, _style = nil)
        collect(:map, tag) { yield self }
      end

      # Writes a sequence. The block receives the Out, and calls its method #add.
      def seq(tag = nil, _style = nil)
        collect(:seq, tag) { yield self }
      end

      # Writes a scalar.
      def scalar(tag, text, _style = nil) = Emitted.new(:scalar, tag, text)

      # Adds a pair to a mapping, or an entry to a sequence.
      def add(*parts) = @parts << (parts.size > 1 ? parts : parts[0])

      private

      def collect(kind, tag)
        outer = @parts
        @parts = []
        yield
        Emitted.new(kind, tag, @parts)
      ensure
        @parts = outer
      end
    end

    # Converts values to tokens, from which the core writes text as Syck did. If the text is read in Syck's dialect,
    # the values are the same. For strings, numbers, booleans, nil, arrays and hashes, the text is also valid YAML with
    # the same values. The depth of a value causes no recursion.
    class Emitter
      # The kinds of tokens. Each token is followed in the array of tokens by the objects in the comment.
      SCALAR = 0  # tag, value
      PLAIN = 1   # tag, text
      SEQ = 2     # tag, anchor
      MAP = 3     # tag, anchor
      ALIAS = 4   # name
      SEQ_END = 5
      MAP_END = 6
      private_constant :SCALAR, :PLAIN, :SEQ, :MAP, :ALIAS, :SEQ_END, :MAP_END

      # @param indentation [Symbol] +:c+: the entries of a sequence are in the same column as its key; +:yecht+: they
      #   are indented
      def initialize(indentation: :c)
        raise ArgumentError, "indentation: expected :c or :yecht" unless %i[c yecht].include?(indentation)

        @is_indented = indentation == :yecht
      end

      # Returns the text of a value, as a document.
      #
      # @raise [TypeError] for objects that cannot be represented, such as procs
      def document(value)
        @shown = {}.compare_by_identity
        @names = names(value)
        @written = {}.compare_by_identity
        @tokens = []
        @work = [value]
        step(@work.pop) until @work.empty?
        Ketch.__send__(:syck_write, @tokens, @is_indented)
      end

      # The end of a collection, among the values that are still to be written.
      End = Struct.new(:token)
      private_constant :End

      private

      # Returns the representation of a value. For the same object, it is always the same one.
      def shown(value)
        case value
        when ::Integer, nil, true, false then value
        when ::String then value.instance_variables.empty? ? value : (@shown[value] ||= Represent.of(value))
        else @shown.fetch(value) { @shown[value] = Represent.of(value) }
        end
      end

      # Returns the names of anchors for the collections that occur several times.
      def names(root)
        count = Hash.new(0).compare_by_identity
        work = [root]
        until work.empty?
          value = work.pop
          inner = shown(value)
          next unless inner.is_a?(Emitted) && inner.kind != :scalar

          count[value] += 1
          next if count[value] > 1

          work.concat(inner.kind == :map ? inner.value.flatten(1) : inner.value)
        end
        shared = count.select { |_, times| times > 1 }.keys
        shared.each_with_index.to_h { |value, index| [value, format("id%03d", index + 1)] }.compare_by_identity
      end

      # Adds the tokens of a value. The values in it are still to be written.
      def step(value)
        return @tokens << value.token if value.is_a?(End)
        return @tokens.push(ALIAS, @names[value]) if @written[value]

        inner = shown(value)
        return scalar(nil, inner) unless inner.is_a?(Emitted)
        return scalar(inner.tag, inner.value) if inner.kind == :scalar

        name = @names[value]
        @written[value] = true if name
        is_map = inner.kind == :map
        @tokens.push(is_map ? MAP : SEQ, inner.tag, name)
        @work << End.new(is_map ? MAP_END : SEQ_END)
        @work.concat((is_map ? inner.value.flatten(1) : inner.value).reverse)
      end

      def scalar(tag, value)
        case value
        when ::Symbol then @tokens.push(PLAIN, tag, ":#{value}")
        when ::Time
          @tokens.push(PLAIN, tag, value.strftime("%Y-%m-%d %H:%M:%S.%6N #{value.utc? ? "Z" : "%:z"}"))
        when ::Date then @tokens.push(PLAIN, tag, value.strftime("%Y-%m-%d"))
        when ::String then @tokens.push(SCALAR, tag, utf8(value))
        else @tokens.push(SCALAR, tag, value)
        end
      end

      # Returns a string in UTF-8, or its bytes if it is not valid text.
      def utf8(text)
        return text.b if text.encoding == Encoding::BINARY || !text.valid_encoding?

        text.encode(Encoding::UTF_8)
      end
    end
  end
end
