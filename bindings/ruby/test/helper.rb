# frozen_string_literal: true

require "minitest/autorun"
require "stringio"
require "ketch"

# The repository.
REPOSITORY = File.expand_path("../../..", __dir__)
