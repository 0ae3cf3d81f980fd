package dev.ketch.internal;

import java.math.BigInteger;

/** Integers of any length, in less than quadratic time. */
public final class Integers {
    private static final int DIGITS_AT_ONCE = 1024;

    private Integers() {}

    /**
     * Returns an {@link Integer} if the value fits, otherwise a {@link Long}.
     *
     * @param value the value
     * @return the number
     */
    public static Number narrowest(long value) {
        return (int) value == value ? (Number) (int) value : (Number) value;
    }

    /**
     * Parses digits. The depth of recursion is logarithmic in their number.
     *
     * @param digits the digits, without a sign
     * @param radix 2, 8, 10 or 16
     * @return the value
     */
    public static BigInteger parse(String digits, int radix) {
        if (digits.length() <= DIGITS_AT_ONCE) {
            return new BigInteger(digits, radix);
        }
        if (Integer.bitCount(radix) == 1) {
            return ofBits(digits, Integer.numberOfTrailingZeros(radix));
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

    /** Parses digits of one to four bits each. */
    private static BigInteger ofBits(String digits, int bitsEach) {
        long bitCount = (long) digits.length() * bitsEach;
        byte[] bytes = new byte[(int) (bitCount / Byte.SIZE) + 1];
        long bit = 0;
        for (int i = digits.length() - 1; i >= 0; i--) {
            int value = Character.digit(digits.charAt(i), 1 << bitsEach) << (int) (bit % Byte.SIZE);
            int at = bytes.length - 1 - (int) (bit / Byte.SIZE);
            bytes[at] |= (byte) value;
            if (value > 0xff) {
                bytes[at - 1] |= (byte) (value >> Byte.SIZE);
            }
            bit += bitsEach;
        }
        return new BigInteger(1, bytes);
    }
}
