package dev.ketch.bench;

import dev.ketch.Dialect;
import dev.ketch.Loader;
import dev.ketch.Options;
import dev.ketch.ScalarType;
import dev.ketch.Schema;
import dev.ketch.SyckParser;
import dev.ketch.Yaml;
import dev.ketch.YamlParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.yecht.Data;
import org.yecht.ImplicitScanner2;
import org.yecht.Node;
import org.yecht.NodeHandler;
import org.yecht.NullNodeHandler;
import org.yecht.Parser;
import org.yecht.Pointer;
import org.yecht.TokenScanner;

/**
 * The usual benchmarks of ports of Syck. With types, Yecht resolves the tags of scalars and expands them, as its own
 * benchmarks {@code TimeScanning} and {@code TimeParsing} do.
 */
final class Syck {
    private static final Options DIALECT = Options.builder().dialect(Dialect.SYCK).build();
    private static final Loader LOADER = Yaml.with(DIALECT);
    private static final NodeHandler NOTHING = new NullNodeHandler();
    private static final int REPEATS = 100;

    private Syck() {}

    static void register(Runner runner) {
        runner.add("syck.scan", "ketch", text -> new Work(() -> check(text), checked -> ketchNodes(text)));
        runner.add("syck.scan", "Yecht", text -> new Work(() -> scan(text, true), scanned -> yechtNodes(text)));
        runner.add("syck.scan", "Yecht without types", text -> new Work(() -> scan(text, false), scanned -> yechtNodes(text)));
        runner.add("syck.scan", "Yecht parser without types", text ->
                new Work(() -> parse(text, false, NOTHING), parsed -> yechtNodes(text)));
        runner.add("syck.parse", "ketch", text -> new Work(() -> events(text, YamlParser::type)));
        runner.add("syck.parse", "Yecht", text -> new Work(() -> parse(text, true, NOTHING), parsed -> yechtNodes(text)));
        runner.add("syck.nodes", "ketch", text -> new Work(() -> ketchNodes(text)));
        runner.add("syck.nodes", "Yecht", text -> new Work(() -> yechtNodes(text)));
        runner.add("syck.texts", "ketch", text -> new Work(() -> ketchTexts(text), Syck::sorted));
        runner.add("syck.texts", "Yecht", text -> new Work(() -> yechtTexts(text), Syck::sorted));
        runner.add("syck.types", "ketch", text -> new Work(() -> events(text, YamlParser::type), parsed -> ketchTypes(text)));
        runner.add("syck.types", "Yecht", text -> new Work(() -> parse(text, true, NOTHING), parsed -> yechtTypes(text)));
        runner.add("syck.types_alone", "ketch", text -> ketchMatches(entries(text)));
        runner.add("syck.types_alone", "Yecht", text -> yechtMatches(entries(text)));
    }

    /** Finds the end of each token. */
    private static Object check(byte[] text) {
        LOADER.checkSyntax(text);
        return text;
    }

    /** Reads all events. Returns the number of nodes. */
    private static int events(byte[] text, Consumer<YamlParser> onScalar) {
        int nodes = 0;
        try (YamlParser parser = YamlParser.of(text, DIALECT)) {
            while (parser.next()) {
                switch (parser.kind()) {
                    case SEQUENCE_START, MAPPING_START -> nodes++;
                    case PLAIN, SINGLE_QUOTED, DOUBLE_QUOTED, LITERAL, FOLDED -> {
                        nodes++;
                        onScalar.accept(parser);
                    }
                    default -> { }
                }
            }
        }
        return nodes;
    }

    private static int ketchNodes(byte[] text) {
        int[] nodes = {0};
        try (SyckParser<Object> parser = SyckParser.of(text, (self, node) -> ++nodes[0])) {
            while (parser.next()) { }
        }
        return nodes[0];
    }

    private static List<String> ketchTexts(byte[] text) {
        List<String> texts = new ArrayList<>();
        events(text, parser -> {
            parser.type();
            texts.add(parser.text());
        });
        return texts;
    }

