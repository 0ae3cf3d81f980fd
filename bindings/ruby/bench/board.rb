# frozen_string_literal: true

$LOAD_PATH << File.expand_path("../lib", __dir__)

require "date"
require "digest"
require "json"
require "open3"
require "psych"
require "rbconfig"
require "stringio"
require "tempfile"
require "ketch"
require "ketch/psych"
require "ketch/syck"

# What all operations share: the engines, the clock, and the form in which results are compared.
module Board
  JRUBY = RUBY_ENGINE == "jruby"
  # Operations by name: each returns the Task of an engine for an input, or nil.
  OPERATIONS = {}
  # Operations that hold all values: by name, and then by engine, how an engine makes them of bytes.
  HELD = {}
  # What is required for the engines that do not come with Ruby.
  LIBRARIES = { "Oj" => %w[oj], "Yajl" => %w[yajl yajl/version], "MessagePack" => %w[msgpack] }.freeze
  OWN = ["ketch", "pure", "without positions"].freeze
  RUBY = ["ruby", "Marshal", *("mri" unless JRUBY)].freeze
  ABSENT = LIBRARIES.reject do |_, libraries|
    libraries.each { |library| require library }
  rescue LoadError
    false
  end

  if JRUBY
    require "ffi"

    # The C library.
    module C
      extend FFI::Library
      ffi_lib "c"
      attach_function :getrusage, %i[int pointer], :int
    end
    # A struct of 144 bytes, which starts with the seconds and the microseconds of the user, and then of the system.
    USAGE = FFI::MemoryPointer.new(:long, 18)
  end

  # The work of an engine on a prepared input. If there is `fresh`, it makes the source of each time, untimed. The time
  # of `empty` is that of the loop around the engine, and is subtracted.
  class Task
    attr_reader :value

    def initialize(source, work, fresh: nil, empty: nil, value: -> { work.(source) })
      @source, @work, @fresh, @empty, @value = source, work, fresh, empty, value
    end

    # Returns the seconds of the user, the system and the clock. The work is done once before, untimed, and the heap is
    # swept, so that it finds the heap in the state that it leaves itself.
    def run(times)
      return Array.new(times) { fresh }.transpose.map(&:sum) if @fresh

      @work.(@source)
      GC.start unless JRUBY
      spent = repeat(@work, times)
      @empty ? spent.zip(repeat(@empty, times)).map { |all, loop| [all - loop, 0].max } : spent
    end

    private

    def fresh
      source = @fresh.call
      GC.start unless JRUBY
      Board.spent { @work.(source) }
    end

    def repeat(work, times)
      source = @source
      Board.spent do
        done = 0
        while done < times
          work.(source)
          done += 1
        end
      end
    end
  end

  # The work in a new process, `held.rb`, which measures how much memory grows.
  class Held < Task
    def initialize(name, engine, source, value)
      super(source, nil, value: value)
      @file = Tempfile.new("held", binmode: true)
      @file.write(source)
      @file.flush
      @command = [RbConfig.ruby, "#{__dir__}/held.rb", name, engine, @file.path]
    end

    def run(times) = Array.new(times) { once }.transpose.then { |*sums, peaks| [*sums.map(&:sum), peaks.max] }

    private

    def once
      output, errors, status = Open3.capture3(*@command)
      status.success? ? JSON.parse(output) : raise(errors)
    end
  end

  class << self
    # Adds an operation; the block returns the bytes, anything, and how the values are compared.
    def held(name, readers, &make)
      HELD[name] = readers
      operation(name) do |engine, path|
        next if JRUBY || !readers.key?(engine)

        source, _, reduce = make.call(engine, path)
        Held.new(name, engine, source, -> { reduce.(readers[engine].(source)) })
      end
    end

    def operation(name, &make) = OPERATIONS[name] = make

    # Returns a task; the block makes of its result what is compared.
    def task(source, work, **options, &reduce)
      options[:value] = -> { reduce.(work.(source)) } if reduce
      Task.new(source, work, **options)
    end

    def text(path) = File.read(path, encoding: "UTF-8")

    def versions
      own = OWN.to_h { |name| [name, Ketch::VERSION] }
      others = { "Psych" => Psych::VERSION, "JSON" => JSON::VERSION, "Oj" => (Oj::VERSION if defined?(Oj)),
                 "Yajl" => (Yajl::VERSION if defined?(Yajl)), "MessagePack" => (MessagePack::VERSION if defined?(MessagePack)) }
      own.merge(RUBY.to_h { |name| [name, RUBY_VERSION] }, others.compact)
    end

    def why_absent(engine)
      library = ABSENT[engine]&.first
      "#{library} is not installed (apt-get install ruby-#{library})" if library
    end

    # Returns a value as the data model has it, with mappings in the order of their encoded keys. Objects that only Ruby
    # has become tagged text.
    def canonical(value)
      case value
      when Hash then value.map { |pair| canonical(pair) }.sort_by { |key, _| Ketch::Extprot.dump(key) }.to_h
      when Array then value.map { |entry| canonical(entry) }
      when Ketch::Tagged then Ketch::Tagged.new(value.tag, canonical(value.value))
      when Struct then canonical(value.to_a)
      when nil, true, false, Integer, Float, String, Time, Date then value
      else Ketch::Tagged.new("!ruby/#{value.class}", value.inspect)
      end
    end

    # Returns the seconds of a block.
    def spent
      begun = clocks
      yield
      clocks.zip(begun).map { |now, before| now - before }
    end

    # Process.times of CRuby has microseconds. That of JRuby has only hundredths of a second, as has the JVM.
    if JRUBY
      def clocks
        C.getrusage(0, USAGE)
        user, user_micros, system, system_micros = USAGE.read_array_of_long(4)
        [user + user_micros / 1e6, system + system_micros / 1e6, real]
      end
    else
      def clocks = Process.times.then { |times| [times.utime, times.stime, real] }
    end

    def real = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    # Returns a figure of the memory of this process in KiB.
    def memory(name) = File.read("/proc/self/status")[/^#{name}:\s+(\d+)/, 1].to_i
  end
end

Dir["#{__dir__}/areas/*.rb"].sort.each { |area| require area }
