package dev.ketch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ketch.Repository.Case;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Positions of the parts of values. */
class LocatedTest {
    private static String at(Located located, Object... path) {
        return String.valueOf(located.position(path));
    }

    @Test
    void pathsLeadToPositions(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("spec.yml"), "größe: 1\nspec:\n  ports: [80, http]\n");
        Located spec = Yaml.with(Options.DEFAULT).located(file);
        assertEquals(Yaml.load(file), spec.value());
        assertEquals(file + ":3:15", at(spec, "spec", "ports", 1));
        assertEquals(file + ":1:8", at(spec, "größe"));
        assertEquals(file + ":1:1", at(spec));
        assertEquals(file + ":3:3", spec.keyPosition("spec", "ports").toString());
        assertEquals("  ports: [80, http]\n              ^", spec.position("spec", "ports", 1).excerpt());
        assertEquals(4, spec.position("spec", "ports", 1).length());
        for (Object[] missing : new Object[][] {{"spec", "ports", 2}, {"spec", "ports", -1}, {"none"},
                {"spec", "ports", "1"}, {"größe", 0}, {0}}) {
            assertNull(spec.position(missing));
        }
        assertNull(spec.keyPosition());
        assertNull(spec.keyPosition("spec", "ports", 1));
        assertEquals(file + ":3:10", spec.nearestPosition("spec", "ports", 5, "x").toString());
        assertEquals(file + ":1:1", spec.nearestPosition("none").toString());
    }

    @Test
    void aliasesMergesAndTagsAreFollowed() {
        Options options = Options.builder().schema(Schema.YAML11).build();
        Located located = Yaml.with(options).located("""
                base: &base {a: 1, b: !rig {c: 2}}
                copy: *base
                more:
                  <<: *base
                  a: 3
                ? [k]
                : yes
                """);
        assertEquals("1:17", at(located, "copy", "a"));
        assertEquals("1:32", at(located, "more", "b", "c"));
        assertEquals("5:6", at(located, "more", "a"));
        assertEquals("7:3", at(located, List.of("k")));
        assertEquals("6:3", located.keyPosition(List.of("k")).toString());
        // A value that contains itself.
        Located own = Yaml.located("&a [1, *a]");
        assertEquals("1:5", at(own, 1, 1, 1, 0));
    }

    @Test
    void aChangedValueKeepsItsPositions() {
        Located located = Yaml.located("a: 1\nb: 2\n");
        ((Map<?, ?>) located.value()).remove("a");
        assertEquals("2:4", at(located, "b"));
        assertEquals("1:4", at(located, "a"));
    }

    @Test
    void malformedTextIsRejectedInEachEncoding() {
        byte[][] texts = {
            {(byte) 0xff, (byte) 0xfe, 'a', 0, 0x3d, (byte) 0xd8, 'b', 0},
            {(byte) 0xff, (byte) 0xfe, 'a', 0, 'b'},
            {0, 0, (byte) 0xfe, (byte) 0xff, 0, 0, 0, 'a', 0, 0x11, 0, 0},
            {'a', (byte) 0xc3},
        };
        for (byte[] text : texts) {
            YamlException expected = assertThrows(YamlException.class, () -> Yaml.load(text));
            YamlException error = assertThrows(
                    YamlException.class, () -> Yaml.with(Options.DEFAULT).located(text));
            assertEquals(expected.getMessage(), error.getMessage());
        }
    }

    @Test
    void otherEncodingsHaveTheSamePositions() {
        String text = "größe:\n  - 世界\n  - 🚢 x\n";
        for (String name : List.of("UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE")) {
            for (String mark : List.of("", "\ufeff")) {
                // Java's UTF-16 adds its own byte order mark.
                boolean isMarked = name.equals("UTF-16") || mark.isEmpty();
                byte[] bytes = (isMarked ? text : mark + text).getBytes(Charset.forName(name));
                Located located = Yaml.with(Options.DEFAULT).located(bytes);
                assertEquals(Map.of("größe", List.of("世界", "🚢 x")), located.value(), name);
                assertEquals("3:5", at(located, "größe", 1), name);
            }
        }
    }

    @Test
    void eachDocumentHasItsOwnPositions() {
        List<Located> all = Yaml.with(Options.DEFAULT).allLocated("a: 1\n---\n- b\n");
        assertEquals("1:4", at(all.get(0), "a"));
        assertEquals("3:3", at(all.get(1), 0));
        assertThrows(ValueException.class, () -> Yaml.located("a\n---\nb"));
        Located none = Yaml.located("# nothing\n");
        assertNull(none.value());
        assertNull(none.position());
        assertNull(none.nearestPosition("a"));
        assertThrows(YamlSyntaxException.class, () -> Yaml.located("["));
        assertThrows(DuplicateKeyException.class, () -> Yaml.located("{a: 1, a: 2}"));
    }

    @Test
    void manyDocumentsAndLookupsTakeLinearTime() {
        List<Located> all = Yaml.with(Options.DEFAULT).allLocated("--- [a]\n".repeat(200_000));
        for (int i = 0; i < all.size(); i++) {
            assertEquals(i + 1, all.get(i).position(0).line());
        }
    }

    /** Every scalar of the suite is found where the parser finds it. */
    @Test
    @Tag("fetched")
    void scalarsOfTheSuiteAreWhereTheirEventsAre() {
        int found = 0;
        for (Case kase : Repository.suite()) {
            if (kase.fails() || kase.yaml().startsWith("\ufeff")) {
                continue;
            }
            List<Located> documents;
            try {
                documents = Yaml.with(Options.DEFAULT).allLocated(kase.yaml());
            } catch (ValueException noValue) {
                continue;
            }
            assertEquals(String.valueOf(Yaml.loadAll(kase.yaml())).replaceAll("\\[B@\\w+", ""),
                    documents.stream().map(Located::value).toList().toString().replaceAll("\\[B@\\w+", ""));
            List<String> scalars = new ArrayList<>();
            Yaml.events(kase.yaml(), parser -> scalars.add(parser.line() + ":" + parser.column()));
            for (Located document : documents) {
                for (Position position : positions(document)) {
                    assertTrue(scalars.contains(position.toString()), kase.id() + " " + position);
                    found++;
                }
            }
        }
        assertTrue(found > 1000, found + " positions");
    }

    private static List<Position> positions(Located document) {
        List<Position> positions = new ArrayList<>();
        collect(document, document.value(), new ArrayList<>(), positions, new IdentityHashMap<>());
        return positions;
    }

    private static void collect(Located document, Object value, List<Object> path, List<Position> positions,
            Map<Object, Object> met) {
        Object open = value instanceof Tagged tagged ? tagged.value() : value;
        Position position = document.position(path.toArray());
        if (position == null) {
            throw new AssertionError(path + " in " + document.value());
        }
        positions.add(position);
        boolean isCollection = open instanceof Map || open instanceof List;
        if (!isCollection || met.put(open, open) != null) {
            return;
        }
        if (open instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                path.add(i);
                collect(document, list.get(i), path, positions, met);
                path.remove(path.size() - 1);
            }
        } else {
            ((Map<?, ?>) open).forEach((key, child) -> {
                path.add(key);
                collect(document, child, path, positions, met);
                path.remove(path.size() - 1);
            });
        }
    }
}
