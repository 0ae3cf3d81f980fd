# frozen_string_literal: true

module Ketch
  # A value with a tag that is not YAML's own. The handle of the tag is expanded:
  #
  #   Ketch.load("!point [1, 2]")  # => #<struct Ketch::Tagged tag="!point", value=[1, 2]>
  Tagged = Struct.new(:tag, :value)
end
