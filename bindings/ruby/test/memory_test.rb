# frozen_string_literal: true

require_relative "helper"
require "ketch/extprot/pure"
require "open3"

# Loads in processes with little address space. A load must return its value or raise NoMemoryError, and the process
# must go on; it must never be ended by a signal.
class MemoryTest < Minitest::Test
  # Runs an attempt, prints how it ended, and then loads a small text.
  PROGRAM = <<~'RUBY'
    require "ketch"
    require "ketch/extprot"
    limit = ARGV[0].to_i
    attempt = eval(ARGV[1])
    used = File.read("/proc/self/statm").to_i * 4096
    Process.setrlimit(:AS, used + limit * 1024 * 1024)
    begin
      attempt.call
      print "done"
    rescue NoMemoryError, Ketch::Error => e
      print e.class
    end
    attempt = nil
    GC.start
    Ketch.load("[a, {b: c}]") == ["a", { "b" => "c" }] or abort "the process is broken"
    Ketch::Extprot.load("\x05\x03\x01\x00\x02") == [1] or abort "the process is broken"
  RUBY

  # Inputs are created before the limit is set.
  ATTEMPTS = {
    "events" => 'text = "- [a, b, 1.5, {c: d}]\n" * 300_000; -> { Ketch.load(text) }',
    "one long list" => 'text = "[#{"~," * 3_000_000}]"; -> { Ketch.load(text) }',
    "keys" => 'text = (0..400_000).map { |n| "k#{n}: v#{n}\n" }.join; -> { Ketch.load(text) }',
    "documents" => 'text = "- !t [a, b, {c: d}]\n" * 300_000; -> { Ketch.load(text) }',
    "nodes" => 'text = "!t [#{"~," * 3_000_000}]"; -> { Ketch.load(text) }',
    "parse" => 'text = "[#{"a," * 3_000_000}]"; -> { Ketch.parse(text) }',
    "positions" => 'text = "[#{"a," * 3_000_000}]"; -> { Ketch.load(text, positions: true) }',
    "a long scalar" => 'text = "\"#{"a\\n" * 10_000_000}\""; -> { Ketch.load(text) }',
    "utf-16" => 'text = ("- ab\n" * 3_000_000).encode("UTF-16LE").b; -> { Ketch.load(text) }',
    "extprot" => 'bytes = Ketch::Extprot.dump([[1, nil, "ab"]] * 700_000); -> { Ketch::Extprot.load(bytes) }',
    "constants" => 'bytes = Ketch::Extprot.dump([nil] * 8_000_000); -> { Ketch::Extprot.load(bytes) }',
    "typed" => 'types = Ketch::Extprot.schema_text("message m = { a : [ (int * string) ] }"); ' \
               'bytes = types::M.new(a: [[1, "ab"]] * 700_000).write; -> { types::M.read(bytes) }'
  }.freeze

  def test_running_out_of_memory_raises_an_exception
    endings = Hash.new(0)
    ATTEMPTS.each do |name, attempt|
      [4, 30, 100, 300, 1000].each do |limit|
        command = [RbConfig.ruby, "-I#{File.expand_path("../lib", __dir__)}", "-e", PROGRAM, limit.to_s, attempt]
        printed, errors, status = Open3.capture3(*command)
        # Ruby itself ends like this if its garbage collector gets no memory.
        next endings[:ruby] += 1 if errors.include?("[FATAL] failed to allocate memory")

        assert status.success?, "#{name} with #{limit} MiB: #{status}\n#{errors[0, 2000]}"
        assert_includes %w[done NoMemoryError Ketch::LimitError], printed, "#{name} with #{limit} MiB"
        endings[printed] += 1
      end
    end
    assert_operator endings["NoMemoryError"], :>=, 15, endings.inspect
    assert_operator endings["done"], :>=, 10, endings.inspect
    puts "\nmemory ends: #{endings}"
  end

  # Runs out of memory in a process with little address space: NoMemoryError is raised, and the text
  # stays usable.
  def test_running_out_of_memory_in_edits
    program = <<~'RUBY'
      require "ketch"
      text = "items:\n#{"- {a: 1, b: [x, y]}\n" * 200_000}"
      used = File.read("/proc/self/statm").to_i * 4096
      Process.setrlimit(:AS, used + ARGV[0].to_i * 1024 * 1024)
      begin
        edit = Ketch.edit(text)
        edit["items"][1000]["a"] = 2
        edit.apply(op: "move", path: ["items", 5], to: ["items"])
        print edit.to_h["items"].size == 200_000 ? "done" : "wrong"
      rescue NoMemoryError, Ketch::Error => e
        print e.class
      end
      text = edit = nil
      GC.start
      Ketch.edit("a: 1\n") { |d| d["a"] = 2 } == "a: 2\n" or abort "the process is broken"
    RUBY
    endings = [4, 20, 60, 150, 400, 5000].map do |limit|
      printed, errors, status = Open3.capture3(RbConfig.ruby, "-I#{File.expand_path("../lib", __dir__)}", "-e", program, limit.to_s)
      next "ruby" if errors.include?("[FATAL] failed to allocate memory")

      assert status.success?, "#{limit} MiB: #{status}\n#{errors[0, 2000]}"
      printed
    end
    assert_includes endings, "NoMemoryError"
    assert_equal "done", endings.last
    assert_empty endings - %w[done ruby NoMemoryError Ketch::LimitError]
  end
end
