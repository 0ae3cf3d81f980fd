package dev.ketch;

import static dev.ketch.Token.*;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Builds values from tokens, on its own stack. A subclass creates the values: {@link JavaBuilder}
 * those of Java, and the extension for JRuby those of Ruby. Each method is small enough for the
 * JVM's compiler to inline.
 */
abstract class Builder {
    /** The results of {@link #chunk}. */
    enum Outcome { READ, DUPLICATE }

    private static final int STACK_SIZE = 64;
    private static final Object[] NONE = {};

    final List<Object> documents = new ArrayList<>();

    /** The keys by their slots. */
    private Object[] keys;

    /** New for each load, because the JVM takes longer to store new objects in an array that is old. */
    private Object[] stack = NONE;
    private int top;
    private Object[] anchors = NONE;
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
    Builder(Object[] keys) {
        this.keys = keys;
    }

    /** Starts to read the tokens of an array, or those of a stream if the array is null. */
    void start(byte[] input, int offset, DuplicateKeys duplicateKeys) {
        this.duplicateKeys = duplicateKeys;
        this.input = input;
        this.base = offset;
        this.mostAnchors = input == null ? 0 : input.length;
        this.isWhole = false;
        this.stack = new Object[STACK_SIZE];
    }

    Object[] keys() {
        return keys;
    }

    /** Replaces the table of keys by a copy, because another thread may still write to it. */
    void copyKeys() {
        keys = keys.clone();
    }

    /** Forgets the values, but keeps the keys. */
    void clear() {
        documents.clear();
        stack = NONE;
        anchors = NONE;
        top = 0;
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
            poll();
            return read(count);
        } catch (RuntimeException corrupt) {
            throw isForeign(corrupt) ? corrupt : new InternalException("corrupt tokens", corrupt);
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
                stack[top++] = ascii(input, base + offset(word), length(word));
            } else if (kind == MAPPING) {
                if (!mapping((int) (word >>> 8))) {
                    return Outcome.DUPLICATE;
                }
            } else if (kind == SEQUENCE) {
                sequence((int) (word >>> 8));
            } else if (kind == INT) {
                stack[top++] = integer(word >> 8);
            } else if (!rare(kind, word)) {
                return Outcome.DUPLICATE;
            }
        }
        return Outcome.READ;
    }

    private void grow() {
        stack = Arrays.copyOf(stack, top * 2);
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
        top -= count;
        stack[top] = sequence(stack, top, count);
        top++;
    }

    private boolean mapping(int word) {
        int count = checked(word, top >> 1);
        top -= 2 * count;
        Object map = newMapping(count);
        boolean isFilled = fillMapping(map, stack, top, count);
        stack[top++] = map;
        return isFilled;
    }

    private boolean rare(int kind, long word) {
        switch (kind) {
            case NULL -> stack[top++] = none();
            case TRUE -> stack[top++] = bool(true);
            case FALSE -> stack[top++] = bool(false);
            case WIDE -> stack[top++] = wide(wide, offset(word), length(word));
            case UTF8 -> stack[top++] = utf8(input, base + offset(word), length(word));
            case KEPT_ASCII -> stack[top++] = ascii(kept, offset(word), length(word));
            case KEPT_UTF8 -> stack[top++] = utf8(kept, offset(word), length(word));
            case DEFINE -> stack[top - 1] = keys[offset(word)] = key(stack[top - 1]);
            case LONG -> stack[top++] = integer(words[at++]);
            case FLOAT -> stack[top++] = floating(Double.longBitsToDouble(words[at++]));
            case END -> endDocument();
            default -> {
                return rarer(kind, word);
            }
        }
        return true;
    }

    private void endDocument() {
        documents.add(stack[--top]);
    }

    private boolean rarer(int kind, long word) {
        switch (kind) {
            case BIG_INT -> stack[top - 1] = bigInteger(stack[top - 1], word);
            case BINARY -> stack[top++] = binary(word);
            case TIMESTAMP -> stack[top++] = timestamp((int) (word >>> 8));
            case TAGGED -> {
                top--;
                stack[top - 1] = tagged(stack[top - 1], stack[top]);
            }
            case ANCHOR -> define(offset(word));
            case ALIAS -> stack[top++] = anchors[offset(word)];
            case OPEN_SEQUENCE -> stack[top++] = newSequence();
            case OPEN_MAPPING -> stack[top++] = newMapping(0);
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

    private void fillSequence(int word) {
        int count = checked(word, top);
        top -= count;
        fillSequence(untagged(stack[top - 1]), stack, top, count);
    }

    private boolean fillMapping(int word) {
        int count = checked(word, top >> 1);
        top -= 2 * count;
        return fillMapping(untagged(stack[top - 1]), stack, top, count);
    }

    private Object binary(long word) {
        int start = offset(word);
        int length = length(word);
        Objects.checkFromIndexSize(start, length, kept.length);
        return binary(Arrays.copyOfRange(kept, start, start + length));
    }

    private Object timestamp(int form) {
        at += 2;
        return timestamp(form, words[at - 2], words[at - 1]);
    }

    /** Returns what to do with duplicate keys. */
    DuplicateKeys duplicateKeys() {
        return duplicateKeys;
    }

    /** Returns whether the values come from documents, so that nothing is left to fall back to. */
    boolean isWhole() {
        return isWhole;
    }

    // What subclasses create. Ranges of arrays may be corrupt.

    /** Returns the text for ASCII. */
    abstract Object ascii(byte[] bytes, int start, int length);

    abstract Object utf8(byte[] bytes, int start, int length);

    abstract Object wide(char[] units, int start, int length);

    /** Returns a text as the key that is kept in a slot. */
    abstract Object key(Object text);

    abstract Object none();

    abstract Object bool(boolean value);

    abstract Object integer(long value);

    /** Returns an integer, with its base in bits 8..16 of the word, and its sign in bit 16. */
    abstract Object bigInteger(Object digits, long word);

    abstract Object floating(double value);

    abstract Object binary(byte[] bytes);

    /** Returns a timestamp in the form that tokens.rs documents. */
    abstract Object timestamp(int form, long seconds, long rest);

    abstract Object tagged(Object tag, Object value);

    /** Returns the value of a tagged value, and other values unchanged. */
    abstract Object untagged(Object value);

    abstract Object sequence(Object[] items, int start, int count);

    abstract Object newSequence();

    abstract void fillSequence(Object sequence, Object[] items, int start, int count);

    abstract Object newMapping(int count);

    /**
     * Puts the pairs from {@code start} on into an empty mapping. Returns false if there are
     * duplicate keys, and these are an error or equal only in the host language.
     */
    abstract boolean fillMapping(Object mapping, Object[] pairs, int start, int count);

    /** Throws what other threads have sent to this one. Called for each chunk. */
    void poll() {}

    /** Ends a run of a program if its thread should end. Native code calls this in the middle of the run. */
    void pollRun() {
        Query.checkThread();
    }

    /** Returns whether an exception comes from the program, and not from corrupt tokens. */
    boolean isForeign(RuntimeException error) {
        return false;
    }
}
