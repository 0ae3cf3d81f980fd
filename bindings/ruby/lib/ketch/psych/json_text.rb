# frozen_string_literal: true

module Ketch
  module Psych
    # Writes a value as JSON, with the same spaces as Psych. There is no recursion.
    # @private
    class JsonText
      LEVELS_MAX = 100
      # A text that is written unchanged.
      Mark = Struct.new(:text, :levels)
      COMMA = Mark.new(", ", 0).freeze
      private_constant :LEVELS_MAX, :Mark, :COMMA

      def self.of(object) = new.write(object)

      def initialize
        Ketch.__send__(:need, "json", :JSON)
        @text = +""
        @levels = 0
      end

      def write(object)
        rest = [object]
        until rest.empty?
          case step = rest.pop
          when Mark then mark(step)
          when ::Hash then rest.concat(enclosed("{", members(step), "}"))
          when Array then rest.concat(enclosed("[", step.map { |entry| [entry] }, "]"))
          else @text << scalar(step)
          end
        end
        @text
      end

      private

      def mark(mark)
        @levels += mark.levels
        raise ::JSON::NestingError, "nesting of #{@levels} is too deep" if @levels > LEVELS_MAX

        @text << mark.text
      end

      # Returns the steps that write a collection, the last one first.
      def enclosed(start, parts, finish)
        steps = parts.flat_map { |part| [COMMA, *part] }.drop(1)
        [Mark.new(start, 1), *steps, Mark.new(finish, -1)].reverse
      end

      def members(hash)
        hash.map { |key, value| [Mark.new("#{::JSON.generate(String(text_of(key)))}: ", 0), value] }
      end

      def scalar(object) = ::JSON.generate(text_of(object))

      # Returns the text of an object. Times and days are written as by #dump.
      def text_of(object)
        case object
        when Time then Representer.time(object)
        when dates(:DateTime) then object.strftime("%F %T.%9N %:z")
        when dates(:Date) then Representer.date(object)
        else object
        end
      end

      # Returns a class of the library date, or false if the library is not loaded.
      def dates(name) = Object.const_defined?(name) ? Object.const_get(name) : false
    end
  end
end
