# frozen_string_literal: true

require_relative "extprot"

module Ketch
  # A table in a file that several processes read and change, with the interface of PStore and YAML::Store.
  #
  #   store = Ketch::Store.new("fleet.yml")
  #   store.transaction { store["ketch"] = { "masts" => 2 } }
  #   store.transaction(true) { store["ketch"] }  # => {"masts"=>2}
  #
  # A transaction reads the table as it was when the transaction started, and saves all its changes or none
  # of them. The changes are written to a new file beside the old one, synced to disk, and renamed. After a
  # crash or a SIGKILL, or if the disk is full, the file contains either the old table or the new one.
  # Transactions that write wait for each other with a lock file, `fleet.yml.lock`, which is not deleted.
  # Transactions that only read do not wait. After a SIGKILL, a temporary file `.ketch-fleet.yml.new` may
  # remain; the next transaction that writes replaces it.
  #
  # The format is YAML, or extprot, which does not need the extension. Both can contain the values that
  # Ketch.dump writes, and no objects of other classes. Symbols become strings; a Symbol is the name of the
  # same root as its text. A file that no transaction changes keeps its comments and layout.
  class Store
    # An error for a call outside of a transaction, a change in a read-only transaction, a missing root, or
    # a file that does not contain a table.
    class Error < StandardError; end

    # The path of the file.
    # @return [String]
    attr_reader :path

    # This exists only for compatibility: every transaction of this class is ultra safe.
    attr_accessor :ultra_safe

    # @param path [String, #to_path]
    # @param thread_safe [Boolean] whether other threads wait until a transaction has ended, instead of
    # raising an Error
    # @param format [Symbol] :yaml or :extprot
    # @param options those of Ketch.dump, if the format is YAML
    # @raise [Error] if the folder of the file does not exist, or the file cannot be read
    # @raise [ArgumentError] for unknown formats or options
    def initialize(path, thread_safe = false, format: :yaml, **options)
      @path = path.respond_to?(:to_path) ? path.to_path : path.to_str
      @thread_safe = thread_safe
      @ultra_safe = true
      @mutex = Thread::Mutex.new
      @format = FORMATS.fetch(format) { raise ArgumentError, "format: expected :yaml or :extprot" }.new(options)
      check_path
    end

    # Runs the block with the table. All other methods except #path can only be called in the block. The
    # table is saved when the block ends or calls #commit. Nothing is saved if the block raises, breaks or
    # calls #abort.
    #
    # @param read_only [Boolean] whether changes raise an error, and no lock is taken
    # @yieldparam store [Store] this store
    # @return the result of the block; nil after #commit and #abort
    # @raise [Error] inside a transaction of the same store, or if the file does not contain a table
    # @raise [SystemCallError] if the file cannot be written; it keeps the old table
    # @raise [TypeError] if the format does not support a value; the file keeps the old table
    def transaction(read_only = false, &block)
      enter
      begin
        @read_only = read_only
        @aborted = false
        read_only ? reading(&block) : writing(&block)
      ensure
        @table = nil
        @mutex.unlock
      end
    end

    # Returns the value of a root, or nil if there is none. Changes to the value are also saved.
    def [](name)
      table[key(name)]
    end

    # Returns the value of a root.
    #
    # @param default the result if there is no such root
    # @raise [Error] if there is no such root, and no default
    def fetch(name, default = (missing = true))
      table.fetch(key(name)) { missing ? raise(error("undefined root name `#{name}'")) : default }
    end

    # Sets the value of a root.
    def []=(name, value)
      changeable[key(name)] = value
    end

    # Removes a root.
    #
    # @return its value, or nil if there was none
    def delete(name)
      changeable.delete(key(name))
    end

    # Returns the names of all roots.
    # @return [Array]
    def keys
      table.keys
    end
    alias roots keys

    # Returns whether there is a root with this name.
    def key?(name)
      table.key?(key(name))
    end
    alias root? key?

    # Ends the transaction and saves the table.
    def commit
      table
      throw self
    end

    # Ends the transaction without saving the table.
    def abort
      table
      @aborted = true
      throw self
    end

    # Returns the content of a file with this table.
    # @private
    def dump(table) = @format.dump(table)

    # Returns the table in the content of a file.
    # @private
    def load(content) = @format.load(content, @path)

    private

    def error(message) = self.class::Error.new(message)

    def check_path
      folder = File.dirname(@path)
      raise error("directory #{folder} does not exist") unless File.directory?(folder)
      raise error("file #{@path} not readable") if File.exist?(@path) && !File.readable?(@path)
    end

    # Returns the key of a root, which is a string for a symbol.
    def key(name) = name.is_a?(Symbol) ? name.name : name

    def table = @table || raise(error("not in transaction"))

    def changeable
      table
      raise error("in read-only transaction") if @read_only

      @table
    end

    def enter
      raise error("nested transaction") if @mutex.owned?
      return @mutex.lock if @thread_safe

      @mutex.try_lock or raise error("nested transaction")
    end

    def reading(&block)
      @table = parsed(content(@path))
      run(&block)
    end

    # Runs the block with the lock. Symbolic links are followed first, so that all names of a file share
    # one lock.
    def writing(&block)
      target = Replacement.target(@path)
      locked("#{target}.lock") do
        content = content(target)
        @table = parsed(content)
        value = run(&block)
        save(target, content) unless @aborted
        value
      end
    end

    def run
      value = nil
      catch(self) { value = yield(self) }
      value
    end

    def content(path)
      File.binread(path)
    rescue Errno::ENOENT
      ""
    end

    def parsed(content)
      found = content.empty? ? {} : load(content)
      found.is_a?(Hash) ? found : raise(error("#{@path} contains a #{found.class}, not a table"))
    end

    # Writes the file. If the table is unchanged, the file is not written, and keeps its comments and
    # layout.
    def save(target, content)
      changed = dump(@table)
      return if changed.b == content || dump(parsed(content)) == changed

      Replacement.write(target, changed)
    rescue Replacement::Refused => e
      raise error(e.message)
    end

    # Locks the file. If the lock file is deleted while it is locked, others must not get the lock, so the
    # locked file has to be the existing one.
    def locked(path)
      loop do
        File.open(path, File::RDONLY | File::CREAT, 0o666) do |file|
          file.flock(File::LOCK_EX)
          return yield if current?(file, path)
        end
      end
    end

    def current?(file, path)
      found = File.stat(path)
      found.ino == file.stat.ino && found.dev == file.stat.dev
    rescue Errno::ENOENT
      false
    end

    # Reads and writes tables as YAML.
    class YamlFormat
      def initialize(options)
        require_relative "../ketch"
        @options = options
        dump({})
      end

      def dump(table) = Ketch.dump(table, **@options)
      # Loads a table. A text that contains only comments is an empty table.
      def load(content, path) = Ketch.load(content, filename: path) || {}
    end

    # Reads and writes tables as extprot.
    class ExtprotFormat
      def initialize(options)
        options.empty? or raise ArgumentError, "unknown keyword: #{options.keys[0].inspect}"
      end

      def dump(table) = Extprot.dump(table)
      def load(content, _path) = Extprot.load(content)
    end

    FORMATS = { yaml: YamlFormat, extprot: ExtprotFormat }.freeze
    private_constant :YamlFormat, :ExtprotFormat, :FORMATS
  end
end

require_relative "store/replacement"
