# frozen_string_literal: true

# Rewrites Ruby code so that it uses Ketch::Regexp: literals, the constants Regexp and MatchData, $~ and what comes from
# it, the classes in strings such as "#<MatchData ", and code in strings that `eval` runs. String's methods take these patterns by a refinement. Code that cannot be
# rewritten is counted.

require "monitor"
require "ripper"

module Rewrite
  BACKREFS = { "$&" => 0, "$`" => :pre_match, "$'" => :post_match, "$+" => :last }.freeze
  # Delimiters of %r that keep their backslash, since they mean something in patterns.
  META = "$*+.?^|)]}>"

  # Names of groups that a literal before =~ would assign to local variables.
  ASSIGNS = /\(\?<[a-z_]\w*>/

  class << self
    # Returns the places where code was not rewritten, with the reasons.
    def unchanged = @unchanged ||= []

    def file(text, refine: true)
      tokens = Ripper.lex(text)
      code = code(tokens)
      return code unless refine

      # Magic comments must stay first; line numbers stay.
      comments = code[/\A(?:\#[^\n]*\n)*/]
      "#{comments}using Ketch::Regexp::Strings; #{code[comments.size..]}"
    end

    # Returns the code of tokens, rewritten.
    def code(tokens)
      result = +""
      position = 0
      before = nil
      while (token = tokens[position])
        _, type, text = token
        position, text = one(tokens, position, type, text, before)
        result << text
        before = token unless %i[on_sp on_ignored_nl].include?(type)
      end
      result
    end

    private

    # Rewrites one token. Returns the position after what was read, and the code.
    def one(tokens, position, type, text, before)
      follows = tokens[(position + 1)..].find { |next_one| next_one[1] != :on_sp }
      case type
      when :on_kw then text == "alias" ? unchanged_alias(tokens, position) : [position + 1, text]
      when :on_tstring_content then [position + 1, text.gsub(/#<(?=MatchData |Regexp:)/, "#<Ketch::")]
      when :on_regexp_beg then literal(tokens, position)
      when :on_backref then [position + 1, "KetchTest.group(#{(BACKREFS[text] || text[1..].to_i).inspect})"]
      when :on_gvar then [position + 1, variable(text, follows)]
      when :on_const then [position + 1, constant(text, before)]
      when :on_ident then evaluated(tokens, position, text, before)
      else [position + 1, text]
      end
    end

    # Returns the position after the two names of an alias, and the code up to there.
    def unchanged_alias(tokens, position)
      after = (position + 1...tokens.size).reject { |index| tokens[index][1] == :on_sp }[1] + 1
      [after, tokens[position...after].map { |token| token[2] }.join]
    end

    def variable(text, follows)
      return text unless text == "$~"

      follows && follows[1] == :on_op && follows[2] == "=" ? "KetchTest.last" : "Ketch::Regexp.last_match"
    end

    def constant(text, before)
      own = %w[Regexp MatchData].include?(text)
      own && !(before && ["::", ":", "."].include?(before[2])) ? "Ketch::#{text}" : text
    end

    def evaluated(tokens, position, text, before)
      return [position + 1, text] unless text == "eval" && !(before && [".", "def", ":"].include?(before[2]))
      return [position + 2, "KetchTest.evaluate(binding, "] if tokens[position + 1]&.at(1) == :on_lparen

      [position + 1, "KetchTest.evaluate binding, "]
    end

    # Rewrites a literal as the call of a method. Returns the position after it, and the code.
    def literal(tokens, position)
      open = tokens[position][2]
      close = { "(" => ")", "[" => "]", "{" => "}", "<" => ">" }.fetch(open[-1], open[-1])
      parts = []
      until tokens[position += 1][1] == :on_regexp_end
        case tokens[position][1]
        when :on_embexpr_beg
          inner = nested(tokens, position + 1)
          parts << "(#{code(inner)})"
          position += inner.size + 1
        when :on_embvar then nil
        when :on_tstring_content then parts << quoted(tokens[position][2], close)
        else parts << code([tokens[position]])
        end
      end
      flags = tokens[position][2].delete_prefix(close)
      note_assignment(tokens, position, parts)
      made = "KetchTest.literal(#{flags.inspect}, __ENCODING__#{parts.map { |part| ", #{part}" }.join})"
      # Ruby creates these only once.
      is_fixed = parts.none? { |part| part.start_with?("(") }
      made = "KetchTest.once(#{[flags, parts, tokens[position][0]].inspect.dump}) { #{made} }" if is_fixed || flags.include?("o")
      [position + 1, made]
    end

    # Returns the tokens up to the end of an embedded expression.
    def nested(tokens, from)
      depth = 1
      last = (from...tokens.size).find do |position|
        depth += { on_embexpr_beg: 1, on_embexpr_end: -1 }.fetch(tokens[position][1], 0)
        depth.zero?
      end
      tokens[from...last]
    end

    # Returns the text of a literal as a string literal in single quotes, where its delimiter needs no backslash.
    def quoted(text, close)
      bare = text.gsub(/\\(.)/m) do |escape|
        next "" if $1 == "\n"

        $1 == close && !META.include?(close) ? $1 : escape
      end
      "'#{bare.gsub(/[\\']/) { |char| "\\#{char}" }}'"
    end

    def note_assignment(tokens, position, parts)
      follows = tokens[(position + 1)..].find { |token| token[1] != :on_sp }
      assigns = follows && follows[2] == "=~" && parts.size == 1 && parts[0].match?(ASSIGNS)
      unchanged << "#{tokens[position][0][0]}: a literal assigns its groups to local variables" if assigns
    end
  end
end

# The methods that the rewritten code calls.
module KetchTest
  LOCK = Mutex.new
  FLAGS = { "i" => 1, "x" => 2, "m" => 4 }.freeze
  ENCODED = { "u" => Encoding::UTF_8, "e" => Encoding::EUC_JP, "s" => Encoding::Windows_31J }.freeze

  class << self
    # While one thread makes a literal, others that want it wait.
    def once(place)
      lock = LOCK.synchronize { (@locks ||= {})[place] ||= Monitor.new }
      lock.synchronize { (@once ||= {})[place] ||= yield }
    end

    def literal(flags, encoding, *parts)
      source = parts.reduce(String.new(encoding: encoding)) { |all, part| all + part.to_s }
      options = flags.each_char.sum { |flag| FLAGS.fetch(flag, 0) }
      # The last of these flags wins.
      flag = flags[/[nues](?!.*[nues])/]
      if ENCODED.key?(flag)
        source.force_encoding(ENCODED[flag])
        options |= 16
      elsif flag == "n"
        source.force_encoding(source.ascii_only? ? "US-ASCII" : "BINARY")
        options |= 32
      end
      Ketch::Regexp.new(source, options)
    rescue Encoding::CompatibilityError => e
      raise RegexpError, e.message
    end

    def group(of)
      found = Ketch::Regexp.last_match or return
      case of
      when Integer then found[of]
      when :last then found.captures.compact.last
      else found.public_send(of)
      end
    end

    def last=(found)
      Ketch::Regexp.send(:last=, found)
    end

    # Rewrites code in a string, and runs it. An invalid literal raises Ruby's own SyntaxError, as it did before.
    def evaluate(binding, code, given = nil, *place)
      code = Rewrite.file(code, refine: false) if Ripper.sexp(code)
      (given || binding).eval(code, *place)
    rescue Ketch::Regexp::SyntaxError => e
      raise ::SyntaxError, e.message
    end

    # Returns the pattern as Ruby's own, for places that compare messages as text.
    def plain(pattern) = pattern.is_a?(Ketch::Regexp) ? pattern.to_regexp : pattern
  end
end
