package dev.ketch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.StringReader;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadTest {
    private static final String YAML = "masts: [main, mizzen]\nlaunched: 1902\nname: Grüße\n";
    private static final Map<String, Object> VALUE = new LinkedHashMap<>();

    static {
        VALUE.put("masts", List.of("main", "mizzen"));
        VALUE.put("launched", 1902);
        VALUE.put("name", "Grüße");
    }

    @Test
    void allSourcesHaveTheSameResult(@TempDir Path folder) throws IOException {
        byte[] utf8 = YAML.getBytes(StandardCharsets.UTF_8);
        assertEquals(VALUE, Yaml.load(YAML));
        assertEquals(VALUE, Yaml.load(utf8));
        assertEquals(VALUE, Yaml.load(new ByteArrayInputStream(utf8)));
        assertEquals(VALUE, Yaml.load(new StringReader(YAML)));
        assertEquals(VALUE, Yaml.load(Files.write(folder.resolve("a.yml"), utf8)));
        assertEquals(List.of(VALUE), Yaml.loadAll(folder.resolve("a.yml")));
        assertEquals(VALUE, Yaml.load(YAML.getBytes(StandardCharsets.UTF_16)));
        assertEquals(VALUE, Yaml.load(("\ufeff" + YAML).getBytes(StandardCharsets.UTF_8)));
        byte[] framed = ("!!!" + YAML + "]").getBytes(StandardCharsets.UTF_8);
        ByteBuffer buffer = ByteBuffer.wrap(framed, 1, framed.length - 2).slice().position(2);
        assertEquals(VALUE, Yaml.load(buffer));
        assertEquals(2, buffer.position());
        ByteBuffer direct = ByteBuffer.allocateDirect(utf8.length).put(utf8).flip();
        assertEquals(VALUE, Yaml.load(direct));
        assertEquals(0, direct.position());
    }

    @Test
    void collectionsKeepTheirOrderAndCanBeChanged() {
        Object value = Yaml.load("b: 1\na: [x]\n");
        assertSame(LinkedHashMap.class, value.getClass());
        assertEquals("[b, a]", ((Map<?, ?>) value).keySet().toString());
        assertSame(ArrayList.class, ((Map<?, ?>) value).get("a").getClass());
    }

    @Test
    void keysAreShared() {
        List<?> list = (List<?>) Yaml.load("- {name: a}\n- {name: b}");
        Object first = ((Map<?, ?>) list.get(0)).keySet().iterator().next();
        assertSame(first, ((Map<?, ?>) list.get(1)).keySet().iterator().next());
    }

    @Test
    void keysThatShareASlotStayDistinct() {
        StringBuilder yaml = new StringBuilder();
        Map<String, String> expected = new LinkedHashMap<>();
        for (int i = 0; i < 20_000; i++) {
            String key = "key" + i + "x".repeat(i % 40);
            yaml.append(key).append(": ").append(key).append('\n');
            expected.put(key, key);
        }
        assertEquals(expected, Yaml.load(yaml.toString()));
        assertEquals(expected, Yaml.load(yaml.toString()));
    }

    @Test
    void aFailedLoadDoesNotAffectLaterKeys() {
        for (int i = 0; i < 200; i++) {
            String fails = "k" + i + ": 1\n" + "? [a]\n: &x [*x, {z" + i + ": 1, z" + i + ": 2}]\n";
            assertThrows(DuplicateKeyException.class, () -> Yaml.load(fails));
            assertEquals(Map.of("k" + i, 1, "z" + i, 2), Yaml.load("k" + i + ": 1\nz" + i + ": 2\n"));
        }
    }

    @Test
    void numbersHaveTheNarrowestType() {
        assertEquals(2147483647, Yaml.load("2147483647"));
        assertEquals(2147483648L, Yaml.load("2147483648"));
        assertEquals(Long.MIN_VALUE, Yaml.load("-9223372036854775808"));
        assertEquals(new BigInteger("9223372036854775808"), Yaml.load("9223372036854775808"));
        assertEquals(new BigInteger("ff" + "0".repeat(5000), 16), Yaml.load("0xff" + "0".repeat(5000)));
        Random random = new Random(16);
        for (int i = 0; i < 300; i++) {
            BigInteger value = new BigInteger(1 + random.nextInt(40_000), random);
            assertEquals(value, asLong(Yaml.load("0x" + value.toString(16))));
            assertEquals(value, asLong(Yaml.load("0o" + value.toString(8))));
            assertEquals(value, asLong(Yaml.load(value.toString())));
        }
        assertTimeout(Duration.ofSeconds(30), () -> Yaml.load("0x" + "f".repeat(4_000_000)));
        assertEquals(BigInteger.TEN.pow(30).negate(), Yaml.load("-1" + "0".repeat(30)));
        assertEquals(Double.POSITIVE_INFINITY, Yaml.load("1e400"));
    }

    @Test
    void longIntegersTakeLessThanQuadraticTime() {
        String digits = "7".repeat(1_000_000);
        BigInteger value = (BigInteger) Yaml.load(digits);
        assertEquals(3_321_926, value.bitLength() - 1, 3);
        assertEquals(7, value.mod(BigInteger.TEN).intValue());
        assertEquals(BigInteger.TEN.pow(3000).subtract(BigInteger.ONE), Yaml.load("9".repeat(3000)));
    }

    @Test
    void unsupportedOffsetsAreConvertedToUtc() {
        Object time = Yaml.load("!!timestamp 2001-12-14T00:00:00+19:00");
        assertEquals(Instant.parse("2001-12-13T05:00:00Z"), ((OffsetDateTime) time).toInstant());
    }

    @Test
    void anAliasIsTheSameObject() {
        List<?> list = (List<?>) Yaml.load("- &a {x: 1}\n- *a\n- &s !t text\n- *s\n");
        assertSame(list.get(0), list.get(1));
        assertEquals(new Tagged("!t", "text"), list.get(3));
        assertSame(list.get(2), list.get(3));
        assertEquals(List.of(1, 2, 2), Yaml.load("[&x 1, &x 2, *x]"));
        assertEquals(Map.of("k", 1, "v", "k"), Yaml.load("&a k: 1\nv: *a"));
    }

    @Test
    void keysMayBeTextByTheirTag() throws IOException {
        String text = "! 1: a\n!!str 2: b\n&k ! true: *k\n! <<: {c: d}\nlist: [! e: f]\n";
        Map<String, Object> map = Map.of("1", "a", "2", "b", "true", "true", "<<", Map.of("c", "d"),
                "list", List.of(Map.of("e", "f")));
        for (Schema schema : List.of(Schema.CORE, Schema.YAML11)) {
            Loader loader = Yaml.with(Options.builder().schema(schema).build());
            assertEquals(map, loader.load(text));
            // A stream is composed.
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            assertEquals(map, loader.load(new ByteArrayInputStream(bytes)));
        }
    }

    @Test
    void anAliasMayBeInsideItsNode() {
        Map<?, ?> map = (Map<?, ?>) Yaml.load("&a {self: *a, list: &b !t [*a, *b]}");
        assertSame(map, map.get("self"));
        Tagged list = (Tagged) map.get("list");
        assertSame(map, ((List<?>) list.value()).get(0));
        assertSame(list, ((List<?>) list.value()).get(1));
    }

    @Test
    void mergedMappingsShareTheirValues() {
        Loader merging = Yaml.with(Options.builder().merge(true).build());
        List<?> list = (List<?>) merging.load("- &a {x: [1], y: 2}\n- {<<: *a, y: 3}\n");
        Map<?, ?> merged = (Map<?, ?>) list.get(1);
        assertEquals("{x=[1], y=3}", new java.util.TreeMap<>(Map.copyOf(merged)).toString());
        assertSame(((Map<?, ?>) list.get(0)).get("x"), merged.get("x"));
        assertEquals("{<<={a=1}}", Yaml.load("<<: {a: 1}").toString());
    }

    @Test
    void duplicateKeysFollowTheOption() {
        assertThrows(DuplicateKeyException.class, () -> Yaml.load("a: 1\nb: 2\na: 3"));
        Options first = Options.builder().duplicateKeys(DuplicateKeys.FIRST).build();
        Options last = Options.builder().duplicateKeys(DuplicateKeys.LAST).build();
        assertEquals(Map.of("a", 1, "b", 2), Yaml.with(first).load("a: 1\nb: 2\na: 3"));
        assertEquals(Map.of("a", 3, "b", 2), Yaml.with(last).load("a: 1\nb: 2\na: 3"));
        DuplicateKeyException error =
                assertThrows(DuplicateKeyException.class, () -> Yaml.load("{0x1: a, 1: b}"));
        assertEquals(1, error.relatedLine());
        assertEquals(2, error.relatedColumn());
    }

    @Test
    void anyValueMayBeAKey() {
        Map<Object, Object> expected = new LinkedHashMap<>();
        expected.put(List.of("a", 1), "x");
        expected.put(null, "y");
        expected.put(1.5, "z");
        expected.put(0.0, "p");
        assertEquals(expected, Yaml.load("? [a, 1]\n: x\n~: y\n1.5: z\n0.0: p\n"));
    }

    @Test
    void errorsHaveFieldsForPrograms() {
        Options options = Options.builder().fileName("ketch.yml").build();
        YamlSyntaxException error = assertThrows(
                YamlSyntaxException.class, () -> Yaml.with(options).load("masts: [main\n"));
        assertTrue(error.getMessage().startsWith("ketch.yml:1:8: "), error.getMessage());
        assertTrue(error.getMessage().contains("masts: [main\n"), error.getMessage());
        assertEquals("a `[` is never closed", error.problem());
        assertEquals("Write `]` at the end of line 1: `masts: [main]`.", error.help());
        assertEquals(List.of(1L, 8L, 2L, 1L), List.of(
                error.line(), error.column(), error.relatedLine(), error.relatedColumn()));
        assertNull(error.setting());
    }

    /** What errors say about options are names of Java: those of constants and methods. */
    @Test
    void errorsNameTheOptionsOfJava() {
        Map<String, Options.Builder> cases = new LinkedHashMap<>();
        cases.put("[[[1]]]", Options.builder().limit(Limit.MAX_DEPTH, 2));
        cases.put("- x\n- y", Options.builder().limit(Limit.MAX_NODES, 2));
        cases.put("- &a [&b [1, 1], *b]\n- {? *a : 1}", Options.builder().limit(Limit.MAX_ALIAS_NODES, 3));
        cases.put("!<abcdef> x", Options.builder().limit(Limit.MAX_TAG_BYTES, 2));
        cases.put("%TAG !a! b\n%TAG !c! d\n--- x", Options.builder().limit(Limit.MAX_TAG_HANDLES, 1));
        cases.put("abcdef: x", Options.builder().limit(Limit.MAX_IMPLICIT_KEY_CHARS, 3));
        cases.put("- 'abcdefghij'", Options.builder().limit(Limit.MAX_SCALAR_BYTES, 3));
        for (Map.Entry<String, Options.Builder> entry : cases.entrySet()) {
            Loader loader = Yaml.with(entry.getValue().build());
            LimitException error =
                    assertThrows(LimitException.class, () -> loader.load(entry.getKey()), entry.getKey());
            assertTrue(error.help().contains("`Limit." + Limit.valueOf(error.setting()) + "`"), error.help());
            assertTrue(error.getMessage().endsWith("\n" + error.help()), error.getMessage());
        }
        YamlException equal = assertThrows(DuplicateKeyException.class, () -> Yaml.load("`max_depth`: 1\n`max_depth`: 2"
                .replace("`", "\"").replace("max", "`max")));
        assertTrue(equal.help().contains("with `Options.builder().duplicateKeys` which one wins"), equal.help());
        assertTrue(equal.getMessage().contains("`max_depth"), equal.getMessage());
        YamlException bracket = assertThrows(YamlSyntaxException.class, () -> Yaml.load("a:\n  b: [1\n  ]\n"));
        assertTrue(bracket.help().endsWith(" `Options.builder().lenient(true)` accepts it as it is."), bracket.help());
    }

    /** A block scalar that ends the input without a line break gets one, unless an option says otherwise. */
    @Test
    void theInputDecidesOnTheFinalBreakOnRequest() throws IOException {
        Options options = Options.builder().finalBreak(false).build();
        Loader loader = Yaml.with(options);
        Map<String, List<String>> texts = new LinkedHashMap<>();
        texts.put("a: |\n  x", List.of("x\n", "x"));
        texts.put("a: |+\n  x", List.of("x\n", "x"));
        texts.put("a: >\n  x\n  y", List.of("x y\n", "x y"));
        texts.put("a: |\n  x\n", List.of("x\n", "x\n"));
        texts.put("a: |-\n  x", List.of("x", "x"));
        texts.put("a: |+\n  x\n\n", List.of("x\n\n", "x\n\n"));
        for (Map.Entry<String, List<String>> entry : texts.entrySet()) {
            String text = entry.getKey();
            assertEquals(Map.of("a", entry.getValue().get(0)), Yaml.load(text), text);
            Object expected = Map.of("a", entry.getValue().get(1));
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            assertEquals(expected, loader.load(text), text);
            assertEquals(expected, loader.load(bytes), text);
            assertEquals(expected, loader.load(new ByteArrayInputStream(bytes)), text);
            assertEquals(expected, loader.located(text).value(), text);
            // Documents instead of events.
            String merging = text.replace("a:", "<<: {}\na:");
            Options merge = Options.builder().finalBreak(false).merge(true).build();
            assertEquals(expected, Yaml.with(merge).load(merging), text);
            List<String> scalars = new ArrayList<>();
            loader.events(text, parser -> scalars.add(parser.text()));
            assertTrue(scalars.contains(entry.getValue().get(1)), text + scalars);
        }
        assertEquals(Map.of("a", "x"), Yaml.with(options.finalBreakUnlessSet(true)).load("a: |\n  x"));
        assertEquals(Map.of("a", "x"), Yaml.with(Options.DEFAULT.finalBreakUnlessSet(false)).load("a: |\n  x"));
    }

    @Test
    void aLimitNamesItsSetting() {
        Options options = Options.builder().limit(Limit.MAX_DEPTH, 2).build();
        LimitException error =
                assertThrows(LimitException.class, () -> Yaml.with(options).load("[[[1]]]"));
        assertEquals("MAX_DEPTH", error.setting());
        assertEquals(List.of(List.of()), Yaml.with(options).load("[[]]"));
        String bomb = "- &a0 [x]\n" + lines(60) + "- ? *a60\n  : 1\n";
        LimitException exploded = assertThrows(LimitException.class, () -> Yaml.load(bomb));
        assertEquals("MAX_ALIAS_NODES", exploded.setting());
    }

    @Test
    void mergedPairsAreLimited() {
        StringBuilder text = new StringBuilder("- &a0 {k0: 1}\n");
        for (int i = 1; i < 3000; i++) {
            text.append("- &a%d {<<: *a%d, k%d: 1}\n".formatted(i, i - 1, i));
        }
        Options merging = Options.builder().merge(true).build();
        LimitException error =
                assertThrows(LimitException.class, () -> Yaml.with(merging).load(text.toString()));
        assertEquals("MAX_ALIAS_NODES", error.setting());
        assertTrue(error.line() > 1000);
    }

    private static String lines(int count) {
        StringBuilder out = new StringBuilder();
        for (int i = 1; i <= count; i++) {
            out.append(String.format("- &a%d [*a%d, *a%d]%n", i, i - 1, i - 1));
        }
        return out.toString();
    }

    @Test
    void deepTextsDoNotOverflowTheStack() {
        int depth = 200_000;
        Options options = Options.builder().limit(Limit.MAX_DEPTH, Long.MAX_VALUE).build();
        Object value = Yaml.with(options).load("[".repeat(depth) + "]".repeat(depth));
        int found = 0;
        while (value instanceof List<?> list && !list.isEmpty()) {
            value = list.get(0);
            found++;
        }
        assertEquals(depth - 1, found);
        String asKey = "? " + "[".repeat(depth) + "]".repeat(depth) + "\n: 1\n";
        LimitException error =
                assertThrows(LimitException.class, () -> Yaml.with(options).load(asKey));
        assertEquals("MAX_DEPTH", error.setting());
    }

    /** Java chooses among duplicate keys in events, and native code in documents. */
    @Test
    void bothPathsChooseTheSameDuplicateKey() {
        String text = "{1: a, b: &x {k: 1, l: 2, k: 3}, 0x1: c, ~: d, b: *x, null: e}";
        for (DuplicateKeys which : List.of(DuplicateKeys.FIRST, DuplicateKeys.LAST)) {
            Options events = Options.builder().duplicateKeys(which).build();
            Options documents = Options.builder().duplicateKeys(which).limit(Limit.MAX_NODES, 99).build();
            Object value = Yaml.with(documents).load(text);
            assertEquals(value.toString(), Yaml.with(events).load(text).toString());
            assertEquals(which == DuplicateKeys.FIRST, value.toString().startsWith("{1=a, b={k=1, l=2}"));
        }
    }

    @Test
    void loadRejectsSeveralDocuments() {
        assertNull(Yaml.load(""));
        assertEquals(List.of(), Yaml.loadAll(""));
        assertEquals(Arrays.asList(1, null, 3), Yaml.loadAll("1\n---\n--- 3\n"));
        ValueException error = assertThrows(ValueException.class, () -> Yaml.load("1\n--- 2\n"));
        assertEquals(List.of(2L, 5L), List.of(error.line(), error.column()));
        String message = "2:5: the stream has more than one document\n    --- 2\n        ^\n";
        assertTrue(error.getMessage().startsWith(message));
    }

    @Test
    void aLoneSurrogateHasALocation() {
        for (String half : List.of("\ud83d", "\ude00", "\ude00\ud83d")) {
            String yaml = "a: 1\nb: 😀x" + half + "y\n";
            YamlSyntaxException error =
                    assertThrows(YamlSyntaxException.class, () -> Yaml.load(yaml));
            assertEquals(List.of(2L, 6L, 13L), List.of(error.line(), error.column(), error.offset()));
            assertThrows(YamlSyntaxException.class, () -> Yaml.load(new StringReader(yaml)));
        }
        assertEquals("😀", Yaml.load("😀"));
    }

    @Test
    void exceptionsOfAStreamReachTheCallerUnchanged() {
        byte[] bytes = YAML.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i <= bytes.length; i++) {
            IOException thrown = new IOException("cable cut");
            InputStream broken = new java.io.SequenceInputStream(
                    new ByteArrayInputStream(bytes, 0, i), new InputStream() {
                        @Override
                        public int read() throws IOException {
                            throw thrown;
                        }
                    });
            assertSame(thrown, assertThrows(IOException.class, () -> Yaml.load(broken)));
        }
    }

    @Test
    void longTextsAreReadCompletely() {
        String text = "é" + "x".repeat(1 << 24);
        assertEquals(List.of(text, text), Yaml.load("- " + text + "\n- \"" + text + "\\\n  \"\n"));
        assertArrayEquals(new byte[] {-1, 0}, (byte[]) Yaml.load("!!binary \"/wA=\""));
    }

    @Test
    void theDialectOfSyckIsRead() {
        Options.Builder options = Options.builder().dialect(Dialect.SYCK);
        Loader syck = Yaml.with(options.build());
        Map<String, Object> values = Map.of(
                "[1,2, 3]", List.of(12, 3),
                "when: -1:30", Map.of("when", -30),
                "a: 1\n- b", Map.of("a", List.of("b")),
                "a: 1\na: 2", Map.of("a", 2),
                "- &x {a: 1}\n- <<: *x\n  b: yes", List.of(Map.of("a", 1), Map.of("a", 1, "b", true)),
                "x: &x 1\nb: &y *x\nc: *y", Map.of("x", 1, "b", 1, "c", 1),
                "- @a\n- *b", List.of("@a", new Tagged("x-private:bad-alias", "b")),
                "a: !dom/x y", Map.of("a", new Tagged("tag:dom.yaml.org,2002:x", "y")));
        values.forEach((text, value) -> assertEquals(value, syck.load(text), text));
        assertEquals(Arrays.asList(List.of(1), null), syck.loadAll("- 1\n--- ~\n"));
        Loader strict = Yaml.with(
                options.schema(Schema.CORE).duplicateKeys(DuplicateKeys.ERROR).build());
        assertEquals(List.of("1:30"), strict.load("- 1:30"));
        assertThrows(DuplicateKeyException.class, () -> strict.load("a: 1\na: 2"));
        assertEquals(2, assertThrows(YamlSyntaxException.class, () -> syck.load("a: 1\nb: [c, ]\n")).line());
        try (YamlParser parser = YamlParser.of("[1,2]", options.schema(Schema.SYCK).build())) {
            while (parser.next() && parser.kind() != EventKind.PLAIN) {
                assertEquals(ScalarType.STR, parser.type());
            }
            assertEquals(12, parser.value());
        }
    }

    @Test
    void optionsAreChecked() {
        assertThrows(IllegalArgumentException.class,
                () -> Options.builder().limit(Limit.MAX_TAG_HANDLES, 1, 1));
        assertThrows(IllegalArgumentException.class,
                () -> Options.builder().limit(Limit.MAX_DEPTH, -1));
        Loader lenient = Yaml.with(Options.builder().lenient(true).build());
        assertEquals(Map.of("a", List.of(1)), lenient.load("a: [\n1\n]\n"));
        assertThrows(YamlSyntaxException.class, () -> Yaml.load("a: [\n1\n]\n"));
        assertEquals("yes", Yaml.with(Options.builder().schema(Schema.CORE).build()).load("yes"));
        assertEquals(true, Yaml.with(Options.builder().schema(Schema.YAML11).build()).load("yes"));
        assertEquals("1", Yaml.with(Options.builder().schema(Schema.FAILSAFE).build()).load("1"));
    }

    @Test
    void aParserEndsAfterTheLastEvent() {
        YamlParser parser = YamlParser.of("[a]");
        while (parser.next()) {
            assertTrue(parser.offset() + parser.length() <= 3);
        }
        assertEquals(false, parser.next());
        assertThrows(IllegalStateException.class, parser::text);
        parser.close();
        try (YamlParser other = YamlParser.of("a")) {
            assertTrue(other.next());
            assertNull(other.text());
        }
        // A parser that ends early does not affect the next one.
        for (String yaml : List.of("[a, b", "- x\n- y\n")) {
            try (YamlParser first = YamlParser.of("{a: 1, b: 2}")) {
                assertTrue(first.next());
            }
            try (YamlParser second = YamlParser.of(yaml)) {
                assertTrue(second.next());
                assertEquals(EventKind.DOCUMENT_START, second.kind());
                assertTrue(second.next());
                assertEquals(EventKind.SEQUENCE_START, second.kind());
            }
        }
    }

    @Test
    void manyThreadsLoadAtOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(64);
        try {
            List<Callable<Object>> loads = new ArrayList<>();
            for (int i = 0; i < 2000; i++) {
                String key = "key" + i % 300;
                loads.add(() -> Yaml.load("- {" + key + ": " + key + ", same: 1}\n"));
            }
            int i = 0;
            for (Future<Object> value : threads.invokeAll(loads)) {
                String key = "key" + i++ % 300;
                assertEquals(List.of(Map.of(key, key, "same", 1)), value.get());
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void twoLoadsGiveNewObjects() {
        assertNotSame(Yaml.load("[]"), Yaml.load("[]"));
    }

    @Test
    void valuesAreSerializable() throws Exception {
        Object value = Yaml.with(Options.builder().schema(Schema.YAML11).build())
                .load("- !t [a, 2001-12-14]\n- {b: 1.5, c: !!binary aGk=}\n- 99999999999999999999\n");
        assertEquals(Yaml.dump(value), Yaml.dump(copy(value)));
    }

    @Test
    void exceptionsAreSerializable() throws Exception {
        Loader loader = Yaml.with(Options.builder().limit(Limit.MAX_DEPTH, 2).build());
        YamlException error = assertThrows(LimitException.class, () -> loader.load("a:\n - [[1]]"));
        LimitException same = assertInstanceOf(LimitException.class, copy(error));
        assertEquals(error.getMessage(), same.getMessage());
        assertEquals("MAX_DEPTH", same.setting());
        assertEquals(List.of(2L, error.column()), List.of(same.line(), same.column()));
        assertEquals(List.of(" - [[1]]", error.help()), List.of(same.lineText(), same.help()));
    }

    /** Serializes an object, and deserializes it. */
    private static Object copy(Object object) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    }

    private static BigInteger asLong(Object number) {
        return number instanceof BigInteger value ? value : BigInteger.valueOf(((Number) number).longValue());
    }
}
