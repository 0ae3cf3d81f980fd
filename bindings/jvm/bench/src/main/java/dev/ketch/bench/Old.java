package dev.ketch.bench;

import dev.ketch.Schema;
import dev.ketch.Yaml;
import dev.ketch.YamlParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.yecht.Data;
import org.yecht.ImplicitScanner2;
import org.yecht.NodeHandler;
import org.yecht.NullNodeHandler;
import org.yecht.Parser;
import org.yecht.Pointer;
import org.yecht.TokenScanner;

/**
 * Repeats the usual benchmarks of ports of Syck: scans and parses a document of 4.7 kB, and resolves
 * 24 strings. The document is generated, with the structure of the original one.
 *
 * <p>With types, Yecht resolves the tags of scalars and expands them, as its own benchmarks {@code
 * TimeScanning} and {@code TimeParsing} do.
 */
final class Old {
    private static final String[] STRINGS = {
        "", "~", "null", "yes", "No", "true", "on", "OFF", "42", "-17", "0x1F", "0755", "1,000", "1:30:00",
        "3.14", "-1e+10", ".inf", ".NaN", "2001-12-14", "2001-12-14t21:59:43.10-05:00",
        "2001-12-14 21:59:43.10 Z", "<<", "=", "a plain text",
    };

    private Old() {}

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

    static void measure() throws IOException {
        byte[] text = document();
        int[] nodes = {0};
        parser(text, true, (self, node) -> ++nodes[0]).parse();
        Race.note("the document has %,d scalars, and Yecht's handler gets %,d nodes", scalars(text, false), nodes[0]);
        scan(text);
        parse(text);
        resolve();
    }

    /** Finds the end of each token: neither side determines types without being asked to. */
    private static void scan(byte[] text) throws IOException {
        Map<String, Race.Call> calls = new LinkedHashMap<>();
        calls.put("Yaml.checkSyntax", () -> {
            Yaml.checkSyntax(text);
            return text;
        });
        calls.put("Yecht, scanner", () -> tokens(text, false));
        calls.put("Yecht, scanner with types", () -> tokens(text, true));
        calls.put("Yecht, parser without types", () -> parser(text, false, new NullNodeHandler()).parse());
        Race.run("scan", "4.7 kB", text.length, calls);
    }

    /** Passes each node to the program, with the type of each scalar; then also with its text. */
    private static void parse(byte[] text) throws IOException {
        Map<String, Race.Call> calls = new LinkedHashMap<>();
        calls.put("YamlParser, kinds and types", () -> scalars(text, false));
        calls.put("Yecht, handler that does nothing", () -> parser(text, true, new NullNodeHandler()).parse());
        Race.run("parse", "4.7 kB", text.length, calls);
        calls.clear();
        calls.put("YamlParser, kinds, types and texts", () -> scalars(text, true));
        calls.put("Yecht, handler that makes strings", () -> parser(text, true, Old::string).parse());
        Race.run("parse with texts", "4.7 kB", text.length, calls);
    }

    /** Resolves the types of all strings, 100 times each. */
    private static void resolve() throws IOException {
        StringBuilder yaml = new StringBuilder();
        Pointer[] pointers = new Pointer[STRINGS.length];
        for (int i = 0; i < STRINGS.length; i++) {
            yaml.append("- ").append(STRINGS[i]).append('\n');
            pointers[i] = Pointer.create((STRINGS[i] + "\0").getBytes(StandardCharsets.UTF_8), 0);
        }
        byte[] batch = yaml.toString().repeat(100).getBytes(StandardCharsets.UTF_8);
        Map<String, Race.Call> calls = new LinkedHashMap<>();
        calls.put("YamlParser, which reads YAML", () -> scalars(batch, false));
        calls.put("Yecht, which reads the same YAML", () -> parser(batch, true, new NullNodeHandler()).parse());
        Race.run("resolver", "24 strings, 100 times", batch.length, calls);
        calls.clear();
        byte[] texts = String.join("", STRINGS).getBytes(StandardCharsets.UTF_8);
        int[] ends = new int[STRINGS.length];
        for (int i = 0, end = 0; i < ends.length; i++) {
            end += STRINGS[i].length();
            ends[i] = end;
        }
        calls.put("Schema.typesOf, one batch", () -> {
            int types = 0;
            for (int i = 0; i < 100; i++) {
                types += Schema.SYCK.typesOf(texts, ends).length;
            }
            return types;
        });
        calls.put("Yecht, matchImplicit, one call for each", () -> {
            int length = 0;
            for (int i = 0; i < 100; i++) {
                for (int j = 0; j < pointers.length; j++) {
                    length += ImplicitScanner2.matchImplicit(pointers[j], STRINGS[j].length()).length();
                }
            }
            return length;
        });
        Race.run("resolver alone", "24 strings, 100 times", texts.length, calls);
    }

    /** Reads all events. Returns a number that depends on the type, and if asked the text, of each scalar. */
    private static int scalars(byte[] text, boolean hasTexts) {
        int scalars = 0;
        try (YamlParser parser = YamlParser.of(text)) {
            while (parser.next()) {
                if (parser.kind().isScalar()) {
                    scalars += parser.type() == null ? 0 : 1;
                    scalars += hasTexts && parser.text() == null ? 1 : 0;
                }
            }
        }
        return scalars;
    }

    private static Object string(Parser parser, org.yecht.Node node) {
        if (node.data instanceof Data.Str str) {
            return new String(str.ptr.buffer, str.ptr.start, str.len, StandardCharsets.UTF_8);
        }
        return node;
    }

    private static Parser parser(byte[] text, boolean hasTypes, NodeHandler handler) {
        Parser parser = Parser.newParser();
        parser.str(Pointer.create(text, 0), text.length, null);
        parser.handler(handler);
        parser.errorHandler(null);
        parser.implicitTyping(hasTypes);
        parser.taguriExpansion(hasTypes);
        return parser;
    }

    /** Returns the number of Yecht's tokens. */
    private static int tokens(byte[] text, boolean hasTypes) throws IOException {
        var scanner = TokenScanner.createScanner(parser(text, hasTypes, new NullNodeHandler()));
        int tokens = 0;
        do {
            scanner.advance();
            tokens++;
        } while (scanner.token() != 0);
        return tokens;
    }
}
