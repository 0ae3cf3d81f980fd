package dev.ketch;

import static dev.ketch.Token.*;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Builds values from tokens, on its own stack. Each method is small enough for the JVM's
 * compiler to inline.
 */
final class Builder {
    /** The results of {@link #chunk}. */
    enum Outcome { READ, DUPLICATE }

    private static final int FEW = 1024;
    private static final int SECONDS_A_DAY = 86_400;
    private static final int MOST_OFFSET_MINUTES = 18 * 60;

    final List<Object> documents = new ArrayList<>();

    private final String[] keys;
    private Object[] stack = new Object[64];
    private int top;
    /** The highest index of the stack that may hold a value. */
    private int used;
    private Object[] anchors = new Object[8];
    private DuplicateKeys duplicateKeys;
    private boolean isWhole;
    /** An upper bound for the number of anchors. */
    private long mostAnchors;

    private byte[] input;
    private int base;
    private byte[] kept;
    private char[] wide;
    private long[] words;
    private int at;

    /** Creates a builder with the table of keys of its session. */
    Builder(String[] keys) {
        this.keys = keys;
    }

    /** Starts to read the tokens of an array, or those of a stream if the array is null. */
    void start(byte[] input, int offset, DuplicateKeys duplicateKeys) {
        this.duplicateKeys = duplicateKeys;
        this.input = input;
        this.base = offset;
        this.mostAnchors = input == null ? 0 : input.length;
        this.isWhole = false;
    }

    /** Forgets the values, but keeps the keys. */
    void clear() {
        documents.clear();
        Arrays.fill(stack, 0, Math.max(used, top), null);
        Arrays.fill(anchors, null);
        if (stack.length > FEW) {
            stack = new Object[64];
        }
        if (anchors.length > FEW) {
            anchors = new Object[8];
        }
        top = 0;
        used = 0;
        input = null;
        kept = null;
        wide = null;
        words = null;
    }

    /** Forgets the values so far, because the stream starts again. */
    void restart() {
        documents.clear();
        top = 0;
        isWhole = true;
    }

    /**
     * Reads a chunk of tokens.
     *
     * @throws IllegalStateException if they are corrupt
     */
    Outcome chunk(long[] tokens, int count, byte[] beside, char[] units) {
        words = tokens;
        kept = beside;
        wide = units;
        at = 0;
        mostAnchors += count;
        try {
            return read(count);
        } catch (RuntimeException corrupt) {
            throw new IllegalStateException(Session.DEFECT, corrupt);
        }
    }

    private Outcome read(int count) {
        while (at < count) {
            long word = words[at++];
            int kind = kind(word);
            if (top == stack.length) {
                grow();
            }
            if (kind == KEY) {
                stack[top++] = keys[offset(word)];
            } else if (kind == ASCII) {
                stack[top++] = ascii(input, base, word);
            } else if (kind == MAPPING) {
                if (!mapping((int) (word >>> 8))) {
                    return Outcome.DUPLICATE;
                }
            } else if (kind == SEQUENCE) {
                sequence((int) (word >>> 8));
            } else if (kind == INT) {
                stack[top++] = Integers.narrowest(word >> 8);
            } else if (!rare(kind, word)) {
                return Outcome.DUPLICATE;
            }
        }
        return Outcome.READ;
    }

    private void grow() {
        stack = Arrays.copyOf(stack, top * 2);
    }

    /** Returns ASCII text. This takes one copy and no check. */
    private String ascii(byte[] bytes, int start, long word) {
        return new String(bytes, start + offset(word), length(word), StandardCharsets.ISO_8859_1);
    }

    private String utf8(byte[] bytes, int start, long word) {
        return new String(bytes, start + offset(word), length(word), StandardCharsets.UTF_8);
    }

    private int length(long word) {
        int length = Token.length(word);
        return length == LONG_LENGTH ? (int) words[at++] : length;
    }

    /** Returns `count` if it is valid. Counts are checked before memory is allocated for them. */
    private static int checked(int count, int most) {
        if (Integer.compareUnsigned(count, most) > 0) {
            throw new IllegalStateException("the stack has fewer than " + count + " values");
        }
        return count;
    }

