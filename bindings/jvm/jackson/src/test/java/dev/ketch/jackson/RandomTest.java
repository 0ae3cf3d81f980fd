package dev.ketch.jackson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.ketch.DuplicateKeys;
import dev.ketch.Loader;
import dev.ketch.Options;
import dev.ketch.Schema;
import dev.ketch.Yaml;
import dev.ketch.YamlException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Reads random documents with anchors, aliases and merge keys, and compares them with Yaml.load. */
class RandomTest {
    private static final int DOCUMENTS = 5_000;

    /** Writes one document. The names of anchors are few, so that many are redefined. */
    private static final class Writer {
        private final Random random;
        private final StringBuilder out = new StringBuilder();

        Writer(Random random) {
            this.random = random;
        }

        private String name() {
            return String.valueOf((char) ('a' + random.nextInt(4)));
        }

        void node(int depth) {
            int choice = random.nextInt(10);
            if (depth > 0 && choice < 3) {
                out.append('*').append(name()).append(' ');
                return;
            }
            if (random.nextInt(2) == 0) {
                out.append('&').append(name()).append(' ');
            }
            if (depth == 0 || choice < 5) {
                out.append(random.nextInt(9));
            } else if (choice < 7) {
                sequence(depth, false);
            } else {
                mapping(depth);
            }
        }

        /** Writes a sequence; of mappings and aliases, if it is to be merged. */
        private void sequence(int depth, boolean isMerged) {
            out.append('[');
            for (int left = random.nextInt(4); left > 0; left--) {
                if (isMerged) {
                    source(depth - 1);
                } else {
                    node(depth - 1);
                }
                out.append(", ");
            }
            out.append(']');
        }

        private void mapping(int depth) {
            out.append('{');
            for (int left = random.nextInt(5); left > 0; left--) {
                if (random.nextInt(3) == 0) {
                    out.append("<<: ");
                    if (random.nextInt(3) == 0) {
                        sequence(depth, true);
                    } else {
                        source(depth - 1);
                    }
                } else {
                    // Duplicate keys have simple values: load ignores errors in those that it drops.
                    boolean mayBeDuplicate = random.nextInt(10) == 0;
                    out.append((char) ('p' + (mayBeDuplicate ? 0 : left))).append(": ");
                    node(mayBeDuplicate ? 0 : depth - 1);
                }
                out.append(", ");
            }
            out.append('}');
        }

        private void source(int depth) {
            if (depth > 0 && random.nextInt(3) == 0) {
                out.append(random.nextBoolean() ? "&" + name() + " " : "");
                mapping(depth);
            } else {
                out.append('*').append(name()).append(' ');
            }
        }

        /** Returns a document whose anchors all exist from the start. */
        String document() {
            out.append("- [&a {p: 1}, &b {q: 2, <<: *a}, &c {<<: *b, p: 3}, &d {r: 4}]\n");
            for (int left = 1 + random.nextInt(5); left > 0; left--) {
                out.append("- ");
                node(3);
                out.append('\n');
            }
            return out.toString();
        }
    }

    private static String loaded(Loader loader, String yaml) {
        try {
            return String.valueOf(sorted(loader.load(yaml), 0));
        } catch (YamlException | IllegalArgumentException error) {
            return "error";
        }
    }

    private static String read(KetchYamlMapper mapper, String yaml, Class<?> as) throws IOException {
        try {
            Object value = mapper.readValue(yaml, as);
            return String.valueOf(sorted(
                    value instanceof JsonNode ? mapper.convertValue(value, Object.class) : value, 0));
        } catch (JsonProcessingException error) {
            return "error";
        }
    }

    /**
     * Sorts keys, because merged entries have other positions in tokens. Fails for a value
     * that contains itself: load has cycles, Jackson does not.
     */
    private static Object sorted(Object value, int depth) {
        if (depth > 100) {
            throw new IllegalArgumentException("a cycle");
        }
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> sorted = new TreeMap<>();
            map.forEach((key, item) -> sorted.put(key, sorted(item, depth + 1)));
            return sorted;
        }
        if (value instanceof List<?> list) {
            return list.stream().map(item -> sorted(item, depth + 1)).toList();
        }
        return value;
    }

    @Test
    void valuesAreThoseOfLoad() throws IOException {
        long seed = Long.getLong("ketch.seed", 1);
        Random random = new Random(seed);
        int[] good = new int[DuplicateKeys.values().length];
        for (DuplicateKeys choice : DuplicateKeys.values()) {
            Options options =
                    Options.builder().schema(Schema.YAML11).duplicateKeys(choice).build();
            Loader loader = Yaml.with(options);
            KetchYamlMapper mapper =
                    new KetchYamlMapper(KetchYamlFactory.builder().options(options).build());
            for (int i = 0; i < DOCUMENTS; i++) {
                String yaml = new Writer(random).document();
                String expected = loaded(loader, yaml);
                String where = "seed " + seed + ", " + choice + ":\n" + yaml;
                assertEquals(expected, read(mapper, yaml, Object.class), where);
                assertEquals(expected, read(mapper, yaml, JsonNode.class), where);
                good[choice.ordinal()] += expected.equals("error") ? 0 : 1;
            }
        }
        for (DuplicateKeys choice : DuplicateKeys.values()) {
            assertTrue(good[choice.ordinal()] > DOCUMENTS / 5, choice + ": " + good[choice.ordinal()]);
        }
    }
}
