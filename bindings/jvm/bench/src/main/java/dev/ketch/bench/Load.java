package dev.ketch.bench;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.ketch.Tagged;
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

    /** Writes only the value of a tagged value, because JSON has no tags. */
    private static final class Untagged extends StdSerializer<Tagged> {
        private static final long serialVersionUID = 1;

        Untagged() {
            super(Tagged.class);
        }

        @Override
        public void serialize(Tagged tagged, JsonGenerator out, SerializerProvider provider) throws IOException {
            provider.defaultSerializeValue(tagged.value(), out);
        }
    }

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
                        .addModule(new SimpleModule().addSerializer(new Untagged()))
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
