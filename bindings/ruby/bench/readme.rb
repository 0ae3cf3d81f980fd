# frozen_string_literal: true

# readme.rb: writes the figures in the README from the kept record.

require_relative "record"

folder = File.expand_path("..", __dir__)
page = File.read("#{folder}/README.md", encoding: "UTF-8")
File.write("#{folder}/README.md", Record.rewrite(page, folder))
