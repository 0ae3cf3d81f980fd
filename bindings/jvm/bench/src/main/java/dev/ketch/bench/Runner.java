package dev.ketch.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ketch.Yaml;
import dev.ketch.extprot.Extprot;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The runner of the host {@code java}. {@code docs/board.md} has the protocol. */
public final class Runner {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** The engines, and the artifacts that have their versions. */
    private static final Map<String, String> ARTIFACTS = Map.ofEntries(
            Map.entry("ketch", "ketch"), Map.entry("SnakeYAML", "snakeyaml"),
            Map.entry("snakeyaml-engine", "snakeyaml-engine"), Map.entry("Jackson YAML", "jackson-dataformat-yaml"),
            Map.entry("Jackson JSON", "jackson-databind"), Map.entry("MessagePack", "jackson-dataformat-msgpack"),
            Map.entry("CBOR", "jackson-dataformat-cbor"), Map.entry("protobuf", "protobuf-java"),
            Map.entry("H2", "h2"), Map.entry("SQLite", "sqlite-jdbc"), Map.entry("Yecht", "yecht"),
            Map.entry("joni", "joni"));

    /** The CPU time for which an engine runs before the samples of each turn. */
    private static final double TURN_SECONDS = 0.02;

    /** Keeps results from being optimized away. */
    private static volatile Object sink;

    /** How to prepare each operation, followed by a line break and an engine. */
    private final Map<String, Work.Factory<Path>> factories = new HashMap<>();

    private final Map<String, Work> slots = new HashMap<>();
    private String last = "";

    private Runner() {
        Load.register(this);
        Events.register(this);
        Binary.register(this);
        Select.register(this);
        Syck.register(this);
        Joni.register(this);
    }

    /** Answers requests until the input ends. */
    public static void main(String[] args) throws IOException {
        PrintStream answers = System.out;
        System.setOut(System.err);
        Runner runner = new Runner();
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            Map<?, ?> request = JSON.readValue(line, Map.class);
            if ("stop".equals(request.get("do"))) {
                break;
            }
            answers.println(JSON.writeValueAsString(runner.answer(request)));
        }
    }

    /** Adds an engine that reads the bytes of an input. */
    void add(String operation, String engine, Work.Factory<byte[]> factory) {
        addFile(operation, engine, path -> factory.prepare(Files.readAllBytes(path)));
    }

    /** Adds an engine that reads other files beside its input. */
    void addFile(String operation, String engine, Work.Factory<Path> factory) {
        factories.put(operation + "\n" + engine, factory);
    }

    private Map<String, Object> answer(Map<?, ?> request) {
        try {
            String slot = String.valueOf(request.get("slot"));
            return switch ((String) request.get("do")) {
                case "hello" -> hello();
                case "prepare" -> prepare(slot, request);
                case "verify" -> verify(slots.get(slot), (String) request.get("write"));
                case "run" -> run(slot, (Integer) request.get("times"));
                case "drop" -> {
                    slots.remove(slot).resource().close();
                    yield Map.of();
                }
                default -> throw new IllegalArgumentException("no such request");
            };
        } catch (Exception | LinkageError | StackOverflowError | OutOfMemoryError error) {
            String message = error.getMessage() == null ? error.toString() : error.getMessage();
            return Map.of("error", message.lines().findFirst().orElse("an error"));
        }
    }

    private static Map<String, Object> hello() {
        Map<String, String> engines = new LinkedHashMap<>();
        ARTIFACTS.forEach((engine, artifact) -> {
            Matcher jar = Pattern.compile("/" + artifact + "-([0-9][^/]*?)\\.jar").matcher(System.getProperty("java.class.path"));
            engines.put(engine, jar.find() ? jar.group(1) : "");
        });
        return Map.of("protocol", 1, "host", "java " + System.getProperty("java.version"), "engines", engines);
    }

    private Map<String, Object> prepare(String slot, Map<?, ?> request) throws Exception {
        last = "";
        Work.Factory<Path> factory = factories.get(request.get("operation") + "\n" + request.get("engine"));
        if (factory == null) {
            return Map.of("unable", "has no such operation");
        }
        slots.put(slot, factory.prepare(Path.of((String) request.get("input"))));
        return Map.of();
    }

    private static Map<String, Object> verify(Work work, String path) throws Exception {
        Object value = Canonical.value(work.reduction().apply(work.call().run()));
        if (path != null) {
            Yaml.dump(value, Path.of(path));
        }
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(Extprot.dump(value));
        return Map.of("digest", HexFormat.of().formatHex(digest));
    }

    private Map<String, Object> run(String slot, int times) throws Exception {
        Work.Call call = slots.get(slot).call();
        // The garbage of one engine is not the work of the next.
        if (!slot.equals(last)) {
            last = slot;
            System.gc();
            double start = Usage.threadSeconds();
            do {
                sink = call.run();
            } while (Usage.threadSeconds() < start + TURN_SECONDS);
        }
        Usage start = Usage.now();
        for (int i = 0; i < times; i++) {
            sink = call.run();
        }
        return Usage.now().since(start);
    }
}
