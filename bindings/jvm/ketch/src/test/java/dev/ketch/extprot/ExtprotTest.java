package dev.ketch.extprot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ketch.Items;
import dev.ketch.Json;
import dev.ketch.Repository;
import dev.ketch.Tagged;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Values without a schema, streams, and corrupt data. */
class ExtprotTest {
    private static final int COUNT = Integer.getInteger("ketch.corrupt", 50_000);

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    @Test
    void valuesAreThoseOfTheDataModel() {
        int count = 0;
        for (Object row : (List<?>) Json.read(Repository.read("conformance/data-model.json"))) {
            Map<?, ?> entry = (Map<?, ?>) row;
            if (!(entry.get("hex") instanceof String hex) || !(entry.get("items") instanceof List<?> expected)) {
                continue;
            }
            List<String> items = new ArrayList<>();
            List<Object> values = Extprot.loadAll(bytes(hex));
            values.forEach(value -> Items.add(value, items));
            // A row that only readers accept is written in canonical form.
            boolean isCanonical = entry.get("yaml") != null;
            if (hex.startsWith("31") && !expected.equals(items)) {
                // Java has no offset of more than 18 hours.
                continue;
            }
            assertEquals(expected, items, hex);
            ByteArrayOutputStream written = new ByteArrayOutputStream();
            values.forEach(value -> written.writeBytes(Extprot.dump(value)));
            if (isCanonical) {
                assertEquals(hex.replace(" ", ""), HexFormat.of().formatHex(written.toByteArray()));
            }
            count++;
        }
        assertTrue(count >= 63, "rows: " + count);
    }

    @Test
    void allSourcesHaveTheSameResult() throws IOException {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("name", "Grüße");
        value.put("masts", Arrays.asList("main", null, new Tagged("!t", 1.5)));
        byte[] written = Extprot.dump(value);
        assertEquals(value, Extprot.load(written));
        assertEquals(value, Extprot.load(ByteBuffer.allocateDirect(99).put(written).flip()));
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        Extprot.dump(value, stream);
        assertEquals(List.of(value), Extprot.loadAll(stream.toByteArray()));
        assertEquals("java.util.LinkedHashMap", Extprot.load(written).getClass().getName());
    }

    /** Returns what a text has to be written as. */
    private static byte[] written(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(Wire.BYTES);
        int rest = utf8.length;
        for (; rest >= 0x80; rest >>>= 7) {
            out.write(rest & 0x7f | 0x80);
        }
        out.write(rest);
        out.writeBytes(utf8);
        return out.toByteArray();
    }

    @Test
    void textsAreEncodedAsTheJdkDoes() {
        for (String part : List.of("a", "é", "ह", "🚢", "?é", "🚢?")) {
            for (String head : List.of("", "a", "é")) {
                for (int count : new int[] {0, 1, 15, 23, 46, 47, 48, 49, 127, 128, 1023, 1024, 1025}) {
                    String text = head + part.repeat(count);
                    assertArrayEquals(written(text), Extprot.dump(text), head + " " + part + " " + count);
                }
            }
        }
    }

    @Test
    void halvesOfSurrogatePairsAreRefused() {
        for (String half : List.of("\ud83d", "\udea2", "\ud83d\ud83d\udea2", "\udea2\ud83d", "\ud83da")) {
            for (int count : new int[] {0, 1, 7, 47, 48, 49, 1023, 1024, 5000}) {
                for (String rest : List.of("a", "?", "é", "🚢")) {
                    for (String text : List.of(half + rest.repeat(count), rest.repeat(count) + half)) {
                        IllegalArgumentException error = assertThrows(IllegalArgumentException.class,
                                () -> Extprot.dump(Map.of("text", text)));
                        assertTrue(error.getMessage().startsWith("half of a surrogate pair"), error.getMessage());
                        IllegalArgumentException same =
                                assertThrows(IllegalArgumentException.class, () -> Bytes.of(text));
                        assertEquals(error.getMessage(), same.getMessage());
                    }
                }
            }
        }
        assertThrows(IllegalArgumentException.class, () -> Extprot.dump(Map.of("\ud83d", 1)));
        assertThrows(IllegalArgumentException.class, () -> Extprot.dump(new Tagged("!\ud83d", "x")));
    }

