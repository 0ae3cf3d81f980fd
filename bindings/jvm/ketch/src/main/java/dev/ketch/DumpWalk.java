package dev.ketch;

import static dev.ketch.DumpToken.*;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Walks through values with a stack of its own and passes them to native code as tokens, some
 * thousands at a time.
 */
final class DumpWalk {
    private static final int MOST_WORDS = 1 << 13;
    private static final int MOST_BYTES = 1 << 16;
    private static final int MOST_WORDS_A_VALUE = 4;
    private static final int SECONDS_A_DAY = 86_400;
    private static final long FIRST_SECOND = LocalDate.of(0, 1, 1).toEpochDay() * SECONDS_A_DAY;
    private static final long END_SECOND = LocalDate.of(10_000, 1, 1).toEpochDay() * SECONDS_A_DAY;

    /** Collections of the JDK's that many values share without meaning to. */
    private static final List<Object> CONSTANTS = List.of(
            List.of(), Map.of(), Collections.emptyList(), Collections.emptyMap());

    /** An open collection. */
    private static final class Open {
        final Iterator<?> children;
        final boolean isMapping;
        /** The value of the key that was written. */
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

    private final long handle;
    /** The file to replace, or null. */
    private final Path path;
    private final OutputStream out;
    private long[] words = new long[MOST_WORDS + MOST_WORDS_A_VALUE];
    private int wordCount;
    private byte[] bytes = new byte[MOST_BYTES];
    private int byteCount;

    private final ArrayList<Open> open = new ArrayList<>();

    private IdentityHashMap<Object, Integer> met;
    private int lastAnchor;

    private DumpWalk(long handle, Path path, OutputStream out) {
        this.handle = handle;
        this.path = path;
        this.out = out;
    }

    /** Writes documents to a stream, or with null for it to a file. */
    static void write(Iterable<?> documents, DumpOptions options, Path path, OutputStream out)
            throws IOException {
        byte[] name = path == null ? null : path.toString().getBytes(StandardCharsets.UTF_8);
        long handle = NativeDump.create(options.numbers, name);
        if (handle == 0) {
            throw new IllegalStateException(Session.DEFECT);
        }
        try {
            DumpWalk walk = new DumpWalk(handle, path, out);
            for (Object document : documents) {
                walk.document(document, options.hasHeader);
            }
            walk.flush();
            walk.emit(walk.checked(NativeDump.finish(handle)));
        } finally {
            NativeDump.destroy(handle);
        }
    }

    private void document(Object value, boolean hasHeader) throws IOException {
        met = new IdentityHashMap<>();
        lastAnchor = 0;
        count(value);
        word(START, hasHeader ? 1 : 0);
        value(value);
        while (!open.isEmpty()) {
            Open last = open.get(open.size() - 1);
            if (last.hasNext()) {
                value(last.next());
            } else {
                open.remove(open.size() - 1);
                word(last.isMapping ? END_MAPPING : END_SEQUENCE, 0);
            }
        }
        word(END, 0);
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
            text(TEXT, text);
        } else if (isCollection(value)) {
            collection(value, value);
        } else if (value == null) {
            word(NULL, 0);
        } else if (value instanceof Boolean bool) {
            word(bool ? TRUE : FALSE, 0);
        } else if (value instanceof Number number) {
            number(number);
        } else if (value instanceof Tagged tagged) {
            tagged(tagged);
        } else if (value instanceof byte[] binary) {
            bytes(BINARY, binary);
        } else {
            timestamp(value);
        }
    }

    /** Starts a collection, or writes an alias. Its identity is that of the tag around it. */
    private void collection(Object identity, Object collection) throws IOException {
        Integer mark = met.getOrDefault(identity, ONCE);
        if (mark > 0) {
            word(ALIAS, mark);
            return;
        }
        if (mark.equals(SHARED)) {
            met.put(identity, ++lastAnchor);
            word(ANCHOR, lastAnchor);
        }
        if (identity instanceof Tagged tagged) {
            text(TAG, tagged.tag());
        }
        word(collection instanceof Map ? START_MAPPING : START_SEQUENCE, 0);
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
        text(TAG, tagged.tag());
        text(TAGGED_TEXT, value == null ? "" : value.toString());
    }

