# frozen_string_literal: true

module Ketch
  module Psych
    # The value of `!set`: a hash, whose keys are the members.
    class Set < ::Hash; end

    # The value of `!omap`: a hash in the order of the text.
    class Omap < ::Hash; end
  end
end
