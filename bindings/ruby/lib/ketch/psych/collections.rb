# frozen_string_literal: true

module Ketch
  module Psych
    # The value of a `!set`: a hash whose keys are the members.
    class Set < ::Hash; end

    # The value of an `!omap`: a hash whose keys are in the order of the text.
    class Omap < ::Hash; end
  end
end
