package dev.ketch.bench;

import dev.ketch.YamlParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.yecht.Parser;
import org.yecht.Pointer;

/** Compares YAML events in Java to the nodes that Yecht passes to a handler. */
final class Events {
    private final Race race;

    Events(Race race) {
        this.race = race;
    }

    void measure(Path file) throws IOException {
        byte[] text = Files.readAllBytes(file);
        System.out.printf("%s (%,d bytes): %,d scalars%n", file.getFileName(), text.length, ketch(text));
        Map<String, Race.Call> calls = new LinkedHashMap<>();
        calls.put("YamlParser", () -> ketch(text));
        calls.put("snakeyaml-engine 2.9", () -> snakeyaml(text));
        calls.put("Yecht 1.1, null handler", () -> yecht(text));
        calls.entrySet().removeIf(call -> isRefused(call.getKey(), call.getValue()));
        race.run(calls);
    }

    /**
     * Returns whether an engine cannot read the file: Yecht does not read JSON, nor all of YAML.
     */
    private static boolean isRefused(String title, Race.Call call) {
        try {
            call.run();
            return false;
        } catch (IOException | RuntimeException error) {
            System.out.printf("  %-28s not measured: %s%n", title,
                    String.valueOf(error.getMessage()).lines().findFirst().orElse("an error"));
            return true;
        }
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
