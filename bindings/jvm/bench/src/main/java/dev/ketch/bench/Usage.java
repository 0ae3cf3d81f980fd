package dev.ketch.bench;

import com.sun.jna.Native;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/**
 * What this process has used so far. The JVM's own counter of CPU time has steps of 10 ms, so this asks the C library, which
 * also counts the threads of the compiler and of the garbage collector.
 */
record Usage(double user, double system, double real, long allocated, long peak) {
    private static final int RUSAGE_SELF = 0;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** The C library. */
    private static final class C {
        static {
            Native.register(C.class, "c");
        }

        static native int getrusage(int who, long[] usage);
    }

    static Usage now() {
        // Two times of two numbers each, the peak of memory, and 13 numbers more.
        long[] usage = new long[18];
        C.getrusage(RUSAGE_SELF, usage);
        return new Usage(usage[0] + usage[1] / 1e6, usage[2] + usage[3] / 1e6, System.nanoTime() / 1e9,
                THREADS.getCurrentThreadAllocatedBytes(), usage[4]);
    }

    /** Returns the CPU time of this thread alone. */
    static double threadSeconds() {
        return THREADS.getCurrentThreadCpuTime() / 1e9;
    }

    /** Returns what was used since an earlier time, as the answer to `run`. */
    Map<String, Object> since(Usage start) {
        Map<String, Object> answer = new HashMap<>();
        answer.put("user", user - start.user);
        answer.put("system", system - start.system);
        answer.put("real", real - start.real);
        answer.put("allocated", allocated - start.allocated);
        answer.put("peak", peak);
        return answer;
    }
}
