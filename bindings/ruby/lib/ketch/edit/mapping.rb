# frozen_string_literal: true

module Ketch
  class Edit
    # A mapping in a text that is edited. It has the methods of a Hash. A Symbol is the same key as its name.
    class Mapping < View
      include Enumerable

      # Returns the value of a key: a frozen plain value, or a view of a collection. Returns nil if there is no such
      # key.
      def [](key) = edit.child(id, key, nil)

      # Sets the value of a key, or adds the entry. Parts of the value that stay equal keep their bytes.
      def []=(key, value)
        run(:set, [key], value: value)
        value
      end
      alias store []=

      # Returns the value of a key. If there is no such key, returns the result of the block or the default, or raises a
      # KeyError if there is neither.
      def fetch(key, default = (has_no_default = true))
        found = edit.child(id, key, MISSING)
        return found unless found.equal?(MISSING)
        return yield(key) if block_given?
        return default unless has_no_default

        raise KeyError.new("key not found: #{key.inspect} in `#{path}`", receiver: self, key: key)
      end

      # Returns whether there is such a key.
      def key?(key) = edit.child?(id, key)
      alias has_key? key?
      alias include? key?
      alias member? key?

      # Returns whether an entry has this value.
      def value?(value) = each_value.any? { |found| found == value }
      alias has_value? value?

      # @return [Array]
      def keys = snapshot.each_slice(2).map(&:first)

      # @return [Array] plain values and views
      def values = snapshot.each_slice(2).map { |_, found| edit.wrap(found) }

      def values_at(*keys) = keys.map { |key| self[key] }

      def fetch_values(*keys, &block) = keys.map { |key| fetch(key, &block) }

      # Yields each key with its value. Entries that the block adds are not visited, nor are those that it deletes
      # before they are visited.
      def each
        return iterate(:each) unless block_given?

        edits = edit.edits
        snapshot.each_slice(2) do |key, found|
          found = edit.edits == edits ? edit.wrap(found) : edit.child(id, key, MISSING)
          yield [key, found] unless found.equal?(MISSING)
        end
        self
      end

      def each_pair(&block) = block ? each(&block) : iterate(:each_pair)

      def each_key(&block)
        return iterate(:each_key) unless block

        keys.each(&block)
        self
      end

      def each_value
        return iterate(:each_value) unless block_given?

        each { |_, found| yield found }
      end

      # Returns a Hash with plain values.
      def to_h(&block)
        hash = value || {}
        hash = hash.value if hash.is_a?(Tagged)
        block ? hash.to_h(&block) : hash
      end

      # Ruby calls this method in Hash#== and for `**`. @private
      def to_hash = to_h

      # Deletes an entry with its comments. Returns its plain value. If there is no such entry, returns the result of
      # the block, or nil.
      #
      # @param options anchors: (:promote moves an anchored node that is still in use to its first alias, :expand copies
      #   it to each), alias:
      def delete(key, **options)
        return block_given? ? yield(key) : nil unless key?(key)

        old = edit.value_of(id, key)
        run(:delete, [key], **options)
        old
      end

      # Deletes the entries for which the block returns true. If one edit is rejected, nothing changes.
      def delete_if(&block)
        return iterate(:delete_if) unless block

        delete_all(each.select(&block))
        self
      end

      # Does the same as #delete_if, but returns nil if nothing is deleted.
      def reject!(&block)
        return iterate(:reject!) unless block

        self unless delete_all(each.select(&block)).empty?
      end

      # Deletes the entries for which the block returns false. If one edit is rejected, nothing changes.
      def keep_if(&block)
        return iterate(:keep_if) unless block

        delete_all(each.reject(&block))
        self
      end

      # Does the same as #keep_if, but returns nil if nothing is deleted.
      def select!(&block)
        return iterate(:select!) unless block

        self unless delete_all(each.reject(&block)).empty?
      end
      alias filter! select!

      # Deletes the entries whose value is null.
      def compact!
        self unless delete_all(each.select { |_, found| found.nil? }).empty?
      end

      # Deletes the first entry. Returns its key and plain value, or nil if the mapping is empty.
      def shift
        key, = first
        empty? ? nil : [key, delete(key)]
      end

      # Sets the entries of hashes, and keeps all others. If one edit is rejected, nothing changes. For a key that is in
      # both, the block, if there is one, returns the new value.
      def merge!(*hashes)
        sets = hashes.flat_map do |hash|
          hash.to_h.map do |key, value|
            value = yield(key, self[key], value) if block_given? && key?(key)
            [:set, id, [key], { value: value }]
          end
        end
        edit.run_all(sets)
        self
      end
      alias update merge!

      # Merges a hash into the mapping recursively: if both have a mapping for a key, they are merged, too.
      def deep_merge!(hash)
        run(:merge, [], value: hash.to_h)
        self
      end

      # Applies a JSON Merge Patch (RFC 7396). It does the same as #deep_merge!, except that nil deletes an entry.
      def merge_patch(hash)
        run(:merge_patch, [], value: hash.to_h)
        self
      end

      # Makes the mapping equal to a hash. Entries that stay equal keep their bytes and comments.
      def replace(hash)
        run(:set, [], value: hash.to_h)
        self
      end

      # Deletes all entries.
      def clear
        delete_all(each.to_a)
        self
      end

      # Renames a key. Its value, its comments and its position stay the same.
      def rename(key, to, **options)
        run(:rename, [key], to: to, **options)
        self
      end

      # Adds an entry at the end, or at the place that the options specify.
      #
      # @param options before:, after: (keys), index:, first:
      # @raise [EditError] if the key already exists
      def insert(key, value, **options)
        run(:insert, [], key: key, value: value, **options)
        self
      end

      # Sorts the entries by key. Comments move with their entries.
      def sort!
        run(:sort, [])
        self
      end

      # Sorts the entries by the result of the block, which receives the key and the value of each. Comments move with
      # their entries. Entries with equal results keep their order. If one edit is rejected, nothing changes.
      def sort_by!
        return iterate(:sort_by!) unless block_given?

        keys = self.keys
        arrange(each.with_index.sort_by { |(key, found), at| [yield(key, found), at] }.map(&:last)) { |from| keys[from] }
        self
      end

      # Sets each value to the result of the block. If one edit is rejected, nothing changes.
      def transform_values!
        return iterate(:transform_values!) unless block_given?

        edit.run_all(each.map { |key, found| [:set, id, [key], { value: yield(found) }] })
        self
      end

      # Ruby calls this method to match patterns such as <tt>in {name:}</tt>. @private
      def deconstruct_keys(_keys) = each.to_h.transform_keys { |key| key.is_a?(String) ? key.to_sym : key }

      private

      def delete_all(entries)
        edit.run_all(entries.map { |key, _| [:delete, id, [key], {}] })
        entries
      end
    end
  end
end
