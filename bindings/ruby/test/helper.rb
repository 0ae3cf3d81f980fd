# frozen_string_literal: true

require "minitest/autorun"
require "stringio"
require "ketch"

# The repository.
REPOSITORY = File.expand_path("../../..", __dir__)

# Where the library is loaded from, for programs of their own.
LIBRARY = File.dirname($LOADED_FEATURES.grep(%r{/ketch\.rb\z}).first)
