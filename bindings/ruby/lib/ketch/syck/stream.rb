# frozen_string_literal: true

module Ketch
  module Syck
    # The documents of a stream.
    class Stream
      # The values.
      attr_accessor :documents
      # The options. Those of Syck.dump, such as +indentation+, apply to all documents. Syck's own, such as +Indent+ and
      # +UseVersion+, are kept, but change nothing.
      attr_accessor :options

      def initialize(options = {})
        @options = options
        @documents = []
      end

      # Returns the value of the document at an index, or nil if there is none.
      def [](index) = documents[index]

      # Adds a document.
      def add(value) = documents << value

      # Replaces the document at an index or, with only a value, the last document.
      def edit(index = -1, value) = documents[index] = value # rubocop:disable Style/OptionalArguments

      # Writes all documents. Returns the text, or the IO to which it was written.
      def emit(io = nil)
        text = documents.map { |value| Syck.dump(value, **options.slice(:indentation)) }.join
        io ? io.write(text) && io : text
      end
    end
  end
end
