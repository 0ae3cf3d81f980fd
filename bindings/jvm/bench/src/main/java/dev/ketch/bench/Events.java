package dev.ketch.bench;

import dev.ketch.YamlParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.yecht.Parser;
import org.yecht.Pointer;

/** Compares YAML events in Java to the nodes that Yecht passes to a handler. */
final class Events {
    private Events() {}

    static void measure(Path file) throws IOException {
        byte[] text = Files.readAllBytes(file);
        String name = file.getFileName().toString();
        Map<String, Race.Call> calls = new LinkedHashMap<>();
        calls.put("YamlParser", () -> ketch(text));
        calls.put("snakeyaml-engine", () -> snakeyaml(text));
        calls.put("Yecht, a handler that counts", () -> yecht(text));
        // Yecht does not read JSON, nor all of YAML.
        for (String title : List.copyOf(calls.keySet())) {
            try {
                calls.get(title).run();
            } catch (IOException | RuntimeException error) {
                calls.remove(title);
                Race.leaveOut("events", title, name, error);
            }
        }
        Race.run("events", name, text.length, calls);
    }

    /** Returns the number of scalars. */
    private static int ketch(byte[] text) {
        int scalars = 0;
        try (YamlParser parser = YamlParser.of(text)) {
            while (parser.next()) {
                if (parser.kind().isScalar()) {
                    scalars++;
                }
            }
        }
        return scalars;
    }

    private static int snakeyaml(byte[] text) {
        int scalars = 0;
        LoadSettings settings = LoadSettings.builder().setCodePointLimit(Integer.MAX_VALUE).build();
        var events = new Parse(settings).parseInputStream(new java.io.ByteArrayInputStream(text));
        for (var event : events) {
            if (event.getEventId() == org.snakeyaml.engine.v2.events.Event.ID.Scalar) {
                scalars++;
            }
        }
        return scalars;
    }

    private static int yecht(byte[] text) {
        int[] nodes = {0};
        Parser parser = Parser.newParser();
        parser.implicitTyping(true);
        parser.taguriExpansion(true);
        parser.handler((self, node) -> ++nodes[0]);
        parser.str(Pointer.create(text, 0), null);
        parser.parse();
        return nodes[0];
    }
}