    private static List<String> ketchTypes(byte[] text) {
        List<String> types = new ArrayList<>();
        events(text, parser -> types.add(name(parser.type())));
        return types;
    }

    private static String name(ScalarType type) {
        return name(type.name().toLowerCase(Locale.ROOT));
    }

    /** Reads all tokens. */
    private static int scan(byte[] text, boolean hasTypes) throws IOException {
        var scanner = TokenScanner.createScanner(parser(text, hasTypes, NOTHING));
        int tokens = 0;
        do {
            scanner.advance();
            tokens++;
        } while (scanner.token() != 0);
        return tokens;
    }

    /** Passes the nodes of all documents to a handler. */
    private static Object parse(byte[] text, boolean hasTypes, NodeHandler handler) {
        Parser parser = parser(text, hasTypes, handler);
        Object root;
        do {
            root = parser.parse();
        } while (!parser.eof);
        return root;
    }

    private static int yechtNodes(byte[] text) {
        int[] nodes = {0};
        parse(text, true, (self, node) -> ++nodes[0]);
        return nodes[0];
    }

    private static List<String> yechtTexts(byte[] text) {
        List<String> texts = new ArrayList<>();
        yechtScalars(text, node -> {
            Data.Str str = (Data.Str) node.data;
            texts.add(new String(str.ptr.buffer, str.ptr.start, str.len, StandardCharsets.UTF_8));
        });
        return texts;
    }

    private static List<String> yechtTypes(byte[] text) {
        List<String> types = new ArrayList<>();
        yechtScalars(text, node -> types.add(name(node.type_id)));
        return types;
    }

    private static void yechtScalars(byte[] text, Consumer<Node> onScalar) {
        parse(text, true, (self, node) -> {
            if (node.data instanceof Data.Str) {
                onScalar.accept(node);
            }
            return null;
        });
    }

    /** Yecht passes a key after its value. */
    private static Object sorted(Object texts) {
        return ((List<?>) texts).stream().sorted().toList();
    }

    /**
     * Returns the name of a type, without its prefix, and without the spelling that Yecht adds. The types of {@code <<}
     * and {@code =} are text, since Ketch knows them only for keys.
     */
    private static String name(String tag) {
        return tag == null ? "str" : tag.replaceAll("^.*[:/]|#.*$", "").replaceAll("merge|default", "str");
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

    /** Returns the different entries of a list of plain scalars. */
    private static List<String> entries(byte[] text) {
        return new String(text, StandardCharsets.UTF_8).lines().map(line -> line.substring(2)).distinct().toList();
    }

    /** All entries in one call. */
    private static Work ketchMatches(List<String> entries) {
        byte[] texts = String.join("", entries).getBytes(StandardCharsets.UTF_8);
        int[] ends = new int[entries.size()];
        for (int i = 0, end = 0; i < ends.length; i++) {
            end += entries.get(i).length();
            ends[i] = end;
        }
        return new Work(() -> {
            ScalarType[] types = {};
            for (int i = 0; i < REPEATS; i++) {
                types = Schema.SYCK.typesOf(texts, ends);
            }
            return types;
        }, types -> Stream.of((ScalarType[]) types).map(Syck::name).toList());
    }

    /** One call for each entry. */
    private static Work yechtMatches(List<String> entries) {
        Pointer[] pointers = entries.stream()
                .map(entry -> Pointer.create((entry + "\0").getBytes(StandardCharsets.UTF_8), 0)).toArray(Pointer[]::new);
        int[] lengths = entries.stream().mapToInt(String::length).toArray();
        return new Work(() -> {
            String[] types = new String[lengths.length];
            for (int i = 0; i < REPEATS; i++) {
                for (int j = 0; j < lengths.length; j++) {
                    types[j] = ImplicitScanner2.matchImplicit(pointers[j], lengths[j]);
                }
            }
            return types;
        }, types -> Stream.of((String[]) types).map(Syck::name).toList());
    }
}
