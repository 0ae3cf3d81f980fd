package dev.ketch.jackson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.SequenceWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests Jackson's sources and targets. */
class StreamTest {
    private static final String YAML = "a: é\n---\n- 1\n- &x [größe]\n- *x\n--- last\n";

    private final KetchYamlMapper mapper = new KetchYamlMapper();

    private static final class Watched extends ByteArrayInputStream {
        boolean isClosed;

        Watched(byte[] bytes) {
            super(bytes);
        }

        @Override
        public synchronized int read(byte[] out, int offset, int length) {
            return super.read(out, offset, Math.min(length, 3));
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void allSourcesHaveTheSameResult(@TempDir Path folder) throws IOException {
        List<Object> expected =
                List.of(Map.of("a", "é"), List.of(1, List.of("größe"), List.of("größe")), "last");
        var reader = mapper.readerFor(Object.class);
        byte[] padded = bytes("xx" + YAML + "yy");
        File file = folder.resolve("ships.yml").toFile();
        java.nio.file.Files.writeString(file.toPath(), YAML);
        List<MappingIterator<Object>> all = List.of(
                reader.readValues(YAML),
                reader.readValues(bytes(YAML)),
                reader.readValues(padded, 2, padded.length - 4),
                reader.readValues(new StringReader(YAML)),
                reader.readValues(new Watched(bytes(YAML))),
                reader.readValues(new ByteArrayInputStream(YAML.getBytes(StandardCharsets.UTF_16))),
                reader.readValues(YAML.getBytes(StandardCharsets.UTF_16LE)),
                reader.readValues(file));
        for (MappingIterator<Object> values : all) {
            assertEquals(expected, values.readAll());
        }
        try (JsonParser parser = mapper.createParser(YAML.toCharArray())) {
            assertEquals(Map.of("a", "é"), parser.readValueAs(Object.class));
        }
    }

    @Test
    void locationsAreTheSameForStreams() {
        String yaml = "# é\n\n- {depth: 1}\n-   # é\n  depth: ü\n";
        record Port(int depth) {}
        for (int i = 0; i < 4; i++) {
            int form = i;
            JsonMappingException error = assertThrows(JsonMappingException.class, () -> {
                switch (form) {
                    case 0 -> mapper.readValue(yaml, Port[].class);
                    case 1 -> mapper.readValue(new Watched(bytes(yaml)), Port[].class);
                    case 2 -> mapper.readValue(yaml.getBytes(StandardCharsets.UTF_16BE), Port[].class);
                    default -> mapper.readValue(bytes("\ufeff" + yaml), Port[].class);
                }
            });
            assertEquals("5:10", error.getLocation().getLineNr() + ":"
                    + error.getLocation().getColumnNr(), "form " + form);
        }
    }

    @Test
    void sourcesAreClosedAsAsked() throws IOException {
        Watched in = new Watched(bytes("a"));
        mapper.readTree(in);
        assertTrue(in.isClosed);
        Watched open = new Watched(bytes("a"));
        mapper.reader().without(JsonParser.Feature.AUTO_CLOSE_SOURCE).readTree(open);
        assertFalse(open.isClosed);
    }

    @Test
    void exceptionsOfAStreamReachTheCallerUnchanged() {
        IOException failure = new IOException("the cable is cut");
        InputStream in = new InputStream() {
            private int left = 400_000;

            @Override
            public int read() throws IOException {
                if (left == 0) {
                    throw failure;
                }
                return "- a\n".charAt(3 - --left % 4);
            }
        };
        assertSame(failure, assertThrows(IOException.class, () -> mapper.readTree(in)));
        OutputStream out = new OutputStream() {
            @Override
            public void write(int unit) throws IOException {
                throw failure;
            }
        };
        assertSame(failure, assertThrows(IOException.class, () -> mapper.writeValue(out, List.of(1))));
    }

    @Test
    void aLoneSurrogateIsAnError() {
        assertThrows(JsonProcessingException.class, () -> mapper.readTree("a: \ud800"));
        assertThrows(JsonProcessingException.class,
                () -> mapper.readTree(new StringReader("a: \ud800")));
        assertThrows(JsonProcessingException.class, () -> mapper.writeValueAsString("\ud800"));
    }

    @Test
    void documentsAreWrittenOneAfterTheOther() throws IOException {
        StringWriter out = new StringWriter();
        try (SequenceWriter writer = mapper.writer().writeValues(out)) {
            writer.write(Map.of("größe", 1)).write(2).write(List.of("x"));
        }
        assertEquals("größe: 1\n--- 2\n---\n- x\n", out.toString());
        assertEquals(3, mapper.readerFor(Object.class).readValues(out.toString()).readAll().size());
    }

    @Test
    void aGeneratorChecksWhatIsWritten() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator generator = mapper.createGenerator(out)) {
            generator.writeStartObject();
            assertThrows(JsonProcessingException.class, () -> generator.writeString("no key"));
            assertThrows(JsonProcessingException.class, generator::writeEndArray);
            assertThrows(UnsupportedOperationException.class, () -> generator.writeRaw("x: 1"));
            generator.writeFieldName("a");
            generator.writeStartArray();
            generator.writeString(new StringReader("text"), -1);
            generator.writeString("xabcx".toCharArray(), 1, 3);
            generator.writeUTF8String(bytes("é"), 0, 2);
        }
        assertEquals("a:\n- text\n- abc\n- é\n", out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void aLongStreamOfDocumentsIsReadInBoundedMemory() throws IOException {
        byte[] document = bytes("---\nname: &n Ariel\nhome: *n\n");
        long count = 200_000;
        InputStream in = new InputStream() {
            private long left = count * document.length;

            @Override
            public int read() {
                return left == 0 ? -1 : document[(int) ((-left--) % document.length + document.length)
                        % document.length];
            }
        };
        long seen = 0;
        try (MappingIterator<Map<String, String>> values =
                mapper.readerForMapOf(String.class).readValues(in)) {
            while (values.hasNext()) {
                assertEquals("Ariel", values.next().get("home"));
                seen++;
            }
        }
        assertEquals(count, seen);
    }
}
