package dev.ketch.extprot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ketch.Json;
import dev.ketch.Repository;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The golden vectors of conformance/extprot, through the generated classes and without a schema. */
@Tag("fetched")
class VectorsTest {
    /** The reference stops inside a message with an unknown tag: defect B2 of the specification. */
    private static final Set<String> B2 = Set.of("ev-1959", "ev-1963", "ev-1964", "ev-1967");

    private interface Check {
        void run(Map<?, ?> entry) throws Exception;
    }

    private static void all(String file, int count, Check check) throws Exception {
        List<?> entries = (List<?>) Json.read(Repository.read("conformance/extprot/" + file + ".json"));
        List<String> failures = new ArrayList<>();
        for (Object entry : entries) {
            Map<?, ?> map = (Map<?, ?>) entry;
            try {
                check.run(map);
            } catch (AssertionError | RuntimeException e) {
                failures.add(map.get("id") + ": " + e);
            }
        }
        assertTrue(failures.isEmpty(), failures.size() + " of " + entries.size() + ":\n"
                + String.join("\n", failures.subList(0, Math.min(10, failures.size()))));
        assertEquals(count, entries.size());
    }

    private static Class<?> type(Map<?, ?> entry, String role) {
        return Generated.type((String) entry.get("schema"), (String) entry.get(role));
    }

