# frozen_string_literal: true

module Ketch
  module Syck
    # A path of YPath without choices. Node#select and Node#search follow paths with choices.
    class YPath
      # The steps: names, `*`, `.`, `..`, and `/` for a step that leads to nodes at any depth.
      attr_accessor :segments
      # The text in brackets after each step, or nil.
      attr_accessor :predicates

      # Yields each path that a path with choices stands for. Without a block, returns an Enumerator.
      #
      # @raise [PathError] if the path is invalid
      # @example
      #   Ketch::Syck::YPath.each_path("/(a|b)//c[d]").map(&:segments)  # => [["a", "/", "c"], ["b", "/", "c"]]
      def self.each_path(text)
        return enum_for(:each_path, text) unless block_given?

        # The core finds what is wrong.
        Syck.parse("~").search(text)
        routes(text).each { |route| yield new(route) }
      end

      # Returns the paths without choices.
      def self.routes(text)
        choices(text).flat_map do |choice|
          from = choice.index("(") or next [choice]
          to = from + choice[from..][/\((?:[^()]|\g<0>)*\)/].size
          routes(choice[from + 1...to - 1]).product(routes(choice[to..])).map { |inner, rest| choice[0, from] + inner + rest }
        end
      end

      # Returns the choices of a text, without those inside parentheses.
      def self.choices(text)
        found = text.scan(/\G((?:[^()|]|(\((?:[^()]|\g<2>)*\)))*)(\||\z)/).map(&:first)
        text.end_with?("|") || found.size == 1 ? found : found[0..(found.last.empty? ? -2 : -1)]
      end
      private_class_method :routes, :choices

      # @private
      def initialize(route)
        @segments = []
        @predicates = []
        route.scan(%r{(//)|([^/\[\]]+)(?:\[([^\]]*)\])?}) do |deep, name, predicate|
          @segments << (deep ? "/" : name)
          @predicates << predicate
        end
      end
    end
  end
end
