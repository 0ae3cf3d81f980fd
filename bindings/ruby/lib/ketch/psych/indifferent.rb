# frozen_string_literal: true

module Ketch
  module Psych
    # ActiveSupport::HashWithIndifferentAccess, the hash of Rails whose keys can be strings or symbols. Rails writes it
    # into columns with YAML. It is a value like other hashes, so it can be permitted. Its instance variables are neither
    # written nor read.
    # @private
    module Indifferent
      NAME = "ActiveSupport::HashWithIndifferentAccess"
      # Its other name in Rails.
      SHORT = "HashWithIndifferentAccess"
      # The tag with which Psych writes it, and those with which it and its older versions may have written it.
      TAG = "!ruby/hash:#{NAME}".freeze
      HASH = /\A!(?:ruby\/hash|map):(?:ActiveSupport::)?HashWithIndifferentAccess\z/
      WITH_VARIABLES = /\A!ruby\/hash-with-ivars:(?:ActiveSupport::)?HashWithIndifferentAccess\z/

      class << self
        # Returns whether the program has Active Support, which may load the class only when it is used.
        def defined? = Object.const_defined?(NAME)

        # Returns the name of a class, the full one if it is this class.
        def full(name) = name == SHORT ? NAME : name

        def new(...) = Object.const_get(NAME).new(...)

        # Returns whether an object is such a hash, and not one of a subclass.
        def ===(object) = self.defined? && object.instance_of?(Object.const_get(NAME))
      end
    end
    private_constant :Indifferent
  end
end