    private static byte[] bytes(Map<?, ?> entry) {
        return HexFormat.of().parseHex((String) entry.get("hex"));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private interface Read {
        Object get() throws IOException;
    }

    /** Returns the outcome in the notation of the vectors. */
    private static Map<?, ?> outcome(Read read) throws IOException {
        try {
            return Map.of("value", plain(Generated.render(read.get())));
        } catch (ExtprotException e) {
            Map<String, Object> error = new LinkedHashMap<>();
            error.put("kind", e.kind().name().toLowerCase(Locale.ROOT));
            switch (e.kind()) {
                case UNKNOWN_TAG -> error.put("tag", (int) e.number());
                case MISSING_TUPLE_ELEMENT -> error.put("index", (int) e.number());
                default -> { }
            }
            return Map.of("error", error);
        }
    }

    private static Map<?, ?> read(Map<?, ?> entry, String role) throws IOException {
        Class<?> type = type(entry, role);
        return outcome(() -> Extprot.decode(bytes(entry), Generated.decoder(type, "read")));
    }

    /** Returns the expected outcome, without the part that only the reference reports. */
    private static Object expected(Object expected) {
        Map<?, ?> map = (Map<?, ?>) expected;
        if (!(map.get("error") instanceof Map<?, ?> error)) {
            return map.containsKey("value") ? Map.of("value", plain(map.get("value"))) : map;
        }
        Map<String, Object> kept = new LinkedHashMap<>();
        for (String key : List.of("kind", "tag", "index")) {
            if (error.get(key) != null) {
                kept.put(key, error.get(key));
            }
        }
        return Map.of("error", kept);
    }

    /** Replaces names that are not Java identifiers by their names in Java. */
    private static Object plain(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(VectorsTest::plain).toList();
        }
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> changed = new LinkedHashMap<>();
            map.forEach((key, item) -> changed.put(
                    key.toString().replace("'", "_prime").replaceAll("_+$", ""), plain(item)));
            return changed;
        }
        return value;
    }

    private static void isWritten(Map<?, ?> entry, Class<?> type, Object value) throws Exception {
        byte[] written = Generated.encode(Generated.build(type, value));
        if (entry.get("hex") != null) {
            assertEquals(entry.get("hex"), hex(written));
            return;
        }
        assertEquals(entry.get("length"), written.length);
        assertEquals(entry.get("sha256"), hex(MessageDigest.getInstance("SHA-256").digest(written)));
        assertEquals(Map.of("value", plain(value)),
                outcome(() -> Extprot.decode(written, Generated.decoder(type, "read"))));
    }

    @Test
    void valuesAreWrittenAndRead() throws Exception {
        all("roundtrip", 861, entry -> {
            isWritten(entry, type(entry, "message"), entry.get("value"));
            if (entry.get("hex") != null) {
                assertEquals(Map.of("value", plain(entry.get("value"))), read(entry, "message"));
            }
        });
    }

    private static void evolution(Map<?, ?> entry) throws Exception {
        if (entry.get("writer") != null && entry.get("written") != null) {
            isWritten(entry, type(entry, "writer"), entry.get("written"));
        }
        MessageStream<Object> stream = Extprot.messages(
                new ByteArrayInputStream(bytes(entry)), Generated.decoder(type(entry, "reader"), "read"));
        assertEquals(expected(entry.get("expect")), outcome(stream::next));
        if (entry.get("consumed") != null) {
            boolean isDefect = B2.contains(entry.get("id"));
            assertEquals(isDefect ? bytes(entry).length : entry.get("consumed"), (int) stream.position());
        }
    }

    @Test
    void schemasEvolve() throws Exception {
        all("evolution", 2068, VectorsTest::evolution);
    }

    @Test
    void subsetsAreRead() throws Exception {
        all("subsets", 65, VectorsTest::evolution);
    }

    @Test
    void lazyFieldsKeepTheirBytes() throws Exception {
        all("lazies", 47, entry -> {
            Reader.Decoder<Object> decoder = Generated.decoder(type(entry, "reader"), "read");
            assertEquals(expected(entry.get("rewrite")), rewrite(entry, decoder, false));
            Map<?, ?> read = read(entry, "reader");
            if (entry.get("error_kind_free") != null) {
                assertTrue(read.containsKey("error"));
            } else {
                assertEquals(expected(entry.get("expect")), read);
            }
            if (read.containsKey("value")) {
                // The bytes that were read are kept, unlike in the reference with its default kind
                // of field.
                assertEquals(expected(entry.get("rewrite")), rewrite(entry, decoder, true));
            }
        });
    }

    private static Map<?, ?> rewrite(Map<?, ?> entry, Reader.Decoder<Object> decoder, boolean isAccessed)
            throws IOException {
        try {
            Object message = Extprot.decode(bytes(entry), decoder);
            if (isAccessed) {
                Generated.render(message);
            }
            return Map.of("hex", hex(Generated.encode(message)));
        } catch (ExtprotException e) {
            return outcome(() -> {
                throw e;
            });
        }
    }

    @Test
    void absentFieldsTakeDefaults() throws Exception {
        all("defaults", 100, entry -> assertEquals(expected(entry.get("expect")),
                outcome(() -> Extprot.defaultOf(Generated.decoder(type(entry, "message"), "byDefault")))));
    }

    @Test
    void malformedDataIsRejected() throws Exception {
        all("malformed", 270, entry -> {
            MessageStream<Object> stream = Extprot.messages(
                    new ByteArrayInputStream(bytes(entry)), Generated.decoder(type(entry, "reader"), "read"));
            Map<?, ?> read = outcome(() -> {
                Object message = stream.next();
                if (message == null) {
                    // Empty input is not a message.
                    return Extprot.decode(bytes(entry), Generated.decoder(type(entry, "reader"), "read"));
                }
                return message;
            });
            boolean isRefused = read.containsKey("error");
            switch ((String) entry.get("must")) {
                case "accept" -> {
                    assertEquals(expected(entry.get("reference")), read);
                    assertEquals(entry.get("consumed"), (int) stream.position());
                }
                case "reject" -> assertTrue(isRefused, read.toString());
                default -> assertTrue(isRefused || read.equals(expected(entry.get("reference"))), read.toString());
            }
        });
    }

    @Test
    void limitsAreEnforced() throws Exception {
        all("limits", 22, entry -> {
            Limits limits = Limits.DEFAULT;
            for (Map.Entry<?, ?> limit : ((Map<?, ?>) entry.get("limits")).entrySet()) {
                long value = ((Number) limit.getValue()).longValue();
                limits = switch ((String) limit.getKey()) {
                    case "string_length" -> limits.withMaxStringBytes(value);
                    case "num_elements" -> limits.withMaxElements(value);
                    default -> limits.withMaxBlockBytes(value);
                };
            }
            Limits chosen = limits;
            Reader.Decoder<Object> decoder = Generated.decoder(type(entry, "reader"), "read");
            assertEquals(expected(entry.get("expect")),
                    outcome(() -> Extprot.decode(bytes(entry), decoder, chosen)));
        });
    }

    @Test
    void streamsContinueAfterErrors() throws Exception {
        all("streams", 13, entry -> {
            MessageStream<Object> stream = Extprot.messages(
                    new ByteArrayInputStream(bytes(entry)), Generated.decoder(type(entry, "reader"), "read"));
            List<Object> results = new ArrayList<>();
            while (true) {
                Map<?, ?> outcome = outcome(() -> {
                    Object message = stream.next();
                    return message == null ? "end" : message;
                });
                if (outcome.equals(Map.of("value", "end"))) {
                    break;
                }
                results.add(outcome);
            }
            if (entry.get("id").equals("st-trunc-last")) {
                // The reference does not report truncated data.
                assertEquals(Map.of("error", Map.of("kind", "eof")), results.remove(results.size() - 1));
            }
            assertEquals(((List<?>) entry.get("results")).stream().map(VectorsTest::expected).toList(), results);
        });
    }

    @Test
    void messagesMayHaveAVersion() throws Exception {
        all("framing", 18, entry -> {
            List<Class<?>> types = new ArrayList<>();
            for (Object name : (List<?>) entry.get("messages")) {
                types.add(Generated.type((String) entry.get("schema"), (String) name));
            }
            if (entry.get("version") instanceof Integer version) {
                Object message = Generated.build(types.get(version), entry.get("value"));
                assertEquals(entry.get("hex"), hex(Extprot.encodeVersioned(version, (Message) message)));
                return;
            }
            List<Reader.Decoder<Object>> decoders =
                    types.stream().map(type -> Generated.decoder(type, "read")).toList();
            assertEquals(expected(entry.get("expect")),
                    outcome(() -> Extprot.decodeVersioned(bytes(entry), decoders)));
        });
    }

    /** Returns a tree in the notation of the vectors. */
    private static Map<?, ?> tree(TaggedValue value) {
        Map<String, Object> tree = new LinkedHashMap<>();
        String type = value.getClass().getSimpleName();
        tree.put("type", type.replaceAll("(?<=64)", "_").toLowerCase(Locale.ROOT));
        tree.put("tag", Json.read(Long.toString(value.tag())));
        if (value instanceof TaggedValue.Assoc assoc) {
            List<Object> pairs = new ArrayList<>();
            for (int i = 0; i < assoc.pairs().size(); i += 2) {
                pairs.add(List.of(tree(assoc.pairs().get(i)), tree(assoc.pairs().get(i + 1))));
            }
            tree.put("v", pairs);
        } else if (value instanceof TaggedValue.Block block) {
            tree.put("v", block.children().stream().map(VectorsTest::tree).toList());
        } else if (!(value instanceof TaggedValue.Enum)) {
            tree.put("v", content(value));
        }
        return tree;
    }

    private static Object content(TaggedValue scalar) {
        if (scalar instanceof TaggedValue.Vint number) {
            return Long.toString(number.value());
        } else if (scalar instanceof TaggedValue.Bits8 number) {
            return number.value();
        } else if (scalar instanceof TaggedValue.Bits32 number) {
            return Integer.toString(number.value());
        } else if (scalar instanceof TaggedValue.Bits64Long number) {
            return Long.toString(number.value());
        } else if (scalar instanceof TaggedValue.Bits64Float number) {
            return Generated.render(number.value());
        }
        return Generated.render(((TaggedValue.Bytes) scalar).value());
    }

    private static String collapsed(Object text) {
        return text.toString().replaceAll("\\s+", " ").strip();
    }

    @Test
    void dataWithoutASchemaAreTrees() throws Exception {
        all("untyped", 108, entry -> {
            TaggedValue value = Extprot.loadTagged(bytes(entry));
            assertEquals(entry.get("tree"), tree(value));
            assertEquals(entry.get("hex"), hex(value.encode()));
            assertEquals(value, Extprot.loadTagged(value.encode()));
            assertEquals(collapsed(entry.get("text_verbose")), collapsed(value.toVerboseString()));
            // By mistake, the reference doubles the suffix in its short form. A string may contain the
            // same letters.
            String expected = entry.get("text").toString()
                    .replace("LL", "L").replace(")L", ")").replace("ll", "l").replace(")l", ")");
            String found = value.toString().replace("LL", "L").replace("ll", "l");
            assertEquals(collapsed(expected), collapsed(found));
        });
    }

    @Test
    void messagesArePrinted() throws Exception {
        all("pretty", 91, entry -> {
            Object message = Extprot.decode(bytes(entry), Generated.decoder(type(entry, "message"), "read"));
            String printed = Extprot.pretty((Printable) message);
            assertEquals(collapsed(entry.get("text")), collapsed(printed));
            Object exact = entry.get("text_ketch");
            assertEquals(exact == null ? entry.get("text") : exact, printed);
        });
    }

    @Test
    void anyDataAreWrittenAgainWithoutASchema() throws Exception {
        all("roundtrip", 861, entry -> {
            if (entry.get("hex") != null) {
                assertEquals(entry.get("hex"), hex(Extprot.loadTagged(bytes(entry)).encode()));
            }
        });
    }
}
