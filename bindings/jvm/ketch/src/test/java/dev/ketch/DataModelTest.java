package dev.ketch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rows of conformance/data-model.json: each value is the one of the data model. */
class DataModelTest {
    @Test
    void valuesAreThoseOfTheDataModel() {
        int count = 0;
        for (Object row : (List<?>) Json.read(Repository.read("conformance/data-model.json"))) {
            Map<?, ?> entry = (Map<?, ?>) row;
            if (entry.get("yaml") == null || entry.get("items") == null) {
                continue;
            }
            Options.Builder options = Options.builder();
            if (entry.get("schema") != null) {
                options.schema(Schema.valueOf(((String) entry.get("schema")).toUpperCase()));
            }
            String yaml = (String) entry.get("yaml");
            for (boolean byDocuments : new boolean[] {false, true}) {
                if (byDocuments) {
                    options.limit(Limit.MAX_NODES, 1_000_000);
                }
                List<String> items = new ArrayList<>();
                Yaml.with(options.build()).loadAll(yaml).forEach(value -> add(value, items));
                assertEquals(entry.get("items"), items, yaml);
            }
            count++;
        }
        assertTrue(count >= 63, "rows: " + count);
    }

    private static void add(Object value, List<String> items) {
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
            return String.format("float %016x", Double.doubleToLongBits(number));
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
