# frozen_string_literal: true

module Ketch
  class Edit
    # A collection in a text that is edited. The view still leads to its collection after entries around it have been
    # added or removed. If an edit deletes, moves or replaces the collection, the view becomes stale, and using it
    # raises a StaleViewError.
    class View
      MISSING = Edit.const_get(:MISSING)
      private_constant :MISSING

      # The text that contains the collection.
      # @return [Edit]
      attr_reader :edit

      # @private The number of the view.
      attr_reader :id

      # @private
      def initialize(edit, id)
        @edit = edit
        @id = id
      end

      # Returns the number of entries.
      def size = edit.count_of(id)
      alias length size

      # Returns whether there are no entries.
      def empty? = size.zero?

      # Returns the plain value of the collection and everything in it. It is a copy, which edits do not change.
      def value = edit.value_of(id)

      # Returns the path of the collection in the notation of `ketch get`.
      def path = edit.path_of(id)

      # Returns the value or view that the keys and indices lead to, or nil if there is none.
      def dig(key, *rest)
        found = self[key]
        rest.empty? || found.nil? ? found : found.dig(*rest)
      end

      # Sets an entry, as #[]= does, with options.
      #
      # @param alias [:through, :detach, nil] what to do if the entry is an alias, or if the path to it goes through
      # one
      # @param by [String, nil] a key that identifies items: an old and a new one with the same value for it are the
      # same
      # @param tag [String, nil] the tag of the new value
      # @param keep_tag [Boolean] whether a tag of the old value that YAML does not define stays; by default, it is
      # dropped
      # @return the value
      def set(key, value, by: nil, **options)
        run(:set, [key], value: value, key: by, **options)
        value
      end

      # Writes an existing value again as a whole; no part of it keeps its bytes.
      def rewrite(key, value, **options)
        run(:replace, [key], value: value, **options)
        value
      end

      # Returns the node of an entry, with its comments, style and anchor. Without a key, returns
      # the node of the collection itself.
      #
      # @return [Node]
      # @raise [KeyError, IndexError] if there is no such entry
      def node(*key)
        raise ArgumentError, "node takes one key" if key.size > 1

        Node.new(self, key)
      end

      # Moves an entry into another collection in the same document, to its end or to the place that the options
      # specify.
      #
      # @param into [View]
      # @param options key: (the new key), before:, after:, index:, first:
      # @return [self]
      def move(key, into:, **options)
        run(:move, [key], into: view_id(into), **options)
        self
      end

      # Copies an entry, without its anchors, into another collection. The options are those of #move.
      def copy(key, into:, **options)
        run(:copy, [key], into: view_id(into), **options)
        self
      end

      # Compares values. Two views are equal if their values are. A view is equal to a Hash or an Array if that is its
      # value.
      def ==(other)
        other = other.value if other.is_a?(View)
        (other.is_a?(Hash) || other.is_a?(Array)) && value == other
      end

      # @private
      def inspect = "#<#{self.class} #{path.empty? ? "." : path} #{value.inspect}>"

      private

      def run(operation, keys, **fields)
        edit.run(operation, id, keys, **fields)
      end

      def view_id(view)
        return view.id if view.is_a?(View) && view.edit.equal?(edit)

        raise ArgumentError, "into: expected a view of the same text"
      end

      # Moves the entries into a new order, which consists of their indices. The block receives the index of an entry,
      # and the one that it has after the moves before, and returns its key.
      def arrange(order)
        now = order.sort
        moves = order.each_with_index.filter_map do |from, to|
          at = now.index(from)
          next if at == to

          now.insert(to, now.delete_at(at))
          [:move, id, [yield(from, at)], { into: id, index: to }]
        end
        edit.run_all(moves)
      end

      # Returns a copy of the keys and entries, so that the text can be edited during an iteration.
      def snapshot = edit.entries_of(id)

      def iterate(method, size = nil) = enum_for(method) { size || self.size }
    end
  end
end
