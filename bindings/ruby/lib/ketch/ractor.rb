# frozen_string_literal: true

# Loads all of Ketch, and the libraries of Ruby that it uses. In Ruby 3, only the main Ractor can load files, so a program
# with Ractors requires this file before it creates the first one.

require "bigdecimal"
require "date"
require "json"
require "set"
require_relative "../ketch"
require_relative "edit"
require_relative "extprot/pure"
require_relative "psych"
require_relative "store"
require_relative "syck"
