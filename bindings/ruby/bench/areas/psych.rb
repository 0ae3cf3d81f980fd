# frozen_string_literal: true

# Ketch::Psych beside Psych. Both make the same objects, also symbols, times and regular expressions.
module Board
  SIDES = { "ketch" => Ketch::Psych, "Psych" => Psych }.freeze
  PERMITTED = { permitted_classes: [Symbol, Date, Time, Regexp], aliases: true }.freeze

  def self.psych(name, &make)
    operation("psych.#{name}") { |engine, path| SIDES[engine] && make.call(SIDES[engine], text(path)) }
  end

  psych("load_stream") { |side, text| task(text, side == Psych ? PSYCH : ->(stream) { Ketch::Psych.load_stream(stream) }) }
  psych("load") { |side, text| task(text, ->(source) { side.load(source, **PERMITTED) }) }
  psych("dump") do |side, text|
    task(Ketch::Psych.load(text, **PERMITTED), ->(data) { side.dump(data) }) { |dumped| Ketch::Psych.unsafe_load(dumped) }
  end

  # Plain scalars, by a new scanner each time, because Psych's keeps the strings that it has seen.
  operation "resolve.scalars" do |engine, path|
    make = {
      "ketch" => -> { Ketch::Psych::ScalarScanner.new(Ketch::Psych::ClassLoader.new) },
      "Psych" => -> { Psych::ScalarScanner.new(Psych::ClassLoader.new) }
    }[engine]
    make && task(JSON.parse(text(path)), ->(strings) { make.call.then { |scanner| strings.map { |string| scanner.tokenize(string) } } })
  end
end
