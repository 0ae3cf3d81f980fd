# Random patterns and texts.
RANDOM = Random.new((ARGV[1] || 1).to_i)

ATOMS = %w[a b c . \w \d \s \W [ab] [^a] [a-c] [[:alpha:]] \b \B ^ $ \A \z \Z é ß ss S K (?i:s) [^\n] \h \p{Greek}
           [\w&&[^a]] x \n \K \G \R \X \1 (?=a) (?!b) (?<=b)] + [" ", "_"]
REPEATS = %w[* + ? *? +? ?? ?+ *+ {2} {1,2} {0,2} {2,}] + [""] * 14
LETTERS = ["a", "b", "c", "x", "s", "S", "ß", "é", "\n", " ", "1", "_", "K", "k", "\u212a", "α", "A"]
GROUPS = ["(?:%s)", "(?=%s)", "(?!%s)", "(?>%s)", "(?>%s)", "(?<=%s)", "(?<!%s)", "(?~%s)", "(?(1)(?:%s)|(?:%s))",
          "(?(2)(?:%s)|)", "(?:%s)++", "(?:%s)*+"]
SHORT = %w[a b ab . a|bc ^ \b \n|b [ab] (?=a) é (a)]

# Letters that several others fold to, and texts that fold to them.
FOLDS = %w[ß ẞ ﬁ ﬀ ﬃ ﬆ ŉ ǰ ΐ İ և ẖ ᾳ ſ ss fi ff ffi st ʼn ẖ եւ αι i̇ s f i t h S F]
SETS = %w[[[:alpha:]] [[:alnum:]] [[:lower:]] [[:upper:]] [[:word:]] [[:^digit:]] [[:punct:]] [[:graph:]] [\w\W] [^a]
          [[^a]] [\p{L}] [^\P{L}] \p{L} \p{^N} \P{Lu} \p{Greek} \p{Lower} \p{Alnum} [ß] [ßa] [^ß] [ﬁ-ﬆ] [ﬀx] [s] [^s]
          [a-z] [ſ&&\w] [[:alpha:]&&[^s]] [ŉé] [\p{Lu}ß]]

def pick(list) = list[RANDOM.rand(list.size)]

def pattern(depth)
  Array.new(1 + RANDOM.rand(3)) {
    Array.new(RANDOM.rand(4)) {
      roll = RANDOM.rand(10)
      item = if depth.zero? || roll < 6 then pick(ATOMS)
             elsif roll < 8 then "(#{pattern(depth - 1)})"
             elsif roll < 9 then mixed(depth - 1)
             else "(?#{pick(%w[i m i-m a u])}:#{pattern(depth - 1)})"
             end
      item + pick(REPEATS)
    }.join
  }.join(pick(["", "|"]))
end

def mixed(depth)
  case group = pick(GROUPS)
  when /<|~/ then group % pick(SHORT)
  else group.gsub("%s") { pattern(depth) }
  end
end

def text(length = 8, letters = LETTERS) = Array.new(RANDOM.rand(length + 1)) { pick(letters) }.join

# A pattern of literals, sets and look-behinds under `i`, with letters that fold to several, and a text for it.
def folding
  item = -> { RANDOM.rand(3).zero? ? pick(SETS) : pick(FOLDS) }
  some = ->(most) { Array.new(1 + RANDOM.rand(most)) { item.call }.join }
  parts = Array.new(1 + RANDOM.rand(3)) do
    case RANDOM.rand(10)
    when 0..4 then some.(3) + pick(REPEATS)
    when 5 then "(?<=#{some.(2)})"
    when 6 then "(?<!#{some.(2)})"
    when 7 then "(?<=#{some.(2)}|#{some.(2)})"
    when 8 then pick(%w[(?:%s) (%s) (?>%s) (?=%s) (?!%s) (?a:%s) (?u:%s) (?-i:%s) (?<=(%s)) (?<=(?:%s))]) % some.(2) + pick(REPEATS)
    else "(?:#{some.(2)}|#{some.(2)})"
    end
  end
  anchors = pick([["", ""], ["", ""], ["\\A", "\\z"], ["", "$"]])
  ["(?i)" + anchors[0] + parts.join + anchors[1], text(6, FOLDS + %w[a 1 é x])]
end

# A pattern in which groups, absence operators and conditionals contain and call each other, and a text for it. Half
# of the patterns have names.
def calling
  names = RANDOM.rand(2).zero?
  calls = names ? %w[\g<a> \g<b> \g<c>] : %w[\g<1> \g<2> \g<3> \g<-1> \g<+1>]
  calls << '\g<0>' if RANDOM.rand(8).zero?
  open = %w[a b c]
  part = lambda do |depth|
    Array.new(pick([1, 1, 2])) {
      Array.new(1 + RANDOM.rand(3)) {
        item = case RANDOM.rand(depth.zero? ? 6 : 14)
               when 0..4 then pick(%w[a b c x ab . [ab] [^a] a? b* (?=a) \b ^ \z (?<=b) (?!a)])
               when 5 then pick(calls)
               when 6..8 then names && !open.empty? ? "(?<#{open.shift}>#{part.(depth - 1)})" : "(#{part.(depth - 1)})"
               when 9..11 then "(?~#{part.(depth - 1)})"
               when 12 then names ? (open.size < 3 ? "(?(<a>)a|b)" : "a") : pick(["(?(1)a|b)", "(?(2)b|)", "(?(3)(?~b)|a)"])
               else pick(%w[(?=%s) (?!%s) (?>%s) (?:%s)* (?:%s)? (?:%s){2}]) % part.(depth - 1)
               end
        item + pick(REPEATS + [""] * 30)
      }.join
    }.join("|")
  end
  pattern = part.(2)
  missing = names ? open.map { "?<#{_1}>" } : [""] * [0, 3 - pattern.scan(/\((?!\?)/).size].max
  pattern = pick([pattern, "(?:#{pattern})"])
  missing.each { |name| pattern += "(#{name}#{pick(%w[a ab (?~b) (?~(?~a)b) a?b])})#{pick(["", "{0}"])}" }
  [pattern, text(7, %w[a b c x])]
end
