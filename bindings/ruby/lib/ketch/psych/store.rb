# frozen_string_literal: true

require "pstore"
require_relative "../psych"

module Ketch
  module Psych
    # A PStore whose file is YAML, as YAML::Store: it holds values, no objects of other classes.
    #
    #   store = Ketch::Psych::Store.new("fleet.yml")
    #   store.transaction { store[:ketch] = { "masts" => 2 } }
    class Store < PStore
      def initialize(*arguments, **options)
        @options = arguments.last.is_a?(::Hash) ? arguments.pop.merge(options) : options
        super(*arguments)
      end

      # Called by PStore.
      # @private
      def dump(table) = Psych.dump(table, @options)

      # @private
      def load(content)
        Psych.load(content, permitted_classes: Permissions::VALUES, aliases: true) || {}
      end

      # @private
      def marshal_dump_supports_canonical_option? = false
      # @private
      def empty_marshal_data = dump({})
      # @private
      def empty_marshal_checksum = CHECKSUM_ALGO.digest(empty_marshal_data)
    end
  end
end
