# frozen_string_literal: true

module Ketch
  module Psych
    # Receives the events of a Parser. The methods do nothing; subclasses override them.
    #
    #   class Keys < Ketch::Psych::Handler
    #     def scalar(value, anchor, tag, plain, quoted, style) = puts(value)
    #   end
    #   Ketch::Psych::Parser.new(Keys.new).parse("masts: 2")
    class Handler
      # Psych's options for writing.
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

      # @param version [Array<Integer>] the version in the `%YAML` directive
      # @param tag_directives [Array<Array<String>>] the handles and prefixes
      # @param implicit [Boolean] whether there is no `---`
      def start_document(version, tag_directives, implicit) end

      # @param implicit [Boolean] whether there is no `...`
      def end_document(implicit) end

      # @param anchor [String] the name of the anchor
      def alias(anchor) end

      # @param plain [Boolean] whether the scalar needs no tag if it is plain
      # @param quoted [Boolean] whether the scalar needs no tag if it is quoted
      # @param style [Integer] a constant of Nodes::Scalar
      def scalar(value, anchor, tag, plain, quoted, style) end

      # @param implicit [Boolean] whether the sequence has no tag
      # @param style [Integer] a constant of Nodes::Sequence
      def start_sequence(anchor, tag, implicit, style) end

      # Ends the innermost sequence.
      def end_sequence; end

      # @param implicit [Boolean] whether the mapping has no tag
      # @param style [Integer] a constant of Nodes::Mapping
      def start_mapping(anchor, tag, implicit, style) end

      # Ends the innermost mapping.
      def end_mapping; end

      # This is never called.
      def empty; end

      # Receives the last event.
      def end_stream; end

      # Receives the locations of the start and the end of the next event: lines and
      # columns, counted from 0.
      def event_location(start_line, start_column, end_line, end_column) end

      # Returns whether the handler is to receive one document at a time. Ketch does not
      # call this.
      def streaming? = false
    end

    # Builds a tree of Nodes from the events.
    class TreeBuilder < Handler
      # The Nodes::Stream, or nil before it has started.
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
