# frozen_string_literal: true

require_relative "ketch/version"
require_relative "ketch/errors"
require_relative "ketch/tagged"
require "ketch/ketch"

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

    private

    # What follows is called by the extension.

    # The day of a timestamp without a time.
    def date(text)
      require "date"
      Date.iso8601(text, Date::GREGORIAN)
    end

    # Seconds, nanoseconds, minutes east of UTC, and whether it is a day.
    def timestamp_of(value)
      case value
      when Time then in_range(value.to_i, value.nsec, offset_of(value), false)
      when dates(:DateTime) then timestamp_of(value.to_time)
      when dates(:Date) then in_range((value.jd - 2_440_588) * 86_400, 0, nil, true)
      else raise TypeError, "YAML has no words for #{value.class}: make it a Hash, an Array or text first"
      end
    end

    # A class of the library date, if that is loaded.
    def dates(name) = Object.const_defined?(name) ? Object.const_get(name) : false

    def offset_of(time)
      offset = time.utc_offset
      (offset % 60).zero? ? offset / 60 : 0
    end

    YEARS = (-62_167_219_200..253_402_300_799).freeze
    private_constant :YEARS

    def in_range(seconds, *rest)
      raise RangeError, "YAML has times of the years 0 to 9999 only" unless YEARS.cover?(seconds)

      [seconds, *rest]
    end
  end
  private_class_method :generate, :generate_stream, :stream_documents
end
