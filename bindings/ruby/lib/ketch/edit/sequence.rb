# frozen_string_literal: true

module Ketch
  class Edit
    # A sequence in a text that is edited. It has the methods of an Array.
    class Sequence < View
      include Enumerable

      # Returns the item at an index: a frozen plain value, or a view of a collection. Returns nil if there is no such
      # item. With a Range, or a start and a length, returns an Array of items.
      def [](index, length = nil)
        return edit.child(id, number(index), nil) if length.nil? && !index.is_a?(Range)

        indices = (0...size).to_a
        chosen = length ? indices[index, length] : indices[index]
        chosen&.map { |at| self[at] }
      end
      alias slice []

      def at(index) = self[number(index)]

      # Sets the item at an index. If the index is the size, appends the item.
      def []=(index, value)
        index = number(index)
        count = size
        return push(value) if index == count
        raise IndexError, "index #{index} outside of a sequence of #{count}" unless index.between?(-count, count - 1)

        run(:set, [index], value: value)
        value
      end

      # Returns the item at an index. If there is no such item, returns the result of the block or the default, or
      # raises an IndexError if there is neither.
      def fetch(index, default = (has_no_default = true))
        found = edit.child(id, number(index), MISSING)
        return found unless found.equal?(MISSING)
        return yield(index) if block_given?
        return default unless has_no_default

        raise IndexError, "index #{index} outside of a sequence of #{size}: `#{path}`"
      end

      # Returns the first item, or nil if there is none. With a count, returns an Array of the first items.
      def first(count = nil) = count ? self[0, count] : self[0]

      # Returns the last item, or nil if there is none. With a count, returns an Array of the last items.
      def last(count = nil) = count ? self[[size - count, 0].max..] : self[-1]

      # Yields the items in order. If the block edits the sequence, the indices after the current one lead to the items
      # that are then there.
      def each
        return iterate(:each) unless block_given?

        edits = edit.edits
        snapshot.each_with_index do |found, index|
          found = edit.edits == edits ? edit.wrap(found) : edit.child(id, index, MISSING)
          yield found unless found.equal?(MISSING)
        end
        self
      end

      def each_index(&block)
        return iterate(:each_index) unless block

        size.times(&block)
        self
      end

      # Returns the index of the first item that equals the value, or for which the block returns true, or nil if there
      # is none.
      def index(*value, &block)
        value.empty? ? find_index(&block) : find_index { |found| found == value[0] }
      end

      # Returns an Array with plain values.
      def to_a
        array = value || []
        array.is_a?(Tagged) ? array.value : array
      end
      alias entries to_a

      # Ruby calls this method in Array#== and for `*`. @private
      def to_ary = to_a

      # Appends an item.
      def <<(value)
        run(:append, [], value: value)
        self
      end

      # Appends items. If one edit is rejected, nothing changes.
      def push(*values)
        edit.run_all(values.map { |value| [:append, id, [], { value: value }] })
        self
      end
      alias append push

      def concat(*arrays) = push(*arrays.flat_map(&:to_a))

      # Inserts items before the one at an index or, if the index is negative, after it.
      def insert(index, *values)
        count = size
        at = index.negative? ? index + count + 1 : index
        raise IndexError, "index #{index} outside of a sequence of #{count}" unless at.between?(0, count)

        edit.run_all(values.each_with_index.map { |value, more| [:insert, id, [], { value: value, index: at + more }] })
        self
      end

      def unshift(*values) = insert(0, *values)
      alias prepend unshift

      # Deletes the item at an index, with its comments. Returns its plain value, or nil if there is no such item.
      #
      # @param options anchors:, alias: as for Mapping#delete
      def delete_at(index, **options)
        return unless edit.child?(id, index)

        old = edit.value_of(id, index)
        run(:delete, [index], **options)
        old
      end

      # Deletes all items that are equal to a value, and returns the value. If there are none, returns the result of the
      # block, or nil without a block.
      def delete(value)
        found = delete_all { |item| item == value }
        found.empty? ? (yield(value) if block_given?) : value
      end

      # Deletes the items for which the block returns true. If one edit is rejected, nothing changes.
      def delete_if(&block)
        return iterate(:delete_if) unless block

        delete_all(&block)
        self
      end

      # Does the same as #delete_if, but returns nil if nothing is deleted.
      def reject!(&block)
        return iterate(:reject!) unless block

        self unless delete_all(&block).empty?
      end

      # Deletes the items for which the block returns false. If one edit is rejected, nothing changes.
      def keep_if
        return iterate(:keep_if) unless block_given?

        delete_all { |item| !yield(item) }
        self
      end

      # Does the same as #keep_if, but returns nil if nothing is deleted.
      def select!
        return iterate(:select!) unless block_given?

        self unless delete_all { |item| !yield(item) }.empty?
      end
      alias filter! select!

      # Deletes the items that are null.
      def compact!
        self unless delete_all(&:nil?).empty?
      end

      # Deletes the last item and returns its plain value, or nil if there is none.
      def pop = delete_at(size - 1)

      # Deletes the first item and returns its plain value, or nil if there is none.
      def shift = delete_at(0)

      # Makes the sequence equal to an array. Items that stay equal keep their bytes and comments.
      #
      # @param by [String, nil] a key that identifies items: an old and a new one with the same value for it are the
      # same
      def replace(array, by: nil)
        run(:set, [], value: array.to_a, key: by)
        self
      end

      # Deletes all items.
      def clear
        run(:set, [], value: []) unless empty?
        self
      end

      # Sorts the items or, with a block, sorts them by its comparisons. Comments move with their items.
      def sort!
        return run(:sort, []) && self unless block_given?

        arrange(each.with_index.sort { |(one, _), (other, _)| yield(one, other) }.map(&:last)) { |_, at| at }
        self
      end

      # Sorts the items by the result of the block. Comments move with their items. Items with equal results keep their
      # order. If one edit is rejected, nothing changes.
      def sort_by!
        return iterate(:sort_by!) unless block_given?

        arrange(each.with_index.sort_by { |item, at| [yield(item), at] }.map(&:last)) { |_, at| at }
        self
      end

      # Sets each item to the result of the block. If one edit is rejected, nothing changes.
      def map!
        return iterate(:map!) unless block_given?

        edit.run_all(each.with_index.map { |item, index| [:set, id, [index], { value: yield(item) }] })
        self
      end
      alias collect! map!

      # Ruby calls this method to match patterns such as <tt>in [first, *]</tt>. @private
      def deconstruct = each.to_a

      private

      def number(index)
        return index.to_int if index.respond_to?(:to_int)

        raise TypeError, "no implicit conversion of #{index.class} into Integer"
      end

      # Deletes items from the end to the start, so that the indices of the remaining ones do not change.
      def delete_all(&block)
        found = each.with_index.select { |item, _| block.call(item) }.map(&:last)
        edit.run_all(found.reverse.map { |index| [:delete, id, [index], {}] })
        found
      end
    end
  end
end
