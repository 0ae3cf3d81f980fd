# frozen_string_literal: true

# The board's runner for CRuby and JRuby; docs/board.md has the protocol. The files of `areas` have the operations.

# Only answers go to standard output, whatever an engine prints.
answers = $stdout.dup
answers.sync = true
$stdout.reopen($stderr)

require_relative "board"

# Answers the requests of the board.
class Runner
  # A message is cut here.
  MESSAGE_CHARACTERS = 300

  def initialize = @slots = {}

  # Returns the answer to a line, or nil if the runner is to end.
  def answer(line)
    request = JSON.parse(line, symbolize_names: true)
    return if request[:do] == "stop"

    public_send(request.delete(:do), **request)
  rescue Exception => e # An engine may raise anything.
    raise if e.is_a?(SignalException)

    { error: "#{e.class}: #{e.message}".scrub[0, MESSAGE_CHARACTERS] }
  end

  def hello = { protocol: 1, host: "#{RUBY_ENGINE} #{RUBY_ENGINE_VERSION}", engines: Board.versions }

  def prepare(slot:, engine:, operation:, input:)
    why = Board.why_absent(engine) and return { unable: why }
    task = Board::OPERATIONS[operation]&.call(engine, input) or return { unable: "#{engine} does not do #{operation}" }
    @slots[slot] = task
    {}
  end

  def verify(slot:, write: nil)
    value = Board.canonical(@slots.fetch(slot).value.call)
    File.write(write, Ketch.dump(value)) if write
    { digest: Digest::SHA256.hexdigest(Ketch::Extprot.dump(value)) }
  end

  def run(slot:, times:)
    user, system, real, peak = @slots.fetch(slot).run(times)
    { user: user, system: system, real: real, allocated: nil, peak: peak || Board.memory("VmHWM") }
  end

  def drop(slot:)
    @slots.delete(slot)
    {}
  end
end

runner = Runner.new
while (line = $stdin.gets) && (answer = runner.answer(line))
  answers.puts(JSON.generate(answer))
end
