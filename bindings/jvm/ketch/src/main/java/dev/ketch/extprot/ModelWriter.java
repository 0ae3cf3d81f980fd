package dev.ketch.extprot;

import dev.ketch.Tagged;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** Writes values of the data model from back to front, with its own stack. */
final class ModelWriter {
    private static final int SECONDS_A_DAY = 86_400;
    private static final long NAN_BITS = 0x7ff8_0000_0000_0000L;
    /** The maximum depth, which is also the default limit of readers. */
    private static final int MOST_DEPTH = 10_000;

    private final Writer out;
    private final Deque<Open> open = new ArrayDeque<>();

    /** A collection whose last values are written. */
    private static final class Open {
        final Object[] values;
        final int mark;
        final int count;
        final long tag;
        final int type;
        int left;

        Open(Object[] values, int mark, int count, long tag, int type) {
            this.values = values;
            this.mark = mark;
            this.count = count;
            this.tag = tag;
            this.type = type;
            this.left = values.length;
        }
    }

    ModelWriter(Writer out) {
        this.out = out;
    }

    void value(Object value) {
        start(value);
        while (!open.isEmpty()) {
            Open last = open.peek();
            if (last.left == 0) {
                out.close(last.mark, last.count, last.tag, last.type);
                open.pop();
            } else {
                start(last.values[--last.left]);
            }
        }
    }

    private void start(Object value) {
        if (value instanceof String text) {
            out.writeText(text);
        } else if (value instanceof Map<?, ?> map) {
            open(pairs(map), map.size(), 0, Wire.ASSOC);
        } else if (value instanceof List<?> list) {
            open(list.toArray(), list.size(), 0, Wire.HTUPLE);
        } else if (value == null) {
            out.writeConstant(0);
        } else if (value instanceof Boolean bool) {
            out.writeBool(bool);
        } else if (value instanceof Number number) {
            number(number);
        } else {
            rare(value);
        }
    }

    private void open(Object[] values, int count, long tag, int type) {
        if (open.size() == MOST_DEPTH) {
            throw ExtprotException.limit("maxDepth", MOST_DEPTH + 1, MOST_DEPTH, -1);
        }
        open.push(new Open(values, out.mark(), count, tag, type));
    }

    private static Object[] pairs(Map<?, ?> map) {
        List<Object> pairs = new ArrayList<>(2 * map.size());
        map.forEach((key, value) -> {
            pairs.add(key);
            pairs.add(value);
        });
        return pairs.toArray();
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
            Object[] values = {tagged.tag(), tagged.value()};
            open(values, 2, ModelReader.TAGGED, Wire.TUPLE);
        } else {
            timestamp(value);
        }
    }

    private void timestamp(Object value) {
        int mark = out.mark();
        if (value instanceof LocalDate day) {
            out.writeConstant(1);
            out.writeInt(0);
            out.writeInt(day.toEpochDay() * SECONDS_A_DAY);
        } else if (value instanceof LocalDateTime time) {
            out.writeConstant(0);
            out.writeInt(time.getNano());
            out.writeInt(time.toEpochSecond(ZoneOffset.UTC));
        } else if (value instanceof OffsetDateTime time) {
            out.writeInt(time.getOffset().getTotalSeconds() / 60);
            out.writeInt(time.getNano());
            out.writeInt(time.toEpochSecond());
        } else {
            throw refused(value);
        }
        out.close(mark, 3, ModelReader.TIMESTAMP, Wire.TUPLE);
    }

    private static IllegalArgumentException refused(Object value) {
        return new IllegalArgumentException("extprot cannot represent " + value.getClass().getName()
                + "; convert it to a map, a list or a string");
    }
}
