# frozen_string_literal: true

require "forwardable"
require_relative "../ketch"

module Ketch
  __send__(:define_edit)

  # A YAML text that is edited. Every byte that is not edited stays as it is.
  #
  # An Edit has the methods of its root, which is a Hash or an Array. Methods that read return plain values, and
  # views of collections. Methods that write edit the text.
  #
  #   edit = Ketch.edit("image:\n  tag: '1.9'   # pinned\n")
  #   edit["image"]["tag"] = "1.10"
  #   edit.text  # => "image:\n  tag: '1.10'   # pinned\n"
  class Edit
    extend Forwardable
    include Enumerable

    # @private The result of a read if there is no such entry.
    MISSING = Object.new.freeze
    private_constant :MISSING

    # A change of the text: the bytes from +start+ to +end+ of the original are replaced by +new+.
    Patch = Struct.new(:start, :end, :new)

    # Returns the root of a document.
    #
    # @param index [Integer] the index of the document
    # @return [Mapping, Sequence] a Mapping if the document is empty or null
    def root(index = 0)
      index = check_document(index)
      id = root_view(index)
      # Views are only equal if their classes are, so each kind of collection has its own class.
      view_kind(id) == :sequence ? Sequence.new(self, id) : Mapping.new(self, id)
    end

    # Returns the roots of all documents.
    # @return [Array<Mapping, Sequence>]
    def documents = Array.new(document_count) { |index| root(index) }

    # The methods that read and write the root of the first document.
    def_delegators :root, *%i[
      [] []= fetch dig each size length empty? keys values key? has_key? include? member? each_pair each_key each_value
      value? has_value? values_at fetch_values first last at store set rewrite delete delete_at delete_if reject! select! keep_if
      filter! merge! update deep_merge! merge_patch replace clear rename insert << push append concat unshift prepend pop
      shift move copy sort! sort_by! map! collect! compact! transform_values! node value to_h to_a
    ]

    # Applies operations in order. If one of them is rejected, none is applied.
    #
    # @param operations [Array<Hash>, Hash, String] as described in docs/editing.md, or JSON Patch (RFC 6902);
    #   a String is parsed as JSON or YAML
    # @return [self]
    # @example
    #   edit.apply([{ op: :set, path: ".image.tag", value: "1.10" }, { op: :delete, path: ["debug"] }])
    def apply(operations)
      operations = [operations] if operations.is_a?(Hash)
      @edits = edits + 1
      operate_source(operations)
      self
    end

    # Renames an anchor, and all aliases that refer to it.
    def rename_anchor(from, to)
      run(:rename_anchor, root_view(0), [], from: from, to: to)
      self
    end

    # Returns the patches that turn the original into the new text, sorted by position.
    # @return [Array<Patch>]
    def patches = patch_list(false).map { |patch| Patch.new(*patch) }

    # Returns the patches that turn the new text into the original.
    # @return [Array<Patch>]
    def inverse = patch_list(true).map { |patch| Patch.new(*patch) }

    # Returns the changes as a unified diff, which is empty if nothing has changed.
    def diff(old_name = "old", new_name = "new") = diff_text(old_name, new_name)

    # Returns the changes as a list of `TextEdit`s of the Language Server Protocol.
    # @return [Array<Hash>]
    def lsp_edits = Ketch.load(lsp_text)

    # Replaces the file from which the text was read, unless nothing has changed. The file keeps its owner, mode,
    # ACL and attributes.
    #
    # @param write_through [Boolean] whether to overwrite the content of a file that cannot be replaced, such as one
    #   with several hard links
    # @return [Boolean] whether the text has changed
    # @raise [FileError] if the file has changed since it was read, or cannot be replaced
    def save(write_through: false) = replace_file(write_through)

    alias to_s text

    # @private
    def inspect = "#<Ketch::Edit #{changed? ? "changed" : "unchanged"}, #{document_count} documents>"

    # @private Applies an operation to the node that +keys+ lead to from a view.
    def run(operation, id, keys, **fields) = run_all([[operation, id, keys, fields]])

    # @private Applies operations. If one of them is rejected, none is applied.
    def run_all(operations)
      @edits = edits + 1
      operate(operations)
    end

    # @private Returns the number of edits up to now.
    def edits = @edits || 0

    # @private Returns the value of an entry, or a view of it. If there is no such entry, returns the default.
    def child(id, key, default)
      found = view_child(id, key, MISSING)
      return default if found.equal?(MISSING)

      wrap(found)
    end

    # @private
    def child?(id, key) = !view_child(id, key, MISSING).equal?(MISSING)

    # @private
    def wrap(found)
      # A collection is an Array of two: whether it is a mapping, and the number of its view. Anything else is a
      # scalar.
      return found.freeze unless found.is_a?(Array)

      found[0] ? Mapping.new(self, found[1]) : Sequence.new(self, found[1])
    end

    # @private Returns the items of a sequence, or the alternating keys and values of a mapping.
    def entries_of(id) = view_entries(id)

    # @private
    def count_of(id) = view_count(id)

    # @private
    def value_of(id, *key) = view_value(id, key)

    # @private
    def path_of(id) = view_path(id)

    # @private
    def kind_of(id) = view_kind(id)

    # @private
    def facts_of(id, *key) = node_facts(id, key)

    # @private
    def comments_of(id, *key) = node_comments(id, key)

    private(*%i[operate operate_source patch_list diff_text lsp_text replace_file root_view view_child view_kind
                view_count view_value view_entries view_path node_facts node_comments])

    private

    def check_document(index)
      count = document_count
      found = index.negative? ? index + count : index
      return found if found.between?(0, [count - 1, 0].max)

      raise IndexError, "there is no document #{index}: the text has #{count}"
    end
  end
end

require_relative "edit/view"
require_relative "edit/mapping"
require_relative "edit/sequence"
require_relative "edit/node"
