package dev.ketch.bench;

import dev.ketch.Tagged;
import dev.ketch.extprot.Extprot;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reduces results to values whose extprot bytes are equal if the results are; {@code docs/board.md} has the form. */
final class Canonical {
    private static final long MILLIS_OF_DAY = 86_400_000;

    private final boolean isData;

    private Canonical(boolean isData) {
        this.isData = isData;
    }

    /** Returns the value with the entries of mappings in the order of their keys' bytes. */
    static Object value(Object value) {
        return new Canonical(false).of(value);
    }

    /** Returns the value without tags, and with text for keys, which is all that JSON and Jackson have. */
    static Object data(Object value) {
        return new Canonical(true).of(value);
    }

    private Object of(Object value) {
        if (value instanceof Tagged tagged) {
            return isData ? of(tagged.value()) : new Tagged(tagged.tag(), of(tagged.value()));
        }
        if (value instanceof Map<?, ?> map) {
            return mapping(map);
        }
        if (value instanceof Collection<?> items) {
            List<Object> list = new ArrayList<>(items.size());
            items.forEach(item -> list.add(of(item)));
            return list;
        }
        return value instanceof Date date ? time(date) : value;
    }

    private Object mapping(Map<?, ?> map) {
        Map<Object, Object> entries = new LinkedHashMap<>();
        if (isData) {
            map.forEach((key, value) -> entries.put(String.valueOf(of(key)), of(value)));
            return entries;
        }
        Map<byte[], Object[]> sorted = new TreeMap<>(Arrays::compareUnsigned);
        map.forEach((key, value) -> {
            Object name = of(key);
            sorted.put(Extprot.dump(name), new Object[] {name, of(value)});
        });
        sorted.values().forEach(entry -> entries.put(entry[0], entry[1]));
        return entries;
    }

    /** SnakeYAML has one class for days and times. */
    private static Object time(Date date) {
        OffsetDateTime time = date.toInstant().atOffset(ZoneOffset.UTC);
        return date.getTime() % MILLIS_OF_DAY == 0 ? time.toLocalDate() : time;
    }
}
