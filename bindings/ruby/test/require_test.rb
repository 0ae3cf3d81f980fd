# frozen_string_literal: true

require_relative "helper"

# Loading Ketch takes no more processor time than loading Psych. What few programs need is loaded when it is first used.
class RequireTest < Minitest::Test
  ROUNDS = 9
  MEASURED = <<~'RUBY'
    started = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
    require ARGV[0]
    print Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - started
  RUBY

  def test_it_takes_at_most_as_long_as_psych
    times = Array.new(ROUNDS) { %w[psych ketch].to_h { |library| [library, run_ruby(MEASURED, library).to_f] } }
    psych, ketch = %w[psych ketch].map { |library| times.map { |round| round[library] }.sort[ROUNDS / 2] }
    assert_operator ketch / psych, :<=, 1.1, "ketch: #{ketch} s, psych: #{psych} s"
  end

  def test_parts_are_loaded_when_they_are_used
    program = <<~'RUBY'
      loaded = -> { $LOADED_FEATURES.grep(%r{/ketch/(edit|extprot/pure|store|psych|syck)\.rb\z}) { $1 } }
      require "ketch"
      Ketch.dump(Ketch.load("a: [1]"))
      Ketch::Extprot.load(Ketch::Extprot.dump(1))
      print loaded.call, Ketch.edit("a: 1") { |edit| edit["a"] = Ketch::Extprot::Pure.load("\x00\x54") }, loaded.call
    RUBY
    assert_equal '[]a: 42["edit", "extprot/pure"]', run_ruby(program)
  end

  # Each constant leads to the file that defines it, also without the extension.
  def test_each_part_can_be_the_first_one_that_is_used
    %w[Codec Cursor Lazy Message MessageType Pure Sum Types Union Versions].each do |name|
      assert_equal name, run_ruby("require 'ketch/extprot'; print Ketch::Extprot::#{name}.name.split('::').last")
    end
    assert_equal "Ketch::Edit::Patch", run_ruby('require "ketch"; print Ketch::Edit::Patch')
    assert_equal "2", run_ruby('require "ketch/edit"; print Ketch.edit("a: 2")["a"]')
  end

  private

  def run_ruby(program, *arguments)
    IO.popen([RbConfig.ruby, "-w", "-I#{LIBRARY}", "-e", program, *arguments], err: %i[child out], &:read)
  end
end
