package dev.ketch;

import dev.ketch.internal.Integers;
import dev.ketch.internal.Times;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds the values of Java. */
final class JavaBuilder extends Builder {

    JavaBuilder() {
        super(new Object[Token.KEY_SLOTS]);
    }

    @Override
    Object ascii(byte[] bytes, int start, int length) {
        return latin1(bytes, start, length);
    }

    /**
     * Returns the text of bytes in Latin-1, with one copy and no check. The constructor with a charset
     * does the same, but is too long for the JVM's compiler to inline.
     */
    @SuppressWarnings("deprecation")
    static String latin1(byte[] bytes, int start, int length) {
        return new String(bytes, 0, start, length);
    }

    @Override
    Object utf8(byte[] bytes, int start, int length) {
        return new String(bytes, start, length, StandardCharsets.UTF_8);
    }

    @Override
    Object wide(char[] units, int start, int length) {
        return new String(units, start, length);
    }

    @Override
    Object key(Object text) {
        return (String) text;
    }

    @Override
    Object none() {
        return null;
    }

    @Override
    Object bool(boolean value) {
        return value;
    }

    @Override
    Object integer(long value) {
        return Integers.narrowest(value);
    }

    @Override
    Object bigInteger(Object digits, long word) {
        return (word >>> 8 & 0xff) == 0 ? new BigDecimal((String) digits) : bigInteger((String) digits, word);
    }

    static BigInteger bigInteger(String digits, long word) {
        BigInteger value = Integers.parse(digits, (int) (word >>> 8) & 0xff);
        return (word >>> 16 & 1) == 1 ? value.negate() : value;
    }

    @Override
    Object floating(double value) {
        return value;
    }

    @Override
    Object binary(byte[] bytes) {
        return bytes;
    }

    @Override
    Object timestamp(int form, long seconds, long rest) {
        return time(form, seconds, rest);
    }

    static Object time(int form, long seconds, long rest) {
        if (form == 2) {
            return Times.day(seconds);
        }
        return form == 1
                ? Times.local(seconds, (int) rest)
                : Times.withOffset(seconds, (int) rest, (int) (rest >> 32));
    }

    @Override
    Object tagged(Object tag, Object value) {
        return new Tagged((String) tag, value);
    }

    @Override
    Object untagged(Object value) {
        return value instanceof Tagged tagged ? tagged.value() : value;
    }

    @Override
    Object sequence(Object[] items, int start, int count) {
        ArrayList<Object> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            list.add(items[start + i]);
        }
        return list;
    }

    @Override
    Object newSequence() {
        return new ArrayList<>();
    }

    @Override
    @SuppressWarnings("unchecked")
    void fillSequence(Object sequence, Object[] items, int start, int count) {
        ((List<Object>) sequence).addAll(Arrays.asList(items).subList(start, start + count));
    }

    /** Returns a map with the smallest capacity with which it does not grow. */
    @Override
    Object newMapping(int count) {
        return new LinkedHashMap<>(count + (count + 2) / 3);
    }

    @Override
    @SuppressWarnings("unchecked")
    boolean fillMapping(Object mapping, Object[] pairs, int start, int count) {
        Map<Object, Object> map = (Map<Object, Object>) mapping;
        for (int i = start; i < start + 2 * count; i += 2) {
            map.put(pairs[i], pairs[i + 1]);
        }
        return map.size() == count || choose(map, pairs, start, count);
    }

    /**
     * Fills the map again, with the first or the last value of each duplicate key. Returns false if
     * duplicate keys are an error.
     */
    private boolean choose(Map<Object, Object> map, Object[] pairs, int start, int count) {
        // If the values come from documents, the composer has already handled keys that are equal in
        // YAML. The keys here are then equal only in Java, which is an error.
        if (isWhole() || duplicateKeys() == DuplicateKeys.ERROR) {
            return false;
        }
        map.clear();
        for (int i = start; i < start + 2 * count; i += 2) {
            if (duplicateKeys() == DuplicateKeys.LAST) {
                map.remove(pairs[i]);
            }
            map.putIfAbsent(pairs[i], pairs[i + 1]);
        }
        return true;
    }
}
