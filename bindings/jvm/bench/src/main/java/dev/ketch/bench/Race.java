package dev.ketch.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.runner.options.WarmupMode;

/**
 * Times several calls on the same input with JMH, all in this JVM. Prints each result as a line of
 * JSON, which {@code bench/run} reads.
 */
final class Race {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The first race also loads the classes of all engines, and compiles most of their methods. */
    private static int warmups = 10;

    private Race() {}

    /** The work to be timed. */
    interface Call {
        /** Does the work once. */
        Object run() throws IOException;
    }

    /**
     * Times calls on an input of the given size. The first call is Ketch's. Without others, there is
     * nothing to compare.
     */
    static void run(String level, String input, int bytes, Map<String, Call> calls) throws IOException {
        if (calls.size() == 1) {
            return;
        }
        Timed.calls = List.copyOf(calls.values());
        List<String> titles = List.copyOf(calls.keySet());
        Map<String, List<Double>> seconds = new LinkedHashMap<>();
        try {
            for (RunResult result : new Runner(options(titles.size()).build()).run()) {
                seconds.put(titles.get(Integer.parseInt(result.getParams().getParam("index"))), scores(result));
            }
        } catch (RunnerException failure) {
            throw new IOException(failure);
        }
        warmups = 3;
        print(Map.of("level", level, "file", input, "bytes", bytes, "seconds", seconds));
    }

    /** All calls are warmed up before any is measured, so each is measured under equal conditions. */
    private static ChainedOptionsBuilder options(int calls) {
        System.setProperty("jmh.ignoreLock", "true");
        String[] indices = new String[calls];
        for (int i = 0; i < calls; i++) {
            indices[i] = Integer.toString(i);
        }
        return new OptionsBuilder()
                .include(Timed.class.getName())
                .param("index", indices)
                .forks(0)
                .warmupMode(WarmupMode.BULK)
                .warmupIterations(warmups)
                .warmupTime(TimeValue.milliseconds(500))
                .measurementIterations(5)
                .measurementTime(TimeValue.milliseconds(200))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
    }

    /** Returns the mean seconds of a call in each iteration. */
    private static List<Double> scores(RunResult result) {
        List<Double> scores = new ArrayList<>();
        for (BenchmarkResult benchmark : result.getBenchmarkResults()) {
            for (IterationResult iteration : benchmark.getIterationResults()) {
                scores.add(iteration.getPrimaryResult().getScore());
            }
        }
        return scores;
    }

    /** Reports that an engine is not measured on a file. */
    static void leaveOut(String level, String engine, String file, String reason) throws IOException {
        print(Map.of("level", level, "engine", engine, "file", file, "reason", reason));
    }

    /** Reports why an engine cannot read a file. */
    static void leaveOut(String level, String engine, String file, Exception error) throws IOException {
        String message = error.getMessage() == null ? error.toString() : error.getMessage();
        leaveOut(level, engine, file, message.lines().findFirst().orElse("an error"));
    }

    /** Reports a fact that is not a time. */
    static void note(String format, Object... arguments) throws IOException {
        print(Map.of("note", String.format(format, arguments)));
    }

    private static void print(Map<String, Object> line) throws IOException {
        System.out.println(JSON.writeValueAsString(line));
    }
}
