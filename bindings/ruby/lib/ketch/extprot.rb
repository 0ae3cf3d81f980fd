# frozen_string_literal: true

require_relative "errors"
require_relative "tagged"
require_relative "times"
require_relative "extprot/values"
require_relative "extprot/decoder"
begin
  require "ketch/ketch"
rescue LoadError
  # Pure Ruby is used if the extension cannot be loaded.
end

module Ketch
  # The binary format extprot. It can be read without a schema.
  #
  #   bytes = Ketch::Extprot.dump({"id" => 7, "on" => true})
  #   Ketch::Extprot.load(bytes)  # => {"id"=>7, "on"=>true}
  #
  # Reading takes these options:
  #
  # as::  :values (default) are those of the data model, as in YAML; :tagged are tagged values,
  #       from which the same bytes are written; :arrays are plain arrays, hashes
  #       and scalars, without tags
  # max_depth:, max_string_bytes:, max_elements:, max_block_bytes::
  #       limits: a number or Float::INFINITY
  # strict::  rejects bytes that no writer produces
  module Extprot
    # The classes of schemas, and extprot in pure Ruby, take longer to load than all the rest.
    %i[Codec Lazy Message MessageType Sum Union Versions].each { |name| autoload name, "#{__dir__}/extprot/message" }
    autoload :Cursor, "#{__dir__}/extprot/pure/cursor"
    autoload :Pure, "#{__dir__}/extprot/pure"
    autoload :Types, "#{__dir__}/extprot/types"

    # These methods are used without the extension.
    unless respond_to?(:load)
      class << self
        # Returns the only value in a string, or the next value of an IO, of which no more bytes are
        # read.
        def load(source, **options) = Pure.load(source, **options)

        # Returns the bytes of a value.
        def dump(value) = Pure.dump(value)

        def decode_batch(*arguments) = Pure.decode_batch(*arguments)

        def yield_all(...) = Pure.yield_all(...)
      end
    end

    # JRuby's extension defines only this method.
    unless respond_to?(:schema_source)
      def self.schema_source(*)
        raise NotImplementedError, "a schema is read by the extension; without it, use what `ketch extprot generate --lang ruby` writes"
      end
    end

    class << self
      # Returns a Decoder for the values in an IO or a string, which follow each other.
      def decoder(source, **options) = Decoder.new(source, **options)

      # Returns a module with the classes of a schema file. See Message, Union and Sum.
      #
      #   Users = Ketch::Extprot.schema("user.proto")
      #   user = Users::User.read(bytes)
      #
      # This needs the extension; code from `ketch extprot generate --lang ruby` does not. If the file
      # cannot be read, this raises the same error as File.read.
      def schema(path)
        File.read(path)
        make_module(schema_source(path.to_s, nil), path)
      end

      # Returns a module with the classes of a schema. +name+ is for error messages.
      def schema_text(text, name: "schema") = make_module(schema_source(name, text), name)

      private

      def make_module(source, name)
        Module.new { extend Types }.tap { |made| made.module_eval("# frozen_string_literal: true\n#{source}", "(classes of #{name})") }
      end
    end
    %i[decode_batch yield_all read_typed typed_batch write_typed schema_source]
      .each { |name| private_class_method(name) if respond_to?(name) }
  end
end
