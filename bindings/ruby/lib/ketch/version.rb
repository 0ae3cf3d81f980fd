# frozen_string_literal: true

module Ketch
  VERSION = "0.1.0"
end
