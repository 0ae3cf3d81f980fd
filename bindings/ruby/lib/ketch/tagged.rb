# frozen_string_literal: true

module Ketch
  # A value with a tag that YAML does not know, with the handle replaced by what it stands for:
  #
  #   Ketch.load("!point [1, 2]")  # => #<struct Ketch::Tagged tag="!point", value=[1, 2]>
  Tagged = Struct.new(:tag, :value)
end
