# frozen_string_literal: true

# Ketch::Syck beside Psych. One time is a hundred times; when ports of Syck were measured, it was a thousand.
module Board
  HUNDRED = 100
  SYCK = {
    "parse" => { "ketch" => ->(text) { Ketch::Syck.parse(text) }, "Psych" => ->(text) { Psych.parse(text) } },
    "load" => { "ketch" => ->(text) { Ketch::Syck.load(text) }, "Psych" => ->(text) { Psych.load(text, aliases: true) } },
    "dump" => { "ketch" => ->(value) { Ketch::Syck.dump(value) }, "Psych" => ->(value) { Psych.dump(value) } },
    "round_trip" => {
      "ketch" => ->(text) { Ketch::Syck.dump(Ketch::Syck.load(text)) },
      "Psych" => ->(text) { Psych.dump(Psych.load(text, aliases: true)) }
    }
  }.freeze

  SYCK.each do |name, works|
    operation("syck.#{name}") do |engine, path|
      work = works[engine] or next
      source = name == "dump" ? Ketch::Syck.load(text(path)) : text(path)
      value = lambda do
        result = work.(source)
        # Trees are compared by their values, and texts by what Psych reads.
        { "parse" => -> { result.transform }, "load" => -> { result } }.fetch(name) { -> { Psych.load(result, aliases: true) } }.call
      end
      task(source, ->(given) { HUNDRED.times { work.(given) } }, value: value)
    end
  end
end
