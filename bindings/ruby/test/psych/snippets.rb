# frozen_string_literal: true

# The snippets of snippets.txt, and how Psych and Ketch::Psych read them.
module Snippets
  FILE = File.expand_path("snippets.txt", __dir__)

  # Returns names and texts. If a name ends with [crlf], the lines of the text end with CRLF; with [no newline], the
  # last line has no line break.
  def self.all
    _, *parts = File.read(FILE, encoding: "UTF-8").split(/^=== (.*)\n/)
    snippets = parts.each_slice(2).to_h { |name, text| [name, ended(text, name[/\[(.*)\]/, 1])] }
    raise "two snippets have the same name" unless snippets.size * 2 == parts.size

    snippets
  end

  def self.ended(text, manner)
    { "crlf" => text.gsub("\n", "\r\n"), "no newline" => text.chomp }.fetch(manner, text)
  end

  # Returns the classes whose objects Ketch::Psych creates.
  def self.classes(psych) = [Symbol, Date, Time, DateTime, Set, Regexp, Range, Complex, Rational, BigDecimal, psych::Set, psych::Omap]

  # Each way to read a text, by name. They get the module and the text.
  WAYS = {
    load: ->(psych, text) { psych.load(text) },
    safe_load: ->(psych, text) { psych.safe_load(text) },
    safe_load_symbolized: ->(psych, text) { psych.safe_load(text, symbolize_names: true, aliases: true) },
    permitted: ->(psych, text) { psych.load(text, permitted_classes: classes(psych), aliases: true) },
    permitted_symbolized: ->(psych, text) { psych.load(text, permitted_classes: classes(psych), aliases: true, symbolize_names: true) },
    permitted_frozen: ->(psych, text) { psych.load(text, permitted_classes: classes(psych), aliases: true, freeze: true) },
    some_symbols: ->(psych, text) { psych.load(text, permitted_symbols: %i[active a name]) },
    fallback: ->(psych, text) { psych.load(text, fallback: :nothing) },
    load_stream: ->(psych, text) { psych.load_stream(text) },
    nodes: ->(psych, text) { nodes(psych.parse_stream(text)) },
    events: ->(psych, text) { events(psych, text) }
  }.freeze

  # Returns a description of the value, or the class of the error.
  def self.outcome(way, psych, text)
    { value: description(WAYS.fetch(way).call(psych, text)) }
  rescue StandardError => e
    { error: e.class.ancestors.take_while { |ancestor| ancestor != StandardError }.grep(Class).map { |name| plain_name(name) } }
  end

  # Returns whether the outcomes agree. The error may be of a subclass.
  def self.agree?(theirs, ours)
    return theirs == ours unless theirs.key?(:error) && ours.key?(:error)

    ours[:error].include?(theirs[:error].first)
  end

  # Returns how each library reads what the other has written, or nil if both are right. Psych must read Ketch's output
  # as the original value, or in the same way as its own output, and vice versa.
  def self.dump_failure(text, psych, ketch)
    theirs, value = [psych, ketch].map { |each| each.load(text, permitted_classes: classes(each), aliases: true) }
    own = description(psych.unsafe_load(psych.dump(theirs)))
    by_psych = description(psych.unsafe_load(ketch.dump(value)))
    return "Psych reads what Ketch writes as #{by_psych}" unless [description(value), own].include?(by_psych)

    by_ketch = description(ketch.load(psych.dump(theirs), permitted_classes: classes(ketch), aliases: true))
    "Ketch reads what Psych writes as #{by_ketch}, Psych as #{own}" unless by_ketch == own
  end

  # Describes a value with its classes, encodings and time zones, and says which objects are frozen and which are the
  # same.
  def self.description(value, seen = {}.compare_by_identity)
    return [:again, seen[value]] if seen.key?(value)

    seen[value] = seen.size unless value.frozen? && !value.is_a?(Enumerable)
    name = plain_name(value.class)
    case value
    when String then [name, value, value.encoding, value.frozen?]
    when Array then [name, value.frozen?, value.map { |entry| description(entry, seen) }]
    when Hash then [name, value.frozen?, value.map { |pair| pair.map { |entry| description(entry, seen) } }]
    when Float then [name, value.to_s]
    when Time then [name, value.to_r, value.utc_offset, value.utc?, value.frozen?]
    else [name, value.inspect, value.frozen?]
    end
  end

  def self.plain_name(klass) = klass.name.to_s.delete_prefix("Ketch::")

  # Returns a tree of nodes without their locations.
  def self.nodes(node)
    facts = %i[value anchor tag plain quoted implicit style].select { |name| node.respond_to?(name) }
    [plain_name(node.class), facts.map { |name| node.public_send(name) }, (node.children || []).map { |child| nodes(child) }]
  end

  # Returns the calls of a handler, except for locations.
  def self.events(psych, text)
    calls = []
    recorder = Class.new(psych::Handler) do
      (psych::Handler::EVENTS - [:event_location]).each { |name| define_method(name) { |*arguments| calls << [name, *arguments] } }
    end
    psych::Parser.new(recorder.new).parse(text)
    calls
  end
end
