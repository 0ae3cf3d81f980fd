# frozen_string_literal: true

module Ketch
  module Psych
    # The methods of both classes of streams.
    # @private
    module Streaming
      def initialize(io, _options = {})
        @io = io
        @is_finished = false
      end

      # Starts the stream. With a block, yields the stream, and ends it after the block.
      def start(_encoding = Nodes::Stream::UTF8)
        return self unless block_given?

        begin
          yield self
        ensure
          finish
        end
        self
      end

      # Writes a value as a document.
      def push(object)
        raise ArgumentError, "the stream is finished" if @is_finished

        @io.write("#{document(object)}...\n")
        self
      end
      alias << push

      # Ends the stream.
      def finish
        @is_finished = true
        self
      end

      def finished? = @is_finished
    end

    # Writes each value immediately, as a document that ends with `...`.
    #
    #   Ketch::Psych::Stream.new($stdout).start { |stream| stream << { "masts" => 2 } }
    class Stream
      include Streaming

      private

      def document(object) = Psych.dump(object)
    end

    # Streams whose documents are JSON.
    module JSON
      # Does the same as Psych::Stream, except that the documents are JSON.
      class Stream
        include Streaming

        private

        def document(object) = "--- #{Psych.to_json(object)}"
      end
    end
  end
end