    @Test
    void onlyTheYearsOfTheDataModelAreWrittenAndRead() {
        LocalDateTime first = LocalDateTime.of(0, 1, 1, 0, 0);
        LocalDateTime last = LocalDateTime.of(9999, 12, 31, 23, 59, 59, 999_999_999);
        for (ZoneOffset zone : List.of(ZoneOffset.UTC, ZoneOffset.ofHours(18), ZoneOffset.ofHours(-18))) {
            for (Object time : List.of(first, last, first.toLocalDate(), last.toLocalDate(),
                    first.atOffset(zone), last.atOffset(zone))) {
                assertEquals(time, Extprot.load(Extprot.dump(time)));
            }
            for (Object time : List.of(first.minusNanos(1), last.plusNanos(1), first.toLocalDate().minusDays(1),
                    last.toLocalDate().plusDays(1), first.minusNanos(1).atOffset(zone),
                    last.plusNanos(1).atOffset(zone), LocalDate.MAX, LocalDateTime.MIN, OffsetDateTime.MAX)) {
                IllegalArgumentException error =
                        assertThrows(IllegalArgumentException.class, () -> Extprot.dump(time), "" + time);
                assertEquals("timestamps have only the years 0 to 9999", error.getMessage());
            }
        }
        for (String wrong : List.of(
                "31 0b 03 00 80 86 a2 ff df 0e 00 00 0a", // the year 10000
                "31 0b 03 00 81 f0 a3 97 cf 03 00 00 0a", // a second before the year 0
                "31 08 03 00 82 c6 0a 00 00 1a", // a day and a second
                "31 08 03 00 80 c6 0a 00 02 1a", // a day and a nanosecond
                "31 07 03 00 02 00 01 00 00", // -1 nanoseconds
                "31 0b 03 00 02 00 80 a8 d6 b9 07 00 00", // a second of nanoseconds
                "31 08 03 00 00 00 00 00 c0 16", // an offset of a day
                "31 0c 03 00 fe 85 a2 ff df 0e 00 00 00 02", // the year 10000 in its zone
                "31 10 03 00 00 00 00 00 ff ff ff ff ff ff ff ff ff 01")) { // the least offset
            ExtprotException error = assertThrows(ExtprotException.class, () -> Extprot.load(bytes(wrong)), wrong);
            assertTrue(error.getMessage().contains("a time that is out of range"), wrong + error.getMessage());
        }
    }

    @Test
    void aValueHasAtMostOneTag() {
        assertThrows(IllegalArgumentException.class, () -> Extprot.dump(new Tagged("!a", new Tagged("!b", 1))));
        Object inList = new Tagged("!a", List.of(new Tagged("!b", 1)));
        assertEquals(inList, Extprot.load(Extprot.dump(inList)));
    }

    @Test
    void equalValuesOfOtherClassesHaveTheSameBytes() {
        Map<String, Object> usual = new LinkedHashMap<>();
        usual.put("list", new ArrayList<>(List.of(1, -7, 1 << 20)));
        usual.put("map", new LinkedHashMap<>(Map.of("é", 1.5)));
        Map<String, Object> other = new TreeMap<>();
        other.put("map", Collections.unmodifiableMap(new HashMap<>(Map.of("é", 1.5f))));
        other.put("list", new LinkedList<>(List.of(1L, (byte) -7, BigInteger.valueOf(1 << 20))));
        assertArrayEquals(Extprot.dump(usual), Extprot.dump(other));
    }

    @Test
    void manyThreadsWriteAtOnce() {
        // Writers pass their arrays on to later ones.
        IntStream.range(0, 5_000).parallel().forEach(number -> {
            List<Object> value = List.of(number, "text ".repeat(number % 100), List.of());
            if (number % 7 == 0) {
                assertThrows(IllegalArgumentException.class, () -> Extprot.dump(List.of(value, new Object())));
            }
            assertEquals(value, Extprot.load(Extprot.dump(value)));
        });
    }

    @Test
    void deepDataDoesNotOverflowTheStack() {
        Object deep = 1;
        for (int i = 0; i < 9_999; i++) {
            deep = List.of(deep);
        }
        byte[] written = Extprot.dump(deep);
        Object read = Extprot.load(written);
        for (int i = 0; i < 9_999; i++) {
            read = ((List<?>) read).get(0);
        }
        assertEquals(1, read);
        ExtprotException error = assertThrows(ExtprotException.class,
                () -> Extprot.load(written, Limits.DEFAULT.withMaxDepth(10)));
        assertEquals("maxDepth", error.setting());
        assertEquals("nesting of 11 levels exceeds maxDepth (10); raise it in Limits", error.problem());
        List<Object> cycle = new ArrayList<>();
        cycle.add(cycle);
        error = assertThrows(ExtprotException.class, () -> Extprot.dump(cycle));
        assertEquals(ExtprotException.Kind.LIMIT_EXCEEDED, error.kind());
        assertNull(error.setting());
        assertEquals("nesting of more than 10000 levels cannot be written;"
                + " check whether a list or map contains itself", error.getMessage());
        assertThrows(IllegalArgumentException.class, () -> Extprot.dump(new Object()));
    }

    @Test
    void errorsHaveALocation() {
        ExtprotException error = assertThrows(ExtprotException.class,
                () -> Extprot.load(bytes("05 04 02 00 02 04 00 00")));
        assertEquals(ExtprotException.Kind.NOT_IN_MODEL, error.kind());
        assertEquals("offset 6: Bits32 with tag 0 is not in the data model; read it by its schema",
                error.getMessage());
        byte[] twice = bytes("07 09 02 03 01 61 0a 03 01 61 0a");
        assertEquals(ExtprotException.Kind.DUPLICATE_KEY,
                assertThrows(ExtprotException.class, () -> Extprot.load(twice)).kind());
        byte[] invalid = bytes("03 01 ff");
        assertEquals(ExtprotException.Kind.NOT_UTF8,
                assertThrows(ExtprotException.class, () -> Extprot.load(invalid)).kind());
    }

