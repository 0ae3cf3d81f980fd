# frozen_string_literal: true

module Ketch
  # An error in an input. The message contains the location, the line with a caret below it, and help. The attributes
  # are for programs.
  class Error < StandardError
    # The name of the input, if it was given.
    attr_reader :file
    # The line and the column, counted from 1. Columns count characters.
    attr_reader :line, :column
    # The offset in the input, as UTF-8, and the length, both in bytes.
    attr_reader :offset, :length
    # The text of the line.
    attr_reader :line_text
    # #problem is the message without the location, #name is a Symbol that identifies the problem, and #help says how
    # to solve it.
    attr_reader :problem, :name, :help
    # The name of the option that raises the limit, if a limit was exceeded.
    attr_reader :setting
    # The related location, if there is one, such as that of the first of two equal keys, or that of the line on which
    # it becomes apparent that a quote above is never closed.
    attr_reader :related_line, :related_column

    def initialize(message = nil, facts = {})
      facts.each { |name, value| instance_variable_set(:"@#{name}", value) }
      help = @help or return super(message)
      @help = in_ruby(help)
      # The message ends with the help.
      super(message&.end_with?(help) ? message.delete_suffix(help) + @help : message)
    end

    private

    # Returns help of the core in which options have the form of keywords: raise `max_depth:`.
    def in_ruby(help)
      help.gsub(/(?<=option|raise) `\w+(?=`)/i, "\\0:").gsub(/(?<=`)(alias|anchors): (?=\w+`)/, "\\1: :")
    end
  end

  # An error for invalid YAML.
  class SyntaxError < Error; end

  # An error for an exceeded limit. #setting is the name of the option that raises it.
  class LimitError < Error; end

  # An error for valid YAML with a value that cannot be loaded.
  class ValueError < Error; end

  # An error for a duplicate key in a mapping.
  class DuplicateKeyError < ValueError; end

  # An error for a program in jq's language that is not valid, or that has failed. #name is the kind of error. #line,
  # #column and #line_text are those in the program; #file, #related_line and #related_column those of the value that the
  # error is about, if there is one.
  class QueryError < Error
    # The name of the module that is missing, if that is the error.
    def missing_module
      problem[/there is no module `(.*)`/, 1] if name == :no_such_module
    end
  end

  # An error for an edit that was rejected. The text is unchanged. #name is one of the kinds in docs/editing.md.
  class EditError < Error
    # The index of the operation that was rejected, if there was a list of operations.
    attr_reader :operation
  end

  # There is no node at the path.
  class NotFoundError < EditError; end

  # The entry is not in the mapping itself, but comes from a merge key.
  class NotOwnedError < EditError; end

  # The path goes through an alias.
  class ThroughAliasError < EditError; end

  # The deleted node has an anchor that an alias uses.
  class AnchorInUseError < EditError; end

  # The node is not of the kind that the operation needs.
  class KindMismatchError < EditError; end

  # The value differs from the one that the operation `test` expects.
  class TestFailedError < EditError; end

  # The edit would also change the meaning of another part of the document.
  class WouldChangeMeaningError < EditError; end

  # The collection of the view was deleted, moved or replaced.
  class StaleViewError < EditError; end

  # An error for a bug in Ketch itself. The call had no effect, and later calls work, except those on a text that is
  # edited: if an edit fails in this way, all later calls on the same Edit do, too.
  class InternalError < Error; end

  # The file has changed since it was read (:file_changed), or cannot be replaced (:not_replaced).
  class FileError < Error; end
end
