package dev.ketch;

import static dev.ketch.DumpToken.*;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Walks through values with its own stack and passes them to native code as tokens, some
 * thousands at a time.
 */
final class DumpWalk {
    /**
     * Constant collections of the JDK, such as the empty list, which values share by coincidence.
     */
    private static final List<Object> CONSTANTS = List.of(
            List.of(), Map.of(), Collections.emptyList(), Collections.emptyMap());

    /** An open collection. */
    private static final class Open {
        final Iterator<?> children;
        final boolean isMapping;
        /** The value that belongs to the key that was just written. */
        Object value;
        boolean hasValue;

        Open(Object collection) {
            isMapping = collection instanceof Map;
            children = collection instanceof Map<?, ?> map
                    ? map.entrySet().iterator()
                    : ((List<?>) collection).iterator();
        }

        boolean hasNext() {
            return hasValue || children.hasNext();
        }

        Object next() {
            if (hasValue) {
                hasValue = false;
                return value;
            }
            Object child = children.next();
            if (!isMapping) {
                return child;
            }
            Map.Entry<?, ?> entry = (Map.Entry<?, ?>) child;
            value = entry.getValue();
            hasValue = true;
            return entry.getKey();
        }
    }

    /** Marks in {@link #met}: seen once, seen again, or the number of an anchor. */
    private static final Integer ONCE = 0;

    private static final Integer SHARED = -1;

    private final DumpTokens out;
    private final ArrayList<Open> open = new ArrayList<>();

    private IdentityHashMap<Object, Integer> met;
    private int lastAnchor;

    private DumpWalk(DumpTokens out) {
        this.out = out;
    }

    /** Writes documents to a stream, or to a file if the stream is null. */
    static void write(Iterable<?> documents, DumpOptions options, Path path, OutputStream stream)
            throws IOException {
        try (DumpTokens out = new DumpTokens(options, path, stream)) {
            DumpWalk walk = new DumpWalk(out);
            for (Object document : documents) {
                walk.document(document, options.hasHeader);
            }
            out.finish();
        }
    }

    private void document(Object value, boolean hasHeader) throws IOException {
        met = new IdentityHashMap<>();
        lastAnchor = 0;
        count(value);
        out.word(START, hasHeader ? 1 : 0);
        value(value);
        while (!open.isEmpty()) {
            Open last = open.get(open.size() - 1);
            if (last.hasNext()) {
                value(last.next());
            } else {
                open.remove(open.size() - 1);
                out.word(last.isMapping ? END_MAPPING : END_SEQUENCE, 0);
            }
        }
        out.word(END, 0);
    }

    // Collections that occur twice.

    /** Counts the collections, with their tags. */
    private void count(Object root) {
        countOne(root);
        while (!open.isEmpty()) {
            Open last = open.get(open.size() - 1);
            if (last.hasNext()) {
                countOne(last.next());
            } else {
                open.remove(open.size() - 1);
            }
        }
    }

    private void countOne(Object value) {
        Object collection = value instanceof Tagged tagged ? tagged.value() : value;
        if (!isCollection(collection) || isConstant(value)) {
            return;
        }
        if (met.putIfAbsent(value, ONCE) == null) {
            open.add(new Open(collection));
        } else {
            met.put(value, SHARED);
        }
    }

    private static boolean isCollection(Object value) {
        return value instanceof Map || value instanceof List;
    }

    private static boolean isConstant(Object value) {
        for (Object constant : CONSTANTS) {
            if (value == constant) {
                return true;
            }
        }
        return false;
    }

    // Values.

    private void value(Object value) throws IOException {
        if (value instanceof String text) {
            out.text(TEXT, text);
        } else if (isCollection(value)) {
            collection(value, value);
        } else if (value == null) {
            out.word(NULL, 0);
        } else if (value instanceof Boolean bool) {
            out.word(bool ? TRUE : FALSE, 0);
        } else if (value instanceof Number number) {
            number(number);
        } else if (value instanceof Tagged tagged) {
            tagged(tagged);
        } else if (value instanceof byte[] binary) {
            out.bytes(BINARY, binary);
        } else {
            timestamp(value);
        }
    }

    /** Starts a collection, or writes an alias. Its identity is that of the tag around it. */
    private void collection(Object identity, Object collection) throws IOException {
        Integer mark = met.getOrDefault(identity, ONCE);
        if (mark > 0) {
            out.word(ALIAS, mark);
            return;
        }
        if (mark.equals(SHARED)) {
            met.put(identity, ++lastAnchor);
            out.word(ANCHOR, lastAnchor);
        }
        if (identity instanceof Tagged tagged) {
            out.text(TAG, tagged.tag());
        }
        out.word(collection instanceof Map ? START_MAPPING : START_SEQUENCE, 0);
        open.add(new Open(collection));
    }

    private void tagged(Tagged tagged) throws IOException {
        Object value = tagged.value();
        if (isCollection(value)) {
            collection(tagged, value);
            return;
        }
        boolean hasText = value == null || value instanceof String || value instanceof Boolean
                || value instanceof Integer || value instanceof Long || value instanceof BigInteger;
        if (!hasText) {
            throw refused(value, "the content of a tagged scalar is text");
        }
        out.text(TAG, tagged.tag());
        out.text(TAGGED_TEXT, value == null ? "" : value.toString());
    }

    private void number(Number number) throws IOException {
        if (number instanceof Integer || number instanceof Long || number instanceof Short
                || number instanceof Byte) {
            out.integer(number.longValue());
        } else if (number instanceof Double) {
            out.floating(number.doubleValue());
        } else if (number instanceof Float) {
            out.floating(number.floatValue());
        } else if (number instanceof BigDecimal decimal) {
            out.decimal(decimal);
        } else if (number instanceof BigInteger) {
            out.text(DIGITS, number.toString());
        } else {
            throw refused(number, "convert it to a Double or to its text");
        }
    }

    private void timestamp(Object value) throws IOException {
        if (!out.timestamp(value)) {
            throw refused(value, "convert it to a map, a list or a string");
        }
    }

    private static IllegalArgumentException refused(Object value, String help) {
        return new IllegalArgumentException(
                "cannot write " + value.getClass().getName() + " as YAML here; " + help);
    }
}
