package dev.ketch.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Times several calls in one process, in turn within each round, and collects how they compare with
 * the first one over all inputs.
 */
final class Race {
    private static final long WARM_UP_NANOS = 1_500_000_000L;
    private static final long BATCH_NANOS = 30_000_000L;

    /** Keeps results from being optimized away. */
    static Object sink;

    private final int rounds;
    private final Map<String, List<Double>> medians = new LinkedHashMap<>();

    Race(int rounds) {
        this.rounds = rounds;
    }

    /** The work to be timed. */
    interface Call {
        /** Does the work once. */
        Object run() throws IOException;
    }

    /** Times calls on one input and prints the ratios of their times to that of the first. */
    void run(Map<String, Call> calls) throws IOException {
        Map<String, TimedCall> timed = new LinkedHashMap<>();
        calls.forEach((title, call) -> timed.put(title, new TimedCall(call)));
        for (TimedCall call : timed.values()) {
            call.warmUp();
        }
        for (int round = 0; round < rounds; round++) {
            for (TimedCall call : timed.values()) {
                call.times[round] = call.time();
            }
        }
        double[] ours = timed.values().iterator().next().times;
        timed.entrySet().stream().skip(1).forEach(call -> report(call.getKey(), call.getValue().times, ours));
    }

    private void report(String title, double[] theirs, double[] ours) {
        double[] ratios = new double[rounds];
        Arrays.setAll(ratios, round -> theirs[round] / ours[round]);
        Arrays.sort(ratios);
        double median = ratios[rounds / 2];
        medians.computeIfAbsent(title, peer -> new ArrayList<>()).add(median);
        System.out.printf("  %-28s %6.2f  (%.2f..%.2f)%n", title, median, ratios[rounds / 4],
                ratios[3 * rounds / 4]);
    }

    /** Prints the geometric means over all inputs. */
    void summarize() {
        if (medians.isEmpty()) {
            return;
        }
        System.out.println("| peer | mean | least | most | inputs |");
        System.out.println("|---|---|---|---|---|");
        medians.forEach((title, ratios) -> {
            double logs = ratios.stream().mapToDouble(Math::log).average().orElse(0);
            System.out.printf("| %s | %.2f | %.2f | %.2f | %d |%n", title, Math.exp(logs),
                    ratios.stream().min(Double::compare).orElse(0.0),
                    ratios.stream().max(Double::compare).orElse(0.0), ratios.size());
        });
    }

    /** A call, repeated until a batch takes long enough to be timed. */
    private final class TimedCall {
        private final Call call;
        private final double[] times = new double[rounds];
        private int repeats = 1;

        TimedCall(Call call) {
            this.call = call;
        }

        void warmUp() throws IOException {
            long end = System.nanoTime() + WARM_UP_NANOS;
            double each = time();
            while (System.nanoTime() < end) {
                each = time();
            }
            repeats = (int) Math.max(1, BATCH_NANOS / each);
        }

        /** Runs a batch. Returns the time of one call in nanoseconds. */
        double time() throws IOException {
            long start = System.nanoTime();
            for (int i = 0; i < repeats; i++) {
                sink = call.run();
            }
            return (System.nanoTime() - start) / (double) repeats;
        }
    }
}
