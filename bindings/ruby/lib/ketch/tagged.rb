# frozen_string_literal: true

module Ketch
  # A value with a tag other than YAML's, with the handle expanded:
  #
  #   Ketch.load("!point [1, 2]")  # => #<struct Ketch::Tagged tag="!point", value=[1, 2]>
  Tagged = Struct.new(:tag, :value)
end
