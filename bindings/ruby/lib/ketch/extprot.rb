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
    # Without the extension.
    unless respond_to?(:load)
      class << self
        # The only value of a string, or the next one of an IO, of which no byte behind it is read.
        def load(source, **options) = Pure.load(source, **options)

        # The bytes of a value.
        def dump(value) = Pure.dump(value)

        def decode_batch(*arguments) = Pure.decode_batch(*arguments)

        def hand_out(...) = Pure.hand_out(...)
      end
    end

    class << self
      # The values of an IO or a string, one after the other.
      def decoder(source, **options) = Decoder.new(source, **options)
    end
    private_class_method :decode_batch, :hand_out
  end
end
