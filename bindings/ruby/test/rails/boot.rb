# frozen_string_literal: true

require_relative "../helper"
require "fileutils"
require "json"
require "open3"
require "tmpdir"

# A Rails application of Debian's packages starts with Ketch::Psych, and reads what it reads with Psych.
class RailsTest < Minitest::Test
  FILES = {
    "config/database.yml" => <<~YAML,
      default: &default
        adapter: sqlite3
        pool: <%= ENV.fetch("POOL") { 5 } %>
        timeout: 5000

      development:
        <<: *default
        database: db/development.sqlite3

      test:
        <<: *default
        database: ":memory:"
    YAML
    "config/mail.yml" => <<~YAML,
      shared: &shared
        from: fleet@example.com
        hosts: [a, b]
      test:
        <<: *shared
        :retry: 3
        quiet: yes
        nested: {deep: ~, since: 2026-05-17}
    YAML
    "config/locales/en.yml" => "en:\n  boats:\n    count:\n      one: one boat\n      other: \"%{count} boats\"\n",
    "config/locales/de.yml" => <<~YAML,
      de:
        boats:
          count:
            one: ein Boot
            other: "%{count} Boote für uns"
        date:
          formats:
            default: "%d.%m.%Y"
          order:
            - :day
            - :month
            - :year
    YAML
    "test/fixtures/boats.yml" => <<~YAML
      DEFAULTS: &DEFAULTS
        launched: 1902-05-01
        rig: "--- {masts: 2}"

      yawl:
        <<: *DEFAULTS
        name: Yawl <%= 1 + 1 %>

      ketch:
        <<: *DEFAULTS
        name: Ketch
        rig: "---\\n:sails:\\n- main\\n- :mizzen\\n"
    YAML
  }.freeze

  def test_rails_boots_and_reads_the_same_values
    theirs, ours = %w[psych ketch].map { |yaml| booted(yaml) }
    assert_equal %w[Psych Ketch::Psych], [theirs.delete("reader"), ours.delete("reader")]
    assert_equal theirs, ours
    assert_equal ["sqlite3", 5, ":memory:"], ours["database"].values_at("adapter", "pool", "database")
    assert_equal ["2 Boote für uns", "17.05.2026", %w[:day :month :year]], ours.values_at("text", "today", "order")
    assert_equal %w[Anna Ketch], ours["boats"].map(&:first).first(2)
    assert_includes ours["mail"], "fleet@example.com"
    assert_equal ["---", "--- !ruby/hash:ActiveSupport::HashWithIndifferentAccess"], ours["tags"]
    assert_equal ["red", "both", "Cleo", "2026-05-17"], ours["by_symbol"]
  end

  private

  def booted(yaml)
    Dir.mktmpdir do |folder|
      FILES.each do |name, content|
        FileUtils.mkdir_p(File.dirname("#{folder}/#{name}"))
        File.write("#{folder}/#{name}", content)
      end
      program = [RbConfig.ruby, "-W0", "-I#{LIBRARY}", "#{__dir__}/application.rb", folder, yaml]
      out, err, status = Open3.capture3(*program)
      assert status.success?, "with #{yaml}: #{err}"
      JSON.parse(out.lines.last)
    end
  end
end
