# frozen_string_literal: true

module Ketch
  module Syck
    # A node that is passed to a handler. +kind+ is :scalar, :sequence or :mapping. +tag+ is the expanded tag in the
    # text, or the tag of a scalar's implicit type. +style+ is the same as in Ketch::Event. +value+ is the text of a
    # scalar, the ids of the entries, or the alternating ids of keys and values. +offset+ and +length+ are in bytes; a
    # block collection ends where its last child does. +inside+ is the id that +bad_anchor+ returned for an alias
    # inside the node that refers to the node itself.
    HandledNode = Struct.new(:kind, :tag, :anchor, :style, :value, :offset, :length, :inside)

    # Passes the nodes of a text to a handler. Children come before their parents, and each node comes once.
    #
    # The handler has a method <tt>handle(parser, node)</tt>, which returns an id for the node. The node's parent and
    # the aliases of the node are passed on with that id. If the handler has the method
    # <tt>bad_anchor(parser, name)</tt>, that method returns the id for an alias whose anchor is unknown, or belongs to
    # a node around the alias. If it has the method <tt>error(parser, error)</tt>, errors are passed to that method and
    # not raised.
    #
    #   class Depth
    #     def handle(_parser, node) = node.kind == :scalar ? 0 : 1 + (node.value.max || 0)
    #   end
    #   Ketch::Syck::Parser.new(Depth.new).load("- [a, [b]]")  # => 3
    class Parser
      # The handler.
      attr_accessor :handler
      # Whether plain scalars get the tags of their implicit types.
      attr_accessor :implicit_typing

      # @param options the limits and the name of the input, as for Ketch.load
      def initialize(handler, implicit_typing: true, **options)
        @handler = handler
        @implicit_typing = implicit_typing
        @options = options
      end

      # Returns the id of the root of the first document, or nil if there is no document.
      def load(source)
        each_root(source) { |root| return root }
        nil
      end

      # Yields the id of the root of each document. Without a block, returns an Enumerator.
      def each_root(source, &block)
        return enum_for(:each_root, source) unless block

        begin
          Ketch.__send__(:syck_nodes, self, source, @options, &block)
        rescue Ketch::SyntaxError, Ketch::LimitError => e
          raise unless handler.respond_to?(:error)

          handler.error(self, e)
        end
      end

      # Returns the id for an alias that refers to no node, or to a node around it. The core calls this method.
      # @private
      def bad_anchor(name)
        handler.respond_to?(:bad_anchor) ? handler.bad_anchor(self, name) : BadAlias.new(name)
      end
    end
  end
end
