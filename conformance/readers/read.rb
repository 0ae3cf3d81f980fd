# Reads documents with Psych and prints their values: read.rb CASES.
#
# Input and output are described in ../src/readers/notation.rs.
require 'psych'

def quoted(text)
  text = text.encode('UTF-8')
  '"' + text.each_char.map { |c| c.match?(/\A[0-9A-Za-z]\z/) ? c : format('%%%x;', c.ord) }.join
end

def shown(value)
  case value
  when nil then 'null'
  when true, false then value.to_s
  when Integer then "i#{value}"
  when Float then value.nan? ? 'nan' : "f#{[value].pack('G').unpack1('H*')}"
  when String then quoted(value)
  when Array then "[#{value.map { |entry| shown(entry) }.join(',')}]"
  when Hash then "{#{value.map { |key, entry| "#{shown(key)}:#{shown(entry)}" }.sort.join(',')}}"
  else "?#{value.class}#{quoted(value.to_s)}"
  end
end

def load(count, text)
  return [Psych.safe_load(text)] if count == 1

  classes = Psych::ClassLoader::Restricted.new([], [])
  scanner = Psych::ScalarScanner.new(classes)
  Psych.parse_stream(text).children.map do |document|
    Psych::Visitors::NoAliasRuby.new(scanner, classes).accept(document)
  end
end

def read(count, text)
  load(count, text).map { |value| shown(value) }.join(';')
rescue StandardError => e
  "error #{e.message.dump}"
end

puts "Psych #{Psych::VERSION}, #{RUBY_ENGINE} #{RUBY_ENGINE_VERSION}"
File.open(ARGV[0], 'rb') do |cases|
  while (header = cases.gets)
    count, length = header.split.map(&:to_i)
    puts read(count, cases.read(length).force_encoding('UTF-8'))
  end
end
