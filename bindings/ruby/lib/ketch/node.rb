# frozen_string_literal: true

module Ketch
  # An event of the parser. +kind+ is :document_start, :document_end, :sequence_start,
  # :sequence_end, :mapping_start, :mapping_end, :scalar, :alias or :directive. +style+ is
  # :block, :flow, :plain, :single_quoted, :double_quoted, :literal or :folded. +explicit+ is
  # whether the marker of a document is present. +offset+ and +length+ are in bytes of the input
  # in UTF-8. +node_offset+ is the offset of the node's anchor or tag, if it has one.
  Event = Struct.new(:kind, :value, :anchor, :tag, :style, :explicit, :offset, :length, :node_offset)

  # A composed document.
  class Document
    # Returns the root node.
    def root = Node.new(self, 0)

    # Returns the value, which is the one that Ketch.load returns.
    def value = root.value

    # Returns the node at the end of a path of keys and indices, or nil if there is none.
    def at_path(path) = root.at_path(path)

    %i[kind_of_node style_of_node tag_of_node anchor_of_node target_of_node text_of_node children_of_node
       place_of_node value_of_node line_of_node pairs_of_node find_node]
      .each { |name| private(name) if method_defined?(name) }
  end

  # A node of a Document.
  class Node
    include Enumerable

    attr_reader :document, :number

    def initialize(document, number)
      @document = document
      @number = number
    end

    # Returns :scalar, :sequence, :mapping or :alias.
    def kind = ask(:kind_of_node)

    # Returns :plain, :single_quoted, :double_quoted, :literal, :folded, :block, :flow or :alias.
    def style = ask(:style_of_node)

    # Returns the tag with its handle expanded, or nil if there is none.
    def tag = ask(:tag_of_node)

    # Returns the name of the anchor, or of the anchor that an alias refers to. Returns nil if
    # there is none.
    def anchor = ask(:anchor_of_node)

    # Returns the node that an alias refers to, or nil for other nodes.
    def target = ask(:target_of_node)&.then { |number| Node.new(document, number) }

    # Returns the content of a scalar, or nil for other nodes.
    def text = ask(:text_of_node)

    # Returns the value of the node and of everything in it.
    def value = ask(:value_of_node)

    # Returns the line where the node starts, counted from 1.
    def line = place[0]
    # Returns the column where the node starts, in characters.
    def column = place[1]

    # Returns the line where the node ends.
    def end_line = place[2]
    # Returns the column where the node ends, in characters.
    def end_column = place[3]

    # Returns the offset where the node starts, in bytes of the input in UTF-8.
    def offset = place[4]
    # Returns the length of the node, in bytes of the input in UTF-8.
    def length = place[5]

    # Returns the text of the line on which the node starts, limited to a few hundred bytes
    # around the node.
    def line_text = ask(:line_of_node)[0]

    # Returns that line, with a caret below the node, as in error messages.
    def excerpt
      text, column = ask(:line_of_node)
      "#{text}\n#{text[0, column].gsub(/[^\t]/, " ")}^"
    end

    # Returns the entries of a sequence, or the alternating keys and values of a mapping.
    def children = ask(:children_of_node).map { |number| Node.new(document, number) }

    # Yields each entry of a sequence, or each key of a mapping with its value.
    def each(&block)
      return enum_for(:each) unless block

      kind == :mapping ? children.each_slice(2, &block) : children.each(&block)
      self
    end

    # Returns the entry with this index, or the value of this key, or nil if there is none.
    def [](key)
      node = target || self
      return node.children[key] if node.kind == :sequence && key.is_a?(Integer)
      return unless node.kind == :mapping

      node.children.each_slice(2) { |name, value| return value if name.value.eql?(key) }
      nil
    end

    # Returns the node at the end of a path of keys and indices, or nil if there is none.
    def at_path(path) = path.inject(self) { |node, step| node&.[](step) }

    # Returns whether both are the same node of the same document.
    def ==(other) = other.is_a?(Node) && document.equal?(other.document) && number == other.number

    # @private
    def inspect = "#<Ketch::Node #{kind} #{line}:#{column}>"

    private

    def ask(name) = document.__send__(name, number)

    def place = @place ||= ask(:place_of_node)
  end
end
