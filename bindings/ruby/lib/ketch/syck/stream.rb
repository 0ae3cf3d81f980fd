# frozen_string_literal: true

module Ketch
  module Syck
    # The documents of a stream.
    class Stream
      # The values.
      attr_accessor :documents

      def initialize
        @documents = []
      end

      # Returns the value of the document at an index, or nil if there is none.
      def [](index) = documents[index]

      # Adds a document.
      def add(value) = documents << value

      # Replaces the last document.
      def edit(value) = documents[-1] = value

      # Returns all documents as text.
      def emit = documents.map { |value| Syck.dump(value) }.join
    end
  end
end
