# Answers searches with the Ruby that runs this script. As a script it answers the lines of a file, which are patterns
# and texts in hexadecimal, and for other searches than from the start an operation and its position in bytes:
#
#   ruby answers.rb INPUT OUTPUT
#   6128622f29 616262 rfind:3
#
# An answer has the form that the example `spans` writes.
$VERBOSE = nil
Warning[:deprecated] = false

module Answers
  module_function

  # Returns the byte ranges of the match and its groups, "nil", the message of a refusal, "slow", or "stale" and the
  # range of the match where a group ends before it starts: Ruby may leave the start of a group that a path has set
  # and left.
  def answer(pattern, text, operation = "find:0")
    limited(Regexp.new(pattern)) do |regexp|
      match = search(regexp, text, *operation.split(":"))
      next "nil" unless match
      next "stale #{range(match, 0)}" if (1...match.size).any? { |n| match.begin(n) && match.begin(n) > match.end(n) }
      spans(match)
    end
  rescue RegexpError => error
    return "slow" if error.message.include?("timeout")
    "Syntax: #{error.message[/\A(.*?): \//m, 1]}"
  end

  # Returns whether two answers are the same as far as they say: of "stale" groups, only the match counts.
  def same?(ours, theirs)
    theirs.start_with?("stale ") ? ours.split(" ").first == theirs.split(" ").last : ours == theirs
  end

  # Raised in a search that takes too long.
  class Slow < StandardError; end

  # Ruby 3.2 has timeouts of its own; in WebAssembly there are no threads.
  def limited(regexp)
    return yield(Regexp.new(regexp.source, regexp.options, timeout: 1)) if RUBY_VERSION >= "3.2" && regexp
    watch
    Thread.handle_interrupt(Slow => :never) do
      @began = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
      Thread.handle_interrupt(Slow => :immediate) { yield regexp }
    ensure
      @began = nil
    end
  rescue Slow
    "slow"
  end

  # Starts the thread that ends slow searches. `Timeout` would start one for each search.
  def watch
    main = Thread.current
    @watch ||= Thread.new do
      loop do
        sleep 0.01
        began = @began
        next unless began && Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - began > 0.02
        @began = nil
        main.raise(Slow)
      end
    end
  end

  # Searches from a position in bytes.
  def search(regexp, text, operation, position)
    at = text.byteslice(0, position.to_i).size
    case operation
    when "find" then regexp.match(text, at)
    when "rfind" then text.rindex(regexp, at) && $~
    when "match"
      # `\G` holds at the position; a match that starts there is the requested one.
      match = regexp.match(text, at)
      match if match && match.begin(0) == at
    end
  end

  def spans(match)
    match.size.times.map { |n| match.begin(n) ? range(match, n) : "-" }.join(" ")
  end

  # `\K` in a look-ahead may put the start after the end.
  def range(match, n)
    [match.begin(n), match.end(n)].map { match.string[0, _1].bytesize }.join("-")
  end
end

if ARGV.size == 2 && File.file?(ARGV.first)
  input, output = ARGV
  File.open(output, "wb") do |out|
    # If the interpreter crashes, the answers so far show where.
    out.sync = true
    File.foreach(input, chomp: true) do |line|
      pattern, text, operation = line.split(/ /, -1)
      pattern, text = [pattern, text].map { [_1].pack("H*").force_encoding("UTF-8") }
      out.puts Answers.answer(pattern, text, operation || "find:0").inspect[1..-2]
    rescue ArgumentError, Encoding::CompatibilityError => error
      out.puts "Error: #{error.message}".inspect[1..-2]
    end
  end
end
