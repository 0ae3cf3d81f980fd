# frozen_string_literal: true

module Ketch
  class Regexp
    # Methods that Regexp uses for texts and arguments.
    module Text
      ESCAPES = {
        "\n" => "\\n", "\t" => "\\t", "\r" => "\\r", "\f" => "\\f", "\v" => "\\v", " " => "\\ ",
        **%w([ ] { } ( ) | - * . \\ ? + ^ $ #).to_h { |char| [char, "\\#{char}".freeze] }
      }.freeze
      SPECIAL = /[\[\]{}()|\-*.\\?+^$# \n\t\r\f\v]/
      OPTIONS = /\A\(\?([mix]*)(?:-([mix]*))?[:)]/
      ESCAPED = %r{\\.|/|[\x00-\x08\x0e-\x1f\x7f]}m
      UNPRINTED = %r{\\.|/|(?!\s)[^\x20-\x7e]}m
      UNSHOWN = %r{/|[\x00-\x1f\x7f]}
      private_constant :ESCAPED, :UNPRINTED, :UNSHOWN, :ESCAPES, :SPECIAL, :OPTIONS

      class << self
        # Returns the object if it is a string, or else the result of its method +to_str+.
        def string(object)
          return object if object.is_a?(String)

          String.try_convert(object) or
            raise TypeError, "no implicit conversion of #{named(object)} into String"
        end

        # Returns the replacement that was given to gsub, as a String or a Hash.
        def replacement(object)
          return object if object.is_a?(String)

          Hash.try_convert(object) || string(object)
        end

        # Returns the number for the options that were given to Regexp.new.
        def options(given)
          case given
          when Integer then given & (IGNORECASE | EXTENDED | MULTILINE | FIXEDENCODING | NOENCODING)
          when nil, false then 0
          when String then letters(given)
          when true then IGNORECASE
          else
            warn "expected true or false as ignorecase: #{given.inspect}", uplevel: 3
            IGNORECASE
          end
        end

        # Returns the option for the third argument of Regexp.new, which was removed in Ruby 3.3.
        def encoding_option(given)
          return 0 if given.nil?
          return NOENCODING if string(given).match?(/\An/i)

          warn "encoding option is ignored -- #{given}", uplevel: 2
          0
        end

        # Checks a time limit, and returns it in seconds, or nil if none is given.
        def seconds(given)
          return if given.nil?

          seconds = Float(given)
          return seconds if seconds.positive? && seconds.finite?

          raise ArgumentError, "invalid timeout: #{given.inspect}"
        end

        def escape(text)
          return escape(text.b).force_encoding(text.encoding) unless text.valid_encoding?
          return text.encode("UTF-8").then { |copy| escape(copy).encode(text.encoding) } unless text.encoding.ascii_compatible?

          ascii = text.ascii_only?
          unless text.match?(SPECIAL)
            return ascii ? text.dup.force_encoding(Encoding::US_ASCII) : text.dup
          end

          escaped = text.gsub(SPECIAL, ESCAPES)
          ascii ? escaped.force_encoding(Encoding::US_ASCII) : escaped
        end

        # Returns the result of +to_regexp+, which must be a Ketch::Regexp or nil.
        def converted(object)
          return unless object.respond_to?(:to_regexp)

          made = object.to_regexp
          return made if made.is_a?(Regexp)
          return Regexp.new(made) if made.is_a?(::Regexp)

          raise TypeError, "can't convert #{object.class} to Regexp (#{object.class}#to_regexp gives #{made.class})"
        end

        def union(list, klass)
          parts = list.map { |item| Regexp.try_convert(item) || (item.is_a?(Symbol) && list.size == 1 ? item.name : string(item)) }
          return klass.new("(?!)") if parts.empty?
          return parts[0].is_a?(Regexp) ? parts[0] : klass.new(Regexp.escape(parts[0])) if parts.size == 1

          encoding = common_encoding(parts)
          klass.new(joined(parts.map { |part| part.is_a?(Regexp) ? group(part.source, part.options, slashes: false) : Regexp.escape(part) }, encoding))
        end

        # Raises the same error as Ruby if a method was given the wrong number of arguments.
        def count(given, allowed)
          return if allowed.cover?(given)

          expected = allowed.size > 1 ? "#{allowed.begin}..#{allowed.end}" : allowed.begin
          raise ArgumentError, "wrong number of arguments (given #{given}, expected #{expected})"
        end

        # Returns the pattern as a group, in its encoding. Options that the source sets for the whole
        # pattern become those of the group. With +slashes+, a backslash is written before each `/`.
        def group(source, options, slashes: true)
          unless source.encoding.ascii_compatible?
            return group(source.encode("UTF-8"), options, slashes: slashes).encode(source.encoding)
          end

          inner = source
          while (start = OPTIONS.match(inner.b))
            set = changed(options, start)
            rest = inner.byteslice(start.end(0)..)
            if start[0].end_with?(")")
              options, inner = set, rest
              next
            end
            rest = rest.delete_suffix!(")") if rest.end_with?(")")
            options, inner = set, rest if rest && whole_group?(rest)
            break
          end
          on, off = %w[m i x].partition { |letter| options.anybits?(FLAGS[letter]) }
          "(?#{on.join}#{"-#{off.join}" unless off.empty?}:#{printed(inner, slashes)})".then { |text| text.ascii_only? ? text.force_encoding(source.encoding) : text }
        end

        # Returns the options after those of `(?...)` have changed them.
        def changed(options, start)
          start[1].each_char { |letter| options |= FLAGS[letter] }
          start[2]&.each_char { |letter| options &= ~FLAGS[letter] }
          options
        end

        # Returns the source with escapes for control characters, and with backslashes before slashes.
        # Without +slashes+, as in a union, slashes have no backslashes.
        def printed(source, slashes)
          readable(source).gsub(ESCAPED) do |part|
            next part if !slashes && part == "/"

            printed_part(part)
          end
        end

        # Returns the source in the form for #inspect. Like Ruby, this shows a character beyond ASCII as
        # it is only if the terminal has the same encoding, and nothing else has to be escaped.
        def shown(source)
          text = readable(source)
          return text if !text.match?(UNSHOWN) && source.encoding == (Encoding.default_internal || Encoding.default_external)

          text.gsub(UNPRINTED) { |part| printed_part(part) }
        end

        # Returns an Enumerator of the matches that +gsub+ would replace.
        def each_match(regexp, string)
          string = string(string)
          Enumerator.new { |yielder| regexp.gsub(string) { |text| yielder.yield(text) } }
        end

        private

        # Returns the source as a text that Ruby's Regexp can search.
        def readable(source)
          text = source.encoding.ascii_compatible? ? source : source.encode(Encoding::UTF_8)
          text.valid_encoding? ? text : text.b
        end

        def printed_part(part)
          return part if part.start_with?("\\")
          return "\\/" if part == "/"

          code = part.ord
          return format(code < 0x10000 ? "\\u%04X" : "\\u{%X}", code) if code > 0x7F && part.encoding == Encoding::UTF_8

          format(code < 0x100 ? "\\x%02X" : "\\x{%X}", code)
        end

        def letters(given)
          given.each_char.sum do |letter|
            FLAGS[letter] or raise ArgumentError, "unknown regexp option#{"s" if given.size > 1}: #{given}"
          end
        rescue ArgumentError
          raise if given.chars.uniq.any? { |letter| !FLAGS[letter] }
        end

        # Returns whether the text between the parentheses of a group is itself a pattern.
        def whole_group?(inner)
          Regexp.new(inner)
          true
        rescue ::RegexpError
          false
        end

        # Returns the encoding of a union, or nil if each part is ASCII. Raises an error if the parts
        # have different fixed encodings.
        def common_encoding(parts)
          fixed = parts.filter_map { |part| fixed_encoding(part) }.uniq
          raise ArgumentError, "incompatible encodings: #{fixed[0]} and #{fixed[1]}" if fixed.size > 1

          only = fixed[0]
          if only && !only.ascii_compatible?
            other = parts.find { |part| !fixed_encoding(part) }
            raise ArgumentError, "ASCII incompatible encoding: #{only}" if other
          end
          only
        end

        def fixed_encoding(part)
          return (part.encoding if part.fixed_encoding?) if part.is_a?(Regexp)

          part.encoding if !part.ascii_only? || !part.encoding.ascii_compatible?
        end

        def joined(parts, encoding)
          bar = "|".encode(encoding && !encoding.ascii_compatible? ? encoding : Encoding::US_ASCII)
          all = parts.each_with_index.reduce("".b) { |text, (part, index)| text << (index.zero? ? "" : bar).b << part.b }
          all.force_encoding(encoding || Encoding::US_ASCII)
        end

        def named(object)
          case object
          when nil then "nil"
          when true then "true"
          when false then "false"
          else object.class.to_s
          end
        end
      end
    end
    private_constant :Text
  end
end
