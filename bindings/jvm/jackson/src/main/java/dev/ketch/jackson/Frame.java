package dev.ketch.jackson;

import dev.ketch.jackson.Nodes.Range;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An open collection. */
final class Frame {
    private static final int FEW = 8;

    /** A collection that is not on the tape. */
    static final int UNRECORDED = -1;

    boolean isMapping;
    final Frame outer;
    /** Where the collection starts on the tape. */
    private int start = UNRECORDED;
    /** A collection in this one that has ended and can be reused. */
    private Frame inner;
    /** Whether the next node is a key. */
    boolean atKey;

    // The merged mappings; null if there are none. What a merged mapping merges itself precedes those
    // that are merged after it.
    private List<Range> found;
    private Deque<Range> merges;
    private Set<Integer> entered;

    // The keys so far, with their numbers. A small number are compared one by one.
    private String[] few;
    private int count;
    private Map<String, Integer> many;
    /** The number of keys of the mappings before the one that is being merged. */
    private int earlier;

    Frame(Frame outer) {
        this.outer = outer;
    }

    /** Opens a collection in this one, which starts there on the tape. */
    Frame open(boolean isMapping, int start) {
        if (inner == null) {
            inner = new Frame(this);
        }
        inner.isMapping = isMapping;
        inner.start = start;
        inner.atKey = isMapping;
        inner.found = null;
        inner.merges = null;
        inner.entered = null;
        inner.count = 0;
        inner.many = null;
        inner.earlier = 0;
        return inner;
    }

    /** Returns whether the collection is the node, or a part of it. */
    boolean isInside(Range node) {
        Frame around = this;
        while (around != null && around.start != node.start) {
            around = around.outer;
        }
        return around != null;
    }

    /** How a key relates to the earlier ones. */
    enum Key {
        NEW,
        /** The mapping itself has an equal key. */
        DUPLICATE,
        /** A mapping that is merged before this one, or the one merged into, has an equal key. */
        OVERRIDDEN
    }

    /** Adds a key, if it is new. */
    Key add(String key) {
        int equal = equal(key);
        if (equal < 0) {
            count++;
            return Key.NEW;
        }
        return equal < earlier ? Key.OVERRIDDEN : Key.DUPLICATE;
    }

    /** Returns the number of the equal key. If there is none, stores this one and returns -1. */
    private int equal(String key) {
        if (many == null) {
            if (few == null) {
                few = new String[FEW];
            }
            for (int i = 0; i < count; i++) {
                if (few[i].equals(key)) {
                    return i;
                }
            }
            if (count < FEW) {
                few[count] = key;
                return -1;
            }
            many = new HashMap<>();
            for (int i = 0; i < FEW; i++) {
                many.put(few[i], i);
            }
        }
        Integer equal = many.putIfAbsent(key, count);
        return equal == null ? -1 : equal;
    }

    /** Adds mappings to merge. */
    void merge(List<Range> mappings) {
        if (found == null) {
            found = new ArrayList<>();
        }
        found.addAll(mappings);
    }

    /** Returns the next mapping to merge, now that the one before it has ended; null if there is none. */
    Range nextMerge() {
        if (found != null) {
            if (merges == null) {
                merges = new ArrayDeque<>();
                entered = new HashSet<>();
            }
            for (int i = found.size() - 1; i >= 0; i--) {
                merges.push(found.get(i));
            }
            found = null;
        }
        while (merges != null && !merges.isEmpty()) {
            Range next = merges.pop();
            if (entered.add(next.start)) {
                atKey = true;
                earlier = count;
                return next;
            }
        }
        return null;
    }
}
