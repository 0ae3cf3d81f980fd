package dev.ketch.jackson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.format.InputAccessor;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What programs ask parsers and factories of, beyond tokens, is as with Jackson's YAMLFactory. */
class ModelTest {
    private static final String YAML = "\u00e9: [1, {b: \ud835\udcb3, c: [x, y]}, []]\nd: 2\ne: [[], [7]]\n--- 7\n--- [8, 9]\n";

    private interface Fact {
        Object of(JsonParser parser);
    }

    private static List<Object> facts(JsonFactory factory, Fact fact) throws IOException {
        List<Object> facts = new ArrayList<>();
        try (JsonParser parser = factory.createParser(YAML)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                facts.add(token + " " + fact.of(parser));
            }
        }
        return facts;
    }

    private static void check(Fact fact) throws IOException {
        List<Object> expected = facts(new YAMLFactory(), fact);
        assertTrue(expected.size() > 30, "" + expected.size());
        assertEquals(expected, facts(new KetchYamlFactory(), fact));
    }

    @Test
    void theContextHasIndicesOfArrays() throws IOException {
        check(parser -> parser.getParsingContext().getCurrentIndex());
        check(parser -> parser.getParsingContext().getEntryCount());
        check(parser -> parser.getParsingContext().pathAsPointer());
    }

    @Test
    void locationsHaveOffsetsInCharacters() throws IOException {
        check(parser -> parser.currentTokenLocation().getCharOffset());
        byte[] bytes = YAML.getBytes(StandardCharsets.UTF_8);
        try (JsonParser parser = new KetchYamlFactory().createParser(bytes)) {
            parser.nextToken();
            parser.nextToken();
            parser.nextToken();
            assertEquals(3, parser.currentTokenLocation().getCharOffset());
            assertEquals(4, parser.currentTokenLocation().getByteOffset());
        }
        // The text of a stream is not kept.
        try (JsonParser parser = new KetchYamlFactory().createParser(new ByteArrayInputStream(bytes))) {
            parser.nextToken();
            assertEquals(-1, parser.currentTokenLocation().getCharOffset());
        }
    }

    @Test
    void anAliasHasTheOffsetOfItsNode() throws IOException {
        try (JsonParser parser = new KetchYamlFactory().createParser("\u00e9: &a x\nb: *a\n")) {
            List<Long> offsets = new ArrayList<>();
            while (parser.nextToken() != null) {
                offsets.add(parser.currentTokenLocation().getCharOffset());
            }
            assertEquals(List.of(0L, 0L, 6L, 8L, 6L, 14L), offsets);
        }
    }

    @Test
    void blockScalarsEndAsInYamlFactory() throws IOException {
        int read = 0;
        for (String start : List.of("", "a: ", "- - ")) {
            for (String header : List.of("|", "|-", "|+", ">", ">-", ">+", "|1", "|2-")) {
                for (String text : List.of("x", " x", "x\n  y", "x\n ", "x\n    ", "", "x\r\n  y", "x\n\n  y\n  ")) {
                    for (String end : List.of("", "\n", "\r\n", "\n\n", "\n  ", "\nb: 1", "\n...", "\n--- 1")) {
                        String yaml = start + header + "\n  " + text + end;
                        String theirs = Tokens.of(new YAMLFactory(), yaml);
                        if (!theirs.contains("error")) {
                            assertEquals(theirs, Tokens.of(new KetchYamlFactory(), yaml), yaml);
                            read++;
                        }
                    }
                }
            }
        }
        assertTrue(read > 1000, "" + read);
    }

    @Test
    void theFormatIsRecognizedByTheSameBytes() throws IOException {
        byte[] mark = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
        List<byte[]> inputs = new ArrayList<>();
        for (String text : List.of("", "-", "--", "---", "--- a", "----", "a: 1", "{", "\ufeff", "\ufeff---\n",
                "\ufeff--", "\ufeffx", "\ufeff\ufeff---", "\u00ef---", " ---", "...", "%YAML 1.1\n---", "-\ufeff--")) {
            inputs.add(text.getBytes(StandardCharsets.UTF_8));
        }
        for (int length = 1; length < 3; length++) {
            byte[] cut = java.util.Arrays.copyOf(mark, length);
            byte[] other = java.util.Arrays.copyOf(cut, length + 1);
            other[length] = '-';
            inputs.addAll(List.of(cut, other));
        }
        for (byte[] input : inputs) {
            assertEquals(new YAMLFactory().hasFormat(new InputAccessor.Std(input)),
                    new KetchYamlFactory().hasFormat(new InputAccessor.Std(input)),
                    new String(input, StandardCharsets.UTF_8));
        }
    }

    @Test
    void theConstraintsForWritingHold() throws IOException {
        StreamWriteConstraints constraints = StreamWriteConstraints.builder().maxNestingDepth(2).build();
        JsonFactory factory = KetchYamlFactory.builder().streamWriteConstraints(constraints).build();
        JsonGenerator generator = factory.createGenerator(new StringWriter());
        assertEquals(constraints, generator.streamWriteConstraints());
        generator.writeStartArray();
        generator.writeStartObject();
        generator.writeFieldName("a");
        assertThrows(StreamConstraintsException.class, generator::writeStartArray);
    }

    @Test
    void olderVersionsOfJacksonAreRefused() {
        for (int minor = 15; minor < 25; minor++) {
            Version version = new Version(2, minor, 1, null, null, null);
            if (minor >= 18) {
                KetchYamlFactory.requireSupported(version);
                continue;
            }
            IllegalStateException error = assertThrows(IllegalStateException.class,
                    () -> KetchYamlFactory.requireSupported(version));
            assertEquals("ketch-jackson needs Jackson 2.18 or newer, but jackson-core is 2." + minor
                    + ".1: use a newer jackson-core and jackson-databind", error.getMessage());
        }
    }
}
