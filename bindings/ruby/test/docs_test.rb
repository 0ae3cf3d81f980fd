# frozen_string_literal: true

require_relative "helper"
require "date"
require "ketch/psych"

# The examples in the pages for people who migrate: each line with `# => value` or `# raises Class` is held
# to it. Each page runs in a process of its own.
class DocsTest < Minitest::Test
  PAGES = %w[migrating-from-psych.md].freeze

  PAGES.each do |page|
    define_method("test_#{page.tr("-.", "__")}") do
      examples = File.read("#{REPOSITORY}/docs/#{page}").scan(/^```ruby\n(.*?)^```/m).flatten
      lines = examples.join.lines
      assert_operator lines.grep(/# (=>|raises) /).size, :>=, 6
      program = lines.map { |line| checked(line.chomp) }.join("\n")
      output = IO.popen([RbConfig.ruby, "-I#{File.expand_path("../lib", __dir__)}", "-e", "#{CHECKS}\n#{program}"], err: %i[child out], &:read)
      assert_empty output
    end
  end

  CHECKS = <<~'RUBY'
    def check(found, expected, line) = found == expected || puts("#{line}\ngives #{found.inspect}")

    def check_raises(expected, line)
      yield
      puts "#{line}\nraises nothing"
    rescue expected
      nil
    end
  RUBY

  private

  def checked(line)
    case line
    when /\A(.*?)\s+# => (.*)\z/ then "check((#{Regexp.last_match(1)}), (#{Regexp.last_match(2)}), #{line.dump})"
    when /\A(.*?)\s+# raises (\S+)/ then "check_raises(#{Regexp.last_match(2)}, #{line.dump}) { #{Regexp.last_match(1)} }"
    else line
    end
  end
end
