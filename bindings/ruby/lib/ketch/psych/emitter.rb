# frozen_string_literal: true

module Ketch
  module Psych
    # Checks the events that an Emitter receives.
    # @private
    module Checks
      class << self
        def string(value) = String.try_convert(value)&.encode(Encoding::UTF_8) || refuse(value, String)
        def integer(value) = value.is_a?(Integer) ? value : refuse(value, Integer)
        # Returns a prefix of tags in the form for a directive: bytes that are not allowed in URIs are written as `%`
        # and two digits.
        def prefix(text) = text.b.gsub(%r{[^-A-Za-z0-9#;/?:@&=+$,_.!~*'()\[\]]}n) { |byte| format("%%%02X", byte.ord) }
        def array(value) = Array.try_convert(value) || refuse(value, Array)

        # Returns the anchor, the tag if it has to be written, and the style.
        def properties(anchor, tag, style, is_tagged)
          anchor, tag = [anchor, tag].map { |value| value.nil? ? nil : string(value) }
          [anchor, is_tagged ? tag : nil, integer(style)]
        end

        private

        def refuse(value, expected)
          name = value.nil? ? "nil" : value.class
          raise TypeError, "wrong argument type #{name} (expected #{expected})"
        end
      end
    end

    # Collects events, and writes them as YAML at the end of the stream.
    #
    #   emitter = Ketch::Psych::Emitter.new($stdout)
    #   Ketch::Psych::Parser.new(emitter).parse("{masts: 2}")  # writes {masts: 2}
    class Emitter < Handler
      attr_accessor :canonical, :indentation, :line_width

      def initialize(io, options = DumperOptions.new)
        super()
        @io = io
        @canonical, @indentation, @line_width = options.canonical, options.indentation, options.line_width
        @events = []
      end

      # Returns the text of a node.
      def self.text(node, options)
        io = StringIO.new(+"", "w")
        emitter = new(io)
        options.slice(:canonical, :indentation, :line_width).each { |name, value| emitter.public_send("#{name}=", value) }
        emitter.write_node(node)
        io.string
      end

      # Writes the events of a node and its descendants. If the node is neither a stream nor a document, it is
      # written as the root of a document.
      def write_node(node)
        around = [Nodes::Stream, Nodes::Document].take_while { |kind| !node.is_a?(kind) }
        start_stream(Nodes::Stream::UTF8) unless around.empty?
        start_document([], [], true) if around.size == 2
        walk(node)
        end_document(true) if around.size == 2
        end_stream unless around.empty?
      end

      def end_stream
        options = Psych.present_options(canonical: @canonical, indentation: @indentation, line_width: @line_width)
        @io.write(Ketch.__send__(:psych_present, @events, options))
        @events.clear
      end

      def start_stream(encoding)
        Checks.integer(encoding) && nil
      end

      def start_document(version, tag_directives, implicit)
        Checks.array(version).each { |number| Checks.integer(number) }
        directives = Checks.array(tag_directives).map { |directive| "%TAG #{tag_directive(directive)}" }
        directives.unshift("%YAML #{version.join(".")}") unless version.empty?
        @events << [:start_document, !implicit || !directives.empty?, directives]
      end

      def end_document(implicit) = @events << [:end_document, !implicit]
      def alias(anchor) = @events << [:alias, Checks.string(anchor)]
      def end_mapping = @events << [:end_mapping]
      def end_sequence = @events << [:end_sequence]

      def start_mapping(anchor, tag, implicit, style)
        @events << [:start_mapping, *Checks.properties(anchor, tag, style, !implicit)]
      end

      def start_sequence(anchor, tag, implicit, style)
        @events << [:start_sequence, *Checks.properties(anchor, tag, style, !implicit)]
      end

      # Omits tags that a plain or quoted scalar does not need. `!` before a quoted scalar means that it is read like a
      # plain one.
      def scalar(value, anchor, tag, plain, quoted, style)
        value = Checks.string(value)
        anchor, tag, style = Checks.properties(anchor, tag, style, !(plain || quoted))
        if style <= Nodes::Scalar::PLAIN
          style = plain || tag ? Nodes::Scalar::PLAIN : Nodes::Scalar::SINGLE_QUOTED
        elsif tag.nil? && !quoted
          tag = "!"
        end
        @events << [:scalar, value, anchor, tag, style]
      end

      private

      # Escapes characters in a prefix that URIs do not allow, as libyaml does.
      def tag_directive(directive)
        parts = Checks.array(directive)
        raise "a tag directive has a handle and a prefix" if parts.size < 2

        handle, prefix = parts.first(2).map { |part| Checks.string(part) }
        "#{handle} #{Checks.prefix(prefix)}"
      end

      # Emits a node without recursion: the ends of open collections are in the list of events that are still to be
      # sent.
      def walk(node)
        rest = [node]
        while (step = rest.pop)
          next public_send(*step) if step.is_a?(Array)

          finish = start(step)
          rest.push(finish) if finish
          rest.concat(step.children.reverse) if step.children
        end
      end

      # Sends the event for the start of a node, and returns the event for its end.
      def start(node)
        case node
        when Nodes::Stream then start_stream(node.encoding) || [:end_stream]
        when Nodes::Document
          start_document(node.version, node.tag_directives, node.implicit) && [:end_document, node.implicit_end]
        when Nodes::Mapping
          start_mapping(node.anchor, node.tag, node.implicit && node.tag.nil?, node.style) && [:end_mapping]
        when Nodes::Sequence
          start_sequence(node.anchor, node.tag, node.implicit && node.tag.nil?, node.style) && [:end_sequence]
        when Nodes::Alias then self.alias(node.anchor) && nil
        else scalar(node.value, node.anchor, node.tag, node.plain, node.quoted, node.style) && nil
        end
      end
    end
  end
end
