package dev.ketch;

import static dev.ketch.DumpToken.*;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Walks through values with its own stack and passes them to native code as tokens.
 *
 * <p>A collection that occurs again becomes an alias, and gets an anchor where it was first written.
 * So the tokens of a document are held until its end; if there are too many, the collections are
 * counted first.
 */
final class DumpWalk {
    /**
     * Constant collections of the JDK, such as the empty list, which values share by coincidence.
     */
    private static final Object[] CONSTANTS = {
        List.of(), Map.of(), Set.of(), Collections.emptyList(), Collections.emptyMap(), Collections.emptySet()
    };

    /** An open collection. */
    private static final class Open {
        final Iterator<?> children;
        final boolean isMapping;
        /** The value that belongs to the key that was just written. */
        Object value;
        boolean hasValue;

        Open(Object collection, boolean isMapping) {
            this.isMapping = isMapping;
            children = Children.of(collection, isMapping);
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

    /** Numbers of collections that were counted: seen once, seen again, or the number of the anchor. */
    private static final int ONCE = 0;

    private static final int SHARED = -1;

    private static final int PLACE_BITS = 32;

    private static final int MAX_EXPANDED_LEVELS = 100;
    private static final int MAX_EXPANDED_PARTS = 10_000_000;

    private final DumpTokens out;
    private final ArrayList<Open> open = new ArrayList<>();
    /** The collections that were written, with the places of their tokens; or those that were counted. */
    private final Occurrences met = new Occurrences();
    private boolean isCounted;
    /** For each alias in held tokens, the place of its collection and its own place. */
    private long[] aliases = {};
    private int aliasCount;
    private int lastAnchor;

    private final boolean isExpanded;

    private DumpWalk(DumpTokens out, boolean isExpanded) {
        this.out = out;
        this.isExpanded = isExpanded;
    }

    /** Writes documents to a stream, or to a file if the stream is null. */
    static void write(Iterable<?> documents, DumpOptions options, Path path, OutputStream stream)
            throws IOException {
        try (DumpTokens out = new DumpTokens(options, path, stream)) {
            DumpWalk walk = new DumpWalk(out, options.isExpanded);
            for (Object document : documents) {
                walk.document(document, options.hasHeader);
            }
            out.finish();
        }
    }

    private void document(Object value, boolean hasHeader) throws IOException {
        met.clear();
        aliasCount = 0;
        isCounted = false;
        out.hold();
        if (walk(value, hasHeader)) {
            numberAliases();
            out.release();
            return;
        }
        out.drop();
        open.clear();
        met.clear();
        lastAnchor = 0;
        isCounted = true;
        if (!isExpanded) {
            count(value);
        }
        walk(value, hasHeader);
    }

    /** Writes a document. Returns false if its tokens are held, and are too many. */
    private boolean walk(Object root, boolean hasHeader) throws IOException {
        out.word(START, hasHeader ? 1 : 0);
        value(root);
        for (int parts = 0; !open.isEmpty(); parts++) {
            if (out.isOverfull()) {
                return false;
            }
            if (isExpanded && parts == MAX_EXPANDED_PARTS) {
                throw new IllegalArgumentException("a new value can have at most 10,000,000 parts;"
                        + " a collection in it that occurs twice is written twice");
            }
            Open last = open.get(open.size() - 1);
            if (last.hasNext()) {
                value(last.next());
            } else {
                open.remove(open.size() - 1);
                out.word(last.isMapping ? END_MAPPING : END_SEQUENCE, 0);
            }
        }
        out.word(END, 0);
        return true;
    }

    // Collections that occur twice.

    /** Numbers the anchors in the order of their collections. */
    private void numberAliases() {
        Arrays.sort(aliases, 0, aliasCount);
        int number = 0;
        int last = -1;
        for (int i = 0; i < aliasCount; i++) {
            int place = (int) (aliases[i] >>> PLACE_BITS);
            if (place != last) {
                out.setAnchor(place, ++number);
                last = place;
            }
            out.setAlias((int) aliases[i], number);
        }
    }

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
        if (isUsualScalar(value)) {
            return;
        }
        Object collection = value instanceof Tagged tagged ? tagged.value() : value;
        if (!Children.has(collection) || isConstant(value)) {
            return;
        }
        if (met.add(value, ONCE) == Occurrences.NONE) {
            open.add(new Open(collection, Children.isMapping(collection)));
        } else {
            met.set(value, SHARED);
        }
    }