    @Test
    void limitsApplyWithoutASchema() {
        byte[] list = bytes("05 07 03 00 02 00 04 00 06");
        assertEquals(List.of(1, 2, 3), Extprot.load(list, Limits.DEFAULT.withMaxElements(3).withMaxBlockBytes(7)));
        for (Limits limits : List.of(Limits.DEFAULT.withMaxElements(2), Limits.DEFAULT.withMaxBlockBytes(6))) {
            ExtprotException error = assertThrows(ExtprotException.class, () -> Extprot.load(list, limits));
            assertEquals(ExtprotException.Kind.LIMIT_EXCEEDED, error.kind());
        }
        byte[] two = bytes("0a 0a");
        assertEquals(ExtprotException.Kind.TRAILING_BYTES,
                assertThrows(ExtprotException.class, () -> Extprot.load(two)).kind());
    }

    private static Reader.Decoder<Object> reader(String schema, String name) {
        return Generated.decoder(Generated.type(schema, name), "read");
    }

    @Test
    @Tag("fetched")
    void aStreamMayBeCutAtEachByte() throws IOException {
        byte[] one = bytes("01 08 02 00 02 03 03 41 6e 6e");
        for (int end = 0; end < one.length; end++) {
            byte[] part = new byte[one.length + end];
            System.arraycopy(one, 0, part, 0, one.length);
            System.arraycopy(one, 0, part, one.length, end);
            MessageStream<Object> stream =
                    Extprot.messages(new ByteArrayInputStream(part), reader("compound", "inner"));
            assertEquals("Inner[id=1, name=Ann]", stream.next().toString());
            if (end > 0) {
                ExtprotException error = assertThrows(ExtprotException.class, stream::next);
                assertEquals(ExtprotException.Kind.EOF, error.kind());
                assertEquals(one.length, error.offset());
            }
            assertNull(stream.next());
        }
    }

    @Test
    @Tag("fetched")
    void exceptionsOfAStreamReachTheCallerUnchanged() throws IOException {
        IOException failure = new IOException("cable");
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw failure;
            }
        };
        InputStream part = new ByteArrayInputStream(bytes("01 08 02 00"));
        MessageStream<Object> stream =
                Extprot.messages(new SequenceInputStream(part, broken), reader("compound", "inner"));
        assertSame(failure, assertThrows(IOException.class, stream::next));
    }

    @Test
    @Tag("fetched")
    void aWrongLengthDoesNotAllocateMemory() {
        byte[] lie = bytes("01 ff ff ff ff 07 02 00");
        ExtprotException error = assertThrows(ExtprotException.class,
                () -> Extprot.messages(new ByteArrayInputStream(lie), reader("compound", "inner")).next());
        assertEquals(ExtprotException.Kind.LIMIT_EXCEEDED, error.kind());
        assertThrows(ExtprotException.class, () -> Extprot.load(bytes("05 ff ff ff 7f 01")));
        assertThrows(ExtprotException.class, () -> Extprot.load(bytes("05 06 ff ff ff ff 7f 0a")));
    }

    @Test
    @Tag("fetched")
    void corruptDataIsReadOrRejected() throws IOException {
        Random random = new Random(16);
        byte[] model = Extprot.dump(List.of(Map.of("a", 1, "b", List.of(1.5, true)), "text",
                new Tagged("!t", new byte[3]), 1L << 62, new BigInteger("9".repeat(30))));
        byte[] typed = bytes("01 16 03 00 02 03 03 41 6e 6e 05 0c 02 01 04 02 00 02 0a 11 03 01 02 01");
        List<Reader.Decoder<Object>> decoders = List.of(
                reader("compound", "outer"), reader("sums", "mshape"), reader("unions", "scene"),
                reader("lazies", "lz_comp"), reader("subsets", "s_bd"));
        int refused = 0;
        for (int i = 0; i < COUNT; i++) {
            byte[] source = i % 2 == 0 ? model : typed;
            byte[] changed = Arrays.copyOf(source, 1 + random.nextInt(source.length));
            for (int j = random.nextInt(4); j >= 0; j--) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            }
            try {
                if (i % 2 == 0) {
                    Extprot.loadAll(changed);
                } else {
                    Generated.render(Extprot.decode(changed, decoders.get(i / 2 % decoders.size())));
                }
            } catch (ExtprotException expected) {
                refused++;
            }
        }
        assertTrue(refused > COUNT / 2, refused + " of " + COUNT);
    }

    @Test
    void validTextReadsBackUnchanged() {
        String text = "\ufffd é 🚢";
        assertEquals(text, Extprot.load(Extprot.dump(text)));
        assertEquals("0xff", Bytes.of((byte) 0xff).toString());
        for (String valid : List.of("é", "a?b", "\ud83d\udea2?", "")) {
            assertEquals(Bytes.of(valid.getBytes(StandardCharsets.UTF_8)), Bytes.of(valid));
            assertEquals(valid, Bytes.of(valid).utf8());
        }
    }
}
