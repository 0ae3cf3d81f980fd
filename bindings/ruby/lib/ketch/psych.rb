# frozen_string_literal: true

require_relative "../ketch"
require_relative "psych/host"
require_relative "psych/errors"
require_relative "psych/source"
require_relative "psych/json_text"
require_relative "psych/collections"
require_relative "psych/indifferent"
require_relative "psych/permissions"
require_relative "psych/scalars"
require_relative "psych/tags"
require_relative "psych/handler"
require_relative "psych/nodes"
require_relative "psych/parser"
require_relative "psych/reviver"
require_relative "psych/representer"
require_relative "psych/emitter"
require_relative "psych/scalar_scanner"
require_relative "psych/stream"
require "stringio"

module Ketch
  # A replacement for Psych, which is YAML in Ruby's standard library, at the speed of Ketch.
  #
  #   require "ketch/psych"
  #   Ketch::Psych.load("rig: :ketch\nmasts: 0b10\n")  # => {"rig"=>:ketch, "masts"=>2}
  #
  # With `require "ketch/psych/replace"`, a program that uses +YAML+ or +Psych+ uses this module instead.
  # docs/migrating-from-psych.md lists the differences.
  #
  # A text is a string or an IO. Invalid text raises a SyntaxError. Classes that are not permitted raise a
  # DisallowedClass, and aliases a BadAlias.
  module Psych
    # The version of Psych that this module follows.
    VERSION = "4.0.3"
    # Some programs read this constant. Ketch does not use libyaml.
    LIBYAML_VERSION = "0.2.5"

    autoload :Store, "ketch/psych/store"

    class << self
      # Returns the version of libyaml that this module reports, as numbers.
      def libyaml_version = LIBYAML_VERSION.split(".").map(&:to_i)

      # Returns the value of the first document. Symbols are permitted. Other classes, and aliases, have to be
      # permitted with options.
      #
      # permitted_classes:: classes or their names; only those of Permissions::VALUES can be loaded
      # permitted_symbols:: if not empty, no other symbols are permitted
      # aliases::           whether aliases are permitted
      # filename::          a name for error messages
      # fallback::          the value of an empty text
      # symbolize_names::   string keys become symbols
      # freeze::            all values are frozen
      # strict_integer::    `1,000` is text
      #
      # @param yaml [String, #read]
      # @return [Object] the fallback if there is no document
      # @raise [SyntaxError] with file, line, column, offset and problem
      # @raise [DisallowedClass] for classes that are not permitted, or not values
      # @raise [BadAlias] for aliases that are not permitted, or have no anchor
      # @example
      #   Ketch::Psych.load("- :a\n- 2026-05-17", permitted_classes: [Symbol, Date])  # => [:a, Date.new(2026, 5, 17)]
      def load(yaml, permitted_classes: [Symbol], permitted_symbols: [], aliases: false, filename: nil, fallback: nil,
               symbolize_names: false, freeze: false, strict_integer: false)
        permissions = Permissions.of(permitted_classes, permitted_symbols, aliases: aliases, freeze: freeze,
                                                                           symbolize_names: symbolize_names,
                                                                           strict_integer: strict_integer)
        document(text_of(yaml), permissions, filename, fallback)
      end

      # Does the same as #load, except that symbols have to be permitted, too.
      #
      # @example
      #   Ketch::Psych.safe_load("- :a")  # raises Ketch::Psych::DisallowedClass
      def safe_load(yaml, permitted_classes: [], **options)
        load(yaml, permitted_classes: permitted_classes, **options)
      end

      # Loads a file as #load does. Error messages contain its name.
      #
      # @raise [SystemCallError] if the file cannot be read, and the errors of #load
      def load_file(path, **options) = load(read(path), filename: path.to_s, **options)

      # Loads a file as #safe_load does.
      def safe_load_file(path, **options) = safe_load(read(path), filename: path.to_s, **options)

      # Returns the value of the first document. Symbols, times, the other values of Permissions::VALUES, and aliases
      # are permitted. Other classes are rejected, so this is as safe as #safe_load.
      #
      # @return [Object] the fallback if there is no document
      # @raise [SyntaxError, DisallowedClass, AnchorNotDefined]
      # @example
      #   Ketch::Psych.unsafe_load("a: &a [:b]\nc: *a")  # => {"a"=>[:b], "c"=>[:b]}
      def unsafe_load(yaml, filename: nil, fallback: false, symbolize_names: false, freeze: false, strict_integer: false)
        permissions = Permissions.all(symbolize_names: symbolize_names, freeze: freeze, strict_integer: strict_integer)
        document(text_of(yaml), permissions, filename, fallback)
      end

      # Loads a file as #unsafe_load does.
      #
      # @raise [SystemCallError] if the file cannot be read, and the errors of #unsafe_load
      def unsafe_load_file(path, **options) = unsafe_load(read(path), filename: path.to_s, **options)

      # Returns the values of all documents. With a block, yields each value. All of Permissions::VALUES, and aliases,
      # are permitted.
      #
      # @return [Array, nil] the fallback if there are no documents; nil with a block
      # @raise [SyntaxError, DisallowedClass, BadAlias]
      # @example
      #   Ketch::Psych.load_stream("a: 1\n--- :b")  # => [{"a"=>1}, :b]
      def load_stream(yaml, filename: nil, fallback: [], **options, &block)
        return parse_stream(yaml, filename: filename) { |node| block.call(node.to_ruby(**options)) } if block

        permissions = Permissions.all(**options)
        text = text_of(yaml)
        slowly = -> { parse_stream(text, filename: filename).children.map { |node| Reviver.new(permissions).value(node) } }
        values = domain_types.empty? ? Ketch.__send__(:psych_documents, text, permissions.bits, permissions, &slowly) : slowly.call
        values.empty? ? fallback : values
      end

      # Does the same as #load_stream, with the permissions of #safe_load.
      def safe_load_stream(yaml, filename: nil, permitted_classes: [], permitted_symbols: [], aliases: false, **options, &block)
        permissions = Permissions.of(permitted_classes, permitted_symbols, aliases: aliases, **options)
        values = parse_stream(yaml, filename: filename).children.map { |node| Reviver.new(permissions).value(node) }
        block ? values.each(&block) : values
      end

      # Returns the Nodes::Document for the first document, or false if there is no document.
      #
      # @raise [SyntaxError]
      # @example
      #   Ketch::Psych.parse("masts: 2").root.children[1].value  # => "2"
      def parse(yaml, filename: nil)
        parse_stream(yaml, filename: filename) { |node| return node }
        false
      end

      # Parses a file as #parse does.
      def parse_file(path, fallback: false) = parse(read(path), filename: path.to_s) || fallback

      # Returns the Nodes::Stream. With a block, yields each document as soon as it has been read.
      #
      # @raise [SyntaxError] after all documents before the error
      def parse_stream(yaml, filename: nil, &block)
        parser = Parser.new(block ? Handlers::DocumentStream.new(&block) : TreeBuilder.new)
        parser.parse(yaml, filename)
        parser.handler.root unless block
      end

      # Returns a parser that builds a tree.
      def parser = Parser.new(TreeBuilder.new)

      # Writes a value as YAML. Returns the text, or the IO to which it was written. Symbols, times and the other
      # values of Permissions::VALUES are written in the same form as by Psych. Objects of other classes raise a
      # DisallowedClass.
      #
      # indentation:: columns per level, 2 by default
      # line_width::  breaks lines at this width where possible; default: never
      # canonical::   writes all collections in brackets
      # header::      starts with `%YAML 1.1`
      # version::     the version that the header names
      #
      # @param io [#write, nil]
      # @return [String, #write]
      # @raise [DisallowedClass] for objects that are not values
      # @example
      #   Ketch::Psych.dump({ rig: :ketch })  # => "---\n:rig: :ketch\n"
      def dump(object, io = nil, options = {})
        io, options = nil, io if io.is_a?(::Hash)
        write(Ketch.__send__(:generate, object, options_of(options, Representer.new)), io, options)
      end

      # Does the same as #dump, except that symbols, classes and aliases have to be permitted.
      #
      # @example
      #   Ketch::Psych.safe_dump([:a])  # raises Ketch::Psych::DisallowedClass
      def safe_dump(object, io = nil, options = {})
        io, options = nil, io if io.is_a?(::Hash)
        representer = RestrictedRepresenter.new(Array(options[:permitted_classes]), Array(options[:permitted_symbols]), options[:aliases])
        write(Ketch.__send__(:generate, object, options_of(options, representer)), io, options)
      end

      # Writes each value as a document.
      def dump_stream(*objects)
        Ketch.__send__(:generate_stream, objects, options_of({}, Representer.new))
      end

      # Returns a value as JSON on one line. Times, dates and symbols become the strings that #dump writes.
      #
      # @raise [JSON::GeneratorError] for numbers that JSON cannot express
      # @raise [JSON::NestingError] for more than 100 levels
      # @example
      #   Ketch::Psych.to_json({ on: Time.utc(2026, 5, 17) })  # => "{\"on\": \"2026-05-17 00:00:00.000000000 Z\"}\n"
      def to_json(object) = "#{JsonText.of(object)}\n"

      # Returns the options of the presenter, with Ketch's names.
      # @private
      def present_options(indentation: nil, line_width: nil, canonical: nil, **)
        line_width = Integer(line_width) if line_width
        raise ArgumentError, "Invalid line_width #{line_width}, must be non-negative or -1 for unlimited." if line_width && line_width < -1

        width = line_width&.positive? ? line_width : nil
        { indent: INDENTATIONS.find { |columns| columns == indentation } || 2, width: width, flow: canonical ? true : false }
      end

      # The indentations that libyaml accepts. For any other, it uses 2.
      INDENTATIONS = (2..9)
      private_constant :INDENTATIONS

      # Registers a block for values with the tag `!domain,date/name` or `!name`. The block receives the tag and the
      # plain value. If the tag names a class, it is permitted from then on.
      def add_domain_type(domain, name, &block)
        key = ["tag", domain, name].join(":")
        domain_types[key] = domain_types["tag:#{name}"] = [key, block]
      end

      # Registers a block for values with one of YAML's own tags.
      def add_builtin_type(name, &block) = domain_types["tag:yaml.org,2002:#{name}"] = ["tag:yaml.org,2002:#{name}", block]

      # Removes the type with this key from the result of #domain_types.
      def remove_type(key) = domain_types.delete(key)

      # Returns the classes that the program, or a library such as Rails, has registered for tags. Ketch creates no
      # objects of these classes.
      def load_tags = Host.storage[:ketch_psych_load_tags] ||= {}

      # Returns the tags that the program has registered for classes. Ketch does not write objects of these classes.
      def dump_tags = Host.storage[:ketch_psych_dump_tags] ||= {}

      # Returns the types that were registered in this Ractor.
      def domain_types = Host.storage[:ketch_psych_domain_types] ||= {}

      # The methods that are not supported, each with the reason.
      REFUSED = {
        add_tag: "it creates objects of any class that the input names. Use add_domain_type with a block"
      }.freeze
      private_constant :REFUSED

      # Returns the text of a string or IO.
      # @private
      def text_of(yaml)
        return yaml if String === yaml
        return Source.read(yaml) if Source.reads?(yaml)

        Source.string(yaml)
      end

      # Returns the text with all line breaks replaced by those of YAML 1.2, and the contents of scalars that this
      # changes, by offset.
      # @private
      def with_breaks(text) = Ketch.__send__(:psych_breaks, text)

      # Returns the text in UTF-8.
      # @private
      def utf8(text)
        return text.encode(Encoding::UTF_8) unless text.encoding == Encoding::BINARY

        text = text.dup.force_encoding(Encoding::UTF_8)
        text.valid_encoding? ? text : text.scrub
      end

      private

      # Loads the value of the first document, with the extension or, if it does not support the text, with #revive.
      def document(text, permissions, filename, fallback)
        return revive(text, permissions, filename, fallback) unless domain_types.empty?

        Ketch.__send__(:psych_document, text, permissions.bits, permissions) { revive(text, permissions, filename, fallback) }
      end

      def revive(text, permissions, filename, fallback)
        document = parse(text, filename: filename)
        document ? Reviver.new(permissions).value(document) : fallback
      end

      def read(path) = File.binread(path)

      # Returns the options of the presenter. Unknown names, and names that are not symbols, are ignored.
      def options_of(options, representer)
        present_options(**options.select { |name, _| name.is_a?(Symbol) }).merge(header: true, representer: representer, plain_symbols: representer.plain_symbols?)
      end

      def write(text, io, options)
        text = "%YAML #{version(options[:version])}\n#{text}" if options[:header] || options.key?(:version)
        io ? io.write(text) && io : text
      end

      # Returns the version in an array or a string, or else the default.
      def version(version)
        version = version.split(".").map(&:to_i) if version.is_a?(String)
        return "1.1" unless version.is_a?(Array)
        raise "incompatible %YAML directive" unless [[1, 1], [1, 2]].include?(version)

        version.join(".")
      end

      def method_missing(name, *)
        REFUSED.key?(name) ? raise(NoMethodError, "Ketch has no #{name}: #{REFUSED[name]}.") : super
      end

      def respond_to_missing?(name, all = false) = REFUSED.key?(name) ? false : super
    end
  end

  class << self
    private

    # Returns the value of a plain scalar in a form that the extension does not support.
    def psych_rare(text, permissions) = permissions.finished(Psych::Scalars.rare(text, permissions))
    def psych_tagged(tag, text, permissions) = permissions.finished(Psych::Tags.scalar(tag, text, permissions))
  end
end
