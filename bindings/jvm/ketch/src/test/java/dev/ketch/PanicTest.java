package dev.ketch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A panic in native code, planted in each call in turn, is an exception, and the next call works. */
class PanicTest {
    private static final String YAML = "masts: [main, \"miz\\x7aen\", é]\n? [a]\n: 1\n";

    /** Calls that together use every native method of the library. */
    private static Map<String, Callable<Object>> calls(Path file) {
        byte[] bytes = YAML.getBytes(StandardCharsets.UTF_8);
        Map<String, Callable<Object>> calls = new LinkedHashMap<>();
        calls.put("load", () -> Yaml.load(YAML));
        calls.put("load, long texts", () -> Yaml.load("- " + "é".repeat(20_000)));
        calls.put("load, many tokens", () -> Yaml.load("- 12345678901\n".repeat(40_000)));
        calls.put("load, a stream", () -> Yaml.load(new ByteArrayInputStream(bytes)));
        calls.put("load, a file", () -> Yaml.load(file));
        calls.put("load, an error", () -> caught(() -> Yaml.load("[")));
        calls.put("load, two documents", () -> caught(() -> Yaml.load("--- 1\n--- 2\n")));
        calls.put("stream", () -> Yaml.stream(new StringReader("--- 1\n--- 2\n")).toList());
        calls.put("forEach", () -> {
            List<Object> values = new ArrayList<>();
            Yaml.forEach(new ByteArrayInputStream(bytes), values::add);
            return values;
        });
        calls.put("located", () -> Yaml.located(YAML).position("masts", 1).column());
        calls.put("checkSyntax", () -> {
            Yaml.checkSyntax(YAML);
            return null;
        });
        calls.put("events", () -> {
            List<Object> values = new ArrayList<>();
            Yaml.events(new ByteArrayInputStream(bytes), parser -> values.add(parser.text()));
            return values;
        });
        calls.put("a parser that is closed early", () -> {
            try (YamlParser parser = YamlParser.of(YAML)) {
                parser.next();
                return parser.kind();
            }
        });
        calls.put("nodes of Syck", () -> {
            List<Object> values = new ArrayList<>();
            SyckParser<Object> parser = SyckParser.of(YAML, (self, node) -> {
                values.add(node.toString());
                return node;
            });
            while (parser.next()) {
                values.add("end");
            }
            return values.size();
        });
        calls.put("edit", () -> {
            try (YamlEdit edit = Yaml.edit(YAML)) {
                edit.at("masts").list().add("x");
                return edit.at("masts").comment() + edit.map().value() + edit.text();
            }
        });
        calls.put("typed", () -> Yaml.load("[1, 2]", int[].class).length);
        calls.put("types", () -> Schema.CORE.typeOf("12"));
        calls.put("dump", () -> Yaml.dump(List.of("a", 1, 1.5)));
        calls.put("dump, much", () -> Yaml.dump(List.of("a".repeat(100_000), "b".repeat(100_000))));
        calls.put("dump, a file", () -> {
            Path written = file.resolveSibling("written.yml");
            Yaml.dump(List.of("a"), written);
            return Files.readString(written);
        });
        calls.put("dump, an error", () -> caught(() -> {
            Yaml.dump(1, file.resolve("not-a-folder"));
            return null;
        }));
        calls.put("a writer", () -> {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (YamlWriter writer = YamlWriter.of(out, DumpOptions.DEFAULT)) {
                writer.startDocument().text("a").endDocument();
            }
            return out.toString(StandardCharsets.UTF_8);
        });
        return calls;
    }

    /** Returns the class of the exception that a call throws; throws the one of a planted panic. */
    private static Object caught(Callable<Object> call) {
        try {
            return "no exception, but " + call.call();
        } catch (InternalException panic) {
            throw panic;
        } catch (Exception expected) {
            for (Throwable suppressed : expected.getSuppressed()) {
                throw (InternalException) suppressed;
            }
            return expected.getClass();
        }
    }

    @Test
    void aPanicInAnyCallIsAnException(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("fleet.yml"), YAML);
        int panics = 0;
        for (Map.Entry<String, Callable<Object>> entry : calls(file).entrySet()) {
            Callable<Object> call = entry.getValue();
            Object expected = call.call();
            int count = 0;
            while (panics(entry.getKey(), call, count + 1)) {
                count++;
                assertEquals(expected, call.call(), entry.getKey());
            }
            assertTrue(count > 0, entry.getKey());
            panics += count;
        }
        assertTrue(panics > 60, panics + " panics");
        try (var files = Files.list(folder)) {
            assertEquals(2, files.count(), "a temporary file is left");
        }
    }

    /** Runs a call with a panic planted. Returns false if the call ends before the panic. */
    private static boolean panics(String name, Callable<Object> call, int number) throws Exception {
        Native.plantPanic(number);
        Throwable thrown = null;
        try {
            call.call();
        } catch (UncheckedIOException wrapped) {
            thrown = wrapped.getCause();
        } catch (RuntimeException error) {
            thrown = error;
        }
        if (Native.plantPanic(0) > 0) {
            return false;
        }
        InternalException panic = assertInstanceOf(InternalException.class, thrown, name + ", " + number);
        assertTrue(panic.problem().startsWith("planted by a test ("), panic.problem());
        assertTrue(panic.getMessage().endsWith("\n" + panic.help()), panic.getMessage());
        assertEquals("Internal", panic.name());
        return true;
    }

    @Test
    void whatHasPanickedIsClosed() throws IOException {
        YamlParser parser = YamlParser.of(YAML);
        Native.plantPanic(1);
        assertThrows(InternalException.class, parser::next);
        assertFalse(parser.next());
        YamlWriter writer = YamlWriter.of(OutputStream.nullOutputStream(), DumpOptions.DEFAULT);
        writer.startDocument().text("a").endDocument();
        Native.plantPanic(1);
        assertThrows(InternalException.class, writer::flush);
        assertThrows(IllegalStateException.class, writer::flush);
        YamlEdit edit = Yaml.edit("a: 1\n");
        Native.plantPanic(1);
        assertThrows(InternalException.class, edit::text);
        assertThrows(InternalException.class, edit::text);
        assertEquals(0, Native.plantPanic(0));
    }

    /** Other threads do not see a planted panic, and neither do the standard streams. */
    @Test
    void aPanicIsOfOneThread() throws InterruptedException {
        Native.plantPanic(1);
        List<Object> values = new ArrayList<>();
        Thread other = new Thread(() -> values.add(Yaml.load("1")));
        other.start();
        other.join();
        assertEquals(List.of(1), values);
        assertThrows(InternalException.class, () -> Yaml.load("1"));
        assertEquals(1, Yaml.load("1"));
    }
}
