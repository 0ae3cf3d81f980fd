# frozen_string_literal: true

require_relative "helper"
require "tmpdir"

# Runs the examples of both READMEs, of the migration pages, and of the comments. Each line with `# => value` or `#
# raises Class` is checked, and blocks without a language show the output. Each page runs in a separate process.
class DocsTest < Minitest::Test
  PAGES = { "README.md" => 2, "docs/editing.md" => 5, "docs/migrating-from-psych.md" => 5, "docs/migrating-from-marshal.md" => 5,
            "docs/regex.md" => 3, "bindings/ruby/README.md" => 5 }.freeze

  PAGES.each do |page, least|
    define_method("test_#{page.tr("-./", "_")}") do
      text = File.read("#{REPOSITORY}/#{page}", encoding: "UTF-8")
      lines = blocks(text, "ruby").lines
      assert_operator lines.grep(/# (=>|raises) /).size, :>=, least
      assert_equal blocks(text, ""), run_ruby("#{CHECKS}\n#{lines.map { |line| checked(line.chomp) }.join("\n")}")
    end
  end

  COMMENTED = %w[ketch ketch/edit ketch/store ketch/located ketch/lines ketch/query ketch/regexp
                 ketch/regexp/match_data ketch/psych ketch/psych/errors ketch/psych/nodes ketch/psych/scalars
                 ketch/syck ketch/syck/parser ketch/syck/node].freeze

  # Only the example of Ketch::Located prints something: a line with a caret.
  def test_examples_in_comments_are_correct
    examples = COMMENTED.flat_map { |name| commented(File.read("#{LIBRARY}/#{name}.rb", encoding: "UTF-8")) }
    assert_operator examples.size, :>=, 15
    blocks = examples.map { |lines| "lambda do\n#{lines.map { |line| checked(line) }.join("\n")}\nend.call" }
    printed = run_ruby("#{CHECKS}\nrequire 'ketch/psych'\nrequire 'ketch/syck'\n#{blocks.join("\n")}")
    assert_equal "  ports: [80, http]\n#{" " * 14}^\n", printed
  end

  CHECKS = <<~'RUBY'
    require "date"

    def check(found, expected, line) = found == expected || puts("#{line}\ngives #{found.inspect}")

    def check_raises(expected, line)
      yield
      puts "#{line}\nraises nothing"
    rescue expected
      nil
    end
  RUBY

  private

  def blocks(text, language) = text.scan(/^```([\w-]*)(?: \S+)?\n(.*?)^```$/m).filter_map { |name, block| block if name == language }.join

  # Returns the examples in comments, as arrays of lines: the indented lines, or those after `@example`, if they have
  # results.
  def commented(source)
    runs = source.lines(chomp: true).slice_when { |*lines| !lines.all? { |line| example?(line) } }
    examples = runs.filter_map { |run| run.map { |line| line[/# {3,}(.*)/, 1] } if example?(run[0]) }
    examples.map! { |lines| lines.drop((lines.index("@example") || -1) + 1) }
    examples.select { |lines| lines.any? { |line| line.match?(/# (=>|raises) /) } }
  end

  def example?(line) = line.match?(/^\s*# {3,}\S/)

  def checked(line)
    case line
    when /\A(.*?)\s+# => (.*)\z/ then "check((#{Regexp.last_match(1)}), (#{Regexp.last_match(2)}), #{line.dump})"
    when /\A(.*?)\s+# raises (\S+)/ then "check_raises(#{Regexp.last_match(2)}, #{line.dump}) { #{Regexp.last_match(1)} }"
    else line
    end
  end

  # Runs a program in a folder with the file that an example reads. Returns its output.
  def run_ruby(program)
    Dir.mktmpdir do |folder|
      File.binwrite("#{folder}/log", "")
      IO.popen([{ "LC_ALL" => "C.UTF-8" }, RbConfig.ruby, "-I#{LIBRARY}", "-e", program], err: %i[child out], chdir: folder, &:read)
    end
  end
end
