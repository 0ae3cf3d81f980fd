# frozen_string_literal: true

module Ketch
  class Edit
    # The presentation of an entry: its comments, style, tag and anchor.
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

      # Returns :plain, :single, :double, :literal or :folded for a scalar, :block or :flow for a collection, or
      # :alias.
      def style = facts[:style]

      # Changes the style in which the value is written.
      def style=(style)
        run(:style, to: style)
      end

      # Returns the tag with its handle expanded, or nil if there is none.
      def tag = facts[:tag]

      # Returns the name of the anchor, or of the anchor that an alias refers to. Returns nil if there is none.
      def anchor = facts[:anchor]

      # Adds an anchor to the node, renames its anchor together with all aliases, or removes the anchor if the name
      # is nil.
      def anchor=(name)
        run(:anchor, to: name)
      end

      # Removes the anchor, after replacing each alias by a copy of the node.
      def expand_anchor = run(:anchor, anchors: :expand)

      # Returns the text after the `#` of the comment on the line of the entry, or nil if there is no comment.
      def comment = comments[1]

      # Sets the comment on the line of the entry. If the text is nil, the comment is removed.
      def comment=(text)
        run(:comment, where: :trailing, text: text)
      end

      # Returns the lines of the comment above the entry, each without its `#`, or nil if there is no comment.
      def leading_comment = comments[0]

      # Sets the comment above the entry. If the text is nil, the comment is removed.
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
