# frozen_string_literal: true

module Ketch
  # Times and days in YAML and extprot. The extension calls these methods.
  class << self
    private

    # Parses an integer with many decimal digits in parts, so that signals are handled between them: to_i takes seconds
    # for 50 MB, and cannot be interrupted.
    def long_integer(text)
      digits = text.delete_prefix("-")
      # The parts are counted from the right, so that all of them except the first have the same number of digits.
      first = digits.size % DIGITS_AT_ONCE
      parts = [digits[0, first].to_i]
      first.step(digits.size - 1, DIGITS_AT_ONCE) { |at| parts << digits[at, DIGITS_AT_ONCE].to_i }
      value = joined(parts, 10**DIGITS_AT_ONCE)
      text.start_with?("-") ? -value : value
    end

    DIGITS_AT_ONCE = 1 << 18
    private_constant :DIGITS_AT_ONCE

    # Returns the number whose digits in a base are +parts+. Pairs of them are joined first, so that numbers of equal
    # length are multiplied.
    def joined(parts, base)
      until parts.size == 1
        parts.unshift(0) if parts.size.odd?
        parts = parts.each_slice(2).map { |high, low| high * base + low }
        base *= base unless parts.size == 1
      end
      parts[0]
    end

    # Loads a library of Ruby's, unless the constant that it defines is there. In Ruby 3, only the main Ractor can load
    # libraries.
    def need(library, constant)
      Object.const_defined?(constant) || require(library)
    rescue StandardError => e
      raise unless e.class.name == "Ractor::IsolationError"

      raise e.class, "a Ractor cannot load the library #{library}: write `require \"ketch/ractor\"` before the first Ractor"
    end

    # Returns the Date for a timestamp without a time.
    def date(text)
      need("date", :Date)
      Date.iso8601(text, Date::GREGORIAN)
    end

    # Converts a timestamp of extprot: seconds since 1970, nanoseconds, and the offset in minutes east of UTC. Returns
    # a Time, or a Date if the offset is +true+. If the offset is nil, the time has no zone.
    def time_of(seconds, nanoseconds, offset)
      raise Extprot::Error, "this timestamp is not a valid time" unless time?(seconds, nanoseconds, offset)
      return date(Time.at(seconds).utc.strftime("%Y-%m-%d")) if offset == true

      # JRuby 10 turns an offset of zero into UTC, unless Time.new receives it as text.
      return Time.new(1970, 1, 1, 0, 0, 0, "+00:00") + seconds + Rational(nanoseconds, 1_000_000_000) if offset.nil?

      time = Time.at(seconds, nanoseconds, :nsec)
      offset == 0 ? time.utc : time.localtime(offset * 60)
    end

    # The maximum offset is one minute less than a day.
    OFFSETS = (-1439..1439).freeze
    private_constant :OFFSETS

    def time?(seconds, nanoseconds, offset)
      return false unless seconds.is_a?(Integer) && nanoseconds.is_a?(Integer)
      return false unless nanoseconds.between?(0, 999_999_999)
      return nanoseconds.zero? && (seconds % 86_400).zero? && YEARS.cover?(seconds) if offset == true

      YEARS.cover?(seconds + (offset || 0) * 60) && (offset.nil? || OFFSETS.cover?(offset)) if offset.nil? || offset.is_a?(Integer)
    end

    # Returns the seconds since 1970, the nanoseconds, the offset in minutes east of UTC (nil without a zone), and
    # whether the value is a Date.
    def timestamp_of(value)
      case value
      when Time then in_range(value.to_i, value.nsec, offset_of(value), false)
      when dates(:DateTime) then timestamp_of(value.to_time)
      when dates(:Date) then in_range((value.jd - 2_440_588) * 86_400, 0, nil, true)
      else raise TypeError, "an instance of #{Kernel.instance_method(:class).bind_call(value)} cannot be written: convert it to a Hash, an Array or text first"
      end
    end

    # Returns a class of the library date, or false if the library is not loaded.
    def dates(name) = Object.const_defined?(name) ? Object.const_get(name) : false

    # Returns the minutes east of UTC, or 0 if the offset has seconds. Returns nil for a time without a zone, which has
    # an offset of zero, but is not UTC.
    def offset_of(time)
      return 0 if time.utc?

      offset = time.utc_offset
      return nil if offset.zero?

      (offset % 60).zero? ? offset / 60 : 0
    end

    YEARS = (-62_167_219_200..253_402_300_799).freeze
    private_constant :YEARS

    def in_range(seconds, *rest)
      raise RangeError, "YAML timestamps support only the years 0 to 9999" unless YEARS.cover?(seconds)

      [seconds, *rest]
    end
  end
end
