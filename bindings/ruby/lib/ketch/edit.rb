# frozen_string_literal: true

require "forwardable"

module Ketch
  # A YAML text while it is edited. Every byte that no edit touches stays as it is.
  #
  # It acts like its root, a Hash or an Array: reads return plain values and views of collections, and
  # writes are edits.
  #
  #   edit = Ketch.edit("image:\n  tag: '1.9'   # pinned\n")
  #   edit["image"]["tag"] = "1.10"
  #   edit.text  # => "image:\n  tag: '1.10'   # pinned\n"
  class Edit
    extend Forwardable
    include Enumerable

    # @private What a read returns if there is no such entry.
    MISSING = Object.new.freeze
    private_constant :MISSING

    # What a patch changes: the bytes from +start+ to +end+ of the original become +new+.
    Patch = Struct.new(:start, :end, :new)

    # Returns the root of a document.
    #
    # @param index [Integer] the number of the document, counted from 0
    # @return [Mapping, Sequence] a Mapping if the document is empty or null
    def root(index = 0)
      index = check_document(index)
      id = root_view(index)
      # Views compare by their class, so each kind has its own.
      view_kind(id) == :sequence ? Sequence.new(self, id) : Mapping.new(self, id)
    end

    # Returns the roots of all documents.
    # @return [Array<Mapping, Sequence>]
    def documents = Array.new(document_count) { |index| root(index) }

    # Reading and writing the root of the first document.
    def_delegators :root, *%i[
      [] []= fetch dig each size length empty? keys values key? has_key? include? member? each_pair each_key each_value
      value? has_value? values_at fetch_values first last at store set rewrite delete delete_at delete_if reject! select! keep_if
      filter! merge! update deep_merge! merge_patch replace clear rename insert << push append concat unshift prepend pop
      shift move copy sort! map! collect! compact! transform_values! node value to_h to_a
    ]

    # Applies operations in order: all of them, or none.
    #
    # @param operations [Array<Hash>, Hash, String] as docs/editing.md lists them, or JSON Patch (RFC 6902);
    #   a String is JSON or YAML
    # @return [self]
    # @example
    #   edit.apply([{ op: :set, path: ".image.tag", value: "1.10" }, { op: :delete, path: ["debug"] }])
    def apply(operations)
      operations = [operations] if operations.is_a?(Hash)
      @edits = edits + 1
      operate_source(operations)
      self
    end

    # Renames an anchor and its aliases.
    def rename_anchor(from, to)
      run(:rename_anchor, root_view(0), [], from: from, to: to)
      self
    end

    # Returns the patches that turn the original into the text, sorted.
    # @return [Array<Patch>]
    def patches = patch_list(false).map { |patch| Patch.new(*patch) }

    # Returns the patches that turn the text back into the original.
    # @return [Array<Patch>]
    def inverse = patch_list(true).map { |patch| Patch.new(*patch) }

    # Returns the changes as a unified diff; empty if nothing has changed.
    def diff(old_name = "old", new_name = "new") = diff_text(old_name, new_name)

    # Returns the changes as a list of `TextEdit`s of the Language Server Protocol.
    # @return [Array<Hash>]
    def lsp_edits = Ketch.load(lsp_text)

    # Replaces the file that the text is from, unless nothing has changed. The file keeps its owner, mode, ACL and
    # attributes.
    #
    # @param write_through [Boolean] whether to write into a file that cannot be replaced, as one with several hard
    #   links
    # @return [Boolean] whether the text has changed
    # @raise [FileError] if the file has changed meanwhile, or cannot be replaced as it is
    def save(write_through: false) = replace_file(write_through)

    alias to_s text

    # @private
    def inspect = "#<Ketch::Edit #{changed? ? "changed" : "unchanged"}, #{document_count} documents>"

    # @private Applies one operation to the node at some keys below a view.
    def run(operation, id, keys, **fields) = run_all([[operation, id, keys, fields]])

    # @private Applies all of the operations, or none.
    def run_all(operations)
      @edits = edits + 1
      operate(operations)
    end

    # @private Returns the number of edits so far.
    def edits = @edits || 0

    # @private Returns the value of an entry, or a view of it; the default if there is no such entry.
    def child(id, key, default)
      found = view_child(id, key, MISSING)
      return default if found.equal?(MISSING)

      wrap(found)
    end

    # @private
    def child?(id, key) = !view_child(id, key, MISSING).equal?(MISSING)

    # @private
    def wrap(found)
      # A collection is an Array: whether it is a mapping, and the number of its view. Anything else is a scalar.
      return found.freeze unless found.is_a?(Array)

      found[0] ? Mapping.new(self, found[1]) : Sequence.new(self, found[1])
    end

    # @private Returns the keys and entries of a mapping in turn, or the items of a sequence.
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
