package dev.ketch.bench;

import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares {@code Yaml.loadAll} to other engines, after checking that they load equal values from
 * each file.
 */
final class Load {
    private final Race race;

    Load(Race race) {
        this.race = race;
    }

    void measure(Path file) throws IOException {
        byte[] text = Files.readAllBytes(file);
        List<Object> ours = Engine.KETCH.load(text);
        byte[] json = json(ours);
        System.out.printf("%s (%,d bytes)%n", file.getFileName(), text.length);
        Map<String, Race.Call> calls = new LinkedHashMap<>();
        for (Engine engine : Engine.values()) {
            byte[] input = engine == Engine.JACKSON_JSON ? json : text;
            String refusal = refusal(engine, input, ours);
            if (refusal == null) {
                calls.put(engine.title, () -> engine.load(input));
            } else {
                System.out.printf("  %-28s not measured: %s%n", engine.title, refusal);
            }
        }
        race.run(calls);
    }

    /** Returns why an engine is not compared on a file; {@code null} if it is. */
    private static String refusal(Engine engine, byte[] input, List<Object> ours) {
        try {
            return Shape.isEqual(ours, engine.load(input)) ? null : "its values differ";
        } catch (IOException | RuntimeException error) {
            return String.valueOf(error.getMessage()).lines().findFirst().orElse("an error");
        }
    }

    private static byte[] json(List<Object> documents) throws IOException {
        ObjectWriter writer =
                JsonMapper.builder()
                        .addModule(new JavaTimeModule())
                        .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                        .build()
                        .writer();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Object document : documents) {
            out.write(writer.writeValueAsBytes(document));
            out.write('\n');
        }
        return out.toByteArray();
    }
}
