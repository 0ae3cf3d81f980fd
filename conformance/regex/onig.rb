# Translates patterns of random.rb to the syntax of Oniguruma, in which `\w`, `\d` and `\s` always follow Unicode,
# and in which the options `a` and `u` do not exist.
module Onig
  WORD = "a-zA-Z0-9_"
  BOUNDARY = "(?:(?<=[#{WORD}])(?![#{WORD}])|(?<![#{WORD}])(?=[#{WORD}]))"
  NO_BOUNDARY = "(?:(?<=[#{WORD}])(?=[#{WORD}])|(?<![#{WORD}])(?![#{WORD}]))"
  # Oniguruma repeats these, and look-arounds, only in a group.
  ANCHORS = %w[^ $ \A \z \Z \b \B \G \K].freeze
  # What replaces a construct: by default, and with the options `a` and `u`.
  REPLACED = {
    # `[k]` would match more under `i`.
    '\w' => ["(?-i:[#{WORD}])", "(?-i:[#{WORD}])", '\w'],
    '\W' => ["(?-i:[^#{WORD}])", "(?-i:[^#{WORD}])", '\W'],
    '\d' => ["[0-9]", "[0-9]", '\d'],
    '\s' => ['[\t-\r ]', '[\t-\r ]', '\s'],
    '\b' => ['\b', BOUNDARY, '\b'],
    '\B' => ['\B', NO_BOUNDARY, '\B'],
    '[\w&&[^a]]' => ["[#{WORD}&&[^a]]", "[#{WORD}&&[^a]]", '[\w&&[^a]]'],
    "[[:alpha:]]" => ["[[:alpha:]]", "[a-zA-Z]", "[[:alpha:]]"],
  }.freeze
  TOKEN = /\[\\w&&\[\^a\]\]|\[\[:alpha:\]\]|\[[^\]]*\]|\\p\{\w+\}|\\.|\(\?[a-z-]+:|\(\?<?[=!]|\(\?[>~:]|\(\?\(\d\)|\(|\)|./m

  module_function

  def translate(pattern)
    # The character set of each open group, and how it ends.
    open = [[0, ")"]]
    pattern.scan(TOKEN).map { |token|
      case token
      when "(?a:", "(?u:"
        open << [" au".index(token[2]), ")"]
        next "(?:"
      when "(?=", "(?!", "(?<=", "(?<!"
        open << [open.last[0], "))"]
        next "(?:#{token}"
      when /\A\(/ then open << [open.last[0], ")"]
      when ")" then next open.pop[1]
      end
      replaced = REPLACED.fetch(token, [token] * 3)[open.last[0]]
      ANCHORS.include?(token) ? "(?:#{replaced})" : replaced
    }.join
  end
end
