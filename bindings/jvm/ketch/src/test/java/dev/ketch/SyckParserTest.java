package dev.ketch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The nodes of Syck's dialect, as handlers receive them. */
class SyckParserTest {
    /** Logs each call in a line. conformance/tests/syck.rs has the same handler in Rust. */
    private static final class Logged implements SyckHandler<String> {
        final StringBuilder out = new StringBuilder();
        int count;

        @Override
        public String handle(SyckParser<String> parser, SyckNode<String> node) {
            boolean isScalar = node.kind() == SyckNode.Kind.SCALAR;
            String value = isScalar
                    ? node.text().replace("\\", "\\\\").replace("\n", "\\n")
                    : String.join(" ", node.children());
            String line = ++count + " " + lower(node.kind()) + " " + or(node.tag()) + " " + or(node.anchor()) + " "
                    + lower(node.style()) + " " + node.offset() + "+" + node.length() + " " + or(node.inside())
                    + " " + value + "\n";
            out.append(line.replace("\r", "\\r").replace("\t", "\\t"));
            return String.valueOf(count);
        }

        private static String lower(Enum<?> constant) {
            return constant.name().replace("_", "").toLowerCase(Locale.ROOT);
        }

        private static String or(String text) {
            return text == null ? "-" : text;
        }

        @Override
        public String badAnchor(SyckParser<String> parser, String name) {
            out.append("bad ").append(name).append('\n');
            return "?" + name;
        }

        @Override
        public YamlException error(SyckParser<String> parser, YamlException error) {
            out.append("error ").append(error.line()).append('\n');
            return null;
        }
    }

    private static Path folder() {
        return Path.of(System.getProperty("ketch.repository"), "conformance/syck");
    }

    @Test
    void aHandlerLogsAsInRustAndRuby() throws IOException {
        List<?> documents = (List<?>) Yaml.load(folder().resolve("documents.yml"));
        assertEquals(100, documents.size());
        Logged log = new Logged();
        for (Object text : documents) {
            log.count = 0;
            try (SyckParser<String> parser = SyckParser.of((String) text, log)) {
                while (parser.next()) {
                    log.out.append("root ").append(parser.root()).append('\n');
                }
            }
            log.out.append("end\n");
        }
        assertEquals(Files.readString(folder().resolve("handler.log")), log.out.toString());
    }

    /** Writes a node and its children. */
    private static String shown(SyckParser<String> parser, SyckNode<String> node) {
        return node.kind() == SyckNode.Kind.SCALAR ? node.text() : node.children().toString();
    }

    private static List<String> roots(byte[] bytes, SyckHandler<String> handler) {
        List<String> roots = new ArrayList<>();
        try (SyckParser<String> parser = SyckParser.of(bytes, handler)) {
            while (parser.next()) {
                roots.add(parser.root());
            }
        }
        return roots;
    }

    @Test
    void textsOfEachKindArePassedToTheHandler() {
        String text = "- größe\n- 世界 😀\n- \"a\\tb\"\n- &long " + "ä".repeat(40_000) + "\n- *long\n";
        List<String> expected = List.of("[größe, 世界 😀, a\tb, " + "ä".repeat(40_000) + ", " + "ä".repeat(40_000) + "]");
        assertEquals(expected, roots(text.getBytes(StandardCharsets.UTF_8), SyckParserTest::shown));
        String wide = "--- \n- größe\n";
        assertEquals(List.of("[größe]"), roots(("\ufeff" + wide).getBytes(StandardCharsets.UTF_16LE), SyckParserTest::shown));
        String big = "x".repeat(1 << 24);
        assertEquals(List.of(big), roots(big.getBytes(StandardCharsets.UTF_8), SyckParserTest::shown));
    }

    @Test
    void idsMayBeNull() {
        List<String> texts = new ArrayList<>();
        assertEquals(2, new ArrayList<>(roots("- *a\n- b\n---\n".getBytes(StandardCharsets.UTF_8), (parser, node) -> {
            texts.add(node.kind() + " " + node.text() + " " + node.children());
            return null;
        })).size());
        assertEquals(List.of("SCALAR b []", "SEQUENCE null [null, null]", "SCALAR  []"), texts);
    }

