# frozen_string_literal: true

module Ketch
  # An error in an input. The message has the location, the line with a caret, and help; the fields
  # are for programs.
  class Error < StandardError
    # The name of the input, if the caller gave one.
    attr_reader :file
    # Line and column, counted from 1; columns count characters.
    attr_reader :line, :column
    # Offset from the start of the input's UTF-8 form and length, in bytes.
    attr_reader :offset, :length
    # The line itself.
    attr_reader :line_text
    # The problem, without the location; a Symbol for it; how to fix it.
    attr_reader :problem, :name, :help
    # The option that raises the limit, if a limit was exceeded.
    attr_reader :setting
    # The related location, if any: of the first of two equal keys, or where a quote was opened.
    attr_reader :related_line, :related_column

    def initialize(message = nil, facts = {})
      super(message)
      facts.each { |name, value| instance_variable_set(:"@#{name}", value) }
    end
  end

  # Invalid YAML.
  class SyntaxError < Error; end

  # A limit was exceeded; #setting is the option that raises it.
  class LimitError < Error; end

  # The text is YAML, but has no value.
  class ValueError < Error; end

  # A duplicate key in a mapping.
  class DuplicateKeyError < ValueError; end

  # A refused edit: the text is unchanged. #name is the kind, as docs/editing.md lists them.
  class EditError < Error
    # The index of the refused operation in its list, if there is one.
    attr_reader :operation
  end

  # The path leads to nothing.
  class NotFoundError < EditError; end

  # The key comes only from a merge key.
  class NotOwnedError < EditError; end

  # The path goes through an alias.
  class ThroughAliasError < EditError; end

  # The deleted node has an anchor that an alias uses.
  class AnchorInUseError < EditError; end

  # The node is not of the kind that the operation needs.
  class KindMismatchError < EditError; end

  # The operation `test` found a different value.
  class TestFailedError < EditError; end

  # The result would differ elsewhere.
  class WouldChangeMeaningError < EditError; end

  # The collection of the view was deleted, moved or replaced.
  class StaleViewError < EditError; end

  # The file has changed since it was read (:file_changed), or cannot be replaced as it is (:not_replaced).
  class FileError < Error; end
end
