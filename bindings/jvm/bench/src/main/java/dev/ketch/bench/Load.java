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
    private Load() {}

    static void measure(Path file) throws IOException {
        byte[] text = Files.readAllBytes(file);
        List<Object> ours = Engine.KETCH.load(text);
        byte[] json = json(ours);
        String name = file.getFileName().toString();
        Map<String, Race.Call> calls = new LinkedHashMap<>();
        for (Engine engine : Engine.values()) {
            byte[] input = engine == Engine.JACKSON_JSON ? json : text;
            try {
                if (Shape.isEqual(ours, engine.load(input))) {
                    calls.put(engine.title, () -> engine.load(input));
                } else {
                    Race.leaveOut("load", engine.title, name, "its values differ");
                }
            } catch (IOException | RuntimeException error) {
                Race.leaveOut("load", engine.title, name, error);
            }
        }
        Race.run("load", name, text.length, calls);
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
