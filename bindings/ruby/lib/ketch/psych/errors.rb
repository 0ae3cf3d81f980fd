# frozen_string_literal: true

module Ketch
  module Psych
    # The base class of all errors of this module.
    class Exception < ::RuntimeError; end

    # An error for invalid YAML, or for an exceeded limit.
    #
    #   begin
    #     Ketch::Psych.load("masts: [main", filename: "ketch.yml")
    #   rescue Ketch::Psych::SyntaxError => e
    #     e.line     # => 1
    #     e.problem  # => "a `[` is never closed"
    #   end
    #
    # +line+ and +column+ are those of the error, counted from 1. +offset+ is in bytes. +context+
    # says what was being parsed. The message starts with the text of Psych's message, and then
    # shows the line.
    class SyntaxError < Exception
      attr_reader :file, :line, :column, :offset, :problem, :context

      def initialize(file, line, column, offset, problem, context)
        said = [problem, context].compact.join(" ")
        super(format("(%s): %s at line %d column %d", file || "<unknown>", said, line, column))
        @file, @line, @column, @offset, @problem, @context = file, line, column, offset, problem, context
      end

      # Returns an error of this class for an error of Ketch.
      def self.of(error, file, offset = error.offset)
        made = new(file, error.line || 0, error.column || 0, offset || 0, error.problem || error.message, nil)
        # The methods of Psych have no keywords for limits.
        picture = error.message.lines.drop(1).join.sub(/raise (?=`max_\w+:`)/i, "load it with Ketch.load and a higher ")
        made.instance_variable_set(:@picture, picture)
        made.instance_variable_set(:@context, context(error))
        made
      end

      # What was being parsed, by the name of the error. The first match is used.
      CONTEXTS = {
        /Quote|Escape/ => "while reading a scalar in quotes",
        /BlockHeader|Indentation\z|LeadingBlank|IndentTooDeep/ => "while reading indented text",
        /Alias|Anchor|Propert/ => "while reading an anchor or alias",
        /Directive|YamlVersion/ => "while reading a directive",
        /Tag/ => "while reading a tag",
        /Sequence(?!NotHere)|ExpectedEntry/ => "while reading a sequence",
        /Mapping(?!NotHere)|Key|Colon/ => "while reading a mapping",
        /Flow/ => "while reading a flow collection",
        /Document|Marker/ => "while reading a document"
      }.freeze
      private_constant :CONTEXTS

      # Returns a description of what was being parsed, or of the token that was expected.
      def self.context(error)
        return unless error.is_a?(Ketch::SyntaxError)

        CONTEXTS.find { |names, _| names.match?(error.name) }&.last || "while looking for the next token"
      end
      private_class_method :context

      # Returns Psych's message, followed by the line with a caret, and help.
      def message = @picture.to_s.empty? ? super : "#{super}\n#{@picture}"
    end

    # An error for a class that is not permitted, or of which Ketch creates no objects.
    class DisallowedClass < Exception
      def initialize(action, name, reason = nil)
        super(["Tried to #{action} unspecified class: #{name}", reason].compact.join("\n"))
      end
    end

    # An error for an alias whose anchor is unknown, or which is not permitted.
    class BadAlias < Exception; end

    # An error for an alias if aliases are not permitted.
    class AliasesNotEnabled < BadAlias
      def initialize(message = "Alias parsing was not enabled. To enable it, pass `aliases: true` to `Psych.load` or `Psych.safe_load`.")
        super
      end
    end

    # An error for an alias whose anchor is unknown.
    class AnchorNotDefined < BadAlias
      def initialize(name) = super("An alias referenced an unknown anchor: #{name}")
    end
  end
end
