require_relative "answers"
require_relative "model"
require_relative "onig"

# What the rules of errata.txt ask about a pattern of random.rb, a text, and the answers of Ruby and ketch-regex. The
# rules for absence operators and for Ruby's search for the start of a match also need another proof that the answer
# of ketch-regex is right.
class Shape
  # Texts of several ASCII letters to which one character folds.
  LETTERS = /[sſ][sſ]|[sſ]t|[fﬀ][filﬁﬂ]/i
  LOOK_BACK = /\(\?<[=!]/
  CLASS = /\[|\\p/i
  SET = /\[[^\]]*\]+|\\p\{\^?\w+\}|\\./i

  # What an absence operator of `pattern` has that may match nothing.
  NOTHING = /\(\?~(\\b|\^|\(\?=a\))\)/

  def initialize(pattern, text, kind, answer, ours)
    @pattern, @text, @kind, @answer, @ours = pattern, text, kind, answer, ours
    @facts = {}
    open, @captures = [], 0
    tokens = pattern.scan(Onig::TOKEN)
    tokens.each_with_index do |token, at|
      case token
      when /\A\(/ then enter(open, token)
      when ")" then leave(open, tokens[at + 1])
      when '\1' then refer(open, 1)
      end
    end
    @facts[:absence] = pattern.include?("(?~")
    @facts[:folded_repeat] = pattern.match?(/\(\?i.*s\{2/i)
    @facts[:folded_class] = pattern.match?(/\(\?i.*\[\\w&&/)
    @facts[:two_errors] = pattern.match?(/\(\?<[=!]\(/) && pattern.match?(/\\1|\(\?\(/)
    @facts[:line_start] = pattern.match?(/(\\[bz]|[$^)])(\(\?[a-z-]*[:>]|\()*\.[*+](?!\?)/i)
    @facts[:stale_previous] = pattern.match?(/(\\1|\(\?~).*(\\b|\^)/i)
    absence if pattern.match?(/\(\?~|\\g/)
    folding if pattern.include?("(?i)")
    # An alternative that never matches keeps Ruby from skipping positions.
    @facts[:folded_start] = pattern.include?("(?i") && ruby?("(?!)|#{pattern}")
  end

  def is?(fact) = @facts[fact] || false

  private

  def absence
    absent = Absent.new(@pattern)
    if meant?
      @facts[:empty_absence] = absent.empty?
      @facts[:absent_capture] = absent.captures?
      @facts[:longest_absence] = absent.varies?
      @facts[:loop] ||= absent.loops?
      # The condition of a recursion sees the group that the recursion is in, as an abandoned path has set it.
      @facts[:late_condition] ||= @pattern.match?(/\(.*\\g<0>.*\)\S*\(\?\(1\)/)
    end
    @facts[:own_reference] ||= @pattern.match?(/\(\?<(\w)>.*\(\?\(<\1>\)/)
    @facts[:recursion] = @answer.end_with?("never ending recursion")
  end

  # Whether the answer of ketch-regex is what the absence operators mean: in the patterns of `calling`, by the model,
  # and in others, by that of Ruby with other constructs in their place. Without an answer, only the pattern counts.
  def meant?
    return true unless @ours
    return Model.answer(@pattern, @text) == @ours if @kind == :calling
    other = @pattern.gsub(NOTHING) { "(?:\\z|(?!#{$1})(?m:.(?!(?!\\z)#{$1}))*)" }.gsub("(?~(a))", "(?:(?~a)(a){0})")
    ruby?(other)
  end

  # Whether Ruby's answer for another pattern is that of ketch-regex for this one.
  def ruby?(pattern) = @ours && Answers.same?(@ours, Answers.answer(pattern, @text))

  def folding
    unicode = !@pattern.ascii_only? || @pattern.match?(/\\p/i)
    @facts[:ascii_class] = !unicode && !@text.ascii_only? && @text.match?(LETTERS) && @pattern.match?(CLASS)
    @facts[:look_error] = !unicode && !@text.ascii_only? && @answer.end_with?("look-behind") && @pattern.match?(LOOK_BACK)
    @facts[:folded_look] = !@text.ascii_only? && !@answer.start_with?("Syntax") && @pattern.match?(LOOK_BACK)
    @facts[:other_case] = @text.match?(/[\u0080-\u00ff]/) && @pattern.match?(CLASS)
    @facts[:shared_fold] = @pattern.gsub(SET, " ").scan(/[\p{L}\p{M}]{2,}/).any? { shared?(_1, @text) }
  end

  # Whether a character of the text folds to several letters that start or end inside of those to which a character of
  # a literal folds.
  def shared?(literal, text)
    borders = literal.each_char.inject([0]) { |ends, char| ends << ends.last + char.downcase(:fold).size }
    all = literal.downcase(:fold)
    text.each_char.map { _1.downcase(:fold) }.uniq.any? do |letters|
      found = (0..all.size - letters.size).select { all[_1, letters.size] == letters }
      letters.size > 1 && found.any? { !borders.include?(_1) || !borders.include?(_1 + letters.size) }
    end
  end

  # An open group is its number, if it captures, and whether it holds groups that do.
  def enter(open, token)
    number = token == "(" ? @captures += 1 : nil
    condition(open, token[/\d/].to_i) if token.start_with?("(?(")
    open.each { _1[1] = true } if number
    open << [number, !number.nil?]
  end

  def leave(open, repeat)
    _, captures = open.pop
    @facts[:loop] ||= captures && repeat&.match?(/\A[*+]/)
    @facts[:bounded] ||= repeat == "{"
  end

  def condition(open, number)
    refer(open, number)
    @facts[:late_condition] ||= number > @captures
  end

  def refer(open, number)
    @facts[:own_reference] ||= open.any? { |group,| group == number }
  end
end

# errata.txt: the rules for what may differ between ketch-regex and other engines.
class Errata
  Row = Struct.new(:engines, :fact, :pattern, :text, :answers, :reason, :used)
  attr_reader :rows

  def initialize(path)
    lines = File.readlines(path, chomp: true).reject { _1.empty? || _1.start_with?("#") }
    @rows = lines.map do |line|
      engines, fact, pattern, text, answers, reason = line.split("\t")
      Row.new(engines.split("+").map(&:to_sym), fact.to_sym, pattern, text.gsub('\n', "\n"), answers, reason, 0)
    end
  end

  # Returns the row that explains why the answer of an engine differs. The rules for one engine need the other one to
  # agree with ketch-regex, unless it cannot answer.
  def explain(engine, (pattern, text, kind), answer, ours, differing)
    shape = Shape.new(pattern, text, kind, answer, ours)
    row = @rows.find { |row| row.engines.include?(engine) && shape.is?(row.fact) && (differing - row.engines).empty? }
    row.used += 1 if row
    row
  end
end
