# frozen_string_literal: true

module Ketch
  class Regexp
    # Lets these methods of String accept a Ketch::Regexp: +match+, +match?+, +scan+, +gsub+, +gsub!+, +sub+, +sub!+,
    # +split+, +index+, +rindex+, +[]+, +[]=+, +slice+, +slice!+, +start_with?+, +partition+ and +rpartition+. With any
    # other pattern, Ruby's own methods are called.
    #
    #   using Ketch::Regexp::Strings
    #   "a1b2".gsub(Ketch::Regexp.new('\d')) { |digit| digit.succ }  # => "a2b3"
    module Strings
      refine(String) { Regexp.send(:refine_strings, self) }
    end

    # The methods of Strings that Regexp does not have.
    module Calls
      class << self
        def [](string, pattern, group = 0)
          Text.arguments(group, 0..1) if group.is_a?(Regexp)
          found = pattern.match(string)
          found && found[group]
        end
        alias slice []

        # Replaces the first match, or one of its groups, by +text+.
        def []=(string, pattern, *group, text)
          Text.count(group.size + 2, 2..3)
          replace(string, pattern, group[0] || 0, text)
        end

        def slice!(string, pattern, group = 0)
          check_frozen(string)
          found = pattern.match(string)
          text = found && found[group] or return
          replace(string, pattern, group, "")
          Regexp.send(:last=, found)
          text
        end

        def gsub!(string, pattern, *replacement, &block)
          Text.count(replacement.size + 1, 1..2)
          if replacement.empty? && !block
            return Enumerator.new { |yielder| gsub!(string, pattern) { |text| yielder.yield(text) } }
          end

          substitute(string, pattern, replacement, true, &block)
        end

        def sub!(string, pattern, *replacement, &block)
          Text.count(replacement.size + 1, block ? 1..2 : 2..2)
          substitute(string, pattern, replacement, false, &block)
        end

        def start_with?(string, *prefixes)
          prefixes.any? do |prefix|
            prefix.is_a?(Regexp) ? prefix.send(:match_here, string, 0) : string.start_with?(prefix)
          end
        end

        def partition(string, pattern)
          found = pattern.match(string)
          found ? [found.pre_match, found[0], found.post_match] : [String.new(string), "", ""]
        end

        def rpartition(string, pattern)
          found = pattern.rindex(string) && Regexp.last_match
          found ? [found.pre_match, found[0], found.post_match] : ["", "", String.new(string)]
        end

        private

        # Replaces matches in the string itself. Returns nil if there are none.
        def substitute(string, pattern, replacement, is_global, &block)
          check_frozen(string)
          with = replacement.empty? ? nil : Text.replacement(replacement[0])
          result = pattern.send(:substitute, string, with, is_global, &block) or return
          check_frozen(string)
          string.replace(result)
        end

        # Replaces a group of the first match.
        def replace(string, pattern, group, text)
          check_frozen(string)
          found = pattern.match(string) or raise IndexError, "regexp not matched"
          count = found.size
          if group.is_a?(Integer) && !group.between?(-count + 1, count - 1)
            raise IndexError, "index #{group} out of regexp"
          end

          group += count if group.is_a?(Integer) && group.negative?
          from, to = found.offset(group)
          raise IndexError, "regexp group #{group} not matched" unless from

          string[from, to - from] = Text.string(text)
        end

        def check_frozen(string)
          raise FrozenError.new("can't modify frozen #{string.class}: #{string.inspect}", receiver: string) if string.frozen?
        end
      end
    end
    private_constant :Calls
  end
end
