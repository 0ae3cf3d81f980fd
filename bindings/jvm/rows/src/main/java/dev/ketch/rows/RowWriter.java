package dev.ketch.rows;

import dev.ketch.DumpOptions;
import dev.ketch.YamlWriter;
import dev.ketch.extprot.Extprot;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writes rows in a format. */
abstract class RowWriter implements AutoCloseable {
    final Labels labels;

    private RowWriter(Labels labels) {
        this.labels = labels;
    }

    static RowWriter of(Format format, Labels labels, OutputStream out) throws IOException {
        return switch (format) {
            case YAML -> new Yaml(labels, out);
            case JSON -> new Json(labels, out);
            case EXTPROT -> new Binary(labels, out);
        };
    }

    /** Writes a row; its number, from 1, is for errors. */
    abstract void row(Object[] values, long number) throws IOException;

    /** Writes what comes after the rows. */
    abstract void end() throws IOException;

    @Override
    public void close() throws IOException {
        // Most writers have nothing to close.
    }

    final IllegalArgumentException refused(long number, int place, RuntimeException reason) {
        return new IllegalArgumentException(
                "row " + number + ", column " + labels.names[place] + ": " + reason.getMessage(), reason);
    }

    private static final class Yaml extends RowWriter {
        private final YamlWriter out;
        private boolean isWhole;

        Yaml(Labels labels, OutputStream stream) throws IOException {
            super(labels);
            out = YamlWriter.of(stream, DumpOptions.DEFAULT);
            out.startDocument().startSequence();
        }

        @Override
        void row(Object[] values, long number) throws IOException {
            out.startMapping();
            for (int i = 0; i < values.length; i++) {
                out.text(labels.names[i]);
                try {
                    value(values[i]);
                } catch (IllegalArgumentException reason) {
                    throw refused(number, i, reason);
                }
            }
            out.endMapping();
        }

        private void value(Object value) throws IOException {
            if (value instanceof String text) {
                out.text(text);
            } else if (value == null) {
                out.nullValue();
            } else if (value instanceof Integer || value instanceof Long) {
                out.integer(((Number) value).longValue());
            } else if (value instanceof BigDecimal decimal) {
                out.decimal(decimal);
            } else if (value instanceof Double number) {
                out.floating(number);
            } else if (value instanceof Boolean bool) {
                out.bool(bool);
            } else {
                rare(value);
            }
        }

        private void rare(Object value) throws IOException {
            if (value instanceof List<?> list) {
                out.startSequence();
                for (Object item : list) {
                    value(item);
                }
                out.endSequence();
            } else if (value instanceof byte[] bytes) {
                out.binary(bytes);
            } else if (value instanceof BigInteger number) {
                out.integer(number);
            } else if (value instanceof LocalDate day) {
                out.timestamp(day.toEpochSecond(LocalTime.MIDNIGHT, ZoneOffset.UTC), 0, null, true);
            } else if (value instanceof LocalDateTime time) {
                out.timestamp(time.toEpochSecond(ZoneOffset.UTC), time.getNano(), null, false);
            } else {
                OffsetDateTime time = (OffsetDateTime) value;
                int seconds = time.getOffset().getTotalSeconds();
                // YAML only has offsets of whole minutes. The instant is the same.
                out.timestamp(time.toEpochSecond(), time.getNano(), seconds % 60 == 0 ? seconds / 60 : 0, false);
            }
        }

        @Override
        void end() throws IOException {
            out.endSequence().endDocument();
            out.flush();
            isWhole = true;
        }

        @Override
        public void close() throws IOException {
            try {
                out.close();
            } catch (IllegalArgumentException incomplete) {
                // The first exception has the cause. What has been written stays.
                if (isWhole) {
                    throw incomplete;
                }
            }
        }
    }

    private static final class Json extends RowWriter {
        private static final int FLUSH_CHARS = 1 << 16;
        private final OutputStream stream;
        private final JsonText text = new JsonText();
        private final String[] keys;

        Json(Labels labels, OutputStream stream) {
            super(labels);
            this.stream = stream;
            keys = new String[labels.names.length];
            for (int i = 0; i < keys.length; i++) {
                JsonText key = new JsonText();
                key.value(labels.names[i]);
                keys[i] = key.out + ":";
            }
            text.out.append('[');
        }

        @Override
        void row(Object[] values, long number) throws IOException {
            text.out.append(number == 1 ? "\n{" : ",\n{");
            for (int i = 0; i < values.length; i++) {
                text.out.append(i == 0 ? "" : ",").append(keys[i]);
                try {
                    text.value(values[i]);
                } catch (IllegalArgumentException reason) {
                    throw refused(number, i, reason);
                }
            }
            text.out.append('}');
            if (text.out.length() > FLUSH_CHARS) {
                flush();
            }
        }

        private void flush() throws IOException {
            stream.write(text.out.toString().getBytes(StandardCharsets.UTF_8));
            text.out.setLength(0);
        }

        @Override
        void end() throws IOException {
            text.out.append("\n]\n");
            flush();
        }
    }

    private static final class Binary extends RowWriter {
        private final OutputStream stream;

        Binary(Labels labels, OutputStream stream) {
            super(labels);
            this.stream = stream;
        }

        @Override
        void row(Object[] values, long number) throws IOException {
            Object[] converted = new Object[values.length];
            Arrays.setAll(converted, i -> converted(values[i]));
            try {
                Extprot.dump(new Row<>(labels, converted), stream);
            } catch (IllegalArgumentException reason) {
                throw located(converted, number, reason);
            }
        }

        /** Returns the exception with the column, which is the first one that cannot be written. */
        private IllegalArgumentException located(
                Object[] values, long number, IllegalArgumentException reason) {
            for (int i = 0; i < values.length; i++) {
                try {
                    Extprot.dump(values[i]);
                } catch (IllegalArgumentException ofColumn) {
                    return refused(number, i, ofColumn);
                }
            }
            return reason;
        }

        private static Object converted(Object value) {
            if (value instanceof List<?> list) {
                List<Object> values = new ArrayList<>(list.size());
                list.forEach(item -> values.add(converted(item)));
                return values;
            }
            return value instanceof BigDecimal ? value.toString() : value;
        }

        @Override
        void end() {
            // Nothing comes after the rows.
        }
    }
}