    private void sequence(int word) {
        int count = checked(word, top);
        used = Math.max(used, top);
        top -= count;
        ArrayList<Object> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            list.add(stack[top + i]);
        }
        stack[top++] = list;
    }

    private boolean mapping(int word) {
        int count = checked(word, top >> 1);
        used = Math.max(used, top);
        top -= 2 * count;
        LinkedHashMap<Object, Object> map = new LinkedHashMap<>(capacity(count));
        boolean isFilled = fill(map, count);
        stack[top++] = map;
        return isFilled;
    }

    /**
     * Puts the pairs above the top into an empty map. Returns false if duplicate keys are an error.
     */
    private boolean fill(Map<Object, Object> map, int count) {
        for (int i = top; i < top + 2 * count; i += 2) {
            map.put(stack[i], stack[i + 1]);
        }
        return map.size() == count || choose(map, count);
    }

    /**
     * Fills the map again, with the first or the last value of each duplicate key. Returns false if
     * duplicate keys are an error.
     */
    private boolean choose(Map<Object, Object> map, int count) {
        // If the values come from documents, the composer has already handled keys that are equal in
        // YAML. The keys here are then equal only in Java, which is an error.
        if (isWhole || duplicateKeys == DuplicateKeys.ERROR) {
            return false;
        }
        map.clear();
        for (int i = top; i < top + 2 * count; i += 2) {
            if (duplicateKeys == DuplicateKeys.LAST) {
                map.remove(stack[i]);
            }
            map.putIfAbsent(stack[i], stack[i + 1]);
        }
        return true;
    }

    /**
     * Returns the smallest capacity with which a map with the default load factor does not grow.
     */
    private static int capacity(int count) {
        return count + (count + 2) / 3;
    }

    private boolean rare(int kind, long word) {
        switch (kind) {
            case NULL -> stack[top++] = null;
            case TRUE -> stack[top++] = Boolean.TRUE;
            case FALSE -> stack[top++] = Boolean.FALSE;
            case WIDE -> stack[top++] = new String(wide, offset(word), length(word));
            case UTF8 -> stack[top++] = utf8(input, base, word);
            case KEPT_ASCII -> stack[top++] = ascii(kept, 0, word);
            case KEPT_UTF8 -> stack[top++] = utf8(kept, 0, word);
            case DEFINE -> keys[offset(word)] = (String) stack[top - 1];
            case LONG -> stack[top++] = Integers.narrowest(words[at++]);
            case FLOAT -> stack[top++] = Double.longBitsToDouble(words[at++]);
            case END -> endDocument();
            default -> {
                return rarer(kind, word);
            }
        }
        return true;
    }

    private void endDocument() {
        used = Math.max(used, top);
        documents.add(stack[--top]);
    }

    private boolean rarer(int kind, long word) {
        switch (kind) {
            case BIG_INT -> stack[top - 1] = bigInteger((String) stack[top - 1], word);
            case BINARY -> stack[top++] = binary(word);
            case TIMESTAMP -> stack[top++] = timestamp((int) (word >>> 8));
            case TAGGED -> {
                top--;
                stack[top - 1] = new Tagged((String) stack[top - 1], stack[top]);
            }
            case ANCHOR -> define(offset(word));
            case ALIAS -> stack[top++] = anchors[offset(word)];
            case OPEN_SEQUENCE -> stack[top++] = new ArrayList<>();
            case OPEN_MAPPING -> stack[top++] = new LinkedHashMap<>();
            case FILL_SEQUENCE -> fillSequence((int) (word >>> 8));
            case FILL_MAPPING -> {
                return fillMapping((int) (word >>> 8));
            }
            case RESTART -> restart();
            case POSITION -> at += 2;
            default -> throw new IllegalStateException("unknown token " + kind);
        }
        return true;
    }

    private void define(int number) {
        if (number >= anchors.length) {
            if (number >= mostAnchors) {
                throw new IllegalStateException("anchor " + number);
            }
            anchors = Arrays.copyOf(anchors, Math.max(number + 1, anchors.length * 2));
        }
        anchors[number] = stack[top - 1];
    }

    /** Returns the open collection below its values, which may be tagged. */
    private Object opened() {
        Object value = stack[top - 1];
        return value instanceof Tagged tagged ? tagged.value() : value;
    }

    @SuppressWarnings("unchecked")
    private void fillSequence(int word) {
        int count = checked(word, top);
        used = Math.max(used, top);
        top -= count;
        List<Object> list = (List<Object>) opened();
        list.addAll(Arrays.asList(stack).subList(top, top + count));
    }

    @SuppressWarnings("unchecked")
    private boolean fillMapping(int word) {
        int count = checked(word, top >> 1);
        used = Math.max(used, top);
        top -= 2 * count;
        return fill((Map<Object, Object>) opened(), count);
    }

    static BigInteger bigInteger(String digits, long word) {
        BigInteger value = Integers.parse(digits, (int) (word >>> 8) & 0xff);
        return (word >>> 16 & 1) == 1 ? value.negate() : value;
    }

    private byte[] binary(long word) {
        int start = offset(word);
        int length = length(word);
        Objects.checkFromIndexSize(start, length, kept.length);
        return Arrays.copyOfRange(kept, start, start + length);
    }

    private Object timestamp(int form) {
        at += 2;
        return timestamp(form, words[at - 2], words[at - 1]);
    }

    static Object timestamp(int form, long seconds, long rest) {
        if (form == 2) {
            return LocalDate.ofEpochDay(Math.floorDiv(seconds, SECONDS_A_DAY));
        }
        int minutes = (int) (rest >> 32);
        if (form == 1) {
            return LocalDateTime.ofEpochSecond(seconds, (int) rest, ZoneOffset.UTC);
        }
        // Java supports no larger offsets, so such a time is converted to UTC.
        boolean isKnown = Math.abs(minutes) <= MOST_OFFSET_MINUTES;
        ZoneOffset zone = ZoneOffset.ofTotalSeconds(isKnown ? minutes * 60 : 0);
        return OffsetDateTime.ofInstant(Instant.ofEpochSecond(seconds, (int) rest), zone);
    }

    /** Returns whether the values come from documents, so that nothing is left to fall back to. */
    boolean isWhole() {
        return isWhole;
    }
}
