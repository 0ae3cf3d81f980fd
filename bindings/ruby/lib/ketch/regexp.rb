# frozen_string_literal: true

require_relative "regexp/errors"
require_relative "regexp/text"
require_relative "regexp/match_data"
require_relative "regexp/strings"

module Ketch
  # A regular expression with the syntax and the matches of Ruby's Regexp. A search takes time linear in the length of
  # the text, unless the pattern contains back-references, recursive calls or certain conditionals.
  #
  #   date = Ketch::Regexp.new('(?<year>\d+)-(?<month>\d+)')
  #   date.match("on 2026-11")[:year]  # => "2026"
  #   date =~ "on 2026-11"             # => 3
  #
  # The methods are those of Ruby's Regexp. Methods of String that accept a Regexp are here, too, with the string as
  # their first argument; <tt>using Ketch::Regexp::Strings</tt> adds them to String in a file. <tt>$~</tt> is not set;
  # Regexp.last_match returns the last match in the current fiber.
  #
  # Strings in UTF-8, US-ASCII or binary are searched directly. Strings in other encodings are converted to UTF-8 for
  # each search.
  class Regexp
    # These constants have the same values as Ruby's.
    IGNORECASE = 1
    EXTENDED = 2
    MULTILINE = 4
    FIXEDENCODING = 16
    NOENCODING = 32

    FLAGS = { "i" => IGNORECASE, "x" => EXTENDED, "m" => MULTILINE }.freeze
    private_constant :FLAGS

    class << self
      # @!method new(pattern, options = 0, timeout: nil)
      #   Compiles a pattern.
      #   @param pattern [String, Ketch::Regexp, ::Regexp] a regexp is copied, with its options
      #   @param options [Integer, String, Boolean] IGNORECASE, EXTENDED and MULTILINE, or the letters "imx", or true for
      #     IGNORECASE
      #   @param timeout [Float, nil] the time limit of a search in seconds; nil for that of Regexp.timeout
      #   @raise [SyntaxError] if the pattern is invalid
      alias compile new

      # Returns the pattern that matches exactly this text.
      #
      # @param text [String, Symbol]
      # @return [String]
      # @example
      #   Ketch::Regexp.escape("1.9 [x]")  # => "1\\.9\\ \\[x\\]"
      def escape(text)
        Text.escape(text.is_a?(Symbol) ? text.name : Text.string(text))
      end
      alias quote escape

      # Returns a pattern that matches whatever any of the given patterns matches. A string matches only itself.
      #
      # @param patterns [Array<String, Symbol, Ketch::Regexp, ::Regexp>]
      # @return [Regexp]
      # @example
      #   Ketch::Regexp.union("a.b", Ketch::Regexp.new("c", "i")).source  # => "a\\.b|(?i-mx:c)"
      def union(*patterns)
        list = patterns.size == 1 ? Array.try_convert(patterns[0]) : nil
        Text.union(list || patterns, self)
      end

      # Returns the last match in the current fiber, or one of its groups.
      #
      # @param group [Integer, String, Symbol, nil]
      # @return [MatchData, String, nil]
      def last_match(group = (is_whole = true))
        found = last
        is_whole || found.nil? ? found : found[group]
      end

      # Converts an object to a Ketch::Regexp. Returns the object if it is one already, a copy of a ::Regexp, or the
      # result of +to_regexp+ if the object has that method. Otherwise, returns nil.
      #
      # @return [Regexp, nil]
      def try_convert(object)
        case object
        when Regexp then object
        when ::Regexp then new(object)
        else Text.converted(object)
        end
      end

      # Returns whether all searches of a pattern take linear time. The arguments are those of Regexp.new.
      #
      # @return [Boolean]
      # @example
      #   Ketch::Regexp.linear_time?('^(a*)*$')  # => true
      #   Ketch::Regexp.linear_time?('(a)\1')    # => false
      def linear_time?(pattern, options = nil, timeout: nil)
        pattern = new(pattern, options, timeout: timeout) unless pattern.is_a?(Regexp)
        pattern.linear_time?
      end

      # Returns the time limit, in seconds, for searches of patterns that have no +timeout+ themselves. The default is
      # nil: no limit.
      #
      # @return [Float, nil]
      def timeout = default_limit

      # Sets the result of Regexp.timeout, for all threads.
      #
      # @param seconds [Numeric, nil]
      # @raise [ArgumentError] if the number is not positive
      def timeout=(seconds)
        self.default_limit = Text.seconds(seconds)
      end

      private :last, :last=, :default_limit, :default_limit=, :refine_strings

      # Returns the error message for a pattern and a string whose encodings are incompatible. The extension calls this.
      def incompatible(source, string)
        shown = lambda do |encoding|
          encoding == Encoding::BINARY && RUBY_VERSION >= "3.4" ? "BINARY (ASCII-8BIT)" : encoding.name
        end
        "incompatible encoding regexp match (#{shown[source.encoding]} regexp with #{shown[string.encoding]} string)"
      end

      # Warns that a pattern with the option `n` is matched against text. The extension calls this.
      def warn_historical(source, string)
        warn "historical binary regexp match /#{source}/n against #{string.encoding} string", uplevel: 1
      end
      private :warn_historical
    end

    # See Regexp.new.
    def initialize(pattern, options = nil, encoding = nil, timeout: nil)
      raise FrozenError.new("can't modify frozen #{self.class}: #{inspect}", receiver: self) if frozen?

      if pattern.is_a?(Regexp) || pattern.is_a?(::Regexp)
        warn "flags ignored", uplevel: 1 if options
        options = pattern.options
        timeout = pattern.timeout if timeout.nil? && pattern.respond_to?(:timeout)
        pattern = pattern.source
      else
        options = Text.options(options)
        options |= Text.encoding_option(encoding)
      end
      compile(Text.string(pattern).dup.freeze, options, Text.seconds(timeout))
      freeze if instance_of?(Regexp)
    end

    # @!method source
    #   The pattern, a frozen string.
    #   @return [String]

    # @!method options
    #   The sum of IGNORECASE and the other options.
    #   @return [Integer]

    # @!method names
    #   The names of the groups.
    #   @return [Array<String>]

    # @!method timeout
    #   The time limit of a search in seconds, or nil if it has none.
    #   @return [Float, nil]

    # @!method match(string, position = 0)
    #   The first match at or after a character. With a block, yields the match, and returns what the block returns.
    #   @return [MatchData, nil]

    # @!method match?(string, position = 0)
    #   Whether there is a match at or after a character. Does not change Regexp.last_match.
    #   @return [Boolean]

    # @!method =~(string)
    #   The index of the character at which the first match starts.
    #   @return [Integer, nil]

    # @!method ===(string)
    #   Whether there is a match. False for objects that are not strings.
    #   @return [Boolean]

    # @!method ~
    #   Matches the last line that the caller has read with +gets+.
    #   @return [Integer, nil]

    # @!method index(string, position = 0)
    #   The index of the character at which the first match at or after a position starts, as for String#index.
    #   @return [Integer, nil]

    # @!method rindex(string, position = -1)
    #   The index of the last character, up to a position, at which a match starts, as for String#rindex.
    #   @return [Integer, nil]

    # @!method scan(string)
    #   All matches, as for String#scan: their texts, or the texts of their groups. With a block, yields them.
    #   @return [Array, String]

    # @!method split(string, limit = 0)
    #   The parts between the matches, as for String#split.
    #   @return [Array<String>]

    # Returns a copy of the string in which all matches are replaced, as String#gsub does: by a template, which may
    # contain \1 and \k<name>, by the value of the match in a hash, or by the result of the block.
    #
    # @return [String, Enumerator] without a replacement, an Enumerator of the matches
    # @example
    #   Ketch::Regexp.new('(\w)-').gsub("a-b-c", '<\1>')  # => "<a><b>c"
    def gsub(string, replacement = (is_missing = true), &block)
      return Text.each_match(self, string) if is_missing && !block

      string = Text.string(string)
      substitute(string, is_missing ? nil : Text.replacement(replacement), true, &block) || String.new(string)
    end

    # Does the same as #gsub, but replaces only the first match.
    #
    # @return [String]
    def sub(string, replacement = (is_missing = true), &block)
      raise ArgumentError, "wrong number of arguments (given 1, expected 2)" if is_missing && !block

      string = Text.string(string)
      substitute(string, is_missing ? nil : Text.replacement(replacement), false, &block) || String.new(string)
    end

    # Returns the numbers of the groups of each name.
    #
    # @return [Hash{String => Array<Integer>}]
    def named_captures = names.to_h { |name| [name, groups_of(name)] }

    # Returns whether all searches take linear time. If not, #not_linear returns the reason.
    #
    # @return [Boolean]
    def linear_time? = not_linear.nil?

    # @return [Boolean]
    def casefold? = options.anybits?(IGNORECASE)

    # Returns whether the pattern matches only strings that are in its encoding, or ASCII.
    #
    # @return [Boolean]
    def fixed_encoding? = options.anybits?(FIXEDENCODING)

    # @return [Encoding]
    def encoding = source.encoding

    # Returns whether two patterns are equal: they have the same source, encoding and options, except for NOENCODING.
    def ==(other)
      other.is_a?(Regexp) && source == other.source && encoding == other.encoding &&
        ((options ^ other.options) & ~NOENCODING).zero?
    end
    alias eql? ==

    # @return [Integer]
    def hash = [Regexp, source, options & ~NOENCODING].hash

    # Returns the pattern with its options, for use inside another pattern.
    #
    # @return [String]
    # @example
    #   Ketch::Regexp.new("a", "i").to_s  # => "(?i-mx:a)"
    def to_s = Text.group(source, options)

    # Returns the pattern as a literal.
    #
    # @return [String]
    def inspect
      flags = (options.anybits?(MULTILINE) ? "m" : "") + (casefold? ? "i" : "") + (options.anybits?(EXTENDED) ? "x" : "")
      "/#{Text.shown(source)}/#{flags}#{"n" if options.anybits?(NOENCODING)}"
    end

    # Returns Ruby's own Regexp with this pattern.
    #
    # @return [::Regexp]
    # @raise [::RegexpError] if this Ruby does not accept the pattern
    def to_regexp = ::Regexp.new(source, options & ~FIXEDENCODING)

    def marshal_dump = [source, options]
    def marshal_load(state) = initialize(*state)

    def initialize_copy(other)
      raise TypeError, "wrong argument type #{other.class}" unless other.is_a?(Regexp)

      compile(other.source, other.options, other.timeout)
    end

    private :substitute, :groups_of, :match_here
  end
end
