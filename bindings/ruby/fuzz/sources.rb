# frozen_string_literal: true

require_relative "fuzzer"
require_relative "../test/extprot_vectors"
require_relative "../test/suite"

# Real texts and messages.
module FuzzSources
  MODEL = JSON.parse(File.read(File.expand_path("../../../conformance/data-model.json", __dir__)))
  EVERYDAY = <<~YAML
    name: &name ketch
    masts: [main, "mi\\x7azen", 'it''s', 1.5e3, 0x1f, ~, true]
    again: {a: *name, ? [k]: v, <<: {b: 2001-12-14}}
    text: |
      fair
        wind
    folded: >-
      and
      sea
    key with a tag: !t [!!str 1, !!set {a, b}, !!binary /wA=]
  YAML

  class << self
    def all = { texts: texts, messages: messages, classes: classes }

    private

    def texts = Suite.cases.map { |entry| entry[:yaml] } + MODEL.filter_map { |row| row["yaml"] } + [EVERYDAY] * 40

    def messages
      rows = MODEL.map { |row| row["hex"] } + ExtprotVectors.load(:untyped).map { |row| row["hex"] }
      rows = rows.map { |text| [text.delete(" ")].pack("H*") }.select { |bytes| bytes.bytesize.between?(1, 1000) }
      rows + [{ "id" => 7, "list" => [1, -2, true, nil, 1.5, "ö", "\xff".b], "map" => { "a" => [[], {}] }, "t" => Time.at(0), "big" => 2**70 }]
        .cycle(30).map { |value| Ketch::Extprot.dump(value) }
    end

    # Returns pairs of a generated class and encoded bytes, from the vectors that have 1 to 500 bytes.
    def classes
      schemas = Hash.new { |made, name| made[name] = Ketch::Extprot.schema("#{ExtprotVectors.folder}/schemas/#{name}.proto") }
      entries = ExtprotVectors.load(:evolution) + ExtprotVectors.load(:lazies) + ExtprotVectors.load(:roundtrip)
      entries.filter_map do |entry|
        bytes = [entry["hex"] || ""].pack("H*")
        next unless bytes.bytesize.between?(1, 500)

        name = (entry["reader"] || entry["message"]).delete("_")
        made = schemas[entry["schema"]]
        [made.const_get(made.constants.find { |own| own.to_s.delete("_").casecmp?(name) }), bytes]
      end
    end
  end
end
