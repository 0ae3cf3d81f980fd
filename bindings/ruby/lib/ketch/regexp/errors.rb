# frozen_string_literal: true

module Ketch
  class Regexp
    # An error for an invalid pattern. The message is Ruby's, followed by the pattern with a caret, and by help.
    class SyntaxError < ::RegexpError
      # #problem is Ruby's message, #name is a Symbol that identifies the problem, and #help says how to solve it.
      attr_reader :problem, :name, :help
      # The location in the pattern: the column in characters, counted from 1, and the offset in bytes, counted from 0.
      attr_reader :column, :offset
      # This is always nil, since no limit was exceeded.
      attr_reader :setting

      def initialize(message = nil, facts = {})
        super(message)
        facts.each { |name, value| instance_variable_set(:"@#{name}", value) }
      end
    end

    # An error for a search that has exceeded a limit, or for a pattern that is too large.
    class LimitError < ::RegexpError
      # #problem describes the problem, #name is a Symbol that identifies it, and #help says how to solve it.
      attr_reader :problem, :name, :help
      # The name of the limit that was exceeded.
      attr_reader :setting

      def initialize(message = nil, facts = {})
        super(message)
        facts.each { |name, value| instance_variable_set(:"@#{name}", value) }
      end
    end

    # An error for a search that took longer than the +timeout+ of its pattern.
    class TimeoutError < (defined?(::Regexp::TimeoutError) ? ::Regexp::TimeoutError : ::RegexpError); end
  end
end
