# frozen_string_literal: true

module Ketch
  class Regexp
    # An invalid pattern. The message is Ruby's, followed by the pattern with a caret and by help.
    class SyntaxError < ::RegexpError
      # #problem is Ruby's message, #name is a Symbol for the problem, and #help says how to fix it.
      attr_reader :problem, :name, :help
      # The location in the pattern: the column in characters, counted from 1, and the offset in bytes, counted from 0.
      attr_reader :column, :offset
      # Always nil, since no limit was exceeded.
      attr_reader :setting

      def initialize(message = nil, facts = {})
        super(message)
        facts.each { |name, value| instance_variable_set(:"@#{name}", value) }
      end
    end

    # A search has exceeded a limit, or a pattern is too large.
    class LimitError < ::RegexpError
      # #problem says what went wrong, #name is a Symbol for the problem, and #help says how to fix it.
      attr_reader :problem, :name, :help
      # The limit that was exceeded.
      attr_reader :setting

      def initialize(message = nil, facts = {})
        super(message)
        facts.each { |name, value| instance_variable_set(:"@#{name}", value) }
      end
    end

    # A search took longer than its +timeout+.
    class TimeoutError < (defined?(::Regexp::TimeoutError) ? ::Regexp::TimeoutError : ::RegexpError); end
  end
end
