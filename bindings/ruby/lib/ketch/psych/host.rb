# frozen_string_literal: true

module Ketch
  module Psych
    # The differences between versions of Psych. Ketch::Psych behaves like the version in this Ruby.
    # @private
    module Host
      class << self
        # Returns whether dates are read and written in the proleptic Gregorian calendar, as Psych has done
        # since 4.0.5.
        def proleptic? = PROLEPTIC

        # Returns whether a date that is written twice gets an anchor, as Psych has done since 4.0.5.
        def anchors_dates? = PROLEPTIC

        # Returns whether safe_dump accepts a permitted symbol if its class is not permitted, as Psych 5
        # does.
        def symbols_without_class? = SYMBOLS_WITHOUT_CLASS

        # Returns the first day of the Gregorian calendar, for dates that are read.
        def calendar_start = PROLEPTIC ? Date::GREGORIAN : Date::ITALY

        # Converts a Date or DateTime to the calendar in which it is written.
        def written(date)
          return date unless PROLEPTIC

          date.is_a?(DateTime) ? date.italy : date.gregorian
        end

        # Converts a Time that was read to a DateTime.
        def date_time(time)
          return time.to_datetime unless PROLEPTIC

          DateTime.civil(*time.to_a.first(6).reverse, Rational(time.utc_offset, 86_400)) + time.subsec / 86_400
        end

        # Returns the object that stores the types that were registered in this Ractor. JRuby has no Ractors.
        def storage = defined?(Ractor) ? Ractor.current : REGISTRY

        # Makes an object shareable between Ractors, and returns it.
        def shareable(object) = defined?(Ractor) ? Ractor.make_shareable(object) : object.freeze

        private

        # Returns the version of Psych without loading Psych, which would define its constants and methods.
        def version
          return Object.const_get(:Psych)::VERSION if Object.const_defined?(:Psych)

          path = $LOAD_PATH.resolve_feature_path("psych/versions")&.last
          path && File.read(path)[/^\s*VERSION = ['"]([\d.]+)/, 1] || (RUBY_VERSION < "3.2" ? "4.0.4" : "5")
        end
      end

      found = __send__(:version).split(".").map(&:to_i)
      PROLEPTIC = (found <=> [4, 0, 5]) >= 0
      SYMBOLS_WITHOUT_CLASS = found[0] >= 5
      REGISTRY = defined?(Ractor) ? nil : {}
      private_constant :PROLEPTIC, :SYMBOLS_WITHOUT_CLASS, :REGISTRY
    end
  end
end
