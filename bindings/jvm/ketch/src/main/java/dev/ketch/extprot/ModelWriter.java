package dev.ketch.extprot;

import dev.ketch.Tagged;
import dev.ketch.extprot.ExtprotException.Kind;
import dev.ketch.internal.Times;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes values of the data model from back to front, with its own stack. */
final class ModelWriter {
    private static final long NAN_BITS = 0x7ff8_0000_0000_0000L;
    /** The maximum depth, which is also the default limit of readers. */
    private static final int MAX_DEPTH = 10_000;

    /** The numbers of an open collection in {@link #frames}. */
    private static final int FRAME = 4;

    private final Writer out;
    /** The values that are left to write, of all open collections. */
    private Object[] values = new Object[64];

    private int top;
    /** For each open collection: where its values start, its mark, its count, and its tag and type. */
    private int[] frames = new int[FRAME * 16];

    /** Where the next frame starts. */
    private int end;

    ModelWriter(Writer out) {
        this.out = out;
    }

    void value(Object value) {
        start(value);
        while (end > 0) {
            if (top == frames[end - FRAME]) {
                end -= FRAME;
                int prefix = frames[end + 3];
                out.close(frames[end + 1], frames[end + 2], Wire.tag(prefix), Wire.type(prefix));
            } else {
                start(values[--top]);
            }
        }
    }

    /** Writes a value. The usual classes are compared first, because that is faster than asking for interfaces. */
    private void start(Object value) {
        if (value == null) {
            out.writeConstant(0);
            return;
        }
        Class<?> type = value.getClass();
        if (type == String.class) {
            out.writeText((String) value);
        } else if (type == Integer.class) {
            out.writeInt((Integer) value);
        } else if (type == LinkedHashMap.class) {
            map((LinkedHashMap<?, ?>) value);
        } else if (type == ArrayList.class) {
            list((ArrayList<?>) value);
        } else if (type == Boolean.class) {
            out.writeBool((Boolean) value);
        } else {
            other(value);
        }
    }

    private void other(Object value) {
        if (value instanceof Number number) {
            number(number);
        } else if (value instanceof Map<?, ?> map) {
            map(map);
        } else if (value instanceof List<?> list) {
            list(list);
        } else {
            rare(value);
        }
    }

    private void map(Map<?, ?> map) {
        int base = top;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (top + 2 > values.length) {
                values = Arrays.copyOf(values, 2 * values.length);
            }
            values[top] = entry.getKey();
            values[top + 1] = entry.getValue();
            top += 2;
        }
        open(base, (top - base) / 2, Wire.ASSOC);
    }

    private void list(List<?> list) {
        int base = top;
        for (Object value : list) {
            push(value);
        }
        open(base, top - base, Wire.HTUPLE);
    }

    private void push(Object value) {
        if (top == values.length) {
            values = Arrays.copyOf(values, 2 * values.length);
        }
        values[top++] = value;
    }

    /** Opens a collection whose values are on the stack from {@code base} on. */
    private void open(int base, int count, int prefix) {
        if (end == frames.length) {
            moreFrames();
        }
        frames[end] = base;
        frames[end + 1] = out.mark();
        frames[end + 2] = count;
        frames[end + 3] = prefix;
        end += FRAME;
    }

    private void moreFrames() {
        if (end >= FRAME * MAX_DEPTH) {
            String problem = "nesting of more than " + MAX_DEPTH
                    + " levels cannot be written; check whether a list or map contains itself";
            throw new ExtprotException(Kind.LIMIT_EXCEEDED, problem, MAX_DEPTH + 1, -1);
        }
        frames = Arrays.copyOf(frames, Math.min(2 * end, FRAME * MAX_DEPTH));
    }

    private void number(Number number) {
        if (number instanceof Double || number instanceof Float) {
            double value = number.doubleValue();
            long bits = Double.isNaN(value) ? NAN_BITS : Double.doubleToRawLongBits(value);
            out.bits64(bits, Wire.BITS64_FLOAT);
        } else if (number instanceof BigInteger big && big.bitLength() >= Long.SIZE) {
            int mark = out.mark();
            out.writeText(big.toString());
            out.close(mark, 1, ModelReader.BIG_INT, Wire.TUPLE);
        } else if (number instanceof Integer || number instanceof Long || number instanceof Short
                || number instanceof Byte || number instanceof BigInteger) {
            integer(number.longValue());
        } else {
            throw refused(number);
        }
    }

    private void integer(long value) {
        if (value << 1 >> 1 == value) {
            out.writeInt(value);
        } else {
            out.writeLong(value);
        }
    }

    private void rare(Object value) {
        if (value instanceof byte[] bytes) {
            int mark = out.mark();
            out.string(bytes);
            out.close(mark, 1, ModelReader.BINARY, Wire.TUPLE);
        } else if (value instanceof Tagged tagged) {
            if (tagged.value() instanceof Tagged) {
                throw new IllegalArgumentException(
                        "extprot cannot represent a Tagged in a Tagged: a value has at most one tag");
            }
            int base = top;
            push(tagged.tag());
            push(tagged.value());
            open(base, 2, ModelReader.TAGGED << 4 | Wire.TUPLE);
        } else if (value instanceof TaggedValue tree) {
            tree.write(out);
        } else {
            timestamp(value);
        }
    }

    private void timestamp(Object value) {
        int mark = out.mark();
        if (value instanceof LocalDate day) {
            out.writeConstant(1);
            out.writeInt(0);
            out.writeInt(checked(Times.seconds(day)));
        } else if (value instanceof LocalDateTime time) {
            out.writeConstant(0);
            out.writeInt(time.getNano());
            out.writeInt(checked(time.toEpochSecond(ZoneOffset.UTC)));
        } else if (value instanceof OffsetDateTime time) {
            int minutes = time.getOffset().getTotalSeconds() / 60;
            checked(time.toEpochSecond() + minutes * 60L);
            out.writeInt(minutes);
            out.writeInt(time.getNano());
            out.writeInt(time.toEpochSecond());
        } else {
            throw refused(value);
        }
        out.close(mark, 3, ModelReader.TIMESTAMP, Wire.TUPLE);
    }

    /** Returns the seconds of a local time, if its year is in the data model. */
    private static long checked(long localSeconds) {
        if (!Times.hasValidYear(localSeconds)) {
            throw new IllegalArgumentException("timestamps have only the years 0 to 9999");
        }
        return localSeconds;
    }

    private static IllegalArgumentException refused(Object value) {
        return new IllegalArgumentException("extprot cannot represent " + value.getClass().getName()
                + "; convert it to a map, a list or a string");
    }
}
