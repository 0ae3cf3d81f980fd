# A worker of bench/regex/run that times Ruby's own engine or the gem. The commands are those of src/main.rs.
#
#   ruby time.rb mri|ruby|gem
#
# `mri` subtracts the time of a loop that calls a method with one argument instead of searching, which leaves the time
# of the engine. `ruby` and `gem` measure whole calls.
$stdout.sync = true
ENGINE = ARGV.fetch(0)
if ENGINE == "gem"
  $LOAD_PATH.unshift(File.expand_path("../../bindings/ruby/lib", __dir__))
  require "ketch"
end
KIND = ENGINE == "gem" ? Ketch::Regexp : Regexp

def cpu = Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID, :nanosecond)

def text(bytes) = bytes.force_encoding("UTF-8")

def compile(flags, pattern)
  KIND.new(pattern, (flags.include?("i") ? 1 : 0) | (flags.include?("m") ? 4 : 0))
end

def span(match)
  return 0 unless match
  first, past = match.begin(0), match.end(0)
  1 + match.string[0, first].bytesize + match.string[0, past].bytesize * 1000
end

def answer((flags, pattern, string), regex, operation)
  case operation
  when "is_match" then regex.match?(string) ? 1 : 0
  when "count" then count(regex, string)
  when "split" then split(regex, string).size
  when "lines" then lines(string)
  when "compile" then span(compile(flags, pattern).match(string))
  else span(regex.match(string))
  end
end

def count(regex, string)
  return regex.scan(string).size if ENGINE == "gem"
  count = 0
  string.scan(regex) { count += 1 }
  count
end

def split(regex, string) = ENGINE == "gem" ? regex.split(string) : string.split(regex)

def lines(string)
  count = 0
  ENGINE == "gem" ? Ketch.each_line(string) { count += 1 } : string.each_line { count += 1 }
  count
end

# Repeats the operation without the conversion of its answers.
def repeat(times, cases, regexes, operation)
  strings = cases.map { _1[2] }
  size = cases.size
  case operation
  when "is_match" then times.times { i = 0; while i < size; regexes[i].match?(strings[i]); i += 1; end }
  when "count" then times.times { i = 0; while i < size; count(regexes[i], strings[i]); i += 1; end }
  when "split" then times.times { i = 0; while i < size; split(regexes[i], strings[i]); i += 1; end }
  when "lines" then times.times { i = 0; while i < size; lines(strings[i]); i += 1; end }
  when "compile" then times.times { cases.each { |flags, pattern, string| compile(flags, pattern).match?(string) } }
  when "empty" then times.times { i = 0; while i < size; regexes[i].equal?(strings[i]); i += 1; end }
  # A search without a MatchData, which the engine would not need to create.
  when "find" then times.times { i = 0; while i < size; regexes[i].match?(strings[i]); i += 1; end }
  else times.times { i = 0; while i < size; regexes[i].match(strings[i]); i += 1; end }
  end
end

cases, regexes, operation = [], [], ""
while (line = $stdin.gets)
  name, *words = line.split
  if name == "load"
    operation = words[1]
    cases = File.readlines(words[0], chomp: true).map do |row|
      flags, pattern, string = row.split("\t", -1)
      string = string.start_with?("@") ? File.binread(string[1..]) : [string].pack("H*")
      [flags, text([pattern].pack("H*")), text(string)]
    end
    cases.each { _1[2].valid_encoding? }
    regexes = cases.map { |flags, pattern,| compile(flags, pattern) }
    puts cases.zip(regexes).map { |one, regex| answer(one, regex, operation) }.join(" ")
  else
    start = cpu
    repeat(words[0].to_i, cases, regexes, operation)
    spent = cpu - start
    if ENGINE == "mri" && operation != "count"
      start = cpu
      repeat(words[0].to_i, cases, regexes, "empty")
      spent -= cpu - start
    end
    puts spent
  end
end
