package dev.ketch.jackson;

import dev.ketch.jackson.Nodes.Range;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/** An open collection. */
final class Frame {
    private static final int FEW = 8;

    boolean isMapping;
    final Frame outer;
    /** A collection in this one that has ended and can be reused. */
    private Frame inner;
    /** Whether the next node is a key. */
    boolean atKey;
    /**
     * Whether the entries come from merged mappings. If so, keys that already exist are left out.
     */
    boolean isMerging;
    /** The mappings that are still to be merged; null if there are none. */
    Deque<Range> merges;

    // The keys so far. A small number are compared one by one.
    private String[] few;
    private int count;
    private Set<String> many;

    Frame(Frame outer) {
        this.outer = outer;
    }

    /** Opens a collection in this one. */
    Frame open(boolean isMapping) {
        if (inner == null) {
            inner = new Frame(this);
        }
        inner.isMapping = isMapping;
        inner.atKey = isMapping;
        inner.isMerging = false;
        inner.merges = null;
        inner.count = 0;
        inner.many = null;
        return inner;
    }

    /** Adds a key. Returns false if it already exists. */
    boolean add(String key) {
        if (many != null) {
            return many.add(key);
        }
        if (few == null) {
            few = new String[FEW];
        }
        for (int i = 0; i < count; i++) {
            if (few[i].equals(key)) {
                return false;
            }
        }
        if (count == FEW) {
            many = new HashSet<>();
            for (String earlier : few) {
                many.add(earlier);
            }
            return many.add(key);
        }
        few[count++] = key;
        return true;
    }

    void merge(Range source) {
        if (merges == null) {
            merges = new ArrayDeque<>();
        }
        merges.add(source);
    }
}
