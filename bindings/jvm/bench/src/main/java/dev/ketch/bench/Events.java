package dev.ketch.bench;

import dev.ketch.EventKind;
import dev.ketch.YamlParser;
import java.io.ByteArrayInputStream;
import java.util.Arrays;
import java.util.List;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;

/** Counts the events of each kind in a text. */
final class Events {
    private static final LoadSettings SETTINGS =
            LoadSettings.builder().setCodePointLimit(Integer.MAX_VALUE).build();

    private Events() {}

    static void register(Runner runner) {
        runner.add("yaml.events", "ketch", text -> new Work(() -> ketch(text), counts -> Arrays.asList(
                count(counts, EventKind.DOCUMENT_START), count(counts, EventKind.SEQUENCE_START),
                count(counts, EventKind.MAPPING_START),
                Arrays.stream(EventKind.values()).filter(EventKind::isScalar).mapToInt(kind -> count(counts, kind)).sum(),
                count(counts, EventKind.ALIAS))));
        runner.add("yaml.events", "snakeyaml-engine", text -> new Work(() -> engine(text), counts ->
                List.of(Event.ID.DocumentStart, Event.ID.SequenceStart, Event.ID.MappingStart, Event.ID.Scalar, Event.ID.Alias)
                        .stream().map(kind -> count(counts, kind)).toList()));
    }

    private static int count(Object counts, Enum<?> kind) {
        return ((int[]) counts)[kind.ordinal()];
    }

    private static int[] ketch(byte[] text) {
        int[] counts = new int[EventKind.values().length];
        try (YamlParser parser = YamlParser.of(text)) {
            while (parser.next()) {
                counts[parser.kind().ordinal()]++;
            }
        }
        return counts;
    }

    private static int[] engine(byte[] text) {
        int[] counts = new int[Event.ID.values().length];
        for (Event event : new Parse(SETTINGS).parseInputStream(new ByteArrayInputStream(text))) {
            counts[event.getEventId().ordinal()]++;
        }
        return counts;
    }
}
