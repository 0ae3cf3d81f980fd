# frozen_string_literal: true

require_relative "ketch/version"
require_relative "ketch/errors"
require_relative "ketch/tagged"
require_relative "ketch/times"
require_relative "ketch/extprot/values"
require "ketch/ketch"
require_relative "ketch/node"
require_relative "ketch/located"
require_relative "ketch/extprot"
require_relative "ketch/regexp"
require_relative "ketch/lines"
require_relative "ketch/query"

# YAML 1.2 and extprot at native speed.
#
#   Ketch.load("masts: [main, mizzen]")  # => {"masts"=>["main", "mizzen"]}
#
# All methods that load take these options:
#
# schema::           :core (default), :json, :failsafe, :yaml11 or :syck
# duplicate_keys::   :error (default), :first or :last
# merge::            whether +<<+ merges; nil (default) leaves it to the schema
# symbolize_names::  string keys become symbols
# freeze::           all values are frozen, and equal strings are one object
# positions::        load methods return a Located: the value, and the location of each part
# dialect::          :yaml (default), or :syck for files that were written for Syck; implies schema: :syck and
#                    duplicate_keys: :last
# lenient::          accepts brackets and quoted text that are not indented enough
# final_break::      whether a block scalar that ends the input without a line break gets one; true by default
# filename::         a name for error messages
# max_depth:, max_nodes:, max_alias_nodes:, max_tag_bytes:, max_tag_handles:,
# max_implicit_key_chars:, max_scalar_bytes:, max_buffer_bytes:::
#   budgets: a number, Float::INFINITY, or [base, extra per KiB of input]
#
# Invalid input raises a SyntaxError, a LimitError or a ValueError, all of which are subclasses of Error and have a
# location. A source that is not a String and does not respond to +read+ raises a TypeError, and an unknown option an
# ArgumentError.
module Ketch
  # JRuby's extension does not define Memory.
  private_constant :Memory if const_defined?(:Memory, false)
  autoload :Edit, "#{__dir__}/ketch/edit"
  autoload :Store, "ketch/store"

  # @!method self.load(source, **options)
  #   Returns the value of the only document in a text.
  #   @param source [String, #read]
  #   @return [Object, nil] nil if there is no document; a Located with +positions: true+
  #   @raise [Error] if the input is invalid, or contains several documents
  #   @example
  #     Ketch.load("masts: [main, mizzen]", symbolize_names: true)  # => {:masts=>["main", "mizzen"]}

  # @!method self.load_stream(source, **options)
  #   Returns the values of all documents in a text.
  #   @param source [String, #read]
  #   @return [Array]
  #   @raise [Error]
  #   @example
  #     Ketch.load_stream("1\n--- [2]")  # => [1, [2]]

  # @!method self.parse_stream(source, **options)
  #   Returns all documents in a text. Their nodes have styles and locations.
  #   @param source [String, #read]
  #   @return [Array<Document>]
  #   @raise [Error]
  #   @example
  #     Ketch.parse_stream("1\n--- [2]").map { |document| document.root.kind }  # => [:scalar, :sequence]

  class << self
    # Returns the value of the only document in a file.
    #
    # @param path [String] also the name in error messages
    # @return [Object, nil] the same as Ketch.load
    # @raise [Error]
    # @raise [SystemCallError] if the file cannot be read
    # @example
    #   Ketch.load_file("config.yml", schema: :yaml11)
    def load_file(path, filename: path.to_s, **options)
      load(File.binread(path), filename: filename, **options)
    end

    # Yields the values of the documents in a string or an IO, one after another, with bounded memory. Without a block,
    # returns an Enumerator.
    #
    # @param source [String, #read] no more of an IO is read than is needed
    # @yieldparam value [Object] a Located with +positions: true+
    # @raise [Error] after the values of all documents before the error
    # @example
    #   File.open("log.yml") { |io| Ketch.each_document(io) { |entry| p entry } }
    def each_document(source, **options, &block)
      # JRuby's Enumerators lose keywords.
      return Enumerator.new { |documents| each_document(source, **options) { documents << _1 } } unless block

      stream_documents(source, **options, &block)
    end

    # Returns the only document in a string or an IO. Its nodes have styles and locations.
    #
    # @return [Document, nil] nil if there is no document
    # @raise [Error]
    # @example
    #   node = Ketch.parse("masts: [main, mizzen]").root["masts"][1]
    #   node.text    # => "mizzen"
    #   node.column  # => 15
    def parse(source, **options)
      documents = parse_two(source, options)
      return documents[0] if documents.size < 2

      place = documents[1].root
      raise ValueError.new("#{place.line}:#{place.column}: the stream has more than one document",
                           { line: place.line, column: place.column, offset: place.offset })
    end

    # Yields the events of the parser, one Event at a time. Without a block, returns an Enumerator. All events before
    # an error are yielded before it is raised.
    #
    # @yieldparam event [Event]
    # @raise [SyntaxError, LimitError]
    # @example
    #   Ketch.each_event("[a]").map(&:kind).first(3)  # => [:document_start, :sequence_start, :scalar]
    def each_event(source, **options, &block)
      return Enumerator.new { |events| each_event(source, **options) { events << _1 } } unless block

      stream_events(source, options, &block)
    end

    # Writes a value as a YAML document. Returns the text, or the IO to which it was written. Ketch.load reads the same
    # value again, except that symbols become strings.
    #
    # indent::    columns per level, 2 by default
    # sequences:: :flush (default) or :indented, under a key
    # width::     breaks lines at this width where possible; nil, the default: never
    # flow::      writes collections in brackets
    # ascii::     writes non-ASCII text as escapes
    # header::    starts with +---+
    # sort_keys:: sorts the entries of hashes by key
    # dialect::   +:syck+ writes what Ketch::Syck.dump does, whose options are then the only other ones
    #
    # A collection that occurs several times is written once, with an anchor, and as an alias elsewhere. Only nil,
    # booleans, numbers, text, symbols, times, dates, arrays, hashes and Tagged can be written.
    #
    # @param io [#write, nil]
    # @return [String, #write]
    # @raise [TypeError] for objects of other classes
    # @raise [EncodingError] for text that is not valid in its encoding
    # @example
    #   Ketch.dump({ "masts" => %w[main mizzen] }, indent: 4)  # => "masts:\n- main\n- mizzen\n"
    def dump(value = (is_missing = true), io = nil, **options)
      # Ruby takes a Hash without braces for options.
      raise ArgumentError, "no value: a Hash needs braces, as in Ketch.dump({ masts: 2 })" if is_missing

      return dump_in_dialect(value, io, **options) if options.key?(:dialect)

      text = options.empty? ? generate(value) : generate(value, options)
      io ? io.write(text) && io : text
    end

    # Writes each value as a document. The options are those of #dump.
    #
    # @param values [Array]
    # @example
    #   Ketch.dump_stream([1, [2]])  # => "1\n---\n- 2\n"
    def dump_stream(values, io = nil, **options)
      text = generate_stream(values, options)
      io ? io.write(text) && io : text
    end

    # Edits a YAML text. Every byte that is not edited stays as it is. With a block, yields the Edit, and returns the
    # new text. Without a block, returns the Edit.
    #
    # @param source [String, #read]
    # @yieldparam edit [Edit] has the methods of a Hash or an Array
    # @return [String, Edit]
    # @raise [Error]
    # @example
    #   Ketch.edit("tag: '1.9'   # pinned\n") { |edit| edit["tag"] = "1.10" }  # => "tag: '1.10'   # pinned\n"
    def edit(source, **options)
      edit = Edit.of_text(source, **options)
      return edit unless block_given?

      yield edit
      edit.text
    end

    # Edits a YAML file. With a block, yields the Edit, and saves the file if the block ends without an exception,
    # +break+ or +throw+. The file is replaced as a whole, and keeps its owner, mode, ACL and attributes. If nothing
    # has changed, the file is not touched. Without a block, returns the Edit, which Edit#save saves.
    #
    # @param path [String]
    # @param write_through [Boolean] as for Edit#save
    # @return [Boolean, Edit] whether the text has changed
    # @raise [Error] if the YAML is invalid, or an edit is rejected
    # @raise [FileError] if the file has changed since it was read
    # @example
    #   Ketch.edit_file("values.yml") { |edit| edit["image"]["tag"] = "1.10" }
    def edit_file(path, write_through: false, filename: path.to_s, **options)
      edit = Edit.of_file(File.path(path), { filename: filename, **options })
      return edit unless block_given?

      yield edit
      edit.save(write_through: write_through)
    end

    private

    # Returns the message for an unknown keyword of a method. The extension calls this.
    def unknown_keyword(method, name)
      require_relative "ketch/hints"
      ["unknown keyword: :#{name}", Hints.for(method, name.to_sym)].compact.join("\n")
    end

    # Returns the alternating keys and values of a hash, sorted by key: numbers by value, and then all other scalars by
    # their bytes. Keys that are collections keep their order, at the end. The extension calls this.
    def sorted(hash)
      ranked = hash.each_with_index.sort_by do |(key, _), index|
        case key
        when Integer, Float then [0, key.to_f.nan? ? -Float::INFINITY : key, "", index]
        when Hash, Array, Tagged then [2, 0, "", index]
        else [1, 0, key.to_s.b, index]
        end
      end
      ranked.flat_map(&:first)
    end

    # Writes a value in a dialect.
    def dump_in_dialect(value, io, dialect:, **options)
      return dump(value, io, **options) if dialect.nil? || dialect == :yaml
      raise ArgumentError, "dialect: expected :yaml or :syck" unless dialect == :syck

      require "ketch/syck"
      Syck.dump(value, io, **options)
    end

    # Loads a value with positions. The extension calls this for `positions: true`.
    def locate(source, options)
      document = parse(source, **options)
      Located.new(document, options[:filename])
    end

    def locate_stream(source, options)
      parse_stream(source, options).map { |document| Located.new(document, options[:filename]) }
    end

    def located(document, file) = Located.new(document, file)
  end
  # JRuby's extension does not have all of them yet.
  %i[parse_two generate generate_stream stream_documents stream_events plant_panic psych_document psych_documents psych_scan
     psych_present psych_breaks replace_file define_edit
     syck_nodes syck_tag syck_search syck_write].each { |name| private_class_method(name) if respond_to?(name) }
end
