# frozen_string_literal: true

# What the kept records need.
module Measure
  def self.geometric_mean(numbers)
    Math.exp(numbers.sum { |number| Math.log(number) } / numbers.size)
  end
end
