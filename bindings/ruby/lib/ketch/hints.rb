# frozen_string_literal: true

module Ketch
  # What to write instead of the keywords of Psych's methods.
  # @private
  module Hints
    CLASSES = "Ketch.load creates no objects of classes that a text names, so leave it out. For dates, write `schema: :yaml11`."
    SYMBOLS = "Leave it out: `:a` is loaded as a String. Keys become Symbols with `symbolize_names: true`."
    LOAD = {
      permitted_classes: CLASSES, whitelist_classes: CLASSES,
      permitted_symbols: SYMBOLS, whitelist_symbols: SYMBOLS,
      aliases: "Leave it out: aliases are always permitted; each is the same object as its anchor.",
      fallback: "Leave it out: the value of an empty text is nil. Write `Ketch.load(text) || fallback`.",
      strict_integer: "Leave it out: `1,000` is text.",
      stringify_names: "Leave it out: keys keep their types. Write `Ketch.load(text).transform_keys(&:to_s)`."
    }.freeze
    DUMP = {
      indentation: "Write `indent:`.",
      line_width: "Write `width:`; nil, the default, never breaks lines.",
      canonical: "Write `flow: true` for brackets.",
      version: "Write `header: true` for `---`; a `%YAML` directive is never written.",
      stringify_names: "Leave it out: Symbols are written as text.",
      permitted_classes: "Leave it out: only plain values can be written.",
      permitted_symbols: "Leave it out: Symbols are written as text.",
      aliases: "Leave it out: a collection that occurs twice is written once, with an anchor."
    }.freeze
    # Keywords of Psych that have the same name here are not listed.
    TABLES = { "load" => LOAD, "dump" => DUMP }.freeze
    private_constant :CLASSES, :SYMBOLS, :LOAD, :DUMP, :TABLES

    # Returns what to write instead of a keyword of Psych's, or nil for other keywords.
    def self.for(method, name)
      hint = TABLES.fetch(method)[name]
      hint && "#{hint} Or call Ketch::Psych.#{method}, which has the keywords of Psych."
    end
  end
  private_constant :Hints
end
