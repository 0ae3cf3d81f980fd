# frozen_string_literal: true

module Ketch
  module Syck
    # A node of a tree.
    class Node
      # :scalar, :sequence or :mapping.
      attr_accessor :kind
      # The tag, or nil for a collection without one.
      attr_accessor :type_id
      # The text of a scalar, the nodes of the entries of a sequence, or the pairs of nodes of a
      # mapping.
      attr_accessor :value
      # The style of the node, as in Ketch::Event.
      attr_accessor :style
      # The name of the anchor, or nil.
      attr_accessor :anchor
      # The offset of the node in bytes.
      attr_accessor :offset

      # Returns the value of the node and of everything in it.
      def transform(permitted_classes: []) = Convert.new(permitted_classes).value(self)

      # Returns the results of a YPath: nodes, lines of scalars, and nil for +..+.
      #
      # @raise [PathError] if the path is invalid
      # @raise [LimitError] if aliases make the search visit more than a million nodes
      # @example
      #   Ketch::Syck.parse("a: {b: 1}").select("//b").map(&:transform)  # => [1]
      def select(path) = SearchedTree.new(self).search(path).map(&:last)

      # Returns the values of the results of a YPath.
      def select!(path) = select(path).map { |found| found.is_a?(Node) ? found.transform : found }

      # Returns the path to each result of a YPath.
      #
      # @example
      #   Ketch::Syck.parse("a: {b: 1}").search("//b")  # => ["/a/b"]
      def search(path) = SearchedTree.new(self).search(path).map { |steps, _| "/#{steps.compact.join("/")}" }

      # Returns the node of the value with this key, which is text, or of the entry with this
      # index, which consists of digits. Returns nil if there is none.
      def at(name)
        case kind
        when :mapping then self[name]
        when :sequence then value[name.to_i] if name.match?(/\A\d+\z/)
        end
      end

      # Returns the node of the value with the first such key, or of the entry with this index,
      # or nil if there is none.
      def [](key)
        case kind
        when :mapping then value.find { |name, _| name.transform == key }&.last
        when :sequence then value[key]
        end
      end

      # Returns the nodes of the entries or values, or nil for a scalar.
      def children
        case kind
        when :mapping then value.map(&:last)
        when :sequence then value
        end
      end

      # Returns the nodes of the entries or values, each with its index or key, or nil for a
      # scalar.
      def children_with_index
        case kind
        when :mapping then value.map { |name, node| [node, name.transform] }
        when :sequence then value.each_with_index.to_a
        end
      end

      # @private
      def inspect = "#<#{self.class} #{kind} #{type_id}>"
    end

    # A handler that builds trees of nodes.
    class Tree
      # @private
      def handle(_parser, handled)
        node = handled.inside || Node.new
        node.kind = handled.kind
        node.type_id = handled.tag
        node.style = handled.style
        node.anchor = handled.anchor
        node.offset = handled.offset
        node.value = handled.kind == :mapping ? handled.value.each_slice(2).to_a : handled.value
        node
      end

      # @private
      def bad_anchor(_parser, name)
        node = Node.new
        node.kind = :scalar
        node.type_id = BAD_ALIAS
        node.value = name
        node
      end
    end

    # The tag of an alias that refers to no node.
    BAD_ALIAS = "x-private:bad-alias"
    private_constant :BAD_ALIAS

    # A tree in the form that the core searches: nodes are numbers.
    class SearchedTree
      # The number of nodes that a search may visit. With aliases, a search could be endless.
      VISITS_MAX = 1_000_000

      def initialize(root)
        @nodes = []
        @numbers = {}.compare_by_identity
        @keys = {}.compare_by_identity
        number(root)
      end

      # Returns the results of a path: arrays of the steps and of the node, the line or nil.
      def search(path)
        found = Ketch.__send__(:syck_search, path, self, VISITS_MAX)
        raise LimitError, "the search visits more than #{VISITS_MAX} nodes" unless found

        found.map { |steps, target| [steps, target.is_a?(Integer) ? @nodes[target] : target] }
      end

      # The core calls the following methods.

      def kind(number) = @nodes[number].kind

      def text(number) = @nodes[number].value

      def entries(number)
        node = @nodes[number]
        return node.value.map { |entry| [false, nil, number(entry)] } if node.kind == :sequence

        node.value.map do |name, value|
          key = key(name)
          [key.is_a?(String), shown(key), number(value)]
        end
      end

      def child(number, name)
        node = @nodes[number]
        case node.kind
        when :mapping then found = node.value.find { |key, _| key(key) == name }&.last
        when :sequence then found = node.at(name)
        end
        found && number(found)
      end

      private

      # Returns the number of a node.
      def number(node)
        @numbers[node] ||= (@nodes << node).size - 1
      end

      # Returns the value of a key.
      def key(node) = @keys.fetch(node) { @keys[node] = node.transform }

      # Returns a key in the form for a path, in which null keys are missing.
      def shown(key)
        case key
        when nil then nil
        when ::Array then key.flatten.join("/")
        else key.to_s
        end
      end
    end
    private_constant :SearchedTree
  end
end
