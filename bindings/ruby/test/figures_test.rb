# frozen_string_literal: true

require_relative "helper"
require_relative "../bench/measure"
require_relative "../bench/record"
require "tmpdir"

# Checks that the README's figures are those of the kept record.
class FiguresTest < Minitest::Test
  GEM = File.expand_path("..", __dir__)

  def test_the_readme_has_the_figures_of_the_record
    page = File.read("#{GEM}/README.md", encoding: "UTF-8")
    assert_equal %w[yaml psych extprot], page.scan(Record::MARKED).map { |marked| marked[1] }
    assert_equal Record.rewrite(page, GEM), page, "run `rake bench:readme`"
  end

  def test_the_page_follows_the_record
    page = File.read("#{GEM}/README.md", encoding: "UTF-8")
    Dir.mktmpdir do |folder|
      FileUtils.mkdir_p("#{folder}/bench/records")
      Dir["#{GEM}/bench/records/*.json"].each do |path|
        changed = JSON.parse(File.read(path))
        changed["yaml"]["Oj.load"]["mean"] = 9.87654
        File.write("#{folder}/bench/records/#{File.basename(path)}", JSON.generate(changed))
      end
      assert_includes Record.rewrite(page, folder), "| `Oj.load` | 9.88 |"
    end
  end

  def test_scripts_of_a_run_share_a_record
    Dir.mktmpdir do |folder|
      before = ENV["RECORD"]
      ENV["RECORD"] = "#{folder}/record.json"
      Record.add("yaml" => { "JSON.parse" => Record.summary([2.0, 8.0]) })
      Record.add("files" => 16)
      kept = JSON.parse(File.read("#{folder}/record.json"))
      assert_equal 16, kept["files"]
      assert_in_delta 4.0, kept["yaml"]["JSON.parse"]["mean"]
      assert_equal [2.0, 8.0], kept["yaml"]["JSON.parse"].values_at("least", "most")
    ensure
      ENV["RECORD"] = before
    end
  end
end
