# frozen_string_literal: true

module Ketch
  module Psych
    # Creates values from nodes, if the extension does not support the text. There is no recursion.
    # @private
    class Reviver
      # An open collection: its node, the object if an alias may already refer to it, the values of its children up to
      # now, and the number of their nodes after expanding aliases.
      Open = Struct.new(:node, :object, :values, :next, :weight)
      private_constant :Open

      # The maximum number of nodes that are hashed in keys, and of pairs that are merged.
      BUDGET = 1_000_000

      def initialize(permissions)
        @permissions = permissions
        @types = Psych.domain_types
        @anchors = {}
        @weights = {}
        @budget = BUDGET
      end

      # Returns the value of a node. For a stream, these are the values of its documents.
      def value(node)
        return node.children.map { |document| value(document) } if node.stream?
        return node.root && value(node.root) if node.document?

        @open = []
        result = take(node)
        until @open.empty?
          open = @open.last
          child = open.node.children[open.next]
          open.next += 1
          result = child ? take(child) : close(@open.pop)
        end
        result
      end

      private

      # Adds the value of a node, or opens a collection.
      def take(node)
        return give_scalar(node) if node.scalar?
        return give_alias(node) if node.alias?

        Tags.check(node, @permissions) unless type(node)
        object = type(node) ? (node.mapping? ? {} : []) : Tags.empty(node)
        register(node, object, 1) if object
        @open.push(Open.new(node, object, [], 0, 1))
        nil
      end

      def close(open)
        node = open.node
        value = node.mapping? ? mapping(open) : sequence(open)
        # If an anchor is defined again inside its own node, it keeps the value of the inner node.
        register(node, value, open.weight) if open.object.nil? || @anchors[node.anchor].equal?(value)
        give(node, value, open.weight)
      end

      def give_scalar(node)
        value = scalar(node)
        register(node, value, 1)
        give(node, value, 1)
      end

      # Adds a value to the collection that contains it.
      def give(node, value, weight)
        value = typed(node, value)
        value = @permissions.finished(value)
        outer = @open.last
        return value unless outer

        outer.weight += weight
        spend(weight, node) if outer.node.mapping? && outer.values.size.even? && weight > 1
        outer.values << value
        value
      end

      def give_alias(node)
        raise AliasesNotEnabled unless @permissions.aliases?

        value = @anchors.fetch(node.anchor) { raise AnchorNotDefined, node.anchor }
        value = @permissions.finished(value) if value.is_a?(String)
        outer = @open.last
        return value unless outer

        weight = @weights[node.anchor]
        outer.weight += weight
        spend(weight, node) if outer.node.mapping? && outer.values.size.even? && weight > 1
        outer.values << value
      end

      def register(node, value, weight)
        return unless node.anchor

        @anchors[node.anchor] = value
        @weights[node.anchor] = weight
      end

      def spend(count, node)
        @budget -= count
        return unless @budget.negative?

        raise SyntaxError.new(nil, node.start_line.to_i + 1, node.start_column.to_i + 1, 0,
                              "keys and merged mappings stand for more than #{BUDGET} nodes", nil)
      end

      def scalar(node)
        return Tags.scalar(node.tag, node.value, @permissions) if node.tag && !type(node)
        return node.value if node.quoted

        Scalars.value(node.value, @permissions)
      end

      def sequence(open)
        return Tags.fill_omap(open.object, open.values) if Omap === open.object

        open.object.concat(open.values)
      end

      def mapping(open)
        return Tags.mapping(open.node, fill({}, open, false)) unless open.object

        is_pair = !@open.empty? && Tags.omap?(@open.last.node)
        is_usual = open.object.instance_of?(::Hash) && !is_pair
        fill(open.object, open, @permissions.symbolize_names? && is_usual)
      end

      # Adds the values of an open mapping to a hash. With +symbolize_names+, keys that are strings become symbols. The
      # caller does not set that for tagged mappings that are not hashes.
      def fill(hash, open, symbolize_names)
        open.values.each_slice(2).with_index do |(key, value), index|
          key_node, value_node = open.node.children[index * 2, 2]
          next merge(hash, value, value_node) if key == "<<" && key_node.tag != "tag:yaml.org,2002:str"

          hash[key(key, symbolize_names)] = value
        end
        hash
      end

      def key(key, symbolize_names)
        return key unless key.is_a?(String)

        symbolize_names ? key.to_sym : -key
      end

      # Merges a hash, or a sequence of hashes, into a hash. A value that cannot be merged becomes the value of the key
      # `<<`.
      def merge(hash, value, node)
        if value.is_a?(Hash)
          spend(value.size, node)
          hash.merge!(value)
        elsif node.sequence? && value.all?(Hash)
          spend(value.sum(&:size), node)
          hash.merge!({}.merge(*value.reverse))
        else
          hash["<<"] = value
        end
      end

      # Returns the name and the block that the program has registered for the tag of a node, or nil if there are none.
      def type(node)
        return if @types.empty? || !node.tag

        name = node.tag.sub(%r{\A[!/]*}, "").sub(%r{(,\d+)/}, '\1:')
        @types[name.match?(/\A(?:tag:|x-private)/) ? name : "tag:#{name}"]
      end

      def typed(node, value)
        name, block = node.alias? ? nil : type(node)
        block ? block.call(name, value) : value
      end
    end
  end
end
