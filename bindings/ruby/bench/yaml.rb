# frozen_string_literal: true

# Compares Ketch with Psych, and with readers of JSON and of binary formats for the same data. All results must be equal
# before anything is timed. Ratios are the other's time to Ketch's.

require "ketch"
require "psych"
require "json"
require "oj"
require "yajl"
require "msgpack"
require "tempfile"
require_relative "measure"
require_relative "record"

folder = ENV.fetch("CORPUS") { File.expand_path("../../../bench/out/corpus", __dir__) }
files = Dir["#{folder}/*.{yaml,yml,json}"].sort
abort "no corpus in #{folder}: bench/run fetches it, or CORPUS names a folder of YAML files" if files.empty?
rounds = Integer(ENV.fetch("ROUNDS", "7"))

def psych(text)
  Psych.load_stream(text)
rescue Psych::Exception, ArgumentError
  nil
end

# Returns a value without Ketch::Tagged, as JSON could have it.
def plain(value)
  case value
  when Ketch::Tagged then plain(value.value)
  when Float then value.finite? ? value : value.to_s
  when Array then value.map { |entry| plain(entry) }
  when Hash then value.to_h { |key, entry| [key.to_s, plain(entry)] }
  else value
  end
end

small = "name: ketch\nmasts: [main, mizzen]\nrig: fore-and-aft\nlaunched: 1902\nid: 1\n"
raise unless small.bytesize == 73

texts = files.to_h { |file| [File.basename(file), File.read(file)] }.merge("73 bytes" => small)
load_ratios = Hash.new { |hash, key| hash[key] = [] }
dump_ratios = Hash.new { |hash, key| hash[key] = [] }
small_ratio = nil

puts format("%-24s %10s %9s %8s  %7s %7s %7s %7s %7s %7s   %7s %7s  %s", "load", "bytes", "ms", "MB/s",
            "Psych", "JSON", "Oj", "Yajl", "Marshal", "MsgPack", "dump:", "Psych", "objects Ketch / Psych")
texts.each do |name, text|
  options = {}
  begin
    values = Ketch.load_stream(text)
  rescue Ketch::DuplicateKeyError
    # Psych also takes the last one.
    options = { duplicate_keys: :last }
    values = Ketch.load_stream(text, **options)
  end
  by_yaml11 = Ketch.load_stream(text, schema: :yaml11, duplicate_keys: :last)
  by_psych = psych(text)
  agrees = by_psych && plain(by_psych) == plain(by_yaml11)

  data = plain(values)
  data = data[0] if data.size == 1
  json = JSON.generate(data)
  packed = MessagePack.pack(data)
  marshalled = Marshal.dump(data)
  raise name unless JSON.parse(json) == data && Oj.load(json, mode: :strict) == data
  raise name unless MessagePack.unpack(packed) == data && Ketch.load(Ketch.dump(data)) == data

  times = Measure.repetitions { options.empty? ? Ketch.load_stream(text) : Ketch.load_stream(text, **options) }
  each = ->(&block) { -> { times.times(&block) } }
  loads = {
    ketch: options.empty? ? each.() { Ketch.load_stream(text) } : each.() { Ketch.load_stream(text, **options) },
    json: each.() { JSON.parse(json) }, oj: each.() { Oj.load(json, mode: :strict) },
    yajl: each.() { Yajl::Parser.parse(json) }, marshal: each.() { Marshal.load(marshalled) },
    msgpack: each.() { MessagePack.unpack(packed) }
  }
  least = Measure.least(rounds, loads)
  slow = by_psych ? Measure.least([rounds / 3, 2].max, psych: each.() { psych(text) }) : {}
  ratios = least.merge(slow).transform_values { |time| time / least[:ketch] }
  ratios.each { |key, ratio| load_ratios[key] << ratio unless key == :ketch || name == "73 bytes" && key != :psych }

  small_ratio = ratios[:psych] if text.equal?(small)

  dumped = Measure.least([rounds / 2, 2].max, ketch: -> { Ketch.dump(data) }, psych: -> { Psych.dump(data) })
  dump_ratio = dumped[:psych] / dumped[:ketch]
  dump_ratios[:psych] << dump_ratio
  own = Measure.allocations { Ketch.load_stream(text, **options) }
  theirs = Measure.allocations { psych(text) }
  puts format("%-24s %10d %9.3f %8.1f  %6.1f%s %7.2f %7.2f %7.2f %7.2f %7.2f   %7s %7.1f  %d / %d",
              name, text.bytesize, least[:ketch] * 1000 / times, text.bytesize * times / least[:ketch] / 1e6,
              ratios[:psych] || Float::NAN, agrees ? " " : "*", *ratios.values_at(:json, :oj, :yajl, :marshal, :msgpack),
              "", dump_ratio, own, theirs)
end
Record.add(
  versions: ["Ruby #{RUBY_VERSION}", "Psych #{Psych::VERSION}", "json #{JSON::VERSION}", "Oj #{Oj::VERSION}",
             "Yajl #{Yajl::VERSION}", "MessagePack #{MessagePack::VERSION}"].join(", "),
  files: files.size,
  yaml: { psych: "Psych.load_stream", json: "JSON.parse", oj: "Oj.load", yajl: "Yajl::Parser.parse",
          marshal: "Marshal.load", msgpack: "MessagePack.unpack" }
    .to_h { |key, name| [name, Record.summary(load_ratios[key])] }
    .merge("Psych.dump" => Record.summary(dump_ratios[:psych])),
  small: { bytes: small.bytesize, "Psych.load_stream" => small_ratio }
)
puts "* Psych makes other values of this file (symbols, dates, regular expressions), or refuses it."
puts
{ psych: "Psych.load_stream", json: "JSON.parse", oj: "Oj.load", yajl: "Yajl::Parser.parse", marshal: "Marshal.load",
  msgpack: "MessagePack.unpack" }.each { |key, name| puts Measure.summary(name, load_ratios[key]) }
puts Measure.summary("Psych.dump", dump_ratios[:psych])

# Returns the peak memory, beyond that of the text, of processes that hold all values of a file.
def held(reader, text)
  Tempfile.create("held") do |file|
    file.write(text)
    file.flush
    Integer(IO.popen([RbConfig.ruby, "-I#{__dir__}/../lib", "#{__dir__}/held.rb", reader, file.path], &:read)) / 1024.0
  end
end

puts
puts format("%-24s %8s %8s %8s %8s", "MiB to hold all", "Ketch", "Psych", "JSON", "Oj")
largest = texts.max_by(4) { |_, text| text.bytesize }
largest.each do |name, text|
  data = plain(Ketch.load_stream(text, duplicate_keys: :last))
  json = JSON.generate(data.size == 1 ? data[0] : data)
  peaks = [held("Ketch", text), psych(text) ? held("Psych", text) : Float::NAN, held("JSON", json), held("Oj", json)]
  puts format("%-24s %8.1f %8.1f %8.1f %8.1f", name, *peaks)
  next unless name == largest[0][0]

  Record.add(held: { file: name, bytes: text.bytesize }.merge(%i[Ketch Psych JSON].zip(peaks).to_h))
end
