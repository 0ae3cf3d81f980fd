# frozen_string_literal: true

module Ketch
  module Psych
    # What `!set` makes: a hash, whose keys are the members.
    class Set < ::Hash; end

    # What `!omap` makes: a hash in the order of the text.
    class Omap < ::Hash; end
  end
end
