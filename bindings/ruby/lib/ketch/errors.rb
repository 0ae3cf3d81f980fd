# frozen_string_literal: true

module Ketch
  # What is wrong with an input. The message tells the place, shows the line with a caret, and says
  # how to fix it; the fields are for programs.
  class Error < StandardError
    # The name of the input, if the caller gave one.
    attr_reader :file
    # Line and column, counted from 1; columns count characters.
    attr_reader :line, :column
    # Offset from the start of the input's UTF-8 form and length, in bytes.
    attr_reader :offset, :length
    # The line itself.
    attr_reader :line_text
    # What is wrong, without the place; a Symbol for it; how to fix it.
    attr_reader :problem, :name, :help
    # The option that raises the limit, if a limit was met.
    attr_reader :setting
    # The place that explains it, if there is one: where a key stood first, where a quote was opened.
    attr_reader :related_line, :related_column

    def initialize(message = nil, facts = {})
      super(message)
      facts.each { |name, value| instance_variable_set(:"@#{name}", value) }
    end
  end

  # The text is no YAML.
  class SyntaxError < Error; end

  # A limit was met; #setting names the option that raises it.
  class LimitError < Error; end

  # The text is YAML, but Ketch cannot give it a value.
  class ValueError < Error; end

  # A key stands twice in a mapping.
  class DuplicateKeyError < ValueError; end
end
