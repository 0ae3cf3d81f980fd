package dev.ketch.bench;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** JMH's benchmark: one of the calls of a {@link Race}, which the parameter selects. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.SECONDS)
public class Timed {
    /** The calls of the current race. JMH creates the state, so it can get them only from here. */
    static List<Race.Call> calls = List.of();

    /** The index of the call. */
    @Param("0")
    public int index;

    private Race.Call call;

    /** Created by JMH. */
    public Timed() {}

    /** Chooses the call, and frees the memory of the previous one. */
    @Setup(Level.Trial)
    public void choose() {
        call = calls.get(index);
        System.gc();
    }

    /** Does the work once. JMH's blackhole consumes the result. */
    @Benchmark
    public Object run() throws IOException {
        return call.run();
    }
}
