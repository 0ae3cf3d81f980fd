# frozen_string_literal: true

module Ketch
  class Edit
    # How an entry is written: its comments, style, tag and anchor.
    #
    #   node = edit["image"].node("tag")
    #   node.comment = "pinned"
    #   node.style = :single
    class Node
      # @private
      def initialize(view, key)
        @view = view
        @key = key
        missing unless facts
      end

      # Returns the plain value.
      def value = @view.edit.value_of(@view.id, *@key)

      # Returns :scalar, :sequence, :mapping or :alias.
      def kind = facts[:kind]

      # Returns :plain, :single, :double, :literal or :folded for a scalar, :block or :flow for a
      # collection, or :alias.
      def style = facts[:style]

      # Writes the same value in a different style.
      def style=(style)
        run(:style, to: style)
      end

      # Returns the tag with its handle replaced, or nil if there is none.
      def tag = facts[:tag]

      # Returns the name of the anchor, or of the anchor that an alias refers to; nil if there is
      # none.
      def anchor = facts[:anchor]

      # Gives the node an anchor, renames the anchor with its aliases, or with nil removes it.
      def anchor=(name)
        run(:anchor, to: name)
      end

      # Removes the anchor, after copying the node to its aliases.
      def expand_anchor = run(:anchor, anchors: :expand)

      # Returns the comment on the line of the entry without its `#`, or nil if there is none.
      def comment = comments[1]

      # Writes the comment on the line of the entry; nil removes it.
      def comment=(text)
        run(:comment, where: :trailing, text: text)
      end

      # Returns the comment above the entry, with a line for each of its lines and without `#`; nil if there is none.
      def leading_comment = comments[0]

      # Writes the comment above the entry; nil removes it.
      def leading_comment=(text)
        run(:comment, where: :leading, text: text)
      end

      # @private
      def inspect = "#<Ketch::Edit::Node #{kind} #{style} #{value.inspect}>"

      private

      def facts = @view.edit.facts_of(@view.id, *@key)

      def comments = @view.edit.comments_of(@view.id, *@key)

      def run(operation, **fields)
        @view.edit.run(operation, @view.id, @key, **fields)
      end

      def missing
        @view.fetch(*@key) unless @key.empty?
      end
    end
  end
end