    /** Recognizes some classes, because asking an object of another class for an interface takes time. */
    private static boolean isUsualScalar(Object value) {
        if (value == null) {
            return true;
        }
        Class<?> type = value.getClass();
        return type == String.class || type == Integer.class || type == Boolean.class
                || type == Long.class || type == Double.class;
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

    private void value(Object given) throws IOException {
        Object value = isExpanded && given instanceof EditCollection view ? EditView.snapshot(view) : given;
        if (value instanceof String text) {
            out.text(TEXT, text);
        } else if (isUsualScalar(value)) {
            scalar(value);
        } else if (value instanceof Map) {
            collection(value, value, true);
        } else if (value instanceof Collection) {
            collection(value, value, false);
        } else {
            rare(value);
        }
    }

    private void scalar(Object value) throws IOException {
        if (value == null) {
            out.word(NULL, 0);
        } else if (value instanceof Boolean bool) {
            out.word(bool ? TRUE : FALSE, 0);
        } else {
            number((Number) value);
        }
    }

    private void rare(Object value) throws IOException {
        if (value instanceof Tagged tagged) {
            tagged(tagged);
        } else if (value instanceof byte[] binary) {
            out.bytes(BINARY, binary);
        } else if (value instanceof Enum<?> constant) {
            out.text(TEXT, constant.name());
        } else if (value instanceof Optional<?> optional) {
            value(optional.orElse(null));
        } else if (value instanceof char[] text) {
            out.text(TEXT, new String(text));
        } else if (value instanceof Number number) {
            number(number);
        } else if (Children.has(value)) {
            collection(value, value, Children.isMapping(value));
        } else {
            timestamp(value);
        }
    }

    /** Starts a collection, or writes an alias. Its identity is that of the tag around it. */
    private void collection(Object identity, Object collection, boolean isMapping) throws IOException {
        if (isExpanded && open.size() >= MAX_EXPANDED_LEVELS) {
            throw new IllegalArgumentException(
                    "a new value can be at most 100 levels deep, and cannot contain itself");
        }
        int anchor = isCounted ? anchor(identity) : 0;
        if (anchor < 0) {
            out.word(ALIAS, -anchor);
            return;
        }
        Open opened = new Open(collection, isMapping);
        boolean isTagged = identity != collection;
        if (!isCounted && !isExpanded && (opened.hasNext() || !isConstant(identity))) {
            int first = met.add(identity, out.place() + (isTagged ? 1 : 0));
            if (first != Occurrences.NONE) {
                alias(first);
                return;
            }
        }
        if (isTagged) {
            out.text(TAG, ((Tagged) identity).tag());
        }
        out.start(isMapping ? START_MAPPING : START_SEQUENCE, anchor);
        open.add(opened);
    }

    /** Returns the number of the anchor of a collection, 0 for none, or the negative number for an alias. */
    private int anchor(Object identity) {
        int number = met.get(identity);
        if (number == SHARED) {
            met.set(identity, ++lastAnchor);
            return lastAnchor;
        }
        return number == Occurrences.NONE ? 0 : -number;
    }

    /** Writes an alias of the collection whose token is at this place. */
    private void alias(int place) throws IOException {
        if (aliasCount == aliases.length) {
            aliases = Arrays.copyOf(aliases, Math.max(2 * aliasCount, 8));
        }
        aliases[aliasCount++] = (long) place << PLACE_BITS | out.place();
        out.word(ALIAS, 0);
    }

    private void tagged(Tagged tagged) throws IOException {
        Object value = tagged.value();
        if (Children.has(value)) {
            collection(tagged, value, Children.isMapping(value));
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
        if (out.timestamp(value)) {
            return;
        }
        if (!TypedScalars.isText(value)) {
            throw refused(value, "convert it to a map, a list or a string");
        }
        out.text(TEXT, value.toString());
    }

    private static IllegalArgumentException refused(Object value, String help) {
        return new IllegalArgumentException(
                "cannot write " + value.getClass().getName() + " as YAML here; " + help);
    }
}
