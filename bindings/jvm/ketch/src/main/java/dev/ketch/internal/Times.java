package dev.ketch.internal;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Days and times as native code and extprot have them: seconds since 1970, nanoseconds and an offset. */
public final class Times {
    private static final int SECONDS_PER_MINUTE = 60;
    private static final int SECONDS_PER_DAY = 86_400;
    private static final int MINUTES_PER_DAY = 1_440;
    private static final int NANOS_PER_SECOND = 1_000_000_000;
    /** The largest offset of Java. */
    private static final int MAX_OFFSET_MINUTES = 18 * 60;
    private static final long FIRST_SECOND = seconds(LocalDate.of(0, 1, 1));
    private static final long END_SECOND = seconds(LocalDate.of(10_000, 1, 1));

    private Times() {}

    /**
     * Returns whether the parts of a time are in range: a local year of 0 to 9999, the nanoseconds of
     * one second, and an offset of less than a day.
     *
     * @param seconds the seconds of the instant
     * @param nanos the nanoseconds
     * @param minutes the offset
     * @return whether they are
     */
    public static boolean areValid(long seconds, long nanos, long minutes) {
        return areNanosAndOffset(nanos, minutes) && hasValidYear(seconds + SECONDS_PER_MINUTE * minutes);
    }

    /**
     * Returns whether these are the nanoseconds of one second, and an offset of less than a day.
     *
     * @param nanos the nanoseconds
     * @param minutes the offset
     * @return whether they are
     */
    public static boolean areNanosAndOffset(long nanos, long minutes) {
        return nanos >= 0 && nanos < NANOS_PER_SECOND && minutes > -MINUTES_PER_DAY && minutes < MINUTES_PER_DAY;
    }

    /**
     * Returns whether the year of a local time is 0 to 9999.
     *
     * @param localSeconds the seconds of the local time
     * @return whether it is
     */
    public static boolean hasValidYear(long localSeconds) {
        return localSeconds >= FIRST_SECOND && localSeconds < END_SECOND;
    }

    /**
     * Returns the seconds of the start of a day.
     *
     * @param day the day
     * @return the seconds
     */
    public static long seconds(LocalDate day) {
        return day.toEpochSecond(LocalTime.MIDNIGHT, ZoneOffset.UTC);
    }

    /**
     * Returns whether a time is the start of a day.
     *
     * @param localSeconds the seconds of the local time
     * @return whether it is
     */
    public static boolean isMidnight(long localSeconds) {
        return Math.floorMod(localSeconds, SECONDS_PER_DAY) == 0;
    }

    /**
     * Returns the day of a time.
     *
     * @param localSeconds the seconds of the local time
     * @return the day
     */
    public static LocalDate day(long localSeconds) {
        return LocalDate.ofEpochDay(Math.floorDiv(localSeconds, SECONDS_PER_DAY));
    }

    /**
     * Returns a time without an offset.
     *
     * @param localSeconds the seconds of the local time
     * @param nanos the nanoseconds
     * @return the time
     */
    public static LocalDateTime local(long localSeconds, int nanos) {
        return LocalDateTime.ofEpochSecond(localSeconds, nanos, ZoneOffset.UTC);
    }

    /**
     * Returns a time with an offset, in UTC if Java does not support the offset.
     *
     * @param seconds the seconds of the instant
     * @param nanos the nanoseconds
     * @param minutes the offset
     * @return the time
     */
    public static OffsetDateTime withOffset(long seconds, int nanos, int minutes) {
        boolean isSupported = minutes >= -MAX_OFFSET_MINUTES && minutes <= MAX_OFFSET_MINUTES;
        ZoneOffset offset = ZoneOffset.ofTotalSeconds(isSupported ? minutes * SECONDS_PER_MINUTE : 0);
        return OffsetDateTime.ofInstant(Instant.ofEpochSecond(seconds, nanos), offset);
    }
}
