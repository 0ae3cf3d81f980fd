package dev.ketch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs out of native memory, in a process with little address space. */
class MemoryTest {
    /** The code that the process runs: loads with more and more address space. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws Exception {
            byte[] flat = "a: [1, two]\n---\n".repeat(100_000).getBytes(StandardCharsets.UTF_8);
            byte[] tree = ("- &a b\n- {k: *a}\n- !t [x]\n".repeat(80_000)).getBytes(StandardCharsets.UTF_8);
            byte[] text = ("\"" + "\\t".repeat(4_000_000) + "\"").getBytes(StandardCharsets.UTF_8);
            List<byte[]> inputs = List.of(flat, tree, text);
            for (byte[] input : inputs) {
                load(input, 0);
            }
            int values = 0;
            int refused = 0;
            for (int step = 0; step < 60; step++) {
                limit(size() + step * (1L << 20));
                if (load(inputs.get(step % 3), step)) {
                    values++;
                } else {
                    refused++;
                }
            }
            limit(size() + (1L << 30));
            boolean isUsable = load(flat, 0) && load(tree, 1) && load(text, 2);
            System.out.println(isUsable && values > 0 && refused > 0 ? "ok"
                    : values + " values, " + refused + " refused, " + isUsable);
        }

        private static boolean load(byte[] input, int step) throws Exception {
            try {
                if (step % 2 == 0) {
                    Yaml.loadAll(input);
                } else {
                    Yaml.loadAll(new ByteArrayInputStream(input));
                }
                return true;
            } catch (OutOfMemoryError expected) {
                return false;
            }
        }

        private static long size() throws Exception {
            String line = Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(status -> status.startsWith("VmSize:")).findFirst().orElseThrow();
            return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
        }

        /** Sets the limit by another process: this one may not have the memory for a new thread. */
        private static void limit(long bytes) throws Exception {
            LIMITER.getOutputStream().write((bytes + "\n").getBytes(StandardCharsets.UTF_8));
            LIMITER.getOutputStream().flush();
            LIMITER.getInputStream().read();
        }

        private static final Process LIMITER = limiter();

        private static Process limiter() {
            String script = "while read bytes; do prlimit --pid $0 --as=$bytes: && echo; done";
            String pid = String.valueOf(ProcessHandle.current().pid());
            try {
                return new ProcessBuilder("sh", "-c", script, pid).start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void runningOutOfMemoryThrowsAnErrorThatCanBeCaught() throws Exception {
        String output = LibraryTest.run(Program.class, LibraryTest.access(), "-Xint", "-XX:+UseSerialGC",
                "-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch");
        assertEquals("ok", output.strip());
    }
}
