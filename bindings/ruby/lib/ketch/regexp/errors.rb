# frozen_string_literal: true

module Ketch
  class Regexp
    # An invalid pattern. The message is Ruby's, followed by the pattern with a caret and by help.
    class SyntaxError < ::RegexpError
      # The problem in Ruby's words; a Symbol for it; how to fix it.
      attr_reader :problem, :name, :help
      # Where in the pattern: the column in characters from 1, and the offset in bytes from 0.
      attr_reader :column, :offset
      # nil: no limit was exceeded.
      attr_reader :setting

      def initialize(message = nil, facts = {})
        super(message)
        facts.each { |name, value| instance_variable_set(:"@#{name}", value) }
      end
    end

    # A search has exceeded a limit, or a pattern is too large.
    class LimitError < ::RegexpError
      # The problem; a Symbol for it; how to fix it.
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