    @Test
    void aDocumentMayContainItself() {
        List<Object> inside = new ArrayList<>();
        SyckHandler<Object> handler = new SyckHandler<>() {
            @Override
            public Object handle(SyckParser<Object> parser, SyckNode<Object> node) {
                inside.add(node.inside());
                return node.kind();
            }

            @Override
            public Object badAnchor(SyckParser<Object> parser, String name) {
                return "placeholder of " + name;
            }
        };
        try (SyckParser<Object> parser = SyckParser.of("- &a [*a, 1]\n", handler)) {
            assertTrue(parser.next());
            assertFalse(parser.next());
            assertNull(parser.root());
        }
        assertEquals("[null, placeholder of a, null]", inside.toString());
    }

    @Test
    void implicitTypesCanBeLeftOut() {
        List<String> tags = new ArrayList<>();
        byte[] bytes = "- 1\n- !x 2\n".getBytes(StandardCharsets.UTF_8);
        SyckHandler<String> handler = (parser, node) -> {
            tags.add(String.valueOf(node.tag()));
            return "";
        };
        for (boolean types : new boolean[] {true, false}) {
            try (SyckParser<String> parser = SyckParser.of(bytes, handler, Options.DEFAULT, types)) {
                assertTrue(parser.next());
            }
        }
        String x = "tag:yaml.org,2002:x";
        assertEquals(List.of("tag:yaml.org,2002:int", x, "null", "null", x, "null"), tags);
    }

    @Test
    void errorsHaveLinesAndOptionsApply() {
        SyckHandler<String> handler = SyckParserTest::shown;
        byte[] bytes = "- a\n--- \n- [b, ]\n".getBytes(StandardCharsets.UTF_8);
        Options named = Options.builder().fileName("old.yml").limit(Limit.MAX_DEPTH, 2).build();
        try (SyckParser<String> parser = SyckParser.of(bytes, handler, named, true)) {
            assertTrue(parser.next());
            assertEquals("[a]", parser.root());
            YamlException error = assertThrows(YamlSyntaxException.class, parser::next);
            assertEquals(3, error.line());
            assertTrue(error.getMessage().contains("old.yml:3"), error.getMessage());
            assertFalse(parser.next());
        }
        byte[] deep = "[[[a]]]".getBytes(StandardCharsets.UTF_8);
        assertThrows(LimitException.class, () -> SyckParser.of(deep, handler, named, true).next());
    }

    @Test
    void anExceptionOfTheHandlerReachesTheCaller() {
        for (int round = 0; round < 3; round++) {
            SyckParser<String> parser = SyckParser.of("- !some/tag a\n- b\n", (self, node) -> {
                if (node.text().equals("a")) {
                    assertThrows(IllegalStateException.class, self::next);
                }
                throw new UnsupportedOperationException(node.text());
            });
            assertThrows(UnsupportedOperationException.class, parser::next);
            assertFalse(parser.next());
            parser.close();
            String tag = "tag:some.yaml.org,2002:tag";
            assertEquals(List.of(tag), roots("!some/tag a".getBytes(StandardCharsets.UTF_8), (self, node) -> node.tag()));
        }
    }

    @Test
    void deepNestingDoesNotOverflowTheStack() {
        int depth = 100_000;
        Options deep = Options.builder().limit(Limit.MAX_DEPTH, depth).build();
        byte[] bytes = ("[".repeat(depth) + "]".repeat(depth)).getBytes(StandardCharsets.UTF_8);
        SyckHandler<Integer> handler = (parser, node) -> node.children().isEmpty() ? 1 : node.children().get(0) + 1;
        try (SyckParser<Integer> parser = SyckParser.of(bytes, handler, deep, true)) {
            assertTrue(parser.next());
            assertEquals(depth, parser.root());
        }
    }
}
