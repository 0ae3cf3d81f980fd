package dev.ketch;

import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Converts values to the notation of the rows of conformance/data-model.json. */
public final class Items {
    private Items() {}

    /** Returns the items of all these values. */
    static List<String> of(List<?> values) {
        List<String> items = new ArrayList<>();
        values.forEach(value -> add(value, items));
        return items;
    }

    /** Adds the items of a value, in the notation of the rows. */
    public static void add(Object value, List<String> items) {
        if (value instanceof List<?> list) {
            items.add("[");
            list.forEach(entry -> add(entry, items));
            items.add("]");
        } else if (value instanceof Map<?, ?> map) {
            items.add("{");
            map.forEach((key, entry) -> {
                add(key, items);
                add(entry, items);
            });
            items.add("}");
        } else if (value instanceof Tagged tagged) {
            items.add("tag " + tagged.tag());
            add(tagged.value(), items);
        } else {
            items.add(item(value));
        }
    }

    private static String item(Object value) {
        if (value == null) {
            return "null";
        }
        if (value instanceof Boolean) {
            return "bool " + value;
        }
        if (value instanceof Integer || value instanceof Long) {
            return "int " + value;
        }
        if (value instanceof BigInteger) {
            return "big " + value;
        }
        if (value instanceof Double number) {
            return String.format("float %016x", Double.doubleToRawLongBits(number));
        }
        return value instanceof byte[] bytes
                ? "binary " + HexFormat.of().formatHex(bytes)
                : value instanceof String ? "str " + value : time(value);
    }

    private static String time(Object value) {
        if (value instanceof LocalDate day) {
            return "timestamp " + day.toEpochDay() * 86_400 + " 0 day";
        }
        if (value instanceof LocalDateTime time) {
            return "timestamp " + time.toEpochSecond(ZoneOffset.UTC) + " " + time.getNano() + " none";
        }
        OffsetDateTime time = (OffsetDateTime) value;
        int minutes = time.getOffset().getTotalSeconds() / 60;
        return "timestamp " + time.toEpochSecond() + " " + time.getNano() + " " + minutes;
    }
}
