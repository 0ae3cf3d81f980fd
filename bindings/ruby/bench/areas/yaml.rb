# frozen_string_literal: true

# YAML beside Psych, and beside readers of JSON and of binary formats for the same data.
module Board
  LOAD = ->(text) { Ketch.load_stream(text) }
  # As Psych does.
  LOAD_LAST = ->(text) { Ketch.load_stream(text, duplicate_keys: :last) }
  LOCATE = ->(text) { Ketch.load_stream(text, duplicate_keys: :last, positions: true) }
  # JRuby's Psych limits the length of a text, unless its parser has another limit.
  PSYCH = lambda do |text|
    next Psych.load_stream(text) unless JRUBY

    parser = Psych.parser
    parser.code_point_limit = 1 << 30
    parser.parse(text)
    parser.handler.root.children.map(&:to_ruby)
  end
  # How other formats are written and read.
  FORMATS = {
    "JSON" => [JSON.method(:generate), ->(text) { JSON.parse(text) }],
    "Oj" => [JSON.method(:generate), ->(text) { Oj.load(text, mode: :strict) }],
    "Yajl" => [JSON.method(:generate), ->(text) { Yajl::Parser.parse(text) }],
    "Marshal" => [Marshal.method(:dump), ->(bytes) { Marshal.load(bytes) }],
    "MessagePack" => [->(data) { MessagePack.pack(data) }, ->(bytes) { MessagePack.unpack(bytes) }]
  }.freeze

  # Returns a value as JSON could have it: without Ketch::Tagged, and with Psych's symbols and regular expressions as text.
  def self.plain(value)
    case value
    when Ketch::Tagged then plain(value.value)
    when Symbol then ":#{value}"
    when Regexp then value.inspect
    when Float then value.finite? ? value : value.to_s
    when Array then value.map { |entry| plain(entry) }
    when Hash then value.to_h { |key, entry| [plain(key).to_s, plain(entry)] }
    else value
    end
  end

  def self.loader(text)
    LOAD.(text)
    LOAD
  rescue Ketch::DuplicateKeyError
    LOAD_LAST
  end

  # Returns what an engine reads, how, and how the result is compared.
  def self.loading(engine, path)
    text = text(path)
    case engine
    when "ketch" then [text, loader(text), method(:plain)]
    when "Psych" then [text, PSYCH, method(:plain)]
    when *FORMATS.keys
      write, read = FORMATS[engine]
      data = plain(LOAD_LAST.(text))
      data.size == 1 ? [write.(data[0]), read, ->(value) { [value] }] : [write.(data), read, :itself.to_proc]
    end
  end

  operation("yaml.load") { |engine, path| loading(engine, path)&.then { |source, read, reduce| task(source, read, &reduce) } }
  held("yaml.held", { "ketch" => LOAD_LAST, "Psych" => PSYCH, **FORMATS.transform_values(&:last) }, &method(:loading))

  operation "yaml.load11" do |engine, path|
    load = { "ketch" => ->(text) { Ketch.load_stream(text, duplicate_keys: :last, schema: :yaml11) }, "Psych" => PSYCH }[engine]
    load && task(text(path), load, &method(:plain))
  end

  operation "yaml.dump" do |engine, path|
    dump = { "ketch" => ->(data) { Ketch.dump(data) }, "Psych" => ->(data) { Psych.dump(data) } }[engine]
    dump && task(plain(LOAD_LAST.(text(path))), dump) { |text| Ketch.load(text) }
  end

  operation "yaml.positions" do |engine, path|
    case engine
    when "ketch" then task(text(path), LOCATE) { |documents| documents.map(&:value) }
    when "without positions" then task(text(path), LOAD_LAST)
    end
  end
end
