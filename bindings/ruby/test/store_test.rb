# frozen_string_literal: true

require_relative "helper"
require "ketch/psych/store"
require "tmpdir"

# Ketch::Store, in both formats, and Ketch::Psych::Store.
class StoreTest < Minitest::Test
  # The number of times that a writer is killed. It is larger in bin/release-check.
  KILLS = Integer(ENV.fetch("KETCH_KILLS", "60"))

  STORES = {
    "yaml" => ->(path, *rest) { Ketch::Store.new(path, *rest) },
    "extprot" => ->(path, *rest) { Ketch::Store.new(path, *rest, format: :extprot) },
    "psych" => ->(path, *rest) { Ketch::Psych::Store.new(path, *rest) }
  }.freeze

  def setup
    @folder = Dir.mktmpdir
  end

  def teardown
    FileUtils.rm_rf(@folder)
  end

  STORES.each do |name, make|
    define_method("test_the_methods_of_pstore_#{name}") do
      store = make.call(path)
      assert_equal(5, store.transaction { (store["a"] = [1]) && (store["b"] = { "c" => nil }) && 5 })
      store.transaction { store["a"] << 2 }
      again = make.call(path)
      again.transaction(true) do
        assert_equal [1, 2], again["a"]
        assert_equal %w[a b], again.keys
        assert_equal again.keys, again.roots
        assert_equal [true, false], [again.key?("b"), again.root?("c")]
        assert_nil again["c"]
        assert_equal 7, again.fetch("c", 7)
        assert_nil again.fetch("c", nil)
        error = assert_raises(store.class::Error) { again.fetch("c") }
        assert_equal "undefined root name `c'", error.message
      end
      assert_equal([1, 2], again.transaction { again.delete("a") })
      assert_equal(%w[b], store.transaction(true) { store.keys })
      assert_equal path, store.path
      assert store.ultra_safe
    end

    define_method("test_what_ends_a_transaction_#{name}") do
      store = make.call(path)
      assert_nil(store.transaction { (store["a"] = 1) && store.commit && flunk })
      assert_nil(store.transaction { (store["a"] = 2) && store.abort && flunk })
      assert_raises(IOError) { store.transaction { (store["a"] = 3) && raise(IOError) } }
      store.transaction { break store["a"] = 4 }
      assert_equal(1, store.transaction(true) { store["a"] })
      store.transaction { |given| assert_same store, given }
    end

    define_method("test_misuse_#{name}") do
      store = make.call(path)
      error = store.class::Error
      refused = lambda do |message, &block|
        assert_equal message, assert_raises(error, &block).message
      end
      refused.call("not in transaction") { store["a"] }
      refused.call("not in transaction") { store.commit }
      refused.call("nested transaction") { store.transaction { store.transaction { flunk } } }
      refused.call("in read-only transaction") { store.transaction(true) { store["a"] = 1 } }
      refused.call("in read-only transaction") { store.transaction(true) { store.delete("a") } }
      refused.call("directory #{path}/b does not exist") { make.call("#{path}/b/c") }
      store.transaction { store["a"] = 1 }
      assert_raises(TypeError, Ketch::Psych::DisallowedClass) { store.transaction { store["b"] = Object.new } }
      assert_equal(["a"], store.transaction(true) { store.keys })
    end

    define_method("test_threads_wait_if_they_are_set_to_#{name}") do
      store = make.call(path, true)
      store.transaction { store["n"] = 0 }
      (1..4).map { Thread.new { 25.times { store.transaction { store["n"] += 1 } } } }.each(&:join)
      assert_equal(100, store.transaction(true) { store["n"] })
      assert_raises(store.class::Error) { store.transaction { store.transaction { flunk } } }
    end

    define_method("test_processes_wait_for_each_other_#{name}") do
      store = make.call(path)
      store.transaction { store["n"] = 0 }
      writers = (1..4).map { fork_quietly { 25.times { store.transaction { store["n"] += 1 } } } }
      writers.each { |writer| assert_predicate Process.wait2(writer)[1], :success? }
      assert_equal(100, store.transaction(true) { store["n"] })
    end

    # Each generation is a table of rows that all have its number.
    define_method("test_a_killed_writer_leaves_the_old_table_or_the_new_one_#{name}") do
      store = make.call(path)
      store.transaction { write_generation(store, 0) }
      random = Random.new(14)
      (KILLS / STORES.size).times do
        count = kill_a_writer(store, random.rand * 0.05)
        found = store.transaction(true) { generation(store) }
        assert_includes count..count + 1, found
      end
      # The next transaction that writes removes what the last one left.
      store.transaction { write_generation(store, 0) }
      assert_equal %w[table table.lock], Dir.children(@folder).sort
    end

    define_method("test_a_full_disk_leaves_the_old_table_#{name}") do
      store = make.call(path)
      store.transaction { write_generation(store, 0) }
      size = File.size(path)
      [0, 1, size / 2, size - 1].each do |bytes_max|
        writer = fork_quietly do
          trap(:XFSZ, "IGNORE")
          Process.setrlimit(:FSIZE, bytes_max)
          store.transaction { write_generation(store, 1) }
        rescue Errno::EFBIG
          exit!(7)
        end
        assert_equal 7, Process.wait2(writer)[1].exitstatus, bytes_max
        assert_equal(0, store.transaction(true) { generation(store) })
        assert_equal %w[table table.lock], Dir.children(@folder).sort
      end
    end
  end

  # Fills a small tmpfs, if mounting one is permitted.
  def test_a_full_disk
    disk = "#{@folder}/disk"
    Dir.mkdir(disk)
    skip "mounting is not permitted here" unless system("mount", "-t", "tmpfs", "-o", "size=512k", "ketch", disk, err: File::NULL)
    begin
      STORES.each do |name, make|
        store = make.call("#{disk}/#{name}")
        store.transaction { write_generation(store, 0, rows: 20) }
        assert_raises(Errno::ENOSPC) { store.transaction { write_generation(store, 1, rows: 30_000) } }
        assert_equal(0, store.transaction(true) { generation(store, rows: 20) })
        assert_equal [name, "#{name}.lock"], Dir.children(disk).grep(/#{name}/).sort
      end
    ensure
      system("umount", disk)
    end
  end

  def test_roots_may_be_symbols_or_text
    %w[yaml extprot].each do |name|
      store = STORES[name].call("#{path}.#{name}")
      store.transaction { store[:a] = :b }
      assert_equal([["a"], "b", "b", true], store.transaction(true) { [store.keys, store[:a], store["a"], store.key?(:a)] })
    end
    store = Ketch::Psych::Store.new(path)
    store.transaction { store[:a] = :b }
    assert_equal([[:a], :b, nil], store.transaction(true) { [store.keys, store[:a], store["a"]] })
  end

  def test_an_unchanged_file_keeps_its_comments
    text = "# the fleet\n\nketch:   {masts: 2}\n"
    File.write(path, text)
    store = Ketch::Store.new(path)
    store.transaction { store["ketch"] = { "masts" => store["ketch"]["masts"] } }
    assert_equal text, File.read(path)
    store.transaction { store["yawl"] = 1 }
    assert_equal "ketch:\n  masts: 2\nyawl: 1\n", File.read(path)
  end

  def test_files_without_a_table
    { "[a]" => Ketch::Store::Error, "a: [" => Ketch::SyntaxError }.each do |text, error|
      File.write(path, text)
      raised = assert_raises(error) { Ketch::Store.new(path).transaction { flunk } }
      assert_includes raised.message, path
    end
    ["", "# nothing yet\n"].each do |text|
      File.write(path, text)
      assert_empty(Ketch::Store.new(path).transaction(true, &:keys))
    end
  end

  def test_options
    store = Ketch::Store.new(path, indent: 4, sequences: :indented)
    store.transaction { store["a"] = { "b" => [1] } }
    assert_equal "a:\n    b:\n        - 1\n", File.read(path)
    assert_raises(ArgumentError) { Ketch::Store.new(path, indents: 4) }
    assert_raises(ArgumentError) { Ketch::Store.new(path, format: :json) }
    assert_raises(ArgumentError) { Ketch::Store.new(path, format: :extprot, indent: 4) }
  end

  def test_mode_owner_and_links_are_kept
    File.write("#{@folder}/real", "a: 1\n")
    File.chmod(0o640, "#{@folder}/real")
    File.chown(1234, 1235, "#{@folder}/real") if Process.uid.zero?
    before = File.stat("#{@folder}/real")
    File.symlink("real", path)
    store = Ketch::Store.new(path)
    store.transaction { store["a"] = 2 }
    after = File.stat("#{@folder}/real")
    refute_equal before.ino, after.ino
    assert_equal [before.mode, before.uid, before.gid], [after.mode, after.uid, after.gid]
    assert File.symlink?(path)
    # A new file is as any other that the process makes.
    old = File.umask(0o027)
    new = Ketch::Store.new("#{@folder}/new")
    new.transaction { new["a"] = 1 }
    assert_equal 0o100640, File.stat("#{@folder}/new").mode
  ensure
    File.umask(old) if old
  end

  # Python sets the attributes, since Ruby cannot. An ACL is an extended attribute: a version, then the tag, the
  # permissions and the id of each entry.
  def test_attributes_and_acls_are_kept
    acl = [2].pack("V") + [[1, 6, -1], [2, 4, 1234], [4, 4, -1], [16, 4, -1], [32, 0, -1]].map { |entry| entry.pack("vvl") }.join
    STORES.each do |name, make|
      store = make.call("#{path}.#{name}")
      store.transaction { store["a"] = 1 }
      { "user.harbour" => "north", "system.posix_acl_access" => acl }.each do |attribute, value|
        python("os.setxattr(path, '#{attribute}', bytes.fromhex('#{value.unpack1("H*")}'))", store.path)
        store.transaction { store["a"] += 1 }
        assert_equal value.b, [python("print(os.getxattr(path, '#{attribute}').hex())", store.path).strip].pack("H*"), name
      end
    end
  end

  def test_hard_links_are_not_separated
    File.write(path, "a: 1\n")
    File.link(path, "#{@folder}/other")
    store = Ketch::Store.new(path)
    error = assert_raises(Ketch::Store::Error) { store.transaction { store["a"] = 2 } }
    assert_includes error.message, "hard links"
    assert_equal "a: 1\n", File.read(path)
  end

  # If Ruby raises while the table is written, the temporary file is removed.
  def test_an_interrupted_transaction_leaves_no_file
    store = Ketch::Store.new(path)
    store.transaction { write_generation(store, 0) }
    20.times do |round|
      Timeout.timeout(0.002 * (round + 1)) { (1..).each { |number| store.transaction { write_generation(store, number) } } }
    rescue Timeout::Error
      assert_equal %w[table table.lock], Dir.children(@folder).sort
      store.transaction(true) { generation(store) }
    end
  end

  def test_a_deleted_lock_file_does_not_allow_a_second_lock
    store = Ketch::Store.new(path)
    store.transaction { store["n"] = 0 }
    writers = (1..3).map { fork_quietly { 40.times { store.transaction { store["n"] += 1 } } } }
    # In a transaction of this process, so that no other process is in one.
    10.times { store.transaction { File.unlink("#{path}.lock") && store.abort } }
    writers.each { |writer| assert_predicate Process.wait2(writer)[1], :success? }
    assert_equal(120, store.transaction(true) { store["n"] })
  end

  def test_extprot_needs_no_extension
    program = <<~'RUBY'
      require "ketch/store"
      store = Ketch::Store.new(ARGV[0], format: :extprot)
      store.transaction { store[:a] = [1, "b"] }
      print store.transaction(true) { store["a"] }, $LOADED_FEATURES.grep(/ketch\/ketch\./)
    RUBY
    FileUtils.cp_r(LIBRARY, "#{@folder}/lib")
    FileUtils.rm(Dir["#{@folder}/lib/ketch/ketch.*"])
    assert_equal "[1, \"b\"][]", IO.popen([RbConfig.ruby, "-I#{@folder}/lib", "-e", program, path], err: %i[child out], &:read)
  end

  def test_the_psych_store_raises_the_errors_of_pstore
    store = Ketch::Psych::Store.new(path)
    assert_raises(PStore::Error) { store["a"] }
  end

  private

  def path = "#{@folder}/table"

  def python(program, path)
    IO.popen(["python3", "-c", "import os, sys; path = sys.argv[1]; #{program}", path], &:read).tap { assert_predicate Process.last_status, :success? }
  end

  ROWS = 500

  def write_generation(store, number, rows: ROWS)
    store["generation"] = number
    store["rows"] = (1..rows).map { |row| { "row" => row, "generation" => number } }
  end

  # Returns the number of the generation, which all rows must have.
  def generation(store, rows: ROWS)
    number = store["generation"]
    assert_equal (1..rows).map { |row| { "row" => row, "generation" => number } }, store["rows"]
    number
  end

  # Runs transactions in a process that is killed after some time. Returns the number of the last generation that it
  # reported as saved.
  def kill_a_writer(store, seconds)
    first = store.transaction(true) { generation(store) }
    output, input = IO.pipe
    writer = fork_quietly do
      output.close
      (first + 1..).each do |number|
        store.transaction { write_generation(store, number) }
        input.syswrite("#{number}\n")
      end
    end
    input.close
    # Some of the time goes to the start of the process.
    sleep 0.005 + seconds
    Process.kill(:KILL, writer)
    Process.wait(writer)
    output.read.lines.last.to_i.nonzero? || first
  ensure
    output.close
  end

  # Runs the block in a child process, which runs no tests when it ends.
  def fork_quietly
    fork do
      yield
      exit!(0)
    rescue StandardError => e
      warn e.full_message
      exit!(1)
    end
  end
end
