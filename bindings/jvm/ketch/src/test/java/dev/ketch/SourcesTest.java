package dev.ketch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Calls with a text, bytes, a file, a stream and a reader have the same results. */
class SourcesTest {
    private static final String TEXT = "- é\n- [1, 0x10]\n";
    private static final byte[] BYTES = TEXT.getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path folder;

    private static InputStream stream() {
        return new ByteArrayInputStream(BYTES);
    }

    private static Reader reader() {
        return new StringReader(TEXT);
    }

    private static void record(List<Object> scalars, YamlParser parser) {
        if (parser.kind().isScalar()) {
            scalars.add(parser.value());
        }
    }

    @Test
    void eventsAreTheSameFromAllSources() throws IOException {
        Path file = Files.write(folder.resolve("a.yml"), BYTES);
        Loader failsafe = Yaml.with(Options.builder().schema(Schema.FAILSAFE).build());
        List<Object> values = new ArrayList<>();
        List<Object> texts = new ArrayList<>();
        Yaml.events(TEXT, event -> record(values, event));
        Yaml.events(BYTES, event -> record(values, event));
        Yaml.events(file, event -> record(values, event));
        Yaml.events(stream(), event -> record(values, event));
        Yaml.events(reader(), event -> record(values, event));
        failsafe.events(TEXT, event -> record(texts, event));
        failsafe.events(BYTES, event -> record(texts, event));
        failsafe.events(file, event -> record(texts, event));
        failsafe.events(stream(), event -> record(texts, event));
        failsafe.events(reader(), event -> record(texts, event));
        for (int i = 0; i < 5; i++) {
            assertEquals(List.of("é", 1, 16), values.subList(3 * i, 3 * i + 3));
            assertEquals(List.of("é", "1", "0x10"), texts.subList(3 * i, 3 * i + 3));
        }
        assertEquals(15, values.size());
        try (YamlParser parser = YamlParser.of(reader())) {
            assertTrue(parser.next());
        }
    }

    @Test
    void documentsAndPositionsAreTheSameFromAllSources() throws IOException {
        Path file = Files.write(folder.resolve("b.yml"), BYTES);
        List<Object> documents = new ArrayList<>();
        Yaml.forEach(file, documents::add);
        assertEquals(List.of(Yaml.load(TEXT)), documents);
        Loader loader = Yaml.with(Options.DEFAULT);
        for (Located located : List.of(Yaml.located(BYTES), Yaml.located(file), loader.allLocated(TEXT).get(0),
                loader.allLocated(BYTES).get(0), loader.allLocated(file).get(0))) {
            assertEquals(Yaml.load(TEXT), located.value());
            assertEquals(7, located.position(1, 1).column());
        }
        assertEquals(file + ":2:7", Yaml.located(file).position(1, 1).toString());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Yaml.dumpAll(List.of(1, 2), out);
        assertEquals(Yaml.dumpAll(List.of(1, 2)), out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void aReadersSyntaxIsChecked() throws IOException {
        Yaml.checkSyntax(reader());
        YamlException error = assertThrows(YamlSyntaxException.class, () -> Yaml.checkSyntax(new StringReader("a: [")));
        assertEquals(1, error.relatedLine());
    }

    @Test
    void aParserClosesTheFileThatItHasOpened() throws IOException {
        Path wrong = Files.writeString(folder.resolve("wrong.yml"), "a: [\n");
        Path large = Files.writeString(folder.resolve("large.yml"), "- some text\n".repeat(50_000));
        YamlSyntaxException error = assertThrows(YamlSyntaxException.class, () -> Yaml.events(wrong, event -> {}));
        assertTrue(error.getMessage().startsWith(wrong + ":1:4"), error.getMessage());
        assertFalse(isOpen(wrong));
        YamlParser parser = YamlParser.of(large);
        assertTrue(parser.next() && isOpen(large));
        parser.close();
        assertFalse(isOpen(large));
        assertThrows(IllegalStateException.class, parser::next);
        YamlParser whole = YamlParser.of(large);
        while (whole.next()) {
            assertEquals(0, whole.line() >>> 16);
        }
        assertFalse(isOpen(large));
        assertThrows(NoSuchFileException.class, () -> YamlParser.of(folder.resolve("none.yml")));
    }

    @Test
    void aFolderIsNamed() {
        List<Executable> calls = List.of(() -> Yaml.load(folder), () -> Yaml.loadAll(folder),
                () -> Yaml.forEach(folder, value -> {}), () -> Yaml.located(folder),
                () -> Yaml.checkSyntax(folder), () -> YamlParser.of(folder));
        for (Executable call : calls) {
            FileSystemException error = assertThrows(FileSystemException.class, call);
            assertEquals(folder + ": is a directory", error.getMessage());
        }
    }

    private static boolean isOpen(Path file) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.anyMatch(link -> {
                try {
                    return Files.readSymbolicLink(link).equals(file.toRealPath());
                } catch (IOException closed) {
                    return false;
                }
            });
        }
    }
}
