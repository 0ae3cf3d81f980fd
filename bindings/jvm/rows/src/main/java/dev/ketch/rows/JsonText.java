package dev.ketch.rows;

import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;

/** Writes values of rows as JSON. */
final class JsonText {
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    final StringBuilder out = new StringBuilder();

    void value(Object value) {
        if (value instanceof String text) {
            text(text);
        } else if (value instanceof Double number) {
            number(number);
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof List<?> list) {
            list(list);
        } else if (value instanceof byte[] bytes) {
            text(Base64.getEncoder().encodeToString(bytes));
        } else {
            text(time(value));
        }
    }

    /**
     * Returns a date or time in ISO 8601. Date-times include seconds that are zero, which {@code
     * toString} leaves out.
     */
    private static String time(Object value) {
        if (value instanceof LocalDateTime time) {
            return DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(time);
        }
        if (value instanceof OffsetDateTime time) {
            return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time);
        }
        return value.toString();
    }

    private void number(double number) {
        if (!Double.isFinite(number)) {
            throw new IllegalArgumentException(
                    "JSON has no " + number + "; cast it to text or NULL in the query");
        }
        out.append(number);
    }

    private void list(List<?> list) {
        out.append('[');
        for (int i = 0; i < list.size(); i++) {
            if (i > 0) {
                out.append(',');
            }
            value(list.get(i));
        }
        out.append(']');
    }

    private void text(String text) {
        out.append('"');
        int written = 0;
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            boolean isPlain = unit >= ' ' && unit != '"' && unit != '\\' && !isLone(text, i);
            if (!isPlain) {
                out.append(text, written, i);
                written = i + 1;
                escape(unit);
            }
        }
        out.append(text, written, text.length()).append('"');
    }

    /** Returns whether the character is half of a surrogate pair, which UTF-8 cannot represent. */
    private static boolean isLone(String text, int at) {
        char unit = text.charAt(at);
        if (!Character.isSurrogate(unit)) {
            return false;
        }
        boolean isPair = Character.isHighSurrogate(unit)
                ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
                : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
        return !isPair;
    }

    private void escape(char unit) {
        int named = "\"\\\b\f\n\r\t".indexOf(unit);
        out.append('\\');
        if (named >= 0) {
            out.append("\"\\bfnrt".charAt(named));
            return;
        }
        out.append('u');
        for (int shift = 12; shift >= 0; shift -= 4) {
            out.append(HEX[unit >> shift & 0xf]);
        }
    }
}
