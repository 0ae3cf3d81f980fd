package dev.ketch.jackson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.ketch.Options;
import dev.ketch.Schema;
import dev.ketch.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Runs the cases of cases.yml with our factory and with Jackson's own. */
class CasesTest {
    private static final JsonFactory OURS = new KetchYamlFactory();
    private static final JsonFactory OURS_11 = KetchYamlFactory.builder()
            .options(Options.builder().schema(Schema.YAML11).build()).build();
    private static final JsonFactory THEIRS = new YAMLFactory();

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> cases() throws IOException {
        try (InputStream in = CasesTest.class.getResourceAsStream("/cases.yml")) {
            return (List<Map<String, Object>>) Yaml.load(in);
        }
    }

    private static String tokens(JsonFactory factory, Object yaml) throws IOException {
        return Tokens.of(factory, (String) yaml);
    }

    @Test
    void ourTokensAreThoseListed() throws IOException {
        for (Map<String, Object> kase : cases()) {
            JsonFactory factory = "1.1".equals(kase.get("schema")) ? OURS_11 : OURS;
            assertEquals(kase.get("ketch"), tokens(factory, kase.get("yaml")), "" + kase.get("name"));
        }
    }

    @Test
    void tokensOfYamlFactoryDifferOnlyAsListed() throws IOException {
        int different = 0;
        for (Map<String, Object> kase : cases()) {
            String name = (String) kase.get("name");
            Object listed = kase.getOrDefault("yamlfactory", kase.get("ketch"));
            assertEquals(listed, tokens(THEIRS, kase.get("yaml")), name);
            if (kase.containsKey("yamlfactory")) {
                assertNotEquals(kase.get("ketch"), listed, name + " is not a difference");
                assertTrue(kase.get("why") instanceof String, name + ": why?");
                different++;
            }
        }
        assertTrue(different > 10, "" + different);
    }
}
