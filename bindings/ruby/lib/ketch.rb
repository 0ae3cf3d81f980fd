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

# YAML 1.2 and extprot at native speed.
#
#   Ketch.load("masts: [main, mizzen]")  # => {"masts"=>["main", "mizzen"]}
#
# All methods that read take these options:
#
# schema::           :core (default), :json, :failsafe, :yaml11 or :syck
# duplicate_keys::   :error (default), :first or :last
# merge::            whether +<<+ merges; nil (default) leaves it to the schema
# symbolize_names::  keys that are text become symbols
# freeze::           all that is loaded is frozen, equal text is one object
# positions::        load and its kin give a Located: the value, and where each part of it was written
# lenient::          brackets that are not indented enough are taken
# filename::         a name for errors to tell
# max_depth:, max_nodes:, max_alias_nodes:, max_tag_bytes:, max_implicit_key_chars:,
# max_scalar_bytes:, max_buffer_bytes:::
#   budgets: a number, Float::INFINITY, or [base, more for each KiB of input]
module Ketch
  private_constant :Memory

  class << self
    # Loads the only document of a file.
    def load_file(path, filename: path.to_s, **options)
      load(File.binread(path), filename: filename, **options)
    end

    # Yields the value of each document of an IO, one after the other, in bounded memory. Without a
    # block, gives an Enumerator.
    def each_document(source, **options, &block)
      return enum_for(:each_document, source, **options) unless block

      stream_documents(source, **options, &block)
    end

    # The only document of a string or IO, whose nodes know their styles and places.
    #
    #   node = Ketch.parse("masts: [main, mizzen]").root["masts"][1]
    #   node.text    # => "mizzen"
    #   node.column  # => 15
    def parse(source, **options)
      documents = parse_stream(source, options)
      return documents[0] if documents.size < 2

      place = documents[1].root
      raise ValueError.new("#{place.line}:#{place.column}: the stream has more than one document",
                           { line: place.line, column: place.column, offset: place.offset })
    end

    # Yields what the parser says, an Event at a time; without a block, an Enumerator. All events in
    # front of an error come before it.
    def each_event(source, **options, &block)
      return enum_for(:each_event, source, **options) unless block

      stream_events(source, options, &block)
    end

    # Writes a value as a YAML document; gives the text, or the IO that it was written to. What is
    # written, Ketch.load reads back as the same value, but for symbols, which become text.
    #
    # indent::    columns, 2
    # sequences:: :flush (default) or :indented, under a key
    # width::     lines are broken, where they can be, before they are longer; nil, the default: never
    # flow::      collections in brackets
    # ascii::     all beyond ASCII as escapes
    # header::    start with +---+
    #
    # A collection that stands several times is written once, with an anchor, and referred to. Only
    # nil, booleans, numbers, text, symbols, times, dates, arrays, hashes and Tagged are written.
    def dump(value, io = nil, **options)
      text = options.empty? ? generate(value) : generate(value, options)
      io ? io.write(text) && io : text
    end

    # Writes each of the values as a document. Otherwise as #dump.
    def dump_stream(values, io = nil, **options)
      text = generate_stream(values, options)
      io ? io.write(text) && io : text
    end
  end
  class << self
    private

    # What the extension calls for `positions: true`.
    def locate(source, options)
      document = parse(source, **options)
      Located.new(document, options[:filename])
    end

    def locate_stream(source, options)
      parse_stream(source, options).map { |document| Located.new(document, options[:filename]) }
    end

    def located(document, file) = Located.new(document, file)
  end
  private_class_method :generate, :generate_stream, :stream_documents, :stream_events,
                       :psych_document, :psych_documents, :psych_scan, :psych_present
end
