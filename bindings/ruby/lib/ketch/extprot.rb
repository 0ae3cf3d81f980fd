# frozen_string_literal: true

require_relative "errors"
require_relative "tagged"
require_relative "times"
require_relative "extprot/values"
require_relative "extprot/decoder"
begin
  require "ketch/ketch"
rescue LoadError
  require_relative "extprot/pure"
end

module Ketch
  # The binary format extprot. It describes itself: no schema is needed to read it.
  #
  #   bytes = Ketch::Extprot.dump({"id" => 7, "on" => true})
  #   Ketch::Extprot.load(bytes)  # => {"id"=>7, "on"=>true}
  #
  # Reading takes these options:
  #
  # as::  :values (default) are those of the data model, that YAML has, too; :tagged are values that
  #       describe themselves, from which the same bytes are written; :arrays are plain arrays, hashes
  #       and scalars, whose tags are left out
  # max_depth:, max_string_bytes:, max_elements:, max_block_bytes::  limits: a number or Float::INFINITY
  # strict::  what no writer produces is refused
  module Extprot
    class << self
      # Without the extension.
      %i[decode decode_batch dump].each do |name|
        define_method(name) { |*arguments| Pure.public_send(name, *arguments) }
      end unless method_defined?(:decode)

      # The only value of a string, or the next one of an IO, of which no byte behind it is read.
      def load(source, **options)
        source = Decoder.one(source) unless source.is_a?(String)
        options.empty? ? decode(source) : decode(source, options)
      end

      # The values of an IO or a string, one after the other.
      def decoder(source, **options) = Decoder.new(source, **options)
    end
    private_class_method :decode, :decode_batch
  end
end
