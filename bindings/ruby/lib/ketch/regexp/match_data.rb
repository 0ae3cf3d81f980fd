# frozen_string_literal: true

module Ketch
  # A match: the part of a text that a Regexp has matched, and its groups. The methods are those of Ruby's
  # MatchData.
  class MatchData
    class << self
      undef_method :allocate
    end

    # @!method begin(group)
    #   The index of the character at which a group starts, by number or name. Nil if the group has not matched.
    #   @return [Integer, nil]

    # @!method end(group)
    #   The index of the character after a group.
    #   @return [Integer, nil]

    # @!method offset(group)
    #   The indices of the character at which a group starts, and of the character after it.
    #   @return [Array(Integer, Integer)]

    # @!method byteoffset(group)
    #   The indices of the byte at which a group starts, and of the byte after it.
    #   @return [Array(Integer, Integer)]

    # @!method pre_match
    #   The text before the match.
    #   @return [String]

    # @!method post_match
    #   The text after the match.
    #   @return [String]

    # @!method to_a
    #   The texts of the match and of its groups.
    #   @return [Array<String, nil>]

    # @!method captures
    #   The texts of the groups.
    #   @return [Array<String, nil>]

    # @!method names
    #   The names of the groups.
    #   @return [Array<String>]

    # @!method string
    #   The text that was searched, frozen.
    #   @return [String]

    # @!method regexp
    #   @return [Regexp]

    # @!method size
    #   The number of groups, where the whole match counts as one.
    #   @return [Integer]
    alias length size

    # Returns the match itself, since it cannot change.
    #
    # @return [MatchData]
    def dup = self

    # @return [MatchData]
    def clone(freeze: nil) = self

    # Returns the text of a group, or of several. They are given by number, where 0 is the whole match, by
    # name, or by a range as for Array#[].
    #
    # @return [String, nil, Array<String, nil>]
    # @raise [IndexError] if there is no group with this name
    def [](group, length = nil)
      return to_a[group, length] if length

      group.is_a?(Range) ? to_a[group] : entry(group)
    end

    # Returns the index of the byte at which a group starts.
    def bytebegin(group) = byteoffset(group)[0]

    # Returns the index of the byte after a group.
    def byteend(group) = byteoffset(group)[1]

    # Returns the text of a group, as #[] does, but raises an error if there is no such group.
    def match(group)
      byteoffset(group)
      entry(group)
    end

    # Returns the length of a group in characters, or nil if it has not matched.
    def match_length(group)
      from, to = offset(group)
      from && to - from
    end

    # Returns the texts of the named groups.
    #
    # @param symbolize_names [Boolean] whether the keys are symbols
    # @return [Hash{String, Symbol => String, nil}]
    def named_captures(symbolize_names: false)
      names.to_h { |name| [symbolize_names ? name.to_sym : name, entry(name)] }
    end

    # Ruby calls this for patterns such as <tt>in [year, month]</tt>.
    alias deconstruct captures

    # Ruby calls this for patterns such as <tt>in {year:, month:}</tt>.
    #
    # @raise [TypeError] if a key is not a Symbol
    def deconstruct_keys(keys)
      return named_captures(symbolize_names: true) if keys.nil?
      raise TypeError, "wrong argument type #{keys.class} (expected Array or nil)" unless keys.is_a?(Array)

      found = {}
      return found if keys.size > names.size

      keys.each do |key|
        raise TypeError, "wrong argument type #{key.class} (expected Symbol)" unless key.is_a?(Symbol)
        break unless names.include?(key.name)

        found[key] = entry(key)
      end
      found
    end

    # Returns the texts of groups, which are given by numbers, names and ranges.
    #
    # @return [Array<String, nil>]
    def values_at(*groups)
      groups.flat_map do |group|
        next [entry(group)] unless group.is_a?(Range)

        all = to_a
        from, count = group.begin || 0, nil
        raise RangeError, "#{group} out of range" if (from.negative? ? from + all.size : from).negative?

        from += all.size if from.negative?
        last = group.end.nil? ? all.size - 1 : group.end
        last += all.size if last.negative?
        last -= 1 if group.exclude_end? && group.end
        count = last - from + 1
        count.positive? ? Array.new(count) { |index| all[from + index] } : []
      end
    end

    # Returns the text of the match.
    def to_s = entry(0)

    # @return [String] a description with all groups, by name or number
    # @example
    #   Ketch::Regexp.new("(?<a>.)(?<b>x)?").match("q").inspect  # => "#<Ketch::MatchData \"q\" a:\"q\" b:nil>"
    def inspect
      labels = names.empty? ? {} : regexp.named_captures.flat_map { |name, groups| groups.map { |group| [group, name] } }.to_h
      groups = captures.each_with_index.map { |text, index| " #{labels[index + 1] || index + 1}:#{text.inspect}" }
      "#<#{self.class} #{to_s.inspect}#{groups.join}>"
    end

    # Returns whether two matches are equal: they have the same text, regexp and positions.
    def ==(other)
      other.is_a?(MatchData) && string == other.string && regexp == other.regexp && spans == other.spans
    end
    alias eql? ==

    # @return [Integer]
    def hash = [string, regexp, spans].hash

    protected

    def spans = Array.new(size) { |group| byteoffset(group) }

    private :entry
  end
end
