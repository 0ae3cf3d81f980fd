# frozen_string_literal: true

module Ketch
  module Psych
    # Parses a text, and sends the events to a Handler.
    class Parser
      # A position of the parser: the offset in bytes, and the line and the column, counted from 0.
      Mark = Struct.new(:index, :line, :column)

      # Psych's numbers for encodings.
      ANY, UTF8, UTF16LE, UTF16BE = 0, 1, 2, 3

      attr_accessor :handler
      # The declared encoding. It is ignored, since Ketch detects the encoding itself.
      attr_writer :external_encoding

      def initialize(handler = Handler.new)
        @handler = handler
        @external_encoding = ANY
        @mark = Mark.new(0, 0, 0)
      end

      # Parses a string or an IO. All events before an error are sent before the SyntaxError is
      # raised.
      def parse(yaml, path = yaml.respond_to?(:path) ? yaml.path : "<unknown>")
        source = Psych.text_of(yaml)
        text, @kept = Psych.with_breaks(source)
        @offsets = text.equal?(source) ? nil : Offsets.new(source)
        @lines = Lines.new(text)
        @directives = []
        start_stream
        Ketch.each_event(text, lenient: true, final_break: false) { |event| pass_on(event) }
        end_stream
        self
      rescue Ketch::SyntaxError, Ketch::LimitError => e
        raise SyntaxError.of(e, path, @offsets ? @offsets.of(e.offset) : e.offset)
      end

      # Returns the current position.
      def mark
        mark = @mark.dup
        mark.index = @offsets.of(mark.index) if @offsets
        mark
      end

      private

      def pass_on(event)
        return @directives << event.value if event.kind == :directive

        @place = @lines.of(event.node_offset, event.offset + event.length)
        @mark = Mark.new(event.offset + event.length, *@place.last(2))
        @handler.event_location(*@place)
        __send__(event.kind, event)
      end

      def start_stream
        @handler.event_location(0, 0, 0, 0)
        @handler.start_stream(UTF8)
      end

      def end_stream
        @handler.event_location(*@lines.end, *@lines.end)
        @handler.end_stream
      end

      def document_start(event)
        directives = @directives.map(&:split).group_by(&:first)
        version = directives.fetch("%YAML", [])[0].to_a[1].to_s.split(".").map(&:to_i)
        tags = directives.fetch("%TAG", []).map { |_, handle, prefix| [handle, unescaped(prefix)] }
        @handler.start_document(version, tags, !event.explicit)
        @directives.clear
      end

      # Returns a prefix, with URI escapes replaced by the characters that they denote.
      def unescaped(prefix)
        prefix.b.gsub(/%(\h\h)/n) { ::Regexp.last_match(1).hex.chr }.force_encoding(Encoding::UTF_8)
      end

      def document_end(event) = @handler.end_document(!event.explicit)

      def mapping_start(event)
        @handler.start_mapping(event.anchor, event.tag, event.tag.nil?, STYLES.fetch(event.style))
      end

      def sequence_start(event)
        @handler.start_sequence(event.anchor, event.tag, event.tag.nil?, STYLES.fetch(event.style))
      end

      def mapping_end(_event) = @handler.end_mapping
      def sequence_end(_event) = @handler.end_sequence
      def alias(event) = @handler.alias(event.value)

      # Sends a scalar to the handler. Like libyaml, this treats a scalar with the tag `!` as plain,
      # even if it is quoted.
      def scalar(event)
        is_plain = event.tag ? event.tag == "!" : event.style == :plain
        is_quoted = event.tag.nil? && !is_plain
        @handler.scalar(content(event), event.anchor, event.tag, is_plain, is_quoted, STYLES.fetch(event.style))
      end

      def content(event) = @kept.fetch(event.offset, event.value)

      STYLES = { plain: 1, single_quoted: 2, double_quoted: 3, literal: 4, folded: 5, block: 1, flow: 2 }.freeze
      private_constant :STYLES
    end

    # Converts offsets in the result of Psych.with_breaks, where each separator is one byte, to
    # offsets in the text.
    # @private
    class Offsets
      def initialize(source)
        bytes = Psych.utf8(source).b
        @separators = []
        @added = [0]
        at = 0
        while (at = bytes.index(/\xC2\x85|\xE2\x80[\xA8\xA9]/n, at))
          size = ::Regexp.last_match(0).bytesize
          @separators << at - @added.last
          @added << @added.last + size - 1
          at += size
        end
      end

      def of(offset)
        offset && offset + @added[@separators.bsearch_index { |at| at >= offset } || @separators.size]
      end
    end

    # Converts offsets in a text to lines and columns, counted from 0. Columns count characters.
    # @private
    class Lines
      def initialize(text)
        @text = text.encoding == Encoding::UTF_8 ? text : Psych.utf8(text)
        bytes = @text.b
        bytes = bytes.gsub("\r\n", " \n").tr("\r", "\n") if bytes.include?("\r")
        @starts = [0]
        at = -1
        @starts << at + 1 while (at = bytes.index("\n", at + 1))
      end

      # Returns the line and the column of the start, followed by those of the end.
      def of(start, end_offset) = [*place(start), *place(end_offset)]

      # Returns the line and the column of the end of the text.
      def end = place(@text.bytesize)

      private

      def place(offset)
        line = @starts.bsearch_index { |start| start > offset }
        line = (line || @starts.size) - 1
        start = @starts[line]
        [line, @text.byteslice(start, offset - start).length]
      end
    end
  end
end
