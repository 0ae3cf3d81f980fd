# frozen_string_literal: true

module Ketch
  module Psych
    # The receiver of a Parser's events. The methods do nothing; subclasses override them.
    #
    #   class Keys < Ketch::Psych::Handler
    #     def scalar(value, anchor, tag, plain, quoted, style) = puts(value)
    #   end
    #   Ketch::Psych::Parser.new(Keys.new).parse("masts: 2")
    class Handler
      # The writing options of Psych.
      class DumperOptions
        attr_accessor :line_width, :indentation, :canonical

        def initialize
          @line_width = 0
          @indentation = 2
          @canonical = false
        end
      end

      # The names of the events.
      EVENTS = %i[alias empty end_document end_mapping end_sequence end_stream scalar start_document
                  start_mapping start_sequence start_stream].freeze

      # Receives the first event.
      # @param encoding [Integer] Parser::UTF8
      def start_stream(encoding) end

      # @param version [Array<Integer>] of a `%YAML` directive
      # @param tag_directives [Array<Array<String>>] handles and prefixes
      # @param implicit [Boolean] there is no `---`
      def start_document(version, tag_directives, implicit) end

      # @param implicit [Boolean] there is no `...`
      def end_document(implicit) end

      # @param anchor [String] the name
      def alias(anchor) end

      # @param plain [Boolean] it needs no tag if plain
      # @param quoted [Boolean] it needs no tag if quoted
      # @param style [Integer] a constant of Nodes::Scalar
      def scalar(value, anchor, tag, plain, quoted, style) end

      # @param implicit [Boolean] it has no tag
      # @param style [Integer] a constant of Nodes::Sequence
      def start_sequence(anchor, tag, implicit, style) end

      # Ends the innermost sequence.
      def end_sequence; end

      # @param implicit [Boolean] it has no tag
      # @param style [Integer] a constant of Nodes::Mapping
      def start_mapping(anchor, tag, implicit, style) end

      # Ends the innermost mapping.
      def end_mapping; end

      # Never called.
      def empty; end

      # Receives the last event.
      def end_stream; end

      # Receives the start and end of the next event: lines and columns, counted from 0.
      def event_location(start_line, start_column, end_line, end_column) end

      # Returns whether the handler wants one document at a time. Ketch does not call this.
      def streaming? = false
    end

    # Builds a tree of Nodes from the events.
    class TreeBuilder < Handler
      # The Nodes::Stream, once it has started.
      attr_reader :root

      def initialize
        super
        @open = []
        @place = [nil, nil, nil, nil]
      end

      def event_location(*place)
        @place = place
      end

      def start_stream(encoding)
        @root = open(Nodes::Stream.new(encoding))
      end

      def end_stream = close

      def start_document(version, tag_directives, implicit)
        open(add(Nodes::Document.new(version, tag_directives, implicit)))
      end

      def end_document(implicit)
        @open.last.implicit_end = implicit
        close
      end

      def start_mapping(anchor, tag, implicit, style)
        open(add(Nodes::Mapping.new(anchor, tag, implicit, style)))
      end

      def start_sequence(anchor, tag, implicit, style)
        open(add(Nodes::Sequence.new(anchor, tag, implicit, style)))
      end

      def end_mapping = close
      def end_sequence = close

      def scalar(value, anchor, tag, plain, quoted, style)
        place(add(Nodes::Scalar.new(value, anchor, tag, plain, quoted, style)))
      end

      def alias(anchor)
        place(add(Nodes::Alias.new(anchor)))
      end

      private

      def add(node)
        @open.last.children << node
        node
      end

      def open(node)
        node.start_line, node.start_column = @place
        @open.push(node)
        node
      end

      def close
        node = @open.pop
        node.end_line, node.end_column = @place[2], @place[3]
        node
      end

      def place(node)
        node.start_line, node.start_column, node.end_line, node.end_column = @place
        node
      end
    end

    # Handlers for special purposes.
    module Handlers
      # Yields each document as soon as it is complete.
      class DocumentStream < TreeBuilder
        def initialize(&block)
          super()
          @block = block
        end

        def end_document(implicit)
          document = super
          @root.children.clear
          @block.call(document)
        end
      end
    end
  end
end
