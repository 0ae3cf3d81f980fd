package dev.ketch;

import static dev.ketch.Token.*;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** The positions of values, read from the tokens from which {@link Builder} makes the values. */
final class Marks {
    /** The positions of a value and its parts. */
    static final class Mark {
        private static final Mark[] NONE = {};

        long offset = -1;
        long length;
        /** The entries of a sequence; keys and values of a mapping in turn. */
        Mark[] parts = NONE;
        /** The keys of a mapping; null for other values. */
        Object[] keys;
        private boolean isNamed;

        /** Returns the part with this key or index, or null if there is none. */
        Mark part(Object name, boolean isKey) {
            int place = keys == null
                    ? name instanceof Integer index ? index : -1
                    : Arrays.asList(keys).indexOf(name);
            if (keys != null) {
                place = place < 0 ? place : 2 * place + (isKey ? 0 : 1);
            } else if (isKey) {
                return null;
            }
            return place < 0 || place >= parts.length ? null : parts[place];
        }
    }

    final List<Mark> documents = new ArrayList<>();
    private Mark[] stack = new Mark[64];
    private int top;
    private Mark[] anchors = new Mark[8];
    private long[] words;
    private int at;

    /** Reads a chunk of tokens, which are whole documents. */
    void chunk(long[] tokens, int count) {
        words = tokens;
        at = 0;
        while (at < count) {
            long word = words[at++];
            read(kind(word), word);
        }
    }

    private void read(int kind, long word) {
        switch (kind) {
            case END -> documents.add(stack[--top]);
            case ASCII, UTF8, KEPT_ASCII, KEPT_UTF8, WIDE, BINARY -> {
                at += length(word) == LONG_LENGTH ? 1 : 0;
                push(new Mark());
            }
            case KEY, NULL, TRUE, FALSE, INT -> push(new Mark());
            case LONG, FLOAT -> {
                at++;
                push(new Mark());
            }
            case TIMESTAMP -> {
                at += 2;
                push(new Mark());
            }
            case DEFINE, BIG_INT -> { }
            case POSITION -> {
                stack[top - 1].offset = words[at];
                stack[top - 1].length = words[at + 1];
                at += 2;
            }
            default -> rare(kind, word);
        }
    }

    private void rare(int kind, long word) {
        int count = (int) (word >>> 8);
        switch (kind) {
            case SEQUENCE -> collect(count);
            case MAPPING -> collect(2 * count);
            case OPEN_SEQUENCE, OPEN_MAPPING -> push(new Mark());
            case FILL_SEQUENCE -> fill(count);
            case FILL_MAPPING -> fill(2 * count);
            case TAGGED -> {
                top--;
                stack[top - 1] = stack[top];
            }
            case ANCHOR -> define(offset(word));
            case ALIAS -> push(anchors[offset(word)]);
            default -> throw new InternalException("unknown token");
        }
    }

    private void push(Mark mark) {
        if (top == stack.length) {
            stack = Arrays.copyOf(stack, 2 * top);
        }
        stack[top++] = mark;
    }

    private void collect(int count) {
        Mark mark = new Mark();
        mark.parts = pop(count);
        push(mark);
    }

    private void fill(int count) {
        Mark[] parts = pop(count);
        stack[top - 1].parts = parts;
    }

    private Mark[] pop(int count) {
        top -= count;
        return Arrays.copyOfRange(stack, top, top + count);
    }

    private void define(int number) {
        if (number >= anchors.length) {
            anchors = Arrays.copyOf(anchors, Math.max(number + 1, 2 * anchors.length));
        }
        anchors[number] = stack[top - 1];
    }

    /** Keeps the keys of a value's mappings, so that the value may be changed later. */
    static void name(Object value, Mark mark) {
        Deque<Object> rest = new ArrayDeque<>();
        push(rest, value, mark);
        while (!rest.isEmpty()) {
            Mark next = (Mark) rest.pop();
            Object open = rest.pop();
            if (open instanceof Map<?, ?> map) {
                next.keys = map.keySet().toArray();
                int place = 1;
                for (Object child : map.values()) {
                    push(rest, child, next.parts[place]);
                    place += 2;
                }
            } else {
                int place = 0;
                for (Object child : (Collection<?>) open) {
                    push(rest, child, next.parts[place++]);
                }
            }
        }
    }

    /** Pushes a collection that does not exist yet. */
    private static void push(Deque<Object> rest, Object value, Mark mark) {
        Object open = value;
        while (open instanceof Tagged tagged) {
            open = tagged.value();
        }
        boolean isCollection = open instanceof Map || open instanceof List;
        if (isCollection && !mark.isNamed) {
            mark.isNamed = true;
            rest.push(open);
            rest.push(mark);
        }
    }
}
