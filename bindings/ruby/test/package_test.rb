# frozen_string_literal: true

require "minitest/autorun"
require "fileutils"
require "open3"
require "rbconfig"
require "tmpdir"

# The gem as others get it: built, installed from its file, used outside of the repository.
class PackageTest < Minitest::Test
  GEM_ROOT = File.expand_path("..", __dir__)

  def test_the_gem_builds_installs_and_works
    Dir.mktmpdir do |folder|
      run!({ "GEM" => "#{folder}/ketch.gem" }, "rake", "build", chdir: GEM_ROOT)
      home = { "GEM_HOME" => "#{folder}/home", "GEM_PATH" => "#{folder}/home", "CARGO_TARGET_DIR" => nil,
               "KETCH_PROFILE" => nil }
      run!(home, "gem", "install", "--local", "--no-document", "#{folder}/ketch.gem", chdir: folder)
      used = run!(home, RbConfig.ruby, "-e", 'require "ketch"; print Ketch.load("a: [1, ~]")', chdir: folder)
      assert_equal '{"a"=>[1, nil]}', used
      assert_installed("#{folder}/home")
      run!(home, "gem", "rdoc", "--ri", "--no-rdoc", "ketch", chdir: folder)
    end
  end

  private

  # Checks that one library is installed, and none of what the build has made on the way. Most of the size is that of the
  # library, 6 MB (or 8 MB without LTO), and of the sources of the crates.
  def assert_installed(home)
    files = Dir.glob("#{home}/**/*", File::FNM_DOTMATCH).map { |path| path.delete_prefix("#{home}/") }
    assert_equal 1, files.grep(/\.(so|bundle|dylib)\z/).size, files.grep(/\.so/).join("\n")
    assert_match %r{/lib/ketch/ketch\.so\z}, files.grep(/\.so\z/)[0]
    assert_empty files.grep(%r{/target(/|\z)|\.(o|rlib|rmeta|d)\z})
    assert_operator megabytes(home), :<, 16
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
