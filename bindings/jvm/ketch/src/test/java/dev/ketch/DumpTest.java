package dev.ketch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ketch.Repository.Case;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DumpTest {
    private static final Map<String, Object> VALUE = new LinkedHashMap<>();

    static {
        VALUE.put("name", "ketch");
        VALUE.put("masts", List.of("main", "mizzen"));
        VALUE.put("version", "1.10");
    }

    private static final String YAML = "name: ketch\nmasts:\n- main\n- mizzen\nversion: \"1.10\"\n";

    @Test
    void allTargetsGetTheSameText(@TempDir Path folder) throws IOException {
        assertEquals(YAML, Yaml.dump(VALUE));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Yaml.dump(VALUE, out);
        assertEquals(YAML, out.toString(StandardCharsets.UTF_8));
        Path file = folder.resolve("ketch.yml");
        Yaml.dump(VALUE, file);
        assertEquals(YAML, Files.readString(file));
        assertEquals("1\n---\n- 2\n", Yaml.dumpAll(List.of(1, List.of(2))));
    }

    @Test
    void valuesOfTheDataModelAreWritten() {
        List<Object> values = Arrays.asList(null, true, 1, 1L << 40, (short) 2,
                new BigInteger("9".repeat(30)), 1.5, 1e16, Double.NaN, Double.NEGATIVE_INFINITY, "NO", "<<", "é\t",
                new byte[] {0, -1}, LocalDate.of(2001, 12, 14), LocalDateTime.of(2001, 12, 14, 21, 59, 43),
                OffsetDateTime.of(2001, 12, 14, 21, 59, 43, 100_000_000, ZoneOffset.ofHours(-5)),
                new Tagged("!t", List.of()), new Tagged("!t", "1"), new Tagged("!t", null));
        String expected = """
                - null
                - true
                - 1
                - 1099511627776
                - 2
                - 999999999999999999999999999999
                - 1.5
                - 1.0e+16
                - .nan
                - -.inf
                - "NO"
                - !!str "<<"
                - "é\\t"
                - !!binary AP8=
                - !!timestamp 2001-12-14
                - !!timestamp 2001-12-14T21:59:43
                - !!timestamp 2001-12-14T21:59:43.1-05:00
                - !t []
                - !t "1"
                - !t
                """;
        assertEquals(expected.strip(), Yaml.dump(values).strip().replace("!t \"\"", "!t"));
        List<?> read = (List<?>) Yaml.load(Yaml.dump(values));
        // A tagged null is empty text.
        assertEquals(Items.of(values.subList(5, 19)), Items.of(read.subList(5, 19)));
    }

    @Test
    void decimalsKeepTheirDigits() throws IOException {
        Map<String, String> texts = Map.of("2.50", "2.50", "1E+3", "1.E+3", "0E-10", "0.E-10", "-12", "-12",
                "12345678901234567890.123456789", "12345678901234567890.123456789", "-1.50E-9", "-1.50E-9");
        Loader yaml11 = Yaml.with(Options.builder().schema(Schema.YAML11).build());
        for (Map.Entry<String, String> entry : texts.entrySet()) {
            BigDecimal value = new BigDecimal(entry.getKey());
            String text = Yaml.dump(value);
            assertEquals(entry.getValue() + "\n", text);
            assertEquals(value, new BigDecimal(text.strip()));
            for (Object read : List.of(Yaml.load(text), yaml11.load(text))) {
                assertEquals(value.doubleValue(), ((Number) read).doubleValue(), text);
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (YamlWriter writer = YamlWriter.of(out, DumpOptions.DEFAULT)) {
                writer.startDocument().decimal(value).endDocument();
            }
            assertEquals(text, out.toString(StandardCharsets.UTF_8));
        }
    }

    @Test
    void floatsHaveTheirOwnDigits() throws IOException {
        assertEquals("- 0.1\n- 3.0e+20\n- .nan\n- -.inf\n",
                Yaml.dump(List.of(0.1f, 3e20f, Float.NaN, Float.NEGATIVE_INFINITY)));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (YamlWriter writer = YamlWriter.of(out, DumpOptions.DEFAULT)) {
            writer.startDocument().floating(0.1f).endDocument();
        }
        assertEquals("0.1\n", out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void optionsChangeTheText() {
        assertEquals("---\nmasts:\n    - main\n", Yaml.with(DumpOptions.builder().header(true).indent(4)
                .indentSequences(true).build()).dump(Map.of("masts", List.of("main"))));
        assertEquals("{masts: [\"\\xE9\"]}\n", Yaml.with(DumpOptions.builder().flow(true).ascii(true).build())
                .dump(Map.of("masts", List.of("é"))));
        assertThrows(IllegalArgumentException.class, () -> DumpOptions.builder().indent(10));
    }

    @Test
    void sharedCollectionsHaveAnAnchor() {
        List<Object> shared = new ArrayList<>(List.of("x"));
        assertEquals("- &1\n  - x\n- *1\n", Yaml.dump(List.of(shared, shared)));
        List<Object> cycle = new ArrayList<>();
        cycle.add(cycle);
        String text = Yaml.dump(cycle);
        assertEquals("&1\n- *1\n", text);
        List<?> read = (List<?>) Yaml.load(text);
        assertSame(read, read.get(0));
        // The JDK's own empty collections are not shared on purpose.
        assertEquals("- []\n- []\n- {}\n- {}\n",
                Yaml.dump(List.of(List.of(), List.of(), Map.of(), Map.of())));
    }

    /** Anchors are numbered in the order of the text, also if the tokens are too many to be held. */
    @Test
    void anchorsAreNumberedInTheOrderOfTheText() {
        for (int items : new int[] {0, 400_000}) {
            List<Object> first = new ArrayList<>(List.of(1));
            List<Object> second = new ArrayList<>(List.of(2));
            Tagged third = new Tagged("!t", new ArrayList<>(List.of(3)));
            List<Object> value = new ArrayList<>(Arrays.asList(first, second, third, third, second));
            value.addAll(Collections.nCopies(items, true));
            value.add(first);
            String text = Yaml.dumpAll(List.of(value, List.of(second, second)));
            String start = "- &1\n  - 1\n- &2\n  - 2\n- &3 !t\n  - 3\n- *3\n- *2\n";
            String end = "- *1\n---\n- &1\n  - 2\n- *1\n";
            assertEquals(start + "- true\n".repeat(items) + end, text);
        }
    }

    enum Rig {
        KETCH, YAWL { }
    }

    record Ship(String name, Rig rig, int[] masts, Ship tender) {}

    @Test
    void setsArraysEnumsAndRecordsAreWritten() {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("set", new TreeSet<>(List.of("b", "a")));
        value.put("deque", new ArrayDeque<>(List.of(1, 2)));
        value.put("values", Map.of("x", 1).values());
        value.put("objects", new Object[] {1, "a", null, new String[] {"b"}});
        value.put("numbers", List.of(new int[] {1}, new long[] {2}, new double[] {1.5}, new short[] {3},
                new float[] {0.1f}, new boolean[] {true}));
        value.put("text", new char[] {'h', 'i'});
        value.put("empty", List.of(new int[0], Set.of(), Set.of(), EnumSet.noneOf(Rig.class)));
        value.put("enums", Map.of(Rig.YAWL, List.of(Rig.KETCH)));
        value.put("record", new Ship("Ariel", Rig.YAWL, new int[] {1, 2}, new Ship("no", null, null, null)));
        value.put("tagged", new Tagged("!rigs", new Rig[] {Rig.KETCH}));
        String expected = """
                set:
                - a
                - b
                deque:
                - 1
                - 2
                values:
                - 1
                objects:
                - 1
                - a
                - null
                - - b
                numbers:
                - - 1
                - - 2
                - - 1.5
                - - 3
                - - 0.1
                - - true
                text: hi
                empty:
                - []
                - []
                - []
                - []
                enums:
                  YAWL:
                  - KETCH
                record:
                  name: Ariel
                  rig: YAWL
                  masts:
                  - 1
                  - 2
                  tender:
                    name: "no"
                    rig: null
                    masts: null
                    tender: null
                tagged: !rigs
                - KETCH
                """;
        assertEquals(expected, Yaml.dump(value));
        // Also shared ones, and those that contain themselves.
        Object[] array = new Object[1];
        array[0] = array;
        Ship ship = new Ship("Ariel", null, null, null);
        assertEquals("&1\n- *1\n", Yaml.dump(array));
        assertEquals("- &1\n  name: Ariel\n  rig: null\n  masts: null\n  tender: null\n- *1\n",
                Yaml.dump(List.of(ship, ship)));
    }

    /** A component that cannot be read is an error that says what to do. */
    @Test
    void recordsThatCannotBeReadAreRejected() {
        record Failing(int depth) {
            @Override
            public int depth() {
                throw new IllegalStateException("sunk");
            }
        }
        IllegalArgumentException error =
                assertThrows(IllegalArgumentException.class, () -> Yaml.dump(new Failing(1)));
        assertTrue(error.getMessage().endsWith("Failing: java.lang.IllegalStateException: sunk"), error.getMessage());
    }

    @Test
    @Tag("fetched")
    void suiteCasesAreDumpedAndLoadedAgain() {
        int count = 0;
        for (Case kase : Repository.suite()) {
            List<Object> values;
            try {
                values = Yaml.loadAll(kase.yaml());
            } catch (YamlException invalid) {
                continue;
            }
            String text = Yaml.dumpAll(values);
            List<Object> read = Yaml.loadAll(text);
            assertEquals(Items.of(values), Items.of(read), kase.id() + ":\n" + text);
            assertEquals(text, Yaml.dumpAll(read), kase.id());
            count++;
        }
        assertTrue(count > 290, "cases: " + count);
    }

    @Test
    void deepValuesDoNotOverflowTheStack() {
        Object deep = 1;
        for (int i = 0; i < 100_000; i++) {
            deep = new ArrayList<>(Arrays.asList(deep));
        }
        String text = Yaml.with(DumpOptions.builder().flow(true).build()).dump(deep);
        assertEquals("[".repeat(100_000) + 1 + "]".repeat(100_000) + "\n", text);
    }

    @Test
    void longTextsAndManyValuesAreWrittenCompletely() {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            values.add(i % 1000 == 0 ? "long ".repeat(i) : i);
        }
        assertEquals(values, Yaml.load(Yaml.dump(values)));
    }

    @Test
    void valuesWithoutARepresentationAreRejected() {
        for (Object value : List.of(new Object(), new StringBuilder("c"), new Tagged("!t", 1.5),
                LocalDate.of(10_000, 1, 1), "half \ud800")) {
            IllegalArgumentException error =
                    assertThrows(IllegalArgumentException.class, () -> Yaml.dump(List.of(value)));
            assertTrue(error.getMessage().length() > 20, error.getMessage());
        }
        assertEquals("what? é\n", Yaml.dump("what? é"));
    }

    @Test
    void exceptionsOfAStreamReachTheCallerUnchanged() {
        IOException failure = new IOException("cable");
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int unit) throws IOException {
                throw failure;
            }
        };
        assertSame(failure, assertThrows(IOException.class, () -> Yaml.dump(VALUE, broken)));
    }

    @Test
    void timestampsAreWrittenForTheYearsOfTheirZone() {
        Loader yaml11 = Yaml.with(Options.builder().schema(Schema.YAML11).build());
        for (String time : List.of("9999-12-31T23:59:59-05:00", "0000-01-01T00:00:00+05:00")) {
            OffsetDateTime value = OffsetDateTime.parse(time);
            assertEquals(value, yaml11.load(Yaml.dump(value)));
        }
        for (String time : List.of("+10000-01-01T04:00:00+05:00", "-0001-12-31T23:00:00-05:00")) {
            OffsetDateTime value = OffsetDateTime.parse(time);
            assertThrows(IllegalArgumentException.class, () -> Yaml.dump(value));
        }
        for (int[] wrong : new int[][] {{-1, 0}, {1_000_000_000, 0}, {0, 1440}, {0, -1440}}) {
            assertThrows(IllegalArgumentException.class, () -> {
                try (YamlWriter out = YamlWriter.of(OutputStream.nullOutputStream(), DumpOptions.DEFAULT)) {
                    out.startDocument().timestamp(0, wrong[0], wrong[1], false);
                }
            });
        }
    }

    @Test
    void aFileInAnArchiveIsReplaced(@TempDir Path folder) throws IOException {
        Path archive = folder.resolve("fleet.zip");
        URI uri = URI.create("jar:" + archive.toUri());
        try (FileSystem files = FileSystems.newFileSystem(uri, Map.of("create", "true"))) {
            Path file = files.getPath("/ships.yml");
            Yaml.dump(Map.of("name", "Ariel"), file);
            assertEquals("name: Ariel\n", Files.readString(file));
            assertThrows(IllegalArgumentException.class, () -> Yaml.dump(new Object(), file));
            Yaml.dump(List.of(1), file);
            assertEquals(List.of(1), Yaml.load(file));
            try (Stream<Path> all = Files.list(files.getPath("/"))) {
                assertEquals(1, all.count());
            }
        }
        assertEquals(List.of(archive), Files.list(folder).toList());
    }

    @Test
    void aFileIsReplacedOrLeftAsItWas(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("ketch.yml"), "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThrows(IllegalArgumentException.class,
                () -> Yaml.dump(List.of("x".repeat(1 << 20), new Object()), file));
        assertEquals("old", Files.readString(file));
        Yaml.dump(VALUE, file);
        assertEquals(YAML, Files.readString(file));
        assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(1, files.count());
        }
        FileSystemException error = assertThrows(FileSystemException.class,
                () -> Yaml.dump(VALUE, folder.resolve("missing/ketch.yml")));
        assertTrue(error.getMessage().contains("missing"), error.getMessage());
    }

    @Test
    void eventsReachTheirHandler() {
        List<EventKind> kinds = new ArrayList<>();
        Yaml.events("- a", parser -> kinds.add(parser.kind()));
        assertEquals(List.of(EventKind.DOCUMENT_START, EventKind.SEQUENCE_START, EventKind.PLAIN,
                EventKind.SEQUENCE_END, EventKind.DOCUMENT_END), kinds);
    }
}
