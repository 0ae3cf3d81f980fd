# frozen_string_literal: true

module Ketch
  # Methods of the module Ketch. The extension for CRuby has a separate `each_line` for plain strings, and calls this
  # one for everything else.
  module Lines
    # Returns `$/`. Other Ractors than the main one cannot read it, and get its usual value.
    def self.separator
      $/
    rescue StandardError
      "\n"
    end

    # Yields the lines of a string or an IO, in the same way as String#each_line and IO#each_line. The separator may
    # also be a Regexp; a line ends with a match that is not empty. An IO is read in parts: memory holds one line,
    # unless the pattern is not regular, and a line is yielded as soon as two bytes after it have been read. Without a
    # block, returns an Enumerator.
    #
    # @param source [String, #read]
    # @param separator [String, Regexp, nil] "" for paragraphs, nil for the whole text
    # @param chomp [Boolean] whether to remove the separator
    # @param max_line_bytes [Integer, nil] with an IO and a Regexp, a longer line raises a Regexp::LimitError
    # @return [String, #read] the source
    # @example
    #   Ketch.each_line("a, b;c", Ketch::Regexp.new('[,;] *'), chomp: true).to_a  # => ["a", "b", "c"]
    def each_line(source, separator = Lines.separator, chomp: false, max_line_bytes: nil, &block)
      # A parameter `block` that is used as a value would allocate a Proc, and a keyword argument a Hash.
      unless block_given?
        # JRuby's Enumerators lose keywords.
        return Enumerator.new do |lines|
          each_line(source, separator, chomp: chomp, max_line_bytes: max_line_bytes) { |line| lines << line }
        end
      end
      unless separator.is_a?(Regexp)
        return chomp ? source.each_line(separator, chomp: true, &block) : source.each_line(separator, &block)
      end

      if source.is_a?(String)
        separator.send(:each_record, source, chomp, &block)
      else
        separator.send(:each_record_of, source, chomp, max_line_bytes, &block)
      end
      source
    end

    # Returns the lines that #each_line yields.
    #
    # @return [Array<String>]
    # @example
    #   Ketch.lines("a\nb", chomp: true)  # => ["a", "b"]
    def lines(source, separator = Lines.separator, chomp: false, max_line_bytes: nil, &block)
      if block_given?
        return each_line(source, separator, chomp: chomp, max_line_bytes: max_line_bytes, &block)
      elsif source.is_a?(String) && !separator.is_a?(Regexp)
        return chomp ? source.lines(separator, chomp: true) : source.lines(separator)
      end

      [].tap do |lines|
        each_line(source, separator, chomp: chomp, max_line_bytes: max_line_bytes) { |line| lines << line }
      end
    end

    # Returns the parts of a string, as String#split does: those between blanks if the pattern is nil or " ", or else
    # those between occurrences of a string or matches of a Regexp.
    #
    # @param pattern [String, Regexp, nil]
    # @param limit [Integer] the maximum number of parts; 0 for all except empty ones at the end, -1 for all
    # @return [Array<String>]
    # @example
    #   Ketch.split("a1b22c", Ketch::Regexp.new('\d+'))  # => ["a", "b", "c"]
    def split(string, pattern = nil, limit = 0, &block)
      return pattern.split(string, limit, &block) if pattern.is_a?(Regexp)

      limit.zero? ? string.split(pattern, &block) : string.split(pattern, limit, &block)
    end
  end
  private_constant :Lines
  extend Lines
end
