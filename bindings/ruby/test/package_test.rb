# frozen_string_literal: true

require "minitest/autorun"
require "fileutils"
require "open3"
require "rbconfig"
require "tmpdir"

# The gem as others get it: built, installed from its file, used outside of the repository.
class PackageTest < Minitest::Test
  GEM_ROOT = File.expand_path("..", __dir__)
  TABLES = /^\[workspace\.(package|lints\.rust|lints\.clippy)\]\n(.*?)(?=^\[|\z)/m

  def test_the_extension_has_the_metadata_of_the_workspace
    repository = tables("../../Cargo.toml")
    assert_equal %w[lints.clippy lints.rust package], repository.keys.sort
    assert_equal repository, tables("ext/ketch/Cargo.toml")
  end

  def test_the_gem_builds_installs_and_works
    Dir.mktmpdir do |folder|
      run!("gem", "build", "ketch.gemspec", "--output", "#{folder}/ketch.gem", chdir: GEM_ROOT)
      home = { "GEM_HOME" => "#{folder}/home", "GEM_PATH" => "#{folder}/home", "CARGO_TARGET_DIR" => nil }
      run!(home, "gem", "install", "--local", "--no-document", "#{folder}/ketch.gem", chdir: folder)
      used = run!(home, RbConfig.ruby, "-e", 'require "ketch"; print Ketch.load("a: [1, ~]")', chdir: folder)
      assert_equal '{"a"=>[1, nil]}', used
      # The size excludes build products. The extension, which has 5.3 MB with the regular expressions, is installed
      # more than once.
      assert_operator megabytes("#{folder}/home"), :<, 24
    end
  end

  private

  # Returns the tables of a file that have to equal those of another one, with sorted lines. Lints that only the
  # extension has are not in them.
  def tables(path)
    File.read(File.expand_path(path, GEM_ROOT)).scan(TABLES).to_h { |name, body| [name, body.strip.lines.sort] }
  end

  def run!(*command, **options)
    output, status = Open3.capture2e(*command, **options)
    assert_predicate status, :success?, "#{command.join(" ")}\n#{output}"
    output
  end

  def megabytes(folder)
    files = Dir.glob("#{folder}/**/*", File::FNM_DOTMATCH).select { |path| File.file?(path) }
    files.sum { |path| File.size(path) } / 1_000_000
  end
end
