# Random patterns and texts.
RANDOM = Random.new((ARGV[1] || 1).to_i)

ATOMS = %w[a b c . \w \d \s \W [ab] [^a] [a-c] [[:alpha:]] \b \B ^ $ \A \z \Z é ß ss S K (?i:s) [^\n] \h \p{Greek}
           [\w&&[^a]] x \n \K \G \R \X \1 (?=a) (?!b) (?<=b)] + [" ", "_"]
REPEATS = %w[* + ? *? +? ?? ?+ *+ {2} {1,2} {0,2} {2,}] + [""] * 14
LETTERS = ["a", "b", "c", "x", "s", "S", "ß", "é", "\n", " ", "1", "_", "K", "k", "\u212a", "α", "A"]
GROUPS = ["(?:%s)", "(?=%s)", "(?!%s)", "(?>%s)", "(?>%s)", "(?<=%s)", "(?<!%s)", "(?~%s)", "(?(1)(?:%s)|(?:%s))",
          "(?(2)(?:%s)|)", "(?:%s)++", "(?:%s)*+"]
SHORT = %w[a b ab . a|bc ^ \b \n|b [ab] (?=a) é (a)]

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

def text(length = 8) = Array.new(RANDOM.rand(length + 1)) { pick(LETTERS) }.join
