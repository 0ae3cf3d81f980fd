package dev.ketch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that are killed, threads that are interrupted, and many threads on one loader. */
class TroubleTest {
    private static final int KILLS = Integer.getInteger("ketch.kills", 6);

    /** Replaces a file again and again, with one of two texts. */
    static final class Replacer {
        private Replacer() {}

        public static void main(String[] arguments) throws IOException {
            Path file = Path.of(arguments[0]);
            for (int i = 0;; i++) {
                Yaml.dump(value(i % 2), file);
                if (i == 0) {
                    System.out.println("started");
                }
            }
        }

        static Object value(int number) {
            List<Object> list = new ArrayList<>();
            for (int i = 0; i < 20_000; i++) {
                list.add(Map.of("ship " + number, i));
            }
            return list;
        }
    }

    /** Kills JVMs that replace a file, many of them in the middle of a write. */
    @Test
    void aKilledJvmLeavesTheOldOrTheNewFile(@TempDir Path folder) throws Exception {
        List<String> whole = List.of(Yaml.dump(Replacer.value(0)), Yaml.dump(Replacer.value(1)));
        Path file = folder.resolve("ships.yml");
        int unfinished = 0;
        // On a busy machine, all of the first ones may die before or between writes.
        for (int kill = 0; kill < KILLS || unfinished == 0 && kill < 20 * KILLS; kill++) {
            Process process = new ProcessBuilder(LibraryTest.command(Replacer.class,
                    List.of(LibraryTest.access()), file.toString())).start();
            assertEquals('s', process.getInputStream().read());
            Thread.sleep(100 + 37L * (kill % 100));
            process.destroyForcibly().waitFor();
            assertTrue(whole.contains(Files.readString(file)), "kill " + kill);
            try (var files = Files.list(folder)) {
                unfinished += (int) files.filter(other -> !other.equals(file)).count();
            }
        }
        // Otherwise no process was killed while it wrote a file.
        assertTrue(unfinished > 0, "no process was killed while it wrote");
    }

    /** A stream that waits until its thread is interrupted. */
    private static final class Waiting extends InputStream {
        private final CompletableFuture<Void> isWaiting = new CompletableFuture<>();
        private final InterruptedIOException failure = new InterruptedIOException("stop");
        private boolean hasStarted;

        @Override
        public int read() throws IOException {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read(byte[] out, int offset, int length) throws IOException {
            if (!hasStarted) {
                hasStarted = true;
                byte[] start = "masts: [main,\n".getBytes(StandardCharsets.UTF_8);
                System.arraycopy(start, 0, out, offset, start.length);
                return start.length;
            }
            isWaiting.complete(null);
            try {
                Thread.sleep(60_000);
            } catch (InterruptedException interrupted) {
                throw failure;
            }
            return -1;
        }
    }

    private interface Load {
        void run(InputStream in) throws IOException;
    }

    @Test
    void anInterruptInAStreamReachesTheCaller() throws Exception {
        List<Load> loads = List.of(Yaml::load, Yaml::loadAll, in -> Yaml.forEach(in, value -> {}));
        for (Load load : loads) {
            Waiting in = new Waiting();
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread thread = new Thread(() -> {
                try {
                    load.run(in);
                } catch (Throwable failure) {
                    thrown.set(failure);
                }
            });
            thread.start();
            in.isWaiting.get();
            thread.interrupt();
            thread.join();
            assertSame(in.failure, thrown.get());
        }
        assertEquals(List.of(1), Yaml.load("[1]"));
    }

    @Test
    void anInterruptedThreadLoadsAndDumpsAndStaysInterrupted(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("ketch.yml");
        Object value = List.of("a".repeat(100), 1);
        Thread.currentThread().interrupt();
        try {
            Yaml.dump(value, file);
            assertEquals(value, Yaml.load(Yaml.dump(value)));
            assertTrue(Thread.currentThread().isInterrupted());
        } finally {
            Thread.interrupted();
        }
        assertEquals(value, Yaml.load(file));
    }

