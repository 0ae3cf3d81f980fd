# frozen_string_literal: true

module Snippets
  OBJECTS = "Psych's load_stream makes any object that a text names; Ketch makes values"
  LIBYAML = "libyaml refuses what YAML 1.2 allows"

  # The snippets that are not read as by Psych, each with the ways of reading in which they must differ, and the reason.
  # All others must agree in all ways.
  DIFFERENCES = {
    "flow: a dash alone" => ["YAML 1.2 refuses a dash alone in brackets, libyaml takes it for text", :all],
    "symbols: right behind a bracket" => [LIBYAML, :all],
    "symbols: a colon alone" => [LIBYAML, :all],
    "literal at the root without indentation" => [LIBYAML, :all],
    "anchors: a colon behind the name" => ["in YAML 1.2 the colon is part of the name", :all],
    "flow: a question mark in front of a key" => ["YAML 1.2 has a space behind the question mark of a key", :all],
    "text behind the first document" => ["Psych reads no further than the first document", %i[load safe_load safe_load_symbolized
                                                                                              permitted permitted_symbolized permitted_frozen
                                                                                              some_symbols fallback]],
    "a document behind an end" => [LIBYAML, %i[load_stream nodes events]],
    "keys: null without text" => [LIBYAML, :all],
    "an unknown directive" => ["YAML 1.2 has unknown directives passed over, libyaml refuses them", :all],
    "anchors: a list that holds itself" => ["Psych cannot freeze what holds itself", %i[permitted_frozen]],
    "anchors: a mapping that holds itself" => ["Psych cannot freeze what holds itself", %i[permitted_frozen]],
    "ruby: an object" => [OBJECTS, %i[load_stream]],
    "ruby: an object of a class that is not there" => [OBJECTS, %i[load_stream]],
    "ruby: an object without a name" => [OBJECTS, %i[load_stream]],
    "ruby: an open struct" => [OBJECTS, %i[load_stream]],
    "ruby: a struct" => [OBJECTS, %i[load_stream]],
    "ruby: a struct without a name" => [OBJECTS, %i[load_stream]],
    "ruby: an exception" => [OBJECTS, %i[load_stream]],
    "ruby: a class" => [OBJECTS, %i[load_stream]],
    "ruby: a module" => [OBJECTS, %i[load_stream]],
    "ruby: a hash of a class" => [OBJECTS, %i[load_stream]],
    "ruby: a map of a class" => [OBJECTS, %i[load_stream]],
    "ruby: an array of a class" => [OBJECTS, %i[load_stream]],
    "ruby: a sequence of a class" => [OBJECTS, %i[load_stream]],
    "ruby: a string of a class" => [OBJECTS, %i[load_stream]],
    "ruby: a string of a class by mapping" => [OBJECTS, %i[load_stream]],
    "ruby: a hash of a class with instance variables" => [OBJECTS, %i[load_stream]],
    "ruby: an object deep inside" => [OBJECTS, %i[load_stream]],
    "ruby: a gem requirement" => [OBJECTS, %i[load_stream]],
    "ruby: rails parameters" => [OBJECTS, %i[load_stream]],
    "ruby: a time with zone" => [OBJECTS, %i[load_stream]]
  }.freeze
end
