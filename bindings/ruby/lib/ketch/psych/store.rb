# frozen_string_literal: true

require_relative "../psych"
require_relative "../store"
require "pstore"

module Ketch
  module Psych
    # A Ketch::Store whose file is YAML in the form that Psych writes, like that of YAML::Store.
    # Symbols stay symbols.
    #
    #   store = Ketch::Psych::Store.new("fleet.yml")
    #   store.transaction { store[:ketch] = { "masts" => 2 } }
    class Store < Ketch::Store
      # The same class of errors as YAML::Store's.
      Error = PStore::Error

      # @param path [String, #to_path]
      # @param thread_safe [Boolean] whether other threads wait until a transaction has ended
      # @param options those of Psych.dump, which can also be a Hash after the other arguments
      def initialize(path, thread_safe = false, options = {}, **more)
        thread_safe, options = false, thread_safe if thread_safe.is_a?(::Hash)
        @options = options.merge(more)
        super(path, thread_safe)
      end

      # @private
      def dump(table) = Psych.dump(table, @options)

      # @private
      def load(content)
        Psych.load(content, permitted_classes: Permissions::VALUES, aliases: true, filename: path) || {}
      end

      private

      def key(name) = name
    end
  end
end
