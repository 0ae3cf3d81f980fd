package dev.ketch;

import java.util.Arrays;

/** The collections of a document, compared by identity, with a number for each. */
final class Occurrences {
    /** The number of an object that is not there. */
    static final int NONE = Integer.MIN_VALUE;

    private static final int LEAST = 16;
    private static final int MOST_KEPT = 1 << 16;
    /** Spreads hashes over the upper bits. */
    private static final int FACTOR = 0x9e3779b9;

    private Object[] objects = new Object[LEAST];
    private int[] numbers = new int[LEAST];
    private int size;

    private int slot(Object object) {
        int mask = objects.length - 1;
        int at = System.identityHashCode(object) * FACTOR >>> Integer.numberOfLeadingZeros(mask);
        while (objects[at] != null && objects[at] != object) {
            at = at + 1 & mask;
        }
        return at;
    }

    /** Adds an object with a number. If it is there already, returns its number; otherwise {@link #NONE}. */
    int add(Object object, int number) {
        int at = slot(object);
        if (objects[at] != null) {
            return numbers[at];
        }
        objects[at] = object;
        numbers[at] = number;
        if (++size > objects.length >> 1) {
            grow();
        }
        return NONE;
    }

    int get(Object object) {
        int at = slot(object);
        return objects[at] == null ? NONE : numbers[at];
    }

    /** Changes the number of an object that is there. */
    void set(Object object, int number) {
        numbers[slot(object)] = number;
    }

    private void grow() {
        Object[] old = objects;
        int[] oldNumbers = numbers;
        objects = new Object[2 * old.length];
        numbers = new int[2 * old.length];
        for (int i = 0; i < old.length; i++) {
            if (old[i] != null) {
                int at = slot(old[i]);
                objects[at] = old[i];
                numbers[at] = oldNumbers[i];
            }
        }
    }

    void clear() {
        if (objects.length > MOST_KEPT) {
            objects = new Object[LEAST];
            numbers = new int[LEAST];
        } else if (size > 0) {
            Arrays.fill(objects, null);
        }
        size = 0;
    }
}
