package dev.ketch.extprot;

import java.math.BigDecimal;
import java.math.MathContext;

/** Texts of scalars, by the specification, 13.2 and 14. */
final class ScalarText {
    /** The digits of C's format {@code %.12g}. */
    private static final int DIGITS = 12;

    private ScalarText() {}

    /** Returns an integer with a suffix, in parentheses if it is negative. */
    static String integer(long value, String suffix) {
        return value < 0 ? "(" + value + suffix + ")" : value + suffix;
    }

    /** Returns a float as C's {@code %.12g} does, with a dot at the end if it would look like an integer. */
    static String floating(double value) {
        if (Double.isNaN(value)) {
            return "nan";
        }
        if (Double.isInfinite(value)) {
            return value < 0 ? "-inf" : "inf";
        }
        if (value == 0) {
            return 1 / value < 0 ? "-0." : "0.";
        }
        BigDecimal rounded = new BigDecimal(value, new MathContext(DIGITS)).stripTrailingZeros();
        int exponent = rounded.precision() - rounded.scale() - 1;
        if (exponent < -4 || exponent >= DIGITS) {
            return scientific(rounded, exponent);
        }
        String text = rounded.toPlainString();
        return text.indexOf('.') < 0 ? text + "." : text;
    }

    private static String scientific(BigDecimal rounded, int exponent) {
        // One digit before the dot.
        String digits = rounded.movePointLeft(exponent).toPlainString();
        String size = Integer.toString(Math.abs(exponent));
        return digits + (exponent < 0 ? "e-" : "e+") + (size.length() < 2 ? "0" : "") + size;
    }

    /** Appends bytes in quotes. Those that are not printable ASCII are escaped. */
    static void quote(byte[] bytes, StringBuilder out) {
        out.append('"');
        for (byte unit : bytes) {
            switch (unit) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                case '\r' -> out.append("\\r");
                case '\b' -> out.append("\\b");
                default -> unit(unit & 0xff, out);
            }
        }
        out.append('"');
    }

    private static void unit(int unit, StringBuilder out) {
        if (unit >= 0x20 && unit < 0x7f) {
            out.append((char) unit);
        } else {
            out.append('\\').append(unit / 100).append(unit / 10 % 10).append(unit % 10);
        }
    }
}