    private void number(Number number) throws IOException {
        if (number instanceof Integer || number instanceof Long || number instanceof Short
                || number instanceof Byte) {
            word(INT, 0);
            words[wordCount++] = number.longValue();
        } else if (number instanceof Double || number instanceof Float) {
            word(FLOAT, 0);
            words[wordCount++] = Double.doubleToRawLongBits(number.doubleValue());
        } else if (number instanceof BigInteger) {
            text(DIGITS, number.toString());
        } else {
            throw refused(number, "convert it to a Double or to its text");
        }
    }

    private void timestamp(Object value) throws IOException {
        if (value instanceof LocalDate day) {
            timestamp(2, day.toEpochDay() * SECONDS_A_DAY, 0, 0);
        } else if (value instanceof LocalDateTime time) {
            timestamp(1, time.toEpochSecond(ZoneOffset.UTC), time.getNano(), 0);
        } else if (value instanceof OffsetDateTime time) {
            int seconds = time.getOffset().getTotalSeconds();
            // YAML has offsets of whole minutes; the instant is the same.
            int minutes = seconds % 60 == 0 ? seconds / 60 : 0;
            timestamp(0, time.toEpochSecond(), time.getNano(), minutes);
        } else {
            throw refused(value, "convert it to a map, a list or a text");
        }
    }

    private void timestamp(int form, long seconds, int nanoseconds, int minutes) throws IOException {
        if (seconds < FIRST_SECOND || seconds >= END_SECOND) {
            throw new IllegalArgumentException("YAML has the years 0 to 9999");
        }
        word(TIMESTAMP, form);
        words[wordCount++] = seconds;
        words[wordCount++] = nanoseconds & 0xffff_ffffL | (long) minutes << 32;
    }

    private static IllegalArgumentException refused(Object value, String help) {
        return new IllegalArgumentException(
                "YAML has no form for " + value.getClass().getName() + " here; " + help);
    }

    // Tokens.

    private void word(int kind, long number) throws IOException {
        if (wordCount >= MOST_WORDS || byteCount >= MOST_BYTES) {
            flush();
        }
        words[wordCount++] = kind | number << 8;
    }

    private void text(int kind, String text) throws IOException {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        // Java writes `?` for half of a surrogate pair.
        if (contains(encoded, (byte) '?') && Source.loneSurrogate(text) >= 0) {
            throw new IllegalArgumentException(
                    "half of a surrogate pair is not a character: check how the text was cut");
        }
        bytes(kind, encoded);
    }

    private static boolean contains(byte[] bytes, byte wanted) {
        for (byte unit : bytes) {
            if (unit == wanted) {
                return true;
            }
        }
        return false;
    }

    private void bytes(int kind, byte[] value) throws IOException {
        word(kind, value.length);
        if (bytes.length - byteCount < value.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, byteCount + value.length));
        }
        System.arraycopy(value, 0, bytes, byteCount, value.length);
        byteCount += value.length;
    }

    private void flush() throws IOException {
        emit(checked(NativeDump.write(handle, words, wordCount, bytes, byteCount)));
        wordCount = 0;
        byteCount = 0;
        if (bytes.length > MOST_BYTES * 4) {
            bytes = new byte[MOST_BYTES];
        }
    }

    private void emit(byte[] text) throws IOException {
        if (text.length > 0) {
            out.write(text);
        }
    }

    /** The text, or the exception for its absence. */
    private byte[] checked(byte[] text) throws IOException {
        if (text != null) {
            return text;
        }
        byte[] error = NativeDump.error(handle);
        if (error == null || error.length == 0) {
            throw new IllegalStateException(Session.DEFECT);
        }
        String problem = new String(error, 1, error.length - 1, StandardCharsets.UTF_8);
        if (error[0] == 'f') {
            throw new FileSystemException(String.valueOf(path), null, problem);
        }
        if (error[0] == 'm') {
            throw new OutOfMemoryError("Ketch: no native memory");
        }
        throw new IllegalArgumentException(problem);
    }
}
