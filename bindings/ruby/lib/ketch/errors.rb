# frozen_string_literal: true

module Ketch
  # An error in an input. The message has the location, the line with a caret, and help; the fields
  # are for programs.
  class Error < StandardError
    # The name of the input, if the caller gave one.
    attr_reader :file
    # Line and column, counted from 1; columns count characters.
    attr_reader :line, :column
    # The offset from the start of the input in UTF-8, and the length, both in bytes.
    attr_reader :offset, :length
    # The text of the line.
    attr_reader :line_text
    # #problem is the message without the location, #name is a Symbol for the problem, and #help says how to fix it.
    attr_reader :problem, :name, :help
    # The option that raises the limit, if a limit was exceeded.
    attr_reader :setting
    # The related location, if there is one, such as that of the first of two equal keys, or of a quote that is never
    # closed.
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

  # The text is valid YAML, but its value cannot be loaded.
  class ValueError < Error; end

  # A duplicate key in a mapping.
  class DuplicateKeyError < ValueError; end

  # An edit that failed. The text is unchanged. #name is the kind, as docs/editing.md lists them.
  class EditError < Error
    # The index of the operation that failed in its list, if there is a list.
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

  # The value is not the one that the operation `test` expects.
  class TestFailedError < EditError; end

  # The edit would also change the meaning of another part of the document.
  class WouldChangeMeaningError < EditError; end

  # The collection of the view was deleted, moved or replaced.
  class StaleViewError < EditError; end

  # The file has changed since it was read (:file_changed), or cannot be replaced as it is (:not_replaced).
  class FileError < Error; end
end
