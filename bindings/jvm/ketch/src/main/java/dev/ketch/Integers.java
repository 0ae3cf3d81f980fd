package dev.ketch;

import java.math.BigInteger;

/** Integers of any length, in less than quadratic time. */
final class Integers {
    private static final int DIGITS_AT_ONCE = 1024;

    private Integers() {}

    static Number narrowest(long value) {
        return (int) value == value ? (Number) (int) value : (Number) value;
    }

    /** Parses digits. The depth of recursion is logarithmic in their number. */
    static BigInteger parse(String digits, int radix) {
        if (digits.length() <= DIGITS_AT_ONCE || Integer.bitCount(radix) == 1) {
            return new BigInteger(digits, radix);
        }
        int low = DIGITS_AT_ONCE;
        while (low * 2L < digits.length()) {
            low *= 2;
        }
        int middle = digits.length() - low;
        BigInteger power = BigInteger.valueOf(radix).pow(low);
        return parse(digits.substring(0, middle), radix).multiply(power)
                .add(parse(digits.substring(middle), radix));
    }
}
