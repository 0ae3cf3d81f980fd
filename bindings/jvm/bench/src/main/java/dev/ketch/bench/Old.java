package dev.ketch.bench;

import dev.ketch.YamlParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.yecht.ImplicitScanner2;
import org.yecht.Parser;
import org.yecht.Pointer;

/**
 * Repeats the usual benchmarks of ports of Syck: reads a document of 4.7 kB 10,000 times, and
 * resolves 24 strings. The document is generated, with the structure of the original one.
 */
final class Old {
    private static final int TIMES = 10_000;
    private static final String[] STRINGS = {
        "", "~", "null", "yes", "No", "true", "on", "OFF", "42", "-17", "0x1F", "0755", "1,000", "1:30:00",
        "3.14", "-1e+10", ".inf", ".NaN", "2001-12-14", "2001-12-14t21:59:43.10-05:00",
        "2001-12-14 21:59:43.10 Z", "<<", "=", "a plain text",
    };

    private final Race race;

    Old(Race race) {
        this.race = race;
    }

    /** Returns 4.7 kB of mappings and sequences with text, numbers and a few quoted scalars. */
    private static byte[] document() {
        StringBuilder yaml = new StringBuilder("--- \n");
        for (int i = 0; yaml.length() < 4_700; i++) {
            yaml.append("entry_").append(i).append(":\n  name: a ship of the line ").append(i)
                    .append("\n  masts: ").append(i % 4).append("\n  draught: ").append(i).append(".5\n")
                    .append("  ports: [Brest, Cadiz, \"Port Mahon\"]\n  crew:\n    - first: Ann\n")
                    .append("      rank: mate\n    - first: 'Bob'\n      rank: cook\n");
        }
        return yaml.toString().getBytes(StandardCharsets.UTF_8);
    }

    void measure() throws IOException {
        byte[] text = document();
        System.out.printf("a document of %,d bytes: %,d scalars%n", text.length, scalars(text));
        Map<String, Race.Call> calls = new LinkedHashMap<>();
        calls.put("YamlParser", () -> scalars(text));
        calls.put("Yecht 1.1, handler that counts", () -> yecht(text, true));
        calls.put("Yecht 1.1, without types", () -> yecht(text, false));
        race.run(calls);
        for (Map.Entry<String, Race.Call> call : calls.entrySet()) {
            long start = System.nanoTime();
            for (int i = 0; i < TIMES; i++) {
                Race.sink = call.getValue().run();
            }
            System.out.printf("  %-32s %,d times: %,d ms%n", call.getKey(), TIMES,
                    (System.nanoTime() - start) / 1_000_000);
        }
        resolver();
    }

    /** Resolves the types of all strings: Ketch reads one sequence, Yecht takes a call for each. */
    private void resolver() throws IOException {
        StringBuilder yaml = new StringBuilder();
        Pointer[] pointers = new Pointer[STRINGS.length];
        for (int i = 0; i < STRINGS.length; i++) {
            yaml.append("- ").append(STRINGS[i]).append('\n');
            pointers[i] = Pointer.create((STRINGS[i] + "\0").getBytes(StandardCharsets.UTF_8), 0);
        }
        byte[] batch = yaml.toString().repeat(100).getBytes(StandardCharsets.UTF_8);
        Map<String, Race.Call> calls = new LinkedHashMap<>();
        calls.put("YamlParser, 100 times 24 strings", () -> types(batch));
        calls.put("Yecht 1.1, the same text", () -> yecht(batch, true));
        calls.put("Yecht 1.1, matchImplicit alone", () -> {
            int length = 0;
            for (int i = 0; i < 100; i++) {
                for (int j = 0; j < pointers.length; j++) {
                    length += ImplicitScanner2.matchImplicit(pointers[j], STRINGS[j].length()).length();
                }
            }
            return length;
        });
        System.out.printf("the types of 24 strings, read from YAML: %,d scalars, %,d nodes of Yecht's%n",
                scalars(batch), yecht(batch, true));
        race.run(calls);
    }

    private static int types(byte[] text) {
        int types = 0;
        try (YamlParser parser = YamlParser.of(text)) {
            while (parser.next()) {
                types += parser.kind().isScalar() ? parser.type().ordinal() : 0;
            }
        }
        return types;
    }

    private static int scalars(byte[] text) {
        int scalars = 0;
        try (YamlParser parser = YamlParser.of(text)) {
            while (parser.next()) {
                scalars += parser.kind().isScalar() ? 1 : 0;
            }
        }
        return scalars;
    }

    private static int yecht(byte[] text, boolean hasTypes) {
        int[] nodes = {0};
        Parser parser = Parser.newParser();
        parser.implicitTyping(hasTypes);
        parser.taguriExpansion(hasTypes);
        parser.handler((self, node) -> ++nodes[0]);
        parser.str(Pointer.create(text, 0), null);
        parser.parse();
        return nodes[0];
    }
}
