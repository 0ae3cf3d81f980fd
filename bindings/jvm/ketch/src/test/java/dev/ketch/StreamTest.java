package dev.ketch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ketch.Repository.Case;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams: the same results as from arrays, in bounded memory, and their own exceptions. */
class StreamTest {
    /** Returns a few bytes at a time, then ends or fails. */
    private static final class Slow extends InputStream {
        private final byte[] bytes;
        private final int step;
        private final IOException failure;
        private int at;

        Slow(byte[] bytes, int step, IOException failure) {
            this.bytes = bytes;
            this.step = step;
            this.failure = failure;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] out, int offset, int length) throws IOException {
            int count = Math.min(Math.min(step, length), bytes.length - at);
            if (count == 0 && failure != null) {
                throw failure;
            }
            System.arraycopy(bytes, at, out, offset, count);
            at += count;
            return count == 0 ? -1 : count;
        }
    }

    private static List<Object> each(InputStream in) throws IOException {
        List<Object> values = new ArrayList<>();
        Yaml.forEach(in, values::add);
        return values;
    }

    private static List<String> events(YamlParser parser) {
        List<String> events = new ArrayList<>();
        try (parser) {
            while (parser.next()) {
                events.add(parser.kind() + " " + parser.text() + " " + parser.isFlow()
                        + parser.isExplicit() + parser.offset() + "+" + parser.length());
            }
        } catch (YamlException error) {
            events.add(error.getMessage());
        }
        return events;
    }

    private static String outcome(ThrowingSupplier load) throws IOException {
        try {
            return String.valueOf(load.get()).replaceAll("\\[B@\\w+", "bytes");
        } catch (YamlException error) {
            return error.getMessage();
        }
    }

    private interface ThrowingSupplier {
        Object get() throws IOException;
    }

    @Test
    @Tag("fetched")
    void streamsAndArraysLoadTheSameValues() throws IOException {
        for (Case kase : Repository.suite()) {
            byte[] bytes = kase.yaml().getBytes(StandardCharsets.UTF_8);
            String expected = outcome(() -> Yaml.loadAll(bytes));
            for (int step : new int[] {1, 3, 1000}) {
                assertEquals(expected, outcome(() -> each(new Slow(bytes, step, null))), kase.id());
                assertEquals(events(YamlParser.of(bytes)),
                        events(YamlParser.of(new Slow(bytes, step, null))), kase.id());
            }
            assertEquals(expected, outcome(() -> Yaml.loadAll(new Slow(bytes, 1, null))), kase.id());
            assertEquals(
                    expected, outcome(() -> Yaml.stream(new Slow(bytes, 3, null)).toList()), kase.id());
        }
    }

    @Test
    @Tag("fetched")
    void streamsAndArraysLoadTheSameValuesInTheDialectOfSyck() throws IOException {
        Loader syck = Yaml.with(Options.builder().dialect(Dialect.SYCK).build());
        for (Case kase : Repository.suite()) {
            byte[] bytes = kase.yaml().getBytes(StandardCharsets.UTF_8);
            // Some of the values contain themselves, so they have no text in Java.
            String expected = outcome(() -> Yaml.dumpAll(syck.loadAll(bytes)));
            assertEquals(expected,
                    outcome(() -> Yaml.dumpAll(syck.stream(new Slow(bytes, 3, null)).toList())), kase.id());
        }
    }

    @Test
    void aStreamMayFailAtEachByte() {
        String yaml = "masts: &m [main, \"miz\\u00e9\"]\n? {a: 1}\n: *m\n--- |\n  Grüße\n";
        byte[] bytes = yaml.getBytes(StandardCharsets.UTF_8);
        for (int end = 0; end <= bytes.length; end++) {
            byte[] part = Arrays.copyOf(bytes, end);
            IOException failure = new EOFException("byte " + end);
            assertSame(failure, assertThrows(IOException.class,
                    () -> Yaml.loadAll(new Slow(part, 4, failure))));
            assertSame(failure, assertThrows(IOException.class,
                    () -> each(new Slow(part, 4, failure))));
            assertSame(failure, assertThrows(IOException.class,
                    () -> Yaml.checkSyntax(new Slow(part, 4, failure))));
            YamlParser parser = YamlParser.of(new Slow(part, 4, failure));
            Exception thrown = assertThrows(UncheckedIOException.class, () -> {
                while (parser.next()) {
                    parser.text();
                }
            });
            assertSame(failure, thrown.getCause());
        }
    }

    @Test
    void documentsBeforeAnErrorArePassed() {
        List<Object> values = new ArrayList<>();
        InputStream in = new Slow("1\n---\n2\n---\n]".getBytes(StandardCharsets.UTF_8), 2, null);
        YamlSyntaxException error =
                assertThrows(YamlSyntaxException.class, () -> Yaml.forEach(in, values::add));
        assertEquals(List.of(1, 2), values);
        assertEquals(5, error.line());
    }

    @Test
    void exceptionsOfAConsumerReachTheCallerUnchanged() throws IOException {
        RuntimeException thrown = new RuntimeException("mine");
        InputStream in = new ByteArrayInputStream(new byte[] {'1'});
        assertSame(thrown, assertThrows(RuntimeException.class, () -> Yaml.forEach(in, value -> {
            throw thrown;
        })));
        // A consumer can itself load.
        List<Object> values = new ArrayList<>();
        Yaml.forEach(new StringReader("a\n---\nb"), value -> values.add(Yaml.load("[" + value + "]")));
        assertEquals(List.of(List.of("a"), List.of("b")), values);
    }

    /** Creates a reader that returns one UTF-16 unit at a time. */
    private static Reader units(String text) {
        return new StringReader(text) {
            @Override
            public int read(char[] out, int offset, int length) throws IOException {
                return super.read(out, offset, Math.min(1, length));
            }
        };
    }

    @Test
    void charactersOfAReaderAreDecodedFromUtf16() throws IOException {
        String text = "a: [\"é\", ह, €, 🚢, \ue000]\nb: " + "🚢x".repeat(40_000);
        assertEquals(Yaml.load(text), Yaml.load(new StringReader(text)));
        assertEquals(Yaml.load(text), Yaml.load(units(text)));
        for (String broken : List.of("a: 🚢\nb: é\ud83dx", "a: 🚢\nb: é\udea2", "a: 🚢\nb: é\ud83d")) {
            YamlException expected = assertThrows(YamlException.class, () -> Yaml.load(broken));
            YamlException read = assertThrows(YamlException.class, () -> Yaml.load(units(broken)));
            assertEquals(expected.getMessage(), read.getMessage());
            assertEquals(expected.lineText(), read.lineText());
            assertEquals("2:5 at 13", read.line() + ":" + read.column() + " at " + read.offset());
        }
    }

    /**
     * When the native buffer is nearly full, it asks for one to three bytes, which is less than a
     * character may need.
     */
    @Test
    void longScalarsOfAReaderAreRead() throws IOException {
        for (String unit : List.of("x", "é", "世", "🚢")) {
            for (int length = 131_066; length < 131_075; length++) {
                String text = "y".repeat(length % 4) + unit.repeat(length / unit.length());
                assertEquals(List.of(text), Yaml.stream(new StringReader(text)).toList());
                assertEquals(text, Yaml.load(new StringReader(text)));
                Yaml.forEach(new StringReader("# " + text + "\n--- 1\n"), value -> assertEquals(1, value));
            }
        }
        Reader hesitant = new StringReader("- ketch") {
            @Override
            public int read(char[] units, int offset, int length) {
                return 0;
            }
        };
        assertEquals(List.of("ketch"), Yaml.load(hesitant));
    }

    @Test
    void streamsThatReturnTooMuchAreRejected() {
        InputStream bytes = new InputStream() {
            @Override
            public int read() {
                return 'a';
            }

            @Override
            public int read(byte[] out, int offset, int length) {
                return length + 1;
            }
        };
        Reader units = new StringReader("") {
            @Override
            public int read(char[] out, int offset, int length) {
                return length + 1;
            }
        };
        assertThrows(IOException.class, () -> Yaml.load(bytes));
        assertThrows(IOException.class, () -> Yaml.load(units));
    }

    /** The first bytes of UTF-16 have NULs, too. */
    @Test
    void textIsNeverTakenForUtf16() {
        for (String text : List.of("a\0:\0 \0b\0", "\0a", "é\0", "ab\0", "abc\0", "abcd\0")) {
            YamlException error = assertThrows(YamlException.class, () -> Yaml.load(text));
            YamlException read = assertThrows(YamlException.class, () -> Yaml.load(new StringReader(text)));
            for (YamlException each : List.of(error, read)) {
                assertEquals("Control", each.name());
                assertEquals(1 + text.indexOf(0), each.column());
            }
        }
    }

    /** Only the hash of a key causes such an error in Ketch's own code. */
    @Test
    void aStackOverflowOfTheProgramIsPassedOn() {
        StackOverflowError overflow = new StackOverflowError();
        byte[] yaml = "[1]".getBytes(StandardCharsets.UTF_8);
        assertSame(overflow, assertThrows(StackOverflowError.class,
                () -> Yaml.forEach(new ByteArrayInputStream(yaml), value -> {
                    throw overflow;
                })));
        InputStream in = new InputStream() {
            @Override
            public int read() {
                throw overflow;
            }
        };
        assertSame(overflow, assertThrows(StackOverflowError.class, () -> Yaml.load(in)));
        assertSame(overflow, assertThrows(
                StackOverflowError.class, () -> Yaml.stream(in).forEach(value -> { })));
    }

    @Test
    void largeFilesAreRead(@TempDir Path folder) throws IOException {
        String text = "- {name: ketch, masts: [main, mizzen]}\n".repeat(200_000);
        Path file = Files.writeString(folder.resolve("large.yml"), text);
        assertEquals(Yaml.load(text), Yaml.load(file));
        Files.writeString(file, text + "]");
        YamlException error = assertThrows(YamlException.class, () -> Yaml.load(file));
        assertTrue(error.getMessage().startsWith(file + ":200001:1:"), error.getMessage());
    }

    /** A text that is repeated. */
    private static final class Repeated extends InputStream {
        private final byte[] text;
        private long left;
        private int at;

        /** Repeats the text until there are this many bytes, or endlessly for {@code Long.MAX_VALUE}. */
        Repeated(String text, long bytes) {
            this.text = text.getBytes(StandardCharsets.UTF_8);
            this.left = bytes / text.length();
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read(byte[] out, int offset, int length) {
            if (left == 0) {
                return -1;
            }
            int count = Math.min(length, text.length - at);
            System.arraycopy(text, at, out, offset, count);
            at += count;
            if (at == text.length) {
                at = 0;
                left--;
            }
            return count;
        }
    }

    private static final int LONG = 256 << 20;
    private static final String DOCUMENT =
            "---\nname: ketch\nmasts: [main, mizzen]\n" + "# sails\n".repeat(1000);

    /** Fails if a task increases the resident memory by more than half of {@link #LONG}. */
    private static void bounded(ThrowingSupplier task) throws IOException {
        long before = residentKiB();
        task.get();
        long grown = residentKiB() - before;
        assertTrue(grown < LONG >> 11, grown + " KiB");
    }

    @Test
    void documentsTakeBoundedMemory() throws IOException {
        AtomicLong count = new AtomicLong();
        bounded(() -> {
            Yaml.forEach(new Repeated(DOCUMENT, LONG), value -> count.incrementAndGet());
            return null;
        });
        assertEquals(LONG / DOCUMENT.length(), count.get());
    }

    @Test
    void anEndlessStreamIsReadAsFarAsNeeded() throws IOException {
        int most = LONG / DOCUMENT.length();
        bounded(() -> {
            try (Stream<Object> documents = Yaml.stream(new Repeated(DOCUMENT, Long.MAX_VALUE))) {
                assertEquals(most, documents.limit(most).filter(Map.class::isInstance).count());
            }
            return null;
        });
    }

    @Test
    void theEventsOfALongDocumentTakeBoundedMemory() throws IOException {
        String item = "- {name: ketch, masts: [main, mizzen], note: \"\\u00e9\"}\n";
        AtomicLong count = new AtomicLong();
        bounded(() -> {
            try (YamlParser parser = YamlParser.of(new Repeated(item, LONG))) {
                while (parser.next()) {
                    count.addAndGet(parser.kind() == EventKind.MAPPING_START ? 1 : 0);
                }
            }
            return null;
        });
        assertEquals(LONG / item.length(), count.get());
    }

    @Test
    void theSyntaxOfALongDocumentIsCheckedInBoundedMemory(@TempDir Path folder) throws IOException {
        String item = "- {name: ketch, masts: [main, mizzen]}\n";
        bounded(() -> {
            Yaml.checkSyntax(new Repeated(item, LONG));
            return null;
        });
        Path file = Files.writeString(folder.resolve("fleet.yml"), "- 1\n- [2\n");
        YamlException error = assertThrows(YamlException.class, () -> Yaml.checkSyntax(file));
        assertTrue(error.line() >= 2 && error.getMessage().contains("fleet.yml:"), error.getMessage());
    }

    @Test
    void aStreamOfDocumentsYieldsWhatWasReadBeforeAnError() {
        Iterator<Object> documents = Yaml.stream(new StringReader("1\n---\n\n---\n]")).iterator();
        assertEquals(1, documents.next());
        assertNull(documents.next());
        assertEquals(5, assertThrows(YamlSyntaxException.class, documents::hasNext).line());
        IOException failure = new EOFException();
        Stream<Object> failing =
                Yaml.stream(new Slow("1\n---\n2".getBytes(StandardCharsets.UTF_8), 2, failure));
        UncheckedIOException thrown = assertThrows(UncheckedIOException.class, failing::toList);
        assertSame(failure, thrown.getCause());
    }

    /** Returns the resident memory of this process. */
    private static long residentKiB() throws IOException {
        String line = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(status -> status.startsWith("VmRSS:")).findFirst().orElseThrow();
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
    }
}
