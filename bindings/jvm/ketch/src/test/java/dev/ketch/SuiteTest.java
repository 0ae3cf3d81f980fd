package dev.ketch;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ketch.Repository.Case;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** yaml-test-suite: events, values, refusals. */
@Tag("fetched")
class SuiteTest {
    private static final List<Case> CASES = Repository.suite();

    @Test
    void allCasesArePresent() {
        assertEquals(402, CASES.size());
        assertEquals(94, CASES.stream().filter(Case::fails).count());
    }

    @Test
    void eventsAreThoseOfTheSuite() {
        for (Case kase : CASES) {
            if (!kase.fails()) {
                String expected = kase.tree().replaceAll("(?m)^ +", "").strip();
                assertEquals(expected, notation(kase.yaml()).strip(), kase.id());
            }
        }
    }

    @Test
    void valuesAreThoseOfTheSuite() {
        int count = 0;
        for (Case kase : CASES) {
            if (kase.fails() || kase.json() == null) {
                continue;
            }
            Object expected = Json.readAll(kase.json());
            if (kase.id().equals("565N")) {
                // JSON has the lines of the Base64 text as they are written.
                expected = withoutLineBreaks((List<?>) expected);
            }
            assertEquals(asJson(expected), asJson(Yaml.loadAll(kase.yaml())), kase.id());
            count++;
        }
        assertEquals(279, count);
    }

    @Test
    void bothPathsLoadTheSameValues() {
        // Only the composer counts nodes, so events are not enough.
        Loader documents = Yaml.with(Options.builder().limit(Limit.MAX_NODES, 1_000_000).build());
        for (Case kase : CASES) {
            assertEquals(outcome(documents, kase.yaml()),
                    outcome(Yaml.with(Options.DEFAULT), kase.yaml()), kase.id());
        }
    }

    @Test
    void invalidInputIsRejectedWithItsLocation() {
        for (Case kase : CASES) {
            if (kase.fails()) {
                YamlException error = assertThrows(
                        YamlSyntaxException.class, () -> Yaml.loadAll(kase.yaml()), kase.id());
                assertTrue(error.line() >= 1 && error.column() >= 1, kase.id());
                YamlException again = assertThrows(
                        YamlSyntaxException.class, () -> notation(kase.yaml()), kase.id());
                assertEquals(error.getMessage(), again.getMessage(), kase.id());
            }
        }
    }

    @Test
    void checkSyntaxRejectsWhatTheParserRejects() throws IOException {
        for (Case kase : CASES) {
            byte[] yaml = kase.yaml().getBytes(StandardCharsets.UTF_8);
            if (kase.fails()) {
                YamlException expected = assertThrows(YamlException.class, () -> notation(kase.yaml()));
                for (Executable check : checks(kase.yaml(), yaml)) {
                    YamlException error = assertThrows(YamlSyntaxException.class, check, kase.id());
                    assertEquals(expected.line(), error.line(), kase.id());
                    assertEquals(expected.problem(), error.problem(), kase.id());
                }
            } else {
                assertAll(checks(kase.yaml(), yaml));
            }
        }
        // Only loading finds these.
        Yaml.checkSyntax("- *unknown\n- {a: 1, a: 2}\n- !!int x\n");
        Yaml.with(Options.builder().dialect(Dialect.SYCK).build()).checkSyntax("%name: x\n");
        assertThrows(YamlSyntaxException.class, () -> Yaml.checkSyntax("%name: x\n"));
    }

    private static List<Executable> checks(String text, byte[] yaml) {
        return List.of(() -> Yaml.checkSyntax(text), () -> Yaml.checkSyntax(yaml),
                () -> Yaml.checkSyntax(new ByteArrayInputStream(yaml)));
    }

    /**
     * Returns the value as text, or the error. Values that contain themselves are compared only in
     * part.
     */
    private static Object outcome(Loader loader, String yaml) {
        try {
            return asJson(loader.loadAll(yaml.getBytes(StandardCharsets.UTF_8)));
        } catch (YamlException error) {
            return error.getMessage();
        }
    }

    private static Object withoutLineBreaks(List<?> documents) {
        Map<Object, Object> map = new LinkedHashMap<>();
        ((Map<?, ?>) documents.get(0)).forEach((key, value) ->
                map.put(key, ((String) value).replace("\n", "")));
        return List.of(map);
    }

    /**
     * Returns what JSON can hold of a value: tags are dropped, keys are text, numbers have no type.
     */
    private static Object asJson(Object value) {
        if (value instanceof List<?> list) {
            List<Object> entries = new ArrayList<>();
            list.forEach(entry -> entries.add(asJson(entry)));
            return entries;
        }
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> entries = new LinkedHashMap<>();
            map.forEach((key, entry) ->
                    entries.put(key == null ? "" : key.toString(), asJson(entry)));
            return entries;
        }
        if (value instanceof Tagged tagged) {
            return asJson(tagged.value());
        }
        if (value instanceof Integer || value instanceof Long) {
            return ((Number) value).doubleValue();
        }
        return value instanceof byte[] bytes ? Base64.getEncoder().encodeToString(bytes) : value;
    }

    /** Returns the events in the notation of the suite. */
    private static String notation(String yaml) {
        StringBuilder out = new StringBuilder("+STR\n");
        String anchor = "";
        String tag = "";
        try (YamlParser parser = YamlParser.of(yaml)) {
            while (parser.next()) {
                String properties = anchor + tag;
                switch (parser.kind()) {
                    case ANCHOR -> anchor = " &" + parser.text();
                    case TAG -> tag = " <" + parser.text() + ">";
                    case DIRECTIVE -> { }
                    default -> {
                        out.append(line(parser, properties)).append('\n');
                        anchor = "";
                        tag = "";
                    }
                }
            }
        }
        return out.append("-STR\n").toString();
    }

    private static String line(YamlParser parser, String properties) {
        return switch (parser.kind()) {
            case DOCUMENT_START -> parser.isExplicit() ? "+DOC ---" : "+DOC";
            case DOCUMENT_END -> parser.isExplicit() ? "-DOC ..." : "-DOC";
            case SEQUENCE_START -> "+SEQ" + (parser.isFlow() ? " []" : "") + properties;
            case SEQUENCE_END -> "-SEQ";
            case MAPPING_START -> "+MAP" + (parser.isFlow() ? " {}" : "") + properties;
            case MAPPING_END -> "-MAP";
            case ALIAS -> "=ALI *" + parser.text();
            case PLAIN -> "=VAL" + properties + " :" + escaped(parser.text());
            case SINGLE_QUOTED -> "=VAL" + properties + " '" + escaped(parser.text());
            case DOUBLE_QUOTED -> "=VAL" + properties + " \"" + escaped(parser.text());
            case LITERAL -> "=VAL" + properties + " |" + escaped(parser.text());
            case FOLDED -> "=VAL" + properties + " >" + escaped(parser.text());
            default -> throw new AssertionError(parser.kind());
        };
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")
                .replace("\r", "\\r").replace("\b", "\\b").replace("\0", "\\0");
    }
}
