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

    # The day of a timestamp without a time. Called by the extension.
    def date(text)
      require "date"
      Date.iso8601(text, Date::GREGORIAN)
    end
    private :date, :stream_documents
  end
end
