# frozen_string_literal: true

module Ketch
  module Psych
    # Gets texts from strings and IOs.
    # @private
    module Source
      # The number of bytes that are read at once from an IO that requires a number.
      PART_BYTES = 65_536
      private_constant :PART_BYTES

      class << self
        # Returns whether an object is an IO. A BasicObject is not.
        def reads?(object)
          object.respond_to?(:read)
        rescue NoMethodError
          false
        end

        # Reads the content of an IO, whose end is `nil`.
        def read(io)
          return part(io.read).to_s unless wants_length?(io)

          parts = []
          while (read = part(io.read(PART_BYTES))) && !read.empty?
            parts << read
          end
          parts.join
        end

        # Converts an object to a String.
        def string(object)
          converted(object) or raise TypeError, "no implicit conversion of #{name(object)} into String"
        end

        private

        def converted(object)
          String.try_convert(object)
        rescue NoMethodError
          nil
        end

        def wants_length?(io) = io.method(:read).arity == 1

        def part(read)
          return read if read.nil? || String === read

          raise TypeError, "expected `read` to return a String, not #{name(read)}"
        end

        def name(object) = NilClass === object ? "nil" : Kernel.instance_method(:class).bind_call(object).name
      end
    end
  end
end
