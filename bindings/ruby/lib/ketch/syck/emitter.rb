# frozen_string_literal: true

module Ketch
  module Syck
    # What a value writes: :scalar, :seq or :map, the tag or nil, and the text, items, or pairs.
    Emitted = Struct.new(:kind, :tag, :value)

    # Collects what the block of Syck.quick_emit writes.
    class Out
      # Writes a mapping; the block gets the Out, for #add.
      def map(tag = nil, _style = nil)
        collect(:map, tag) { yield self }
      end

      # Writes a sequence; the block gets the Out, for #add.
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

    # Writes values as Syck did. The dialect reads the same values back. Strings, numbers, booleans, nil, arrays and
    # hashes are also valid YAML with the same values. Nothing recurses on the depth of a value.
    class Emitter
      # Text that is a plain scalar for every reader.
      PLAIN = %r{\A[A-Za-z](?:[A-Za-z0-9_/.-]| (?! |\z))*\z}
      # Words that some reader takes for something else.
      WORDS = /\A(?:null|true|false|yes|no|on|off|y|n)\z/i
      # Text that is written as binary: control characters, and line breaks of YAML 1.1.
      BINARY = /[\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\u009F\u2028\u2029\uFEFF]/
      ESCAPES = { "\\" => "\\\\", "\"" => "\\\"", "\n" => "\\n", "\t" => "\\t", "\r" => "\\r" }.freeze
      # Text that is not written as lines: lines that start or end with blanks, and what a reader may change there.
      NOT_LITERAL = /\r|\A[ \t\n]|[ \t]$|\n\n\z|^\t|#/
      # A collection that is being written: its entries, the index of the next one, its indentation, whether the first
      # entry continues a line, and for a mapping whose last key is a collection, the value of that key in an array.
      Frame = Struct.new(:kind, :entries, :index, :columns, :continues, :pending)
      private_constant :PLAIN, :WORDS, :BINARY, :ESCAPES, :NOT_LITERAL, :Frame

      # @param indentation [Symbol] +:c+: the entries of a sequence are in the column of its key; +:yecht+: they are
      #   indented
      def initialize(indentation: :c)
        raise ArgumentError, "indentation: expected :c or :yecht" unless %i[c yecht].include?(indentation)

        @is_indented = indentation == :yecht
      end

      # Returns a value as a document.
      #
      # @raise [TypeError] for objects that cannot be read back, such as procs
      def document(value)
        @shown = {}.compare_by_identity
        @names = names(value)
        @written = {}.compare_by_identity
        @out = +"---"
        @open = []
        node(value, 0, :root)
        step(@open.last) until @open.empty?
        @out
      end

      private

      # Returns what to write for a value. The same object is represented once.
      def shown(value)
        case value
        when ::String, ::Integer, nil, true, false then value
        else @shown.fetch(value) { @shown[value] = Represent.of(value) }
        end
      end

      # Returns names of anchors, for collections that occur several times.
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

      # Writes the next entry of a collection, or ends it.
      def step(frame)
        if frame.pending
          entry = frame.pending[0]
          frame.pending = nil
          @out << " " * frame.columns << ":"
          node(entry, frame.columns + 2, :value)
        elsif frame.index == frame.entries.size
          @open.pop
        else
          @out << " " * frame.columns unless frame.continues && frame.index.zero?
          entry = frame.entries[frame.index]
          frame.index += 1
          frame.kind == :map ? pair(frame, *entry) : item(frame, entry)
        end
      end

      def item(frame, entry)
        @out << "-"
        node(entry, frame.columns + 2, :entry)
      end

      def pair(frame, key, entry)
        inner = shown(key)
        if inner.is_a?(Emitted) && (inner.kind != :scalar || inner.tag)
          frame.pending = [entry]
          @out << "?"
          node(key, frame.columns + 2, :entry)
        else
          inner = inner.value if inner.is_a?(Emitted)
          @out << (inner.nil? ? "~" : atom(inner)) << ":"
          node(entry, frame.columns + 2, :value)
        end
      end

      # Writes a value after what is before it on its line: a blank, the value, and a line break.
      def node(value, columns, place)
        return line("*#{@names[value]}") if @written[value]

        inner = shown(value)
        return scalar(inner, columns, []) unless inner.is_a?(Emitted)

        properties = [written_tag(inner.tag), anchor(value)].compact
        case inner.kind
        when :scalar then scalar(inner.value, columns, properties)
        when :map then open(inner, columns, place, [*properties], "{}")
        else open(inner, place == :value && !@is_indented ? columns - 2 : columns, place, properties, "[]")
        end
      end

      # Opens a collection: on the line of a `-`, or on the next line.
      def open(emitted, columns, place, properties, empty)
        return line([*properties, empty].join(" ")) if emitted.value.empty?

        continues = place == :entry && properties.empty?
        @out << (continues ? " " : " #{properties.join(" ")}#{" " unless properties.empty?}\n")
        @open << Frame.new(emitted.kind, emitted.value, 0, columns, continues, nil)
      end

      def line(text)
        @out << " " << text << "\n"
      end

      def anchor(value)
        name = @names[value]
        return unless name

        @written[value] = true
        "&#{name}"
      end

      # Returns a tag as it is written, or nil.
      def written_tag(tag)
        case tag
        when nil, /\A!/ then tag
        when /\Ax-private:/ then "!!#{tag.delete_prefix("x-private:")}"
        when /\Atag:yaml\.org,2002:(.*)\z/m then "!#{$1}"
        when /\Atag:(\w+)\.yaml\.org,2002:(.*)\z/m, /\Atag:([^:]+,\d[\d-]*):(.*)\z/m then "!#{$1}/#{$2}"
        else raise ArgumentError, "the tag `#{tag}` has no form in Syck's dialect"
        end
      end

      def scalar(value, columns, properties)
        if value.is_a?(::String) && value.include?("\n") && literal?(value)
          @out << " " << [*properties, literal(value, [columns, 2].max)].join(" ")
        elsif value.nil?
          line(properties.join(" "))
        else
          line([*properties, atom(value)].join(" "))
        end
      end

      def literal?(text)
        text.encoding != Encoding::BINARY && text.valid_encoding? && !text.match?(BINARY) && !text.match?(NOT_LITERAL)
      end

      def literal(text, columns)
        header = text.end_with?("\n") ? "|" : "|-"
        lines = text.lines(chomp: true).map { |row| row.empty? ? "\n" : "#{" " * columns}#{row}\n" }
        "#{header}\n#{lines.join}"
      end

      def atom(value)
        case value
        when ::String then text(value)
        when ::Float then float(value)
        when ::Symbol then ":#{value}"
        when ::Time then value.strftime("%Y-%m-%d %H:%M:%S.%6N #{value.utc? ? "Z" : "%:z"}")
        when ::Date then value.strftime("%Y-%m-%d")
        else value.to_s
        end
      end

      # Returns a string as a plain or double-quoted scalar, or as base64.
      def text(value)
        value = value.encode(Encoding::UTF_8) unless value.encoding == Encoding::BINARY || !value.valid_encoding?
        utf8 = value.dup.force_encoding(Encoding::UTF_8)
        return "!binary \"#{[value].pack("m0")}\"" if !utf8.valid_encoding? || utf8.match?(BINARY)
        return utf8 if utf8.match?(PLAIN) && !utf8.match?(WORDS)

        "\"#{utf8.gsub(/[\\"\n\t\r]/, ESCAPES)}\""
      end

      def float(value)
        return ".NaN" if value.nan?
        return value.positive? ? ".Inf" : "-.Inf" if value.infinite?

        value.to_s
      end
    end
  end
end
