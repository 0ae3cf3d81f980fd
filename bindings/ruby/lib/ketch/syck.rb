# frozen_string_literal: true

require "ketch"
require "date"
require_relative "syck/types"
require_relative "syck/parser"
require_relative "syck/node"
require_relative "syck/convert"
require_relative "syck/represent"
require_relative "syck/emitter"
require_relative "syck/stream"
require_relative "syck/ypath"

module Ketch
  # The YAML library of Ruby 1.8: it loads, searches and dumps values and nodes in Syck's dialect.
  #
  #   Ketch::Syck.load("- 1:30\n- [1,2]\n- :a")  # => [90, [12], :a]
  #
  # No method creates objects of a class that a text names, unless the class is permitted by name. By default,
  # <tt>!ruby/object:Class</tt> and similar tags create a DomainType. Nothing outside of this module is changed, unless
  # +ketch/syck/replace+ is required.
  module Syck
    # The error for invalid input.
    Error = Ketch::Error
    SYMBOL = /(?<![^\s\[{,-]):[^ \n]/
    DEFAULT = /(?<![^\s\[{,-])=(?=\s|:|\z)/
    private_constant :SYMBOL, :DEFAULT

    class << self
      # Returns the value of the first document, or false if there is no document.
      #
      # @param source [String, #read]
      # @param permitted_classes [Array<Class, String>] classes whose objects tags such as +!ruby/object+ may create
      # @param options the limits and the name of the input, as for Ketch.load
      # @raise [Error] if the input is invalid
      def load(source, permitted_classes: [], **options)
        text = text_of(source)
        if types.empty? && text.valid_encoding? && !special?(text)
          values = Ketch.load_stream(text, dialect: :syck, **options)
          return values.empty? ? false : values[0]
        end
        each_document(text, permitted_classes: permitted_classes, **options) { |value| return value }
        false
      end

      # Returns the value of the first document in a file.
      def load_file(path, **options)
        load(File.binread(path), filename: path.to_s, **options)
      end

      # Yields the value of each document. Without a block, returns an Enumerator.
      def each_document(source, permitted_classes: [], **options)
        # JRuby's Enumerators lose keywords.
        unless block_given?
          return Enumerator.new do |documents|
            each_document(source, permitted_classes: permitted_classes, **options) { documents << _1 }
          end
        end

        each_node(source, **options) { |node| yield Convert.new(permitted_classes).value(node) }
      end
      alias load_documents each_document

      # Returns the tree of the first document, or false if there is no document.
      def parse(source, **options)
        each_node(source, **options) { |node| return node }
        false
      end

      # Returns the tree of the first document in a file.
      def parse_file(path, **options)
        parse(File.binread(path), filename: path.to_s, **options)
      end

      # Yields the tree of each document. Without a block, returns an Enumerator.
      def each_node(source, **options, &block)
        return Enumerator.new { |nodes| each_node(source, **options) { nodes << _1 } } unless block

        Parser.new(Tree.new, **options).each_root(text_of(source), &block)
      end
      alias parse_documents each_node

      # Returns the values of all documents as a Stream, or nil if there are no documents.
      def load_stream(source, **options)
        stream = nil
        each_document(source, **options) { |value| (stream ||= Stream.new).add(value) }
        stream
      end

      # Writes a value as a document. Returns the text, or the IO to which it was written.
      #
      # @param indentation [Symbol] +:c+: the entries of a sequence are in the column of its key, as the library in C
      #   writes them; +:yecht+: they are indented
      # @raise [TypeError] for objects that cannot be represented, such as procs
      # @example
      #   Ketch::Syck.dump({ "a" => [1, nil] })  # => "--- \na: \n- 1\n- \n"
      def dump(value, io = nil, **options)
        text = Emitter.new(**options).document(value)
        io ? io.write(text) && io : text
      end

      # Writes each argument as a document.
      def dump_stream(*values) = values.map { |value| dump(value) }.join

      # Returns the name of the implicit type of a plain scalar, such as +int#hex+.
      def detect_implicit(text) = Ketch.__send__(:syck_tag, text).delete_prefix(YAML_PREFIX)

      # Converts a plain value, such as the text of a scalar, to the type with this name, and returns it.
      #
      # @example
      #   Ketch::Syck.transfer("int", "1,000")  # => 1000
      def transfer(type, value) = Convert.new([]).transfer(type, value)

      # Registers a block for a type. It receives the tag and the value, and returns the value that is loaded.
      def add_domain_type(domain, type, &block) = types["tag:#{domain}:#{type}"] = block

      # Registers a block for one of YAML's own types.
      def add_builtin_type(type, &block) = types["#{YAML_PREFIX}#{type}"] = block

      # Registers a block for a private type, +!!type+.
      def add_private_type(type, &block) = types["x-private:#{type}"] = block

      # Registers a block for a type in the domain of Ruby.
      def add_ruby_type(type, &block) = add_domain_type("ruby.yaml.org,2002", type, &block)

      # Returns the tag for an object: the one that was declared for its class with #yaml_as, or one with the name of
      # the class.
      def taguri(object)
        return object.taguri if own_method?(object, :taguri)

        declared = object.class.ancestors.find { |one| tags.key?(one) }
        declared ? tags[declared] : "tag:ruby.yaml.org,2002:object:#{object.class}"
      end

      # Declares the tag for the objects of a class. Such objects are loaded only if the class is permitted.
      def yaml_as(declared, tag) = tags[declared] = tag

      # Returns the names of the instance variables that #dump writes: the result of +to_yaml_properties+, or all of
      # them.
      def to_yaml_properties(object)
        return object.to_yaml_properties if own_method?(object, :to_yaml_properties)

        object.instance_variables.sort
      end

      # Yields an Out, to which the block writes a value. Returns the text of the value.
      #
      # @example
      #   Ketch::Syck.quick_emit { |out| out.map("!point") { |map| map.add("x", 1) } }  # => "--- !point \nx: 1\n"
      def quick_emit(_object_id = nil, options = {})
        emitted = yield Out.new
        options == :nested ? emitted : dump(emitted)
      end

      # Returns whether a method of an object is defined by the program, and not by +ketch/syck/replace+ or Psych.
      # @private
      def own_method?(object, name) = object.respond_to?(name) && object.method(name).owner != ::Object

      # Returns the blocks that were registered in this Ractor, by tag.
      # @private
      def types = storage[:ketch_syck_types] ||= {}

      private

      # Returns the tags that were declared in this Ractor, by class.
      def tags = storage[:ketch_syck_tags] ||= {}.compare_by_identity

      # Returns the object that stores what was registered in this Ractor. JRuby has no Ractors.
      def storage = defined?(Ractor) ? Ractor.current : (@storage ||= {})

      # Returns whether a text may contain something that the fast path of Syck.load does not support: tags, aliases,
      # symbols, the key +=+, or several documents. Each search is for a certain byte, which takes much less time than
      # a regular expression for all of them.
      def special?(text)
        text.include?("!") || text.include?("*") || !text.index("---", 1).nil? || text.start_with?("...") ||
          text.include?("\n...") || text.match?(SYMBOL) || text.match?(DEFAULT)
      end

      # Returns the text of a source. Bytes in the binary encoding are read as UTF-8.
      def text_of(source)
        text = source.respond_to?(:read) ? source.read : source
        text = text.dup.force_encoding(Encoding::UTF_8) if text.is_a?(String) && text.encoding == Encoding::BINARY
        text
      end
    end
  end
end
