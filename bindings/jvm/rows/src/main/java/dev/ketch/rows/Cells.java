package dev.ketch.rows;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;

/** Converts the objects that drivers return to values of the data model and {@link BigDecimal}. */
final class Cells {
    private Cells() {}

    /** Returns the value of a column of the current row. */
    static Object read(ResultSet rows, Labels labels, int place) throws SQLException {
        if (labels.classes[place] != null) {
            Object value = labels.temporals.read(rows, place);
            return value == null || value instanceof String ? value : converted(value);
        }
        Object value = rows.getObject(place + 1);
        // The class of the value decides, not the type of the column, because in SQLite each value
        // has its own type.
        if (value == null || value instanceof String || value instanceof Integer
                || value instanceof Long || value instanceof Double || value instanceof BigDecimal) {
            return value;
        }
        return converted(value);
    }

    private static Object converted(Object value) throws SQLException {
        if (value instanceof Number number) {
            return number(number);
        }
        if (value instanceof Date date) {
            return date(date);
        }
        if (value instanceof ZonedDateTime time) {
            return time.toOffsetDateTime();
        }
        if (value instanceof Instant instant) {
            return instant.atOffset(ZoneOffset.UTC);
        }
        if (value instanceof LocalTime time) {
            return DateTimeFormatter.ISO_LOCAL_TIME.format(time);
        }
        if (value instanceof OffsetTime time) {
            return DateTimeFormatter.ISO_OFFSET_TIME.format(time);
        }
        boolean isValue = value instanceof Boolean || value instanceof byte[]
                || value instanceof LocalDate || value instanceof LocalDateTime
                || value instanceof OffsetDateTime;
        return isValue ? value : large(value);
    }

    private static Object number(Number number) {
        if (number instanceof Float value) {
            // 0.1f is 0.1, not 0.10000000149011612.
            return Double.valueOf(value.toString());
        }
        if (number instanceof Short || number instanceof Byte) {
            return number.intValue();
        }
        if (number instanceof BigInteger value) {
            int bits = value.bitLength();
            return bits < Integer.SIZE ? (Object) value.intValue()
                    : bits < Long.SIZE ? (Object) value.longValue() : value;
        }
        // Converts a number; a driver's own class becomes text.
        boolean isKnown = number.getClass().getPackageName().startsWith("java.");
        return isKnown ? number : number.toString();
    }

    private static Object date(Date date) {
        if (date instanceof java.sql.Date day) {
            return day.toLocalDate();
        }
        if (date instanceof java.sql.Time time) {
            int millis = (int) Math.floorMod(time.getTime(), 1000L);
            return DateTimeFormatter.ISO_LOCAL_TIME.format(
                    time.toLocalTime().with(ChronoField.MILLI_OF_SECOND, millis));
        }
        if (date instanceof java.sql.Timestamp time) {
            return time.toLocalDateTime();
        }
        return date.toInstant().atOffset(ZoneOffset.UTC);
    }

    /** Reads the database's own objects and releases them. Other objects are returned as text. */
    private static Object large(Object value) throws SQLException {
        if (value instanceof Clob clob) {
            try {
                return clob.getSubString(1, length(clob.length()));
            } finally {
                clob.free();
            }
        }
        if (value instanceof Blob blob) {
            try {
                return blob.getBytes(1, length(blob.length()));
            } finally {
                blob.free();
            }
        }
        if (value instanceof SQLXML xml) {
            try {
                return xml.getString();
            } finally {
                xml.free();
            }
        }
        if (value instanceof java.sql.Array array) {
            try {
                return list((Object[]) array.getArray());
            } finally {
                array.free();
            }
        }
        return value instanceof Object[] values ? list(values) : value.toString();
    }

    private static int length(long length) throws SQLException {
        if (length > Integer.MAX_VALUE) {
            throw new SQLException("a value of " + length + " bytes is too long for Java");
        }
        return (int) length;
    }

    private static List<Object> list(Object[] values) throws SQLException {
        List<Object> list = new ArrayList<>(values.length);
        for (Object value : values) {
            list.add(value == null || value instanceof String ? value : converted(value));
        }
        return list;
    }

    /** Returns the object to pass to a driver for a parameter. */
    static Object parameter(Object value) {
        if (value instanceof Instant instant) {
            return instant.atOffset(ZoneOffset.UTC);
        }
        if (value instanceof BigInteger number) {
            return new BigDecimal(number);
        }
        if (value instanceof Character || value instanceof Enum || value instanceof StringBuilder) {
            return value.toString();
        }
        return value;
    }
}
