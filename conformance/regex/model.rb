require_relative "absent"

# Matches the patterns of `calling` (random.rb) by the definition of their constructs: it tries every path, and for
# `(?~x)` every match of x in the text. It has no tables, and shares nothing with ketch-regex.
class Model
  STEPS = 200_000

  # Raised by a search that takes too long.
  class Slow < StandardError; end

  # Returns an answer in the form of answers.rb, or "slow".
  def self.answer(pattern, text)
    new(pattern, text).answer
  rescue Slow, SystemStackError
    "slow"
  end

  def initialize(pattern, text)
    @pattern, @text = Absent.new(pattern), text
    @named = !@pattern.names.empty?
    @groups = @pattern.inside(@pattern.root).select { _1.kind == :group && captures?(_1) }.map(&:number).sort
    @steps = 0
    @ends = {}.compare_by_identity
  end

  def answer
    (0..@text.size).each do |start|
      match(@pattern.root, start, {}, @text.size) do |at, captures|
        return [[start, at], *captures.values_at(*@groups)].map { _1&.join("-") || "-" }.join(" ")
      end
    end
    "nil"
  end

  private

  # Plain parentheses do not capture in a pattern with names.
  def captures?(group) = !@named || @pattern.names.value?(group.number)

  # Yields the end and the captures of each match of a node that starts at a position and ends at `stop` or before,
  # in the order of a backtracking engine, until the block returns true. Returns whether it did.
  def match(node, at, captures, stop, &rest)
    raise Slow if (@steps += 1) > STEPS
    case node.kind
    when :alternatives then node.parts.any? { |part| sequence(part, at, captures, stop, &rest) }
    when :char then at < stop && @text[at].match?(/#{node.token}/) && rest.(at + 1, captures)
    when :nothing then assertion(node, at, captures, stop, &rest)
    when :group then group(node, at, captures, stop, &rest)
    when :call then match(@pattern.target(node), at, captures, stop, &rest)
    when :atomic then (found = first(node.parts[0][0], at, captures, stop)) && rest.(*found)
    when :condition then condition(node, at, captures, stop, &rest)
    when :absent then absence(node, at, stop) { rest.(_1, captures) }
    else repeat(node, at, captures, stop, &rest)
    end
  end

  # A group is not set while it is open.
  def group(node, at, captures, stop, &rest)
    return match(node.parts[0][0], at, captures, stop, &rest) unless captures?(node)
    match(node.parts[0][0], at, captures.except(node.number), stop) do |to, inner|
      rest.(to, inner.merge(node.number => [at, to]))
    end
  end

  def first(node, at, captures, stop)
    match(node, at, captures, stop) { |*found| return found }
    nil
  end

  def sequence(nodes, at, captures, stop, &rest)
    return rest.(at, captures) if nodes.empty?
    match(nodes[0], at, captures, stop) { |to, inner| sequence(nodes.drop(1), to, inner, stop, &rest) }
  end

  def assertion(node, at, captures, stop, &rest)
    return @text.match?(/\G#{node.token}/, at) && rest.(at, captures) if node.parts.empty?
    content = node.parts[0][0]
    return at.positive? && first(content, at - 1, captures, at) && rest.(at, captures) if node.token == "(?<="
    found = first(content, at, captures, stop)
    return !found && rest.(at, captures) if node.token == "(?!"
    found && rest.(at, found[1])
  end

  def condition(node, at, captures, stop, &rest)
    number = @pattern.names[node.number] || node.number.to_i - 1
    part = node.parts[captures[number] ? 0 : 1] || []
    sequence(part, at, captures, stop, &rest)
  end

  def repeat(node, at, captures, stop, &rest)
    item, token = node.parts[0][0], node.token
    return loop_over(item, counts(token), token.match?(/.\?\z/), at, captures, stop, &rest) unless token.match?(/.\+\z/)
    found = nil
    loop_over(item, counts(token), false, at, captures, stop) { |*end_of| found = end_of }
    found && rest.(*found)
  end

  # Returns the minimum and the maximum of a repeat.
  def counts(token)
    return { "*" => [0, nil], "+" => [1, nil], "?" => [0, 1] }[token[0]] unless token.start_with?("{")
    least, comma, most = token.match(/\{(\d*)(,?)(\d*)/).captures
    [least.to_i, comma.empty? ? least.to_i : most[/.+/]&.to_i]
  end

  # An iteration of an unbounded loop that matches nothing and sets no group for the first time is the last one.
  def loop_over(item, (least, most), lazy, at, captures, stop, &rest)
    again = lambda do
      next false if most == 0
      match(item, at, captures, stop) do |to, inner|
        next rest.(to, inner) if to == at && least.zero? && most.nil? && inner.size == captures.size
        loop_over(item, [[least - 1, 0].max, most && most - 1], lazy, to, inner, stop, &rest)
      end
    end
    return again.() if least.positive?
    lazy ? rest.(at, captures) || again.() : again.() || rest.(at, captures)
  end

  # Yields the ends of an absence operator, the last one first.
  def absence(node, from, stop)
    end_of = (@ends[node] ||= {})[from] ||= [earliest(node.parts[0][0], from)]
    limit = end_of[0] ? end_of[0] - 1 : @text.size
    return from == @text.size && yield(from) if limit < from
    [limit, stop].min.downto(from).any? { yield _1 }
  end

  # Returns the end of the match of what is absent that ends first, among those that start at `from` or later.
  def earliest(content, from)
    starts = [from, *from + 1...@text.size]
    return starts.flat_map { |at| ends(content, at) }.min if regular?(content)
    starts.reduce(nil) do |least, at|
      to, = first(content, at, {}, @text.size) if !least || at < least
      to, = at < least - 1 ? first(content, at, {}, least - 1) : nil if least && to && to >= least
      [least, to].compact.min
    end
  end

  def ends(content, at)
    found = []
    match(content, at, {}, @text.size) { |to,| found << to and false }
    found
  end

  # For other content, only the first match at a position counts.
  def regular?(content)
    @pattern.inside(content).all? do |node|
      next false if %i[call atomic condition absent].include?(node.kind)
      node.kind == :nothing ? node.parts.empty? : !node.token&.match?(/[*+?]\+\z/)
    end
  end
end
