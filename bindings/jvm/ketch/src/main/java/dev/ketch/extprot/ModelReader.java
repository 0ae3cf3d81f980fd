package dev.ketch.extprot;

import dev.ketch.Tagged;
import dev.ketch.extprot.ExtprotException.Kind;
import dev.ketch.internal.Integers;
import dev.ketch.internal.Times;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads values of the data model, with its own stacks: nothing recurses. */
final class ModelReader {
    /** Tags of tuples. */
    static final int BIG_INT = 1;
    static final int BINARY = 2;
    static final int TIMESTAMP = 3;
    static final int TAGGED = 15;

    private static final int LIST = 0;
    private static final int MAP = 1;
    private static final int TAG = 2;
    private static final int DECIMAL = 10;

    private final Reader in;
    private Object[] values = new Object[64];
    private int top;

    // Open blocks: kind, start of the values, number of values left, and the end around it.
    private int[] kinds = new int[16];
    private int[] starts = new int[16];
    private int[] left = new int[16];
    private int[] outers = new int[16];
    private int depth;

    ModelReader(Reader in) {
        this.in = in;
    }

    /** Returns the next value. */
    Object value() {
        int first = depth;
        do {
            long prefix = in.prefix();
            if (Wire.tag(prefix) == 0 || Wire.type(prefix) == Wire.ENUM) {
                plain(prefix);
            } else {
                tuple(prefix);
            }
            while (depth > first && left[depth - 1] == 0) {
                close();
            }
        } while (depth > first);
        return values[--top];
    }

    private void push(Object value) {
        if (top == values.length) {
            values = Arrays.copyOf(values, top * 2);
        }
        values[top++] = value;
        if (depth > 0) {
            left[depth - 1]--;
        }
    }

    private void plain(long prefix) {
        switch (Wire.type(prefix)) {
            case Wire.BYTES -> push(in.text());
            case Wire.VINT -> push(narrowest(vint()));
            case Wire.HTUPLE -> open(LIST);
            case Wire.ASSOC -> open(MAP);
            case Wire.BITS64_FLOAT -> push(Double.longBitsToDouble(in.bits64()));
            case Wire.BITS64_LONG -> push(narrowest(in.bits64()));
            case Wire.BITS8 -> push(in.promotedByte() != 0);
            case Wire.ENUM -> push(constant(prefix));
            default -> throw notInModel(prefix);
        }
    }

    /** Reads an int. Without a schema, all 64 bits are allowed. */
    private long vint() {
        return Wire.unzigzag(in.vint());
    }

    private static Object narrowest(long value) {
        return (int) value == value ? (Object) (int) value : (Object) value;
    }

    private Object constant(long prefix) {
        if (Wire.tag(prefix) != 0) {
            throw notInModel(prefix);
        }
        return null;
    }

    private void open(int kind) {
        int outer = in.end();
        int count = in.enterValues(kind == MAP ? 2 : 1);
        in.checkDepth(depth + 1);
        if (depth == kinds.length) {
            grow();
        }
        kinds[depth] = kind;
        starts[depth] = top;
        left[depth] = count;
        outers[depth] = outer;
        depth++;
    }

    private void grow() {
        kinds = Arrays.copyOf(kinds, depth * 2);
        starts = Arrays.copyOf(starts, depth * 2);
        left = Arrays.copyOf(left, depth * 2);
        outers = Arrays.copyOf(outers, depth * 2);
    }

    private void close() {
        depth--;
        in.leave(outers[depth]);
        int start = starts[depth];
        Object value = switch (kinds[depth]) {
            case LIST -> list(start);
            case MAP -> map(start);
            default -> tagged(start);
        };
        top = start;
        push(value);
    }

    private List<Object> list(int start) {
        List<Object> list = new ArrayList<>(top - start);
        for (int i = start; i < top; i++) {
            list.add(values[i]);
        }
        return list;
    }

    private Map<Object, Object> map(int start) {
        int count = (top - start) / 2;
        Map<Object, Object> map = new LinkedHashMap<>(count + count / 3 + 1);
        try {
            for (int i = start; i < top; i += 2) {
                map.put(values[i], values[i + 1]);
            }
        } catch (StackOverflowError recursion) {
            throw in.error(Kind.NOT_IN_MODEL,
                    "a key is nested too deeply: Java computes its hash recursively");
        }
        if (map.size() < count) {
            throw in.error(Kind.DUPLICATE_KEY, "two keys of a mapping are equal");
        }
        return map;
    }

    private Object tagged(int start) {
        if (values[start] instanceof String tag && !(values[start + 1] instanceof Tagged)) {
            return new Tagged(tag, values[start + 1]);
        }
        throw in.error(Kind.NOT_IN_MODEL, "expected a tag and a value that has none");
    }

    private void tuple(long prefix) {
        if (Wire.type(prefix) != Wire.TUPLE) {
            throw notInModel(prefix);
        }
        long tag = Wire.tag(prefix);
        if (tag == TAGGED) {
            open(TAG);
            if (left[depth - 1] != 2) {
                throw in.error(Kind.NOT_IN_MODEL, "expected a tag and a value");
            }
            return;
        }
        int outer = in.end();
        long count = in.enter();
        Object value;
        if (tag == BIG_INT && count == 1) {
            value = bigInt();
        } else if (tag == BINARY && count == 1) {
            value = bytes().array();
        } else if (tag == TIMESTAMP && count == 3) {
            value = timestamp();
        } else {
            throw notInModel(prefix);
        }
        in.leave(outer);
        push(value);
    }

    private Bytes bytes() {
        long prefix = in.prefix();
        if (prefix != Wire.BYTES) {
            throw notInModel(prefix);
        }
        return in.string();
    }

    private Object bigInt() {
        String digits = bytes().toString();
        if (!digits.matches("-?[0-9]+")) {
            throw in.error(Kind.NOT_IN_MODEL, "expected the digits of an integer");
        }
        boolean isNegative = digits.charAt(0) == '-';
        BigInteger positive = Integers.parse(isNegative ? digits.substring(1) : digits, DECIMAL);
        BigInteger value = isNegative ? positive.negate() : positive;
        return value.bitLength() < Long.SIZE ? narrowest(value.longValue()) : value;
    }

    private Object timestamp() {
        long seconds = integer();
        long nanoseconds = integer();
        long prefix = in.prefix();
        boolean isDay = prefix == (1 << 4 | Wire.ENUM);
        boolean hasOffset = prefix == Wire.VINT;
        if (!isDay && !hasOffset && prefix != Wire.ENUM) {
            throw notInModel(prefix);
        }
        long minutes = hasOffset ? vint() : 0;
        if (!Times.areValid(seconds, nanoseconds, minutes)
                || isDay && (nanoseconds != 0 || !Times.isMidnight(seconds))) {
            throw in.error(Kind.NOT_IN_MODEL, "a time that is out of range");
        }
        if (isDay) {
            return Times.day(seconds);
        }
        return hasOffset
                ? Times.withOffset(seconds, (int) nanoseconds, (int) minutes)
                : Times.local(seconds, (int) nanoseconds);
    }

    private long integer() {
        long prefix = in.prefix();
        if (prefix != Wire.VINT) {
            throw notInModel(prefix);
        }
        return vint();
    }

    private ExtprotException notInModel(long prefix) {
        String found = Wire.name(Wire.type(prefix)) + " with tag " + Wire.tag(prefix);
        return in.error(Kind.NOT_IN_MODEL,
                found + " is not in the data model; read it by its schema");
    }
}
