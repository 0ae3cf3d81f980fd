# frozen_string_literal: true

require_relative "helper"
require_relative "extprot_vectors"
require "ketch/extprot/pure"
require "open3"
require "tmpdir"

# The classes of schemas. The including class has `codec`.
module SchemaCases
  E = Ketch::Extprot
  FLEET = <<~'SCHEMA'
    (* who sails *)
    type rig = Sloop | Ketch | Other string int
    type pair 'a 'b = { first : 'a; second : 'b }
    message sailor = { name : string; age : int [@default 30] }
    message ship = {
      name : string;
      rig : rig;
      crew [@lazy] : [ sailor ];
      marks : [| (int * float) |];
      size : pair<int, long>;
      mutable wet : bool;
    }
    message event = Sails { ship : ship } | Sinks { at : long; class : byte }
    message names = {| ship | name; wet |}
    message old_sailor = { name : string }
    message new_sailor = { name : string; age : long; rig : rig; kin : [ sailor ]; note : string [@default "öß #{}" ] }
  SCHEMA
  Fleet = E.schema_text(FLEET, name: "fleet.proto")
  Ship, Sailor, Event, Rig, Names, PairIntLong =
    %i[Ship Sailor Event Rig Names PairIntLong].map { |name| Fleet.const_get(name) }

  def ship(**fields)
    Ship.new(name: "Ann", rig: Rig::Ketch, crew: [Sailor.new(name: "Bo")], marks: [[1, 2.5]],
             size: PairIntLong.new(first: 1, second: 2**60), wet: true, **fields)
  end

  def read(type, bytes, **options) = type.read(bytes, codec: codec, **options)
  def write(message) = message.write(codec: codec)

  def test_a_message_is_read_as_it_was_written
    [ship, ship(rig: Rig::Other.new("raft", -3)), ship(crew: [])].each do |message|
      again = read(Ship, write(message))
      assert_equal message, again
      assert_equal [message.hash, message.to_h], [again.hash, again.to_h]
      assert_equal write(message), write(again)
    end
    refute_equal ship, ship(wet: false)
  end

  def test_new
    assert_equal 30, Sailor.new(name: "Bo").age
    assert_equal Sailor.new("Bo", 30), Sailor.new(name: "Bo")
    assert_equal [], Ship.new(name: "", size: PairIntLong.new(1, 2)).crew
    assert_equal Rig::Sloop, Ship.new(name: "", size: PairIntLong.new(1, 2)).rig
    error = assert_raises(ArgumentError) { Sailor.new(age: 3) }
    assert_match(/missing keyword: :name/, error.message)
    error = assert_raises(ArgumentError) { Sailor.new(name: "", nam: "") }
    assert_match(/unknown keyword: :nam/, error.message)
    sailor = Sailor.new(name: "Bo")
    sailor.age = 31
    assert_equal 31, read(Sailor, write(sailor)).age
  end

  def test_patterns
    found = case read(Ship, write(ship(rig: Rig::Other.new("raft", 7))))
            in { rig: Rig::Other[name, 7], crew: [{ name: crew }] } then [name, crew]
            end
    assert_equal %w[raft Bo], found
    assert_kind_of Rig, Rig::Ketch
    assert_kind_of Rig, Rig::Other.new("", 1)
    rig = case Rig::Ketch
          in Rig::Sloop then "sloop"
          in Rig::Ketch then "ketch"
          end
    assert_equal "ketch", rig
  end

  def test_unions
    sinks = Event::Sinks.new(at: -1, class_: 255)
    assert_equal "\x11\x0c\x02\x06\xff\xff\xff\xff\xff\xff\xff\xff\x02\xff".b, write(sinks)
    assert_equal sinks, read(Event, write(sinks))
    assert_kind_of Event, read(Event, write(Event::Sails.new(ship: ship)))
  end

  def test_subsets
    names = read(Names, write(ship))
    assert_equal ["Ann", true], [names.name, names.wet]
    error = assert_raises(E::Error) { write(names) }
    assert_equal :read_only, error.name
  end

  def test_evolution
    old, new = Fleet.const_get(:OldSailor), Fleet.const_get(:NewSailor)
    error = assert_raises(E::Error) { read(new, write(old.new(name: "Bo"))) }
    assert_equal [:missing_field, "new_sailor.age"], [error.name, error.path]
    newer = read(new, write(Sailor.new(name: "Bo", age: 4)))
    assert_equal [4, Rig::Sloop, [], "öß \#{}"], [newer.age, newer.rig, newer.kin, newer.note]
    assert_equal old.new(name: "Bo"), read(old, write(newer))
    # A bare primitive where a message is expected.
    assert_equal Sailor.new(name: "Bo"), read(Sailor, "\x03\x02Bo".b)
  end

  def test_lazy_fields_keep_data_unknown_to_this_schema
    newer = E.schema_text(FLEET.sub("[@default 30] }", "[@default 30]; rank : int [@default 7] }"))
    bytes = write(newer::Ship.new(name: "Ann", crew: [newer::Sailor.new(name: "Bo")], size: newer::PairIntLong.new(1, 2)))
    read = read(Ship, bytes)
    assert_equal bytes, write(read)
    assert_equal [Sailor.new("Bo", 30)], read.crew
    assert_equal bytes, write(read)
    read.crew = read.crew
    assert_equal [Sailor.new("Bo", 30)], read(Ship, write(read)).crew
    refute_equal bytes, write(read)
  end

  def test_errors_have_offset_and_path
    bytes = write(ship)
    bytes.setbyte(bytes.index("Bo") + 2, 8)
    error = assert_raises(E::Error) { read(Ship, bytes).crew }
    assert_equal bytes.index("Bo") + 3, error.offset
    { ship(marks: [[1, 2.0], [1, "x"]]) => ["ship.marks[1][1]", "float"], ship(wet: nil) => ["ship.wet", "bool"],
      ship(rig: Rig::Other.new(1, 2)) => ["ship.rig.Other[0]", "string"], ship(size: nil) => ["ship.size", "pair"],
      ship(crew: [Sailor.new("", 2**62)]) => ["ship.crew[0].age", "int"],
      ship(name: :a) => ["ship.name", "string"], Sailor.new("", 2**62) => ["sailor.age", "int"],
      Event::Sinks.new(at: 2**63, class_: 0) => ["event.at", "long"], Event::Sinks.new(at: 0, class_: -1) => ["event.class_", "byte"] }
      .each do |message, (path, type)|
        error = assert_raises(E::Error, path) { write(message) }
        assert_equal [path, :shape], [error.path, error.name]
        assert_match(/the value is not of type #{type}, in #{Regexp.escape(path)}/, error.message)
      end
  end

  def test_corrupt_bytes_are_errors
    bytes = write(ship)
    (0...bytes.bytesize).each { |size| assert_raises(E::Error) { read(Ship, bytes.byteslice(0, size)) } }
    assert_raises(E::Error) { read(Ship, "#{bytes}\0") }
    assert_raises(E::Error) { read(Ship, bytes, max_string_bytes: 2) }
    assert_raises(E::Error) { read(Ship, bytes, max_elements: 5) }
    assert_equal ship, read(Ship, bytes, max_elements: 6, max_string_bytes: 3)
  end

  def test_streams
    sailors = Array.new(3_000) { |n| Sailor.new(name: "n" * (n % 50), age: n) }
    io = StringIO.new
    sailors.each { |sailor| sailor.write(io, codec: codec) }
    io.rewind
    assert_equal sailors, Sailor.decoder(io, codec: codec).to_a
    io.rewind
    assert_equal sailors.first(3), Array.new(3) { read(Sailor, io) }
    # Continues after one that cannot be read.
    decoder = Sailor.decoder("#{write(sailors[1])}\x0a#{write(sailors[2])}".b, codec: codec)
    assert_equal sailors[1], decoder.next_value
    assert_raises(E::Error) { decoder.next_value }
    assert_equal sailors[2], decoder.next_value
    assert_raises(EOFError) { decoder.next_value }
  end

  def test_text_and_bytes
    ["ö", "\xff".b, "a".encode("UTF-16LE")].zip(["ö", "\xff".b, "a"]) do |given, expected|
      assert_equal expected, read(Sailor, write(Sailor.new(name: given))).name
      assert_equal expected.encoding, read(Sailor, write(Sailor.new(name: given))).name.encoding
    end
  end

  def test_the_vectors
    runner = ExtprotVectors::Runner.new(codec) { |name| E.schema("#{ExtprotVectors.folder}/schemas/#{name}.proto") }
    entries = ExtprotVectors::Runner::FILES.sum { |file| runner.run(file) }
    assert_empty runner.failures.first(10)
    assert_operator entries, :>=, 3464
    assert_operator runner.passed, :>=, 8700
    puts "\n#{codec}: #{entries} entries of the vectors, #{runner.passed} comparisons"
  end
end

class SchemaTest < Minitest::Test
  include SchemaCases

  def codec = Ketch::Extprot::Codec.default

  def test_the_codec_is_the_extension
    assert_equal Ketch::Extprot::Codec::Native, codec
  end

  def test_the_codec_may_be_omitted
    assert_equal ship, Ship.read(ship.write)
  end

  def test_classes_may_be_opened_and_inherited_from
    heir = Class.new(Sailor) { def greet = "I am #{name}" }
    assert_equal "I am Bo", heir.read(heir.new(name: "Bo").write).greet
  end

  def test_schema_errors
    error = assert_raises(Ketch::Extprot::SchemaError) { Ketch::Extprot.schema_text("message a =\n  { b : inti }", name: "a.proto") }
    assert_equal ["a.proto", 2, 9, "  { b : inti }", "inti is not declared"],
                 [error.file, error.line, error.column, error.line_text, error.problem]
    assert_match(/^      \|         \^\^\^\^$/, error.message)
    assert_raises(Errno::ENOENT) { Ketch::Extprot.schema("/nowhere/a.proto") }
  end

  # Checks that each valid schema becomes classes. The rules for schemas are tested in the core.
  def test_all_schemas_of_the_vectors_become_classes
    made = ExtprotVectors.load("schema_checks").count do |entry|
      Dir.chdir("#{ExtprotVectors.folder}/schemas") { Ketch::Extprot.schema_text(entry["source"], name: "c.proto") }
    rescue Ketch::Extprot::SchemaError
      false
    end
    assert_operator made, :>=, 90
  end

  def test_values_survive_a_collection_at_each_allocation
    bytes = ship.write
    GC.stress = NEW_OBJECTS
    again = Ship.read(bytes)
    written = again.write
    batch = Ship.decoder(bytes * 2).to_a
    GC.stress = false
    assert_equal [ship, bytes, [ship, ship]], [again, written, batch]
  ensure
    GC.stress = false
  end
end

class PureSchemaTest < Minitest::Test
  include SchemaCases

  def codec = Ketch::Extprot::Pure

  # A program for a Ruby without the extension.
  PROGRAM = <<~'RUBY'
    module Kernel
      alias original_require require
      def require(name) = name == "ketch/ketch" ? raise(LoadError) : original_require(name)
    end
    require "ketch/extprot"
    require ARGV[0]
    runner = ExtprotVectors::Runner.new(Ketch::Extprot::Codec.default) do |name|
      require "#{ARGV[1]}/#{name}.rb"
      Object.const_get("Of#{name.delete("_")}")
    end
    %i[roundtrip evolution].each { |file| runner.run(file) }
    abort runner.failures.first(5).join("\n") unless runner.failures.empty?
    print runner.passed, " ", Ketch::Extprot::Codec.default
  RUBY

  # Runs the wire and evolution vectors with generated classes, without the extension.
  def test_generated_source_without_the_extension
    Dir.mktmpdir do |folder|
      Dir["#{ExtprotVectors.folder}/schemas/*.proto"].each do |path|
        name = File.basename(path, ".proto")
        source = "require \"ketch/extprot\"\nmodule Of#{name.delete("_")}\n  extend Ketch::Extprot::Types\n" \
                 "#{Ketch::Extprot.send(:schema_source, path, nil)}end\n"
        File.write("#{folder}/#{name}.rb", source)
        checked, status = Open3.capture2e(RbConfig.ruby, "-wc", "#{folder}/#{name}.rb")
        assert_equal ["Syntax OK\n", true], [checked, status.success?]
      end
      answer = IO.popen([RbConfig.ruby, "-w", "-I#{LIBRARY}", "-e", PROGRAM,
                         "#{__dir__}/extprot_vectors.rb", folder], err: %i[child out], &:read)
      assert_equal "7926 Ketch::Extprot::Pure", answer
    end
  end
end
