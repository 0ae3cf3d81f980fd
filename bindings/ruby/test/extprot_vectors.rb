# frozen_string_literal: true

require "json"
require "digest"
require "stringio"

# The golden vectors of the format, in conformance/extprot.
module ExtprotVectors
  FOLDER = File.expand_path("../../../conformance/extprot", __dir__)

  def self.folder = FOLDER
  def self.load(name) = JSON.parse(File.read("#{folder}/#{name}.json"))

  # Runs the vectors with the classes of their schemas. +module_of+ returns the module of a schema by name, and +codec+
  # reads and writes. Each method runs one file and returns the failures.
  class Runner
    FILES = %i[roundtrip evolution subsets lazies defaults malformed limits streams framing].freeze
    LIMITS = { "string_length" => :max_string_bytes, "num_elements" => :max_elements, "message_length" => :max_block_bytes }.freeze
    # Vectors for which the reference stops in the middle of a message with an unknown tag (defect B2 of the
    # specification).
    B2 = %w[ev-1959 ev-1963 ev-1964 ev-1967].freeze
    # Vectors in which the reference loses fields when it rewrites a message after access, so that nobody can read the
    # result. By the specification, the bytes that were read are kept.
    LOSSY = ["lz-005".."lz-012", "lz-017".."lz-024"].flat_map(&:to_a).freeze

    attr_reader :passed, :failures

    def initialize(codec, &module_of)
      @codec = codec
      @module_of = module_of
      @modules = {}
      @passed = 0
      @failures = []
    end

    def run(file)
      entries = ExtprotVectors.load(file)
      entries.each do |entry|
        @entry = entry
        __send__(file == :subsets ? :evolution : file)
      end
      entries.size
    end

    private

    def roundtrip
      type = type_of("message")
      written = build(type, @entry["value"]).write(codec: @codec)
      if @entry["hex"]
        same "written", @entry["hex"], hex_of(written)
      else
        head = @entry["head_hex"]
        same "written", @entry.values_at("length", "sha256", "head_hex"),
             [written.bytesize, Digest::SHA256.hexdigest(written), hex_of(written)[0, head.size]]
      end
      same "read", { "value" => @entry["value"] }, read(type, written)
    end

    def evolution
      writer, written = @entry.values_at("writer", "written")
      same "written", @entry["hex"], hex_of(build(type_of("writer"), written).write(codec: @codec)) if writer && written
      got, consumed = read_one(type_of("reader"), bytes)
      same "read", outcome(@entry["expect"]), got
      return unless @entry["consumed"]

      same "consumed", B2.include?(@entry["id"]) ? bytes.bytesize : @entry["consumed"], consumed
    end

    def lazies
      type = type_of("reader")
      same "rewrite", outcome(@entry["rewrite"]), rewrite(type, false)
      expected, got = outcome(@entry["expect"]), read(type, bytes)
      @entry["error_kind_free"] ? same("fails", true, got.key?("error")) : same("read", expected, got)
      after = @entry["rewrite_after_access"] or return
      after = @entry["rewrite"] if LOSSY.include?(@entry["id"])
      same "rewrite after access", outcome(after), rewrite(type, true)
    end

    def rewrite(type, is_accessed)
      attempt do
        message = type.read(bytes, codec: @codec)
        render(type, message) if is_accessed
        { "hex" => hex_of(message.write(codec: @codec)) }
      end
    end

    def defaults
      type = type_of("message")
      # A message with only defaults, which is what a tuple without elements stands for.
      got = attempt { { "value" => render(type, type.default(Ketch::Extprot::Cursor::NOWHERE.dup)) } }
      same "default", outcome(@entry["expect"]), got
    end

    def malformed
      got, consumed = read_one(type_of("reader"), bytes)
      is_refused = got.key?("error")
      case @entry["must"]
      when "accept"
        same "read", @entry["reference"], got
        same "consumed", @entry["consumed"], consumed
      when "reject" then same "refused", true, is_refused
      when "either" then is_refused ? same("refused", true, true) : same("read", @entry["reference"], got)
      end
    end

    def limits
      options = @entry["limits"].transform_keys { |name| LIMITS.fetch(name) }
      same "read", outcome(@entry["expect"]), read(type_of("reader"), bytes, **options)
    end

    def streams
      type = type_of("reader")
      decoder = type.decoder(StringIO.new(bytes), codec: @codec)
      got = []
      # Truncated data, and an end hidden by corrupt data, are reported each time.
      until got.size > @entry["results"].size
        answer = attempt { { "value" => render(type, decoder.next_value) } }
        break if answer == { "end" => true }

        got << answer
      end
      got.pop if got.last == { "error" => { "kind" => "eof" } } && @entry["id"] == "st-trunc-last"
      got.pop if got.size > @entry["results"].size && got[-1] == got[-2]
      same "results", @entry["results"].map { |result| outcome(result) }, got
    end

    def framing
      types = @entry["messages"].map { |name| type_named(name) }
      versions = Ketch::Extprot::Versions.new(*types)
      if (version = @entry["version"])
        same "written", @entry["hex"], hex_of(versions.write(build(types[version], @entry["value"]))) if types.uniq == types
      else
        got = attempt do
          message = versions.read(bytes, codec: @codec)
          { "value" => render(types.find { |type| type === message }, message) }
        end
        same "read", outcome(@entry["expect"]), got
      end
    end

    def same(what, expected, got)
      return @passed += 1 if expected == got

      @failures << "#{@entry["id"]} #{what}: expected #{expected.inspect[0, 300]}, got #{got.inspect[0, 300]}"
    end

    def bytes = [@entry["hex"]].pack("H*")
    def hex_of(bytes) = bytes.unpack1("H*")
    def type_of(role) = type_named(@entry[role])

    def type_named(name)
      made = @modules[@entry["schema"]] ||= @module_of.(@entry["schema"])
      constant = made.constants.find { |own| own.to_s.delete("_").casecmp?(name.delete("_")) }
      constant ? made.const_get(constant) : raise("#{@entry["schema"]} has no #{name}")
    end

    def read(type, bytes, **options) = attempt { { "value" => render(type, type.read(bytes, codec: @codec, **options)) } }

    # Reads the first message. Returns its outcome, and the number of bytes that were read.
    def read_one(type, bytes)
      io = StringIO.new(bytes)
      got = attempt { { "value" => render(type, type.read(io, codec: @codec)) } }
      [got, io.pos]
    end

    def attempt
      yield
    rescue EOFError
      { "end" => true }
    rescue Ketch::Extprot::Error => e
      facts = { "kind" => e.name.to_s }
      facts["tag"] = e.message[/tag (\d+)/, 1].to_i if e.name == :unknown_tag
      facts["index"] = e.message[/element (\d+)/, 1].to_i if e.name == :missing_tuple_element
      { "error" => facts }
    end

    def outcome(expected)
      return expected unless (error = expected["error"])

      { "error" => error.slice("kind", "tag", "index") }
    end

    # Returns a value in the notation of the vectors.
    def render(type, value)
      kind, *parts = type.description
      case kind
      when :primitive then render_primitive(parts[0], value)
      when :list then value.map { |element| render(parts[0], element) }
      when :tuple then parts.zip(value).map { |element, part| render(element, part) }
      when :sum then render_constructor(parts[2], value)
      when :message
        _, case_name, fields = parts[2].find { |row| value.instance_of?(row[0]) }
        values = fields.to_h { |name, field, *| [name, render(field, value.public_send(name))] }
        case_name ? { "case" => case_name, "value" => values } : values
      end
    end

    def render_primitive(kind, value)
      case kind
      when :bool, :byte then value
      when :float then [value].pack("G").unpack1("H*")
      when :string then ExtprotVectors.bytes_as_json(value)
      else value.to_s
      end
    end

    def render_constructor(constructors, value)
      return { "tag" => value.name } if value.is_a?(Ketch::Extprot::Sum::Constant)

      _, name, types = constructors.find { |row| value.instance_of?(row[0]) }
      { "tag" => name, "args" => types.zip(value.to_a).map { |type, part| render(type, part) } }
    end

    # Returns the value that the JSON of a vector describes.
    def build(type, json)
      kind, *parts = type.description
      case kind
      when :primitive then build_primitive(parts[0], json)
      when :list then json.map { |element| build(parts[0], element) }
      when :tuple then parts.zip(json).map { |element, part| build(element, part) }
      when :sum
        constant = parts[1].find { |value| value.name == json["tag"] } unless json["args"]
        constant || parts[2].find { |row| row[1] == json["tag"] }.then { |made, _, types| made.new(*types.zip(json["args"]).map { |ty, part| build(ty, part) }) }
      when :message
        made, _, fields = parts[2].find { |row| row[1].nil? || row[1] == json["case"] }
        json = json["value"] if made.case_name
        made.new(**fields.to_h { |name, field, *| [name.to_sym, build(field, json[name])] })
      end
    end

    def build_primitive(kind, json)
      case kind
      when :bool, :byte then json
      when :float then [json].pack("H*").unpack1("G")
      when :string
        return json if json.is_a?(String)

        json["hex"] ? [json["hex"]].pack("H*") : [json["repeat"]].pack("H*") * json["count"]
      else Integer(json, 10)
      end
    end
  end

  def self.bytes_as_json(bytes)
    bytes = bytes.b
    run = bytes.size > 200 && bytes.squeeze.size == 1
    return { "repeat" => bytes[0].unpack1("H*"), "count" => bytes.size } if run

    bytes.match?(/\A[\x20-\x7e]*\z/n) ? bytes.force_encoding("UTF-8") : { "hex" => bytes.unpack1("H*") }
  end
end
