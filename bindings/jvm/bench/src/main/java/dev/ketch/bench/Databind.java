package dev.ketch.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.ketch.DuplicateKeys;
import dev.ketch.Options;
import dev.ketch.jackson.KetchYamlFactory;
import dev.ketch.jackson.KetchYamlMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures Jackson's databind by Ketch's factory and by Jackson's: maps, and trees. */
final class Databind {
    private static final ObjectMapper OURS = new KetchYamlMapper(KetchYamlFactory.builder()
            .options(Options.builder().duplicateKeys(DuplicateKeys.LAST).build()).build());
    private static final ObjectMapper THEIRS = new ObjectMapper(
            YAMLFactory.builder().loaderOptions(Engine.options()).build());

    private Databind() {}

    static void measure(Path file) throws IOException {
        byte[] text = Files.readAllBytes(file);
        String name = file.getFileName().toString();
        if (isEqual(name, text)) {
            race("maps", Object.class, name, text);
            race("trees", JsonNode.class, name, text);
        }
    }

    private static boolean isEqual(String name, byte[] text) throws IOException {
        try {
            List<Object> ours = Engine.all(OURS.readerFor(Object.class), text);
            if (Shape.isEqual(ours, Engine.all(THEIRS.readerFor(Object.class), text))) {
                return true;
            }
            Race.leaveOut("maps and trees", "Jackson YAML", name, "its values differ");
        } catch (IOException | RuntimeException error) {
            Race.leaveOut("maps and trees", "Jackson YAML", name, error);
        }
        return false;
    }

    private static void race(String level, Class<?> type, String name, byte[] text) throws IOException {
        Map<String, Race.Call> calls = new LinkedHashMap<>();
        ObjectReader ours = OURS.readerFor(type);
        ObjectReader theirs = THEIRS.readerFor(type);
        calls.put("KetchYamlMapper", () -> Engine.all(ours, text));
        calls.put("Jackson YAML", () -> Engine.all(theirs, text));
        Race.run(level, name, text.length, calls);
    }
}