    private static void useAtOnce(ExecutorService threads, int count) throws Exception {
        Loader loader = Yaml.with(Options.builder().duplicateKeys(DuplicateKeys.LAST).build());
        List<Callable<Object>> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String key = "key" + i % 300;
            String yaml = "- {" + key + ": " + key + ", same: 0, same: 1}\n";
            calls.add(switch (i % 4) {
                case 0 -> () -> loader.load(yaml);
                case 1 -> () -> loader.load(new java.io.StringReader(yaml));
                // One load fails, and the others continue.
                case 2 -> () -> {
                    assertThrows(YamlSyntaxException.class, () -> loader.load(yaml + "]"));
                    return loader.load(yaml);
                };
                default -> () -> loader.load(Yaml.dump(loader.load(yaml)));
            });
        }
        int i = 0;
        for (Future<Object> value : threads.invokeAll(calls)) {
            String key = "key" + i++ % 300;
            assertEquals(List.of(Map.of(key, key, "same", 1)), value.get());
        }
    }

    @Test
    void manyThreadsUseOneLoader() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(64);
        try {
            useAtOnce(threads, 4000);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void virtualThreadsUseOneLoader() throws Exception {
        assumeTrue(Runtime.version().feature() >= 21, "this JDK has no virtual threads");
        // The tests are compiled for Java 17, which does not have this method.
        ExecutorService threads = (ExecutorService) Executors.class
                .getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        try {
            useAtOnce(threads, 10_000);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Dumps to the files of a folder, and to a relative path. */
    static final class Renamer {
        private Renamer() {}

        public static void main(String[] arguments) throws IOException {
            try (Stream<Path> files = Files.list(Path.of(arguments[0]))) {
                for (Path file : files.toList()) {
                    Yaml.dump("new", file);
                }
            }
            Yaml.dump("new", Path.of("relative.yml"));
        }
    }

    /** Names that the locale cannot decode, and relative names after a change of `user.dir`. */
    @Test
    void dumpsReplaceTheFileThatThePathMeans(@TempDir Path folder) throws Exception {
        Path ships = Files.createDirectory(folder.resolve("ships"));
        Process create = new ProcessBuilder("bash", "-c", "echo old >'größe.yml'; echo old >$'\\xff.yml'")
                .directory(ships.toFile()).start();
        assertEquals(0, create.waitFor());
        ProcessBuilder dump = new ProcessBuilder(LibraryTest.command(Renamer.class,
                List.of(LibraryTest.access(), "-Duser.dir=" + folder), ships.toString()));
        dump.environment().put("LC_ALL", "C");
        assertEquals(0, dump.inheritIO().start().waitFor());
        Process read = new ProcessBuilder("bash", "-c", "cat ships/* relative.yml").directory(folder.toFile()).start();
        assertEquals("new\nnew\nnew\n", new String(read.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    }

    /** The memory of a writer that is not closed is freed with the object. */
    @Test
    void writersThatAreNotClosedAreFreed() throws Exception {
        long before = 0;
        for (int i = 0; i < 12_000; i++) {
            YamlWriter.of(java.io.OutputStream.nullOutputStream(), DumpOptions.DEFAULT)
                    .startDocument().startSequence().text("x").flush();
            if (i % 500 == 0) {
                System.gc();
                Thread.sleep(5);
            }
            if (i == 2_000) {
                before = residentKiB();
            }
        }
        long grown = residentKiB() - before;
        assertTrue(grown < 300_000, grown + " KiB");
    }

    private static long residentKiB() throws IOException {
        String line = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(status -> status.startsWith("VmRSS:")).findFirst().orElseThrow();
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
    }

    /** A key after two keys that are equal only in Java must not get lost for later loads. */
    @Test
    void keysAfterARejectedMappingAreKept() {
        Loader loader = Yaml.with(Options.builder().schema(Schema.YAML11).build());
        String yaml = "z: {2001-12-14 10:00:00 +19:30: 1, 2001-12-13 14:30:00 +00:00: 2}\nunseen: 1\n";
        for (int i = 0; i < 20; i++) {
            String text = yaml.replace("unseen", "unseen" + i);
            assertThrows(DuplicateKeyException.class, () -> loader.load(text));
            assertEquals(Map.of("unseen" + i, 5), loader.load("{unseen" + i + ": 5}"));
        }
    }

    /** A stream of many documents that does something when it is read for the n-th time. */
    private static final class Acting extends InputStream {
        private final byte[] text = "--- {key: [a, \"b\\n\"]}\n".repeat(20_000).getBytes(StandardCharsets.UTF_8);
        private final Runnable action;
        private final int when;
        private int reads;
        private int at;

        Acting(int when, Runnable action) {
            this.when = when;
            this.action = action;
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read(byte[] out, int offset, int length) {
            if (reads++ == when) {
                action.run();
            }
            int count = Math.min(Math.min(length, 5000), text.length - at);
            System.arraycopy(text, at, out, offset, count);
            at += count;
            return count == 0 ? -1 : count;
        }
    }

    @Test
    void aParserIsClosedOrCalledByItsOwnStream() {
        for (int when : new int[] {0, 1, 30}) {
            AtomicReference<YamlParser> parser = new AtomicReference<>();
            for (Runnable action : List.<Runnable>of(
                    () -> parser.get().close(), () -> parser.get().next())) {
                parser.set(YamlParser.of(new Acting(when, action)));
                assertThrows(IllegalStateException.class, () -> {
                    while (parser.get().next()) {
                        parser.get().kind();
                    }
                });
                parser.get().close();
                assertEquals(List.of(Map.of("key", List.of(1))), Yaml.load("- key: [1]"));
            }
            // The call that is in progress ends the parser, too.
            parser.set(YamlParser.of(new Acting(when, () -> {
                parser.get().close();
                throw new IllegalStateException("the stream");
            })));
            assertThrows(IllegalStateException.class, () -> parser.get().forEachRemaining(event -> { }));
            assertThrows(IllegalStateException.class, parser.get()::next);
            AtomicReference<Stream<Object>> documents = new AtomicReference<>();
            documents.set(Yaml.stream(new Acting(when, () -> documents.get().close())));
            assertThrows(IllegalStateException.class, () -> documents.get().forEach(value -> { }));
            assertEquals(List.of(Map.of("key", List.of(1))), Yaml.load("- key: [1]"));
        }
    }

    /** Closes parsers at random moments while another thread reads from them. */
    @Test
    void aParserIsClosedByAnotherThread() throws Exception {
        StringBuilder keys = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            keys.append("key").append(i).append(": [").append(i).append(", a]\n");
        }
        byte[] text = keys.toString().getBytes(StandardCharsets.UTF_8);
        int closed = 0;
        for (int i = 0; i < 600; i++) {
            YamlParser parser = i % 2 == 0 ? YamlParser.of(text) : YamlParser.of(new Acting(-1, null));
            long nanos = i * 5_000L;
            Thread closing = new Thread(() -> {
                LockSupport.parkNanos(nanos);
                parser.close();
            });
            closing.start();
            boolean isEnd = false;
            try {
                while (parser.next()) {
                    parser.text();
                    parser.value();
                    parser.longValue();
                }
                isEnd = true;
            } catch (IllegalStateException error) {
                closed++;
            }
            closing.join();
            if (isEnd) {
                assertFalse(parser.next());
            } else {
                assertThrows(IllegalStateException.class, parser::next);
            }
            // The tables of keys of the sessions in the pool are right.
            assertEquals(List.of(Map.of("key" + i, i, "key1x", "key2")),
                    Yaml.load("- key" + i + ": " + i + "\n  key1x: key2"));
        }
        assertTrue(closed > 0);
    }

    /** Passes a parser that one thread has created to another, and closes it in the first. */
    @Test
    void aClosedParserDoesNotUseItsSessionAgain() throws Exception {
        YamlParser first = YamlParser.of("mine: 1\n");
        first.next();
        first.close();
        try (YamlParser second = YamlParser.of("other: 2\n")) {
            assertThrows(IllegalStateException.class, first::next);
            assertThrows(IllegalStateException.class, first::text);
            while (second.next() && !second.kind().isScalar()) { }
            assertEquals("other", second.text());
        }
    }

    /** Lets the stream of a dump fail at each byte. */
    @Test
    void aDumpsStreamMayFailAtEachByte() {
        Object value = Arrays.asList(Map.of("größe", 1.5), "a\nb", null, new byte[] {1, 2});
        int length = Yaml.dump(value).getBytes(StandardCharsets.UTF_8).length;
        for (int end = 0; end < length; end++) {
            IOException failure = new IOException("byte " + end);
            int most = end;
            var out = new java.io.OutputStream() {
                private int count;

                @Override
                public void write(int unit) throws IOException {
                    if (count++ == most) {
                        throw failure;
                    }
                }
            };
            assertSame(failure, assertThrows(IOException.class, () -> Yaml.dump(value, out)));
        }
    }
}
