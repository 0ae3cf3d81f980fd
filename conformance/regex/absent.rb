# Finds facts about the absence operators in a pattern of random.rb.
class Absent
  TOKEN = /\[\[?[^\]]*\]\]?|\\[gk]<[^>]*>|\\p\{\^?\w+\}|\\.|\(\?(?:[a-z-]+:|<?[=!]|<\w>|[>~:]|\(<?\w>?\))|\(|\)|\||[*+?][?+]?|\{\d+\}|\{\d*,\d*\}\??|./mu
  Node = Struct.new(:kind, :parts, :number, :token)
  attr_reader :root, :names

  def initialize(pattern)
    @tokens = pattern.scan(TOKEN)
    @groups, @names, @absent = [], {}, []
    @root = alternatives
    @groups.unshift(@root)
  end

  # Whether an absence operator has content that may match nothing.
  def empty? = @absent.any? { nullable?(_1, []) }

  # Whether an absence operator has content with groups, which capture in Ruby.
  def captures? = @absent.any? { |node| inside(node).any? { _1.kind == :group || _1.kind == :call } }

  # Returns the node that a call calls.
  def target(node) = node.number.is_a?(String) ? @groups[@names[node.number].to_i + 1] : @groups[node.number]

  # Returns the nodes in a node, and itself.
  def inside(node) = [node] + node.parts.flatten.flat_map { inside(_1) }

  # Whether a loop calls a group.
  def loops? = inside(@root).any? { |node| node.token&.match?(/\A[*+]/) && inside(node).any? { _1.kind == :call } }

  # Whether an absence operator has content that may match texts of several lengths.
  def varies? = @absent.any? { |node| inside(node).any? { %i[optional repeat].include?(_1.kind) || _1.parts.size > 1 } }

  private

  # A node for alternatives is a list of sequences.
  def alternatives
    found = [[]]
    until @tokens.empty? || @tokens.first == ")"
      token = @tokens.shift
      if token == "|" then found << []
      elsif token.match?(/\A([*+?]|\{.*\})[?+]?\z/) && found.last.any? then found.last << repeat(found.last.pop, token)
      elsif token.start_with?("(") then found.last << group(token)
      else found.last << atom(token)
      end
    end
    Node.new(:alternatives, found)
  end

  def repeat(node, token) = Node.new(token.match?(/\A([*?]|\{[0,])/) ? :optional : :repeat, [[node]], nil, token)

  def group(token)
    number = @groups.size
    captures = token == "(" || token.match?(/\A\(\?<\w>/)
    @groups << nil if captures
    content = alternatives
    @tokens.shift
    return Node.new(:condition, content.parts, token[/\w/]) if token.start_with?("(?(")
    return Node.new(:nothing, [[content]], nil, token) if token.match?(/[=!]\z/)
    return Node.new(:absent, [[content]]).tap { @absent << content } if token == "(?~"
    return Node.new(:atomic, [[content]]) if token == "(?>"
    return content unless captures
    @names[token[/\w/]] = number if token != "("
    @groups[number] = Node.new(:group, [[content]], number)
  end

  def atom(token)
    case token
    when /\A\\g<(.*)>/ then Node.new(:call, [], call($1))
    when /\A(\\[bBAzZGK]|[\^$])\z/ then Node.new(:nothing, [], nil, token)
    when /\A\\\d|\A\\k/ then Node.new(:nothing, [])
    else Node.new(:char, [], nil, token)
    end
  end

  def call(name)
    case name
    when /\A-(\d)/ then @groups.size - $1.to_i + 1
    when /\A\+(\d)/ then @groups.size + $1.to_i
    when /\A\d/ then name.to_i
    else name
    end
  end

  def nullable?(node, open)
    case node.kind
    when :nothing, :optional, :absent then true
    when :char then false
    when :call then !open.include?(node.number) && (found = target(node)) && nullable?(found, open + [node.number])
    when :condition then node.parts.size < 2 || node.parts.any? { |part| part.all? { nullable?(_1, open) } }
    else node.parts.any? { |part| part.all? { nullable?(_1, open) } }
    end
  end
end
