package dev.ketch.bench;

import dev.ketch.Tagged;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Compares the values that two engines read from a file. Schemas may read single scalars
 * differently.
 */
final class Shape {
    private long scalars;
    private long different;

    /**
     * Returns whether both have the same collections and keys, and at most one scalar in a hundred
     * differs. YAML 1.1 has more numbers, booleans and dates, and JSON has fewer types.
     */
    static boolean isEqual(Object ours, Object theirs) {
        Shape shape = new Shape();
        return shape.matches(ours, theirs) && shape.different * 100 <= shape.scalars;
    }

    private boolean matches(Object left, Object right) {
        return matchesUntagged(untagged(left), untagged(right));
    }

    /** Returns the value without its tags, which Jackson drops. */
    private static Object untagged(Object value) {
        Object untagged = value;
        while (untagged instanceof Tagged tagged) {
            untagged = tagged.value();
        }
        return untagged;
    }

    private boolean matchesUntagged(Object ours, Object theirs) {
        if (ours instanceof Map<?, ?> left && theirs instanceof Map<?, ?> right) {
            return left.size() == right.size() && matchesAll(left, right);
        }
        if (ours instanceof List<?> left && theirs instanceof List<?> right) {
            if (left.size() != right.size()) {
                return false;
            }
            Iterator<?> others = right.iterator();
            return left.stream().allMatch(item -> matches(item, others.next()));
        }
        boolean isScalar = !isCollection(ours) && !isCollection(theirs);
        scalars++;
        if (isScalar && !isSame(ours, theirs)) {
            different++;
        }
        return isScalar;
    }

    /**
     * Compares the values of equal keys, and the other entries in order. Duplicate keys can change the
     * order.
     */
    private boolean matchesAll(Map<?, ?> left, Map<?, ?> right) {
        List<Object> others = new ArrayList<>(right.keySet());
        others.removeAll(left.keySet());
        Iterator<Object> rest = others.iterator();
        for (Map.Entry<?, ?> entry : left.entrySet()) {
            Object key = right.containsKey(entry.getKey()) ? entry.getKey() : rest.next();
            if (!matches(entry.getKey(), key) || !matches(entry.getValue(), right.get(key))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isCollection(Object value) {
        return value instanceof Map || value instanceof List;
    }

    private static boolean isFinite(Number left, Number right) {
        return Double.isFinite(left.doubleValue()) && Double.isFinite(right.doubleValue());
    }

    private static boolean isSame(Object ours, Object theirs) {
        if (ours instanceof Number left && theirs instanceof Number right && isFinite(left, right)) {
            return new BigDecimal(left.toString()).compareTo(new BigDecimal(right.toString())) == 0;
        }
        return String.valueOf(ours).equals(String.valueOf(theirs));
    }
}
