# frozen_string_literal: true

module Ketch
  module Psych
    # Resolves plain scalars in rare forms. The extension resolves the usual ones.
    module Scalars
      YEAR_MONTH_DAY = /(-?\d{4})-(\d{1,2})-(\d{1,2})/
      TIME = /\A#{YEAR_MONTH_DAY}(?:[Tt]|\s+)(\d{1,2}):(\d\d):(\d\d)(?:\.(\d*))?(?:\s*(?:(Z)|([-+]\d{1,2}:?(?:\d\d)?)))?\z/
      DAY = /\A\d{4}-(?:1[012]|0?\d)-(?:[12]\d|3[01]|0?\d)\z/
      BASE_60 = /\A[-+]?\d[\d_]*(?::[0-5]?\d){1,2}(\.[\d_]*)?\z/
      # Integers with more digits than this are converted in parts.
      DIGITS_AT_ONCE = 1 << 18
      INTEGER = /\A-?[1-9]\d*\z/
      private_constant :DIGITS_AT_ONCE, :INTEGER
      private_constant :YEAR_MONTH_DAY, :TIME, :DAY, :BASE_60

      class << self
        # Returns the value of a plain scalar in Psych: nil, a boolean, a number, a symbol, a time, a day,
        # or the string itself.
        #
        #   Ketch::Psych::Scalars.value("1_000", Ketch::Psych::Permissions.all)  # => 1000
        #
        # Raises a DisallowedClass for a class that is not permitted.
        def value(text, permissions)
          return Ketch.__send__(:psych_scan, text, permissions.bits) { rare(text, permissions) } unless text.start_with?(":")

          found = Ketch.__send__(:psych_scan, text, permissions.bits) { text }
          found.is_a?(Symbol) ? permissions.symbol(found.name) : found
        end

        # Returns the time, the day, the base 60 number, or the number with many digits that a text
        # denotes. Returns any other text unchanged.
        def rare(text, permissions)
          case text
          when DAY then permissions.permit!("Date") || day(text) || text
          when TIME
            found = ::Regexp.last_match
            permissions.permit!("Time") || time(found) || text
          when BASE_60 then base_60(text, ::Regexp.last_match(1) ? :to_f : :to_i)
          else number(text)
          end
        end

        # Returns the time that a text denotes, or nil if it is not a time.
        def time_of(text)
          found = TIME.match(text)
          found && time(found)
        end

        private

        # Returns a time in the zone that the text specifies. Without a zone, the time is in UTC, and is
        # converted to the local zone.
        def time(found)
          year, month, day, hour, minute, second = found.captures.first(6).map(&:to_i)
          second += found[7].to_s.empty? ? 0 : Rational("0.#{found[7]}")
          return Time.new(year, month, day, hour, minute, second, offset(found[9])) if found[9]

          time = Time.utc(year, month, day, hour, minute, second)
          found[8] ? time : time.getlocal
        rescue ArgumentError
          nil
        end

        # Returns the offset of a zone in seconds. If the zone has three digits, the first two are the
        # hours.
        def offset(zone)
          hours, minutes = zone[1..].match(/\A(\d{1,2}):?(\d*)\z/).captures.map(&:to_i)
          seconds = hours * 3600 + minutes * 60
          zone.start_with?("-") ? -seconds : seconds
        end

        def day(text)
          Ketch.__send__(:need, "date", :Date)
          Date.new(*text.split("-").map { |digits| digits.to_i }, Host.calendar_start)
        rescue ArgumentError
          nil
        end

        # Reads hours, minutes and seconds. The seconds may be missing. A sign applies to the hours only.
        def base_60(text, conversion)
          text.split(":").zip([3600, 60, 1]).sum { |digits, seconds| digits.public_send(conversion) * seconds }
        end

        def number(text)
          digits = text.delete("_,")
          return Ketch.__send__(:long_integer, digits) if digits.size > DIGITS_AT_ONCE && INTEGER.match?(digits)

          text.include?(".") ? Float(digits.sub(/\.(?=e|\z)/i, "")) : Integer(digits)
        rescue ArgumentError
          text
        end
      end
    end
  end
end
