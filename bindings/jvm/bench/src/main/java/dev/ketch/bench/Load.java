package dev.ketch.bench;

import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Measures {@code Yaml.loadAll} beside its peers: all in one process, in turn within each round, after
 * the values of each file were found equal. Prints the ratios.
 */
public final class Load {
    private static final long WARM_UP_NANOS = 1_500_000_000L;
    private static final long BATCH_NANOS = 30_000_000L;

    /** Keeps results from being optimized away. */
    static Object sink;

    private final int rounds;
    private final Map<Engine, List<Double>> means = new EnumMap<>(Engine.class);

    private Load(int rounds) {
        this.rounds = rounds;
    }

    /** The command: {@code [--rounds N] FILE...}. */
    public static void main(String[] args) throws IOException {
        List<String> files = new ArrayList<>(Arrays.asList(args));
        int rounds = 9;
        int at = files.indexOf("--rounds");
        if (at >= 0) {
            rounds = Integer.parseInt(files.remove(at + 1));
            files.remove(at);
        }
        Load load = new Load(rounds);
        System.out.printf("JDK %s, %d rounds, times as fast as the peer: median, quartiles%n",
                System.getProperty("java.version"), rounds);
        for (String file : files) {
            load.measure(Path.of(file));
        }
        load.summarize();
    }

    private void measure(Path file) throws IOException {
        byte[] text = Files.readAllBytes(file);
        List<Object> ours = Engine.KETCH.load(text);
        byte[] json = json(ours);
        System.out.printf("%s (%,d bytes)%n", file.getFileName(), text.length);
        Map<Engine, Task> tasks = new EnumMap<>(Engine.class);
        for (Engine engine : Engine.values()) {
            byte[] input = engine == Engine.JACKSON_JSON ? json : text;
            String refusal = refusal(engine, input, ours);
            if (refusal == null) {
                tasks.put(engine, new Task(engine, input));
            } else {
                System.out.printf("  %-24s not measured: %s%n", engine.title, refusal);
            }
        }
        if (tasks.size() < 2) {
            return;
        }
        for (Task task : tasks.values()) {
            task.warmUp();
        }
        Map<Engine, double[]> times = new EnumMap<>(Engine.class);
        tasks.keySet().forEach(engine -> times.put(engine, new double[rounds]));
        for (int round = 0; round < rounds; round++) {
            for (Map.Entry<Engine, Task> task : tasks.entrySet()) {
                times.get(task.getKey())[round] = task.getValue().time();
            }
        }
        report(times);
    }

    /** Why an engine is not compared on a file; {@code null} if it is. */
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

    private void report(Map<Engine, double[]> times) {
        double[] ours = times.get(Engine.KETCH);
        for (Map.Entry<Engine, double[]> entry : times.entrySet()) {
            if (entry.getKey() == Engine.KETCH) {
                continue;
            }
            double[] ratios = new double[rounds];
            for (int round = 0; round < rounds; round++) {
                ratios[round] = entry.getValue()[round] / ours[round];
            }
            Arrays.sort(ratios);
            double median = ratios[rounds / 2];
            means.computeIfAbsent(entry.getKey(), engine -> new ArrayList<>()).add(median);
            System.out.printf("  %-24s %6.2f  (%.2f..%.2f)%n", entry.getKey().title, median,
                    ratios[rounds / 4], ratios[3 * rounds / 4]);
        }
    }

    private void summarize() {
        System.out.println("| peer | mean | least | most | files |");
        System.out.println("|---|---|---|---|---|");
        means.forEach((engine, ratios) -> {
            double logs = ratios.stream().mapToDouble(Math::log).average().orElse(0);
            System.out.printf("| %s | %.2f | %.2f | %.2f | %d |%n", engine.title, Math.exp(logs),
                    ratios.stream().min(Double::compare).orElse(0.0),
                    ratios.stream().max(Double::compare).orElse(0.0), ratios.size());
        });
    }

    /** An engine on a file, repeated until a batch takes long enough to be timed. */
    private static final class Task {
        private final Engine engine;
        private final byte[] input;
        private int repeats = 1;

        Task(Engine engine, byte[] input) {
            this.engine = engine;
            this.input = input;
        }

        void warmUp() throws IOException {
            long end = System.nanoTime() + WARM_UP_NANOS;
            double each = time();
            while (System.nanoTime() < end) {
                each = time();
            }
            repeats = (int) Math.max(1, BATCH_NANOS / each);
        }

        /** Nanoseconds for one load. */
        double time() throws IOException {
            long start = System.nanoTime();
            for (int i = 0; i < repeats; i++) {
                sink = engine.load(input);
            }
            return (System.nanoTime() - start) / (double) repeats;
        }
    }
}
