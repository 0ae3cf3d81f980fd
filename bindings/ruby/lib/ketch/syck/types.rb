# frozen_string_literal: true

module Ketch
  module Syck
    # The prefix of YAML's own tags.
    YAML_PREFIX = "tag:yaml.org,2002:"

    # An error for an invalid YPath. The message shows the path with a caret.
    class PathError < ArgumentError
      # The location of the problem, in bytes from the start of the path.
      attr_reader :offset

      def initialize(message, offset)
        @offset = offset
        super(message)
      end
    end

    # A value whose tag has a domain: +!domain/type+.
    DomainType = Struct.new(:domain, :type_id, :value) do
      # Returns the whole tag.
      def taguri = "tag:#{domain}:#{type_id}"
    end

    # A value whose tag is private: +!!type+.
    PrivateType = Struct.new(:type_id, :value) do
      # Returns the whole tag.
      def taguri = "x-private:#{type_id}"
    end

    # An alias whose anchor is unknown.
    BadAlias = Struct.new(:name)

    # The key +=+.
    DefaultKey = Object.new
    # Returns the name of the constant.
    def DefaultKey.inspect = "Ketch::Syck::DefaultKey"
    DefaultKey.freeze

    # An ordered mapping, +!omap+: an array of pairs of a key and a value.
    class Omap < ::Array
      # Returns an Omap with these alternating keys and values.
      def self.[](*values)
        values.each_slice(2).with_object(new) { |(key, value), omap| omap[key] = value }
      end

      # Returns the value of a key, or nil if the key is missing.
      def [](key) = assoc(key)&.last

      # Sets the value of a key.
      def []=(key, value)
        pair = assoc(key)
        pair ? pair[1] = value : push([key, value])
      end

      # Returns whether there is such a key.
      def has_key?(key) = !assoc(key).nil?

      # Returns the tag.
      def taguri = "#{YAML_PREFIX}omap"
    end

    # Pairs of a key and a value, +!pairs+. A key may occur several times.
    class Pairs < ::Array
      # Returns Pairs with these alternating keys and values.
      def self.[](*values) = new(values.each_slice(2).to_a)

      # Returns the value of a key, or an array of its values if the key occurs several
      # times.
      def [](key)
        found = select { |name, _| name == key }.map(&:last)
        found.size > 1 ? found : found.first
      end

      # Adds a pair.
      def []=(key, value)
        push([key, value])
      end

      # Returns whether there is such a key.
      def has_key?(key) = !assoc(key).nil?

      # Returns the tag.
      def taguri = "#{YAML_PREFIX}pairs"
    end

    # A set, +!set+: a mapping whose keys are the members, and whose values are nil.
    class Set < ::Hash
      # Returns the tag.
      def taguri = "#{YAML_PREFIX}set"
    end
  end
end
