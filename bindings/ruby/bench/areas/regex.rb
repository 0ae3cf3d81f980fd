# frozen_string_literal: true

# Regular expressions and lines. An input has cases of flags, a pattern and a text; bench/rows/regex.toml describes it, and
# the results of the operations `regex.*`. One time is a pass over all cases. The engine `mri` leaves out the time of a
# loop that calls a method with one argument instead of searching; `ruby` is whole calls.
module Board
  FLAGS = { "i" => 1, "x" => 2, "m" => 4 }.freeze
  EMPTY = "regex.equal?(string)"
  # What is timed, and what is compared, in MRI.
  REGEX = {
    "find" => ["regex.match?(string)", ->(regex, string) { regex.match(string)&.then { |match| span(match) } }, EMPTY],
    "is_match" => ["regex.match?(string)", ->(regex, string) { regex.match?(string) }, EMPTY],
    "count" => ["string.scan(regex) { count += 1 }", ->(regex, string) { string.scan(regex).size }],
    "lines" => ["string.each_line { count += 1 }", ->(_, string) { string.each_line.count }],
    "split" => ["string.split(regex)", ->(regex, string) { string.split(regex).size }]
  }.freeze
  # The calls of the gem and of Ruby.
  GEM = {
    "calls" => ["regex.match?(string)", "regex.match?(string)"],
    "matches" => ["regex.match(string)", "regex.match(string)"],
    "scans" => ["regex.scan(string)", "string.scan(regex)"],
    "gsubs" => ['regex.gsub(string, "<\\\\0>")', 'string.gsub(regex, "<\\\\0>")'],
    "splits" => ["regex.split(string)", "string.split(regex)"]
  }.freeze
  LINE_BREAK = Ketch::Regexp.new("\n")
  LINES = {
    "each" => { "ketch" => ->(text, &each) { Ketch.each_line(text, &each) }, "ruby" => ->(text, &each) { text.each_line(&each) } },
    "io" => {
      "ketch" => ->(text, &each) { Ketch.each_line(StringIO.new(text), LINE_BREAK, &each) },
      "ruby" => ->(text, &each) { StringIO.new(text).each_line(&each) }
    }
  }.freeze

  class << self
    # Returns the regular expressions of a class and their texts. Each pattern is compiled once.
    def cases(kind, path)
      compiled = Hash.new { |all, (flags, pattern)| all[[flags, pattern]] = kind.new(pattern, flags.chars.sum { |flag| FLAGS.fetch(flag) }) }
      JSON.parse(text(path)).map do |flags, pattern, text|
        text = text("#{File.dirname(path)}/#{text[1..]}") if text.start_with?("@")
        [compiled[[flags, pattern]], text]
      end
    end

    # Returns a pass over the cases that evaluates an expression, without the time that the call of a block would take.
    def pass(expression)
      eval(<<~RUBY, binding, __FILE__, __LINE__ + 1)
        lambda do |cases|
          regexes, strings = cases
          at = count = 0
          size = strings.size
          while at < size
            regex = regexes[at]
            string = strings[at]
            #{expression}
            at += 1
          end
        end
      RUBY
    end

    def span(match) = [match.pre_match.bytesize, match.pre_match.bytesize + match[0].bytesize]

    # Returns what is compared of a result of the gem or of Ruby.
    def shown(result) = result.respond_to?(:names) ? [*result.to_a, *result.offset(0)] : result
  end

  REGEX.each do |name, (expression, result, empty)|
    operation("regex.#{name}") do |engine, path|
      next unless engine == "mri"

      all = cases(Regexp, path)
      task(all.transpose, pass(expression), empty: empty && pass(empty), value: -> { all.map { |regex, string| result.(regex, string) } })
    end
  end

  GEM.each do |name, (ours, theirs)|
    operation("gem.#{name}") do |engine, path|
      kind, expression = { "ketch" => [Ketch::Regexp, ours], "ruby" => [Regexp, theirs] }[engine]
      next unless kind

      all = cases(kind, path)
      one = eval("->(regex, string) { #{expression} }", binding, __FILE__, __LINE__)
      task(all.transpose, pass(expression), value: -> { all.map { |regex, string| shown(one.(regex, string)) } })
    end
  end

  LINES.each do |name, works|
    operation("lines.#{name}") do |engine, path|
      work = works[engine] or next
      source = text(path)
      task(source, ->(text) { work.(text) { |line| line } }, value: -> { [].tap { |lines| work.(source) { |line| lines << line } } })
    end
  end
end
