# Answers questions about YPath with Syck's Ruby layer on Yecht; for JRuby 1.7 as Ruby 1.8.
#
# A question is a document and a path, an answer is text; before each of them is its length, as four
# bytes. The answer has a line for each result of `search`, then an empty line, then a line for each
# result of `select`. If the document or the path is rejected, the answer is "refused".
require 'yaml'

# The key `<<`, which the layer shows as the address of an object: two of them are the same key.
class YAML::Yecht::MergeKey
  def to_s
    '<<'
  end

  def hash
    1
  end

  def eql?(other)
    other.is_a?(YAML::Yecht::MergeKey)
  end
end

# Writes a node in a form that names its kind, and its children down to a depth.
def shown(node, depth)
  case value = node.respond_to?(:kind) ? node.value : node
  when nil then 'none'
  when Array
    depth == 0 ? '[..]' : "[#{value.map { |child| shown(child, depth - 1) }.join(', ')}]"
  when Hash
    return '{..}' if depth == 0
    pairs = value.map { |key, child| "#{shown(key, depth - 1)}: #{shown(child, depth - 1)}" }
    "{#{pairs.join(', ')}}"
  else
    node.respond_to?(:kind) ? value.inspect : "line #{value.inspect}"
  end
end

def answer(text, path)
  root = YAML.parse(text)
  found = root.search(path) || []
  nodes = root.match_path(path).map { |match| match.last }
  (found + [''] + nodes.map { |node| shown(node, 6) }).map { |line| "#{line}\n" }.join
rescue Exception => error
  "refused #{error.class}\n"
end

def read_part
  length = STDIN.read(4) or exit
  STDIN.read(length.unpack('N')[0]) || ''
end

STDOUT.binmode
loop do
  text = read_part
  said = answer(text, read_part)
  STDOUT.write([said.length].pack('N') + said)
  STDOUT.flush
end
