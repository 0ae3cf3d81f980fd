package dev.ketch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Programs in jq's language. */
class QueryTest {
    private static List<Object> results(String text, String program) {
        return results(text, Query.compile(program));
    }

    private static List<Object> results(String text, Query query) {
        try (Stream<Object> found = query.run(text)) {
            return found.toList();
        }
    }

    @Test
    void resultsAreObjectsOfJava() {
        List<Object> expected = Arrays.asList(1, new BigDecimal("2.50"), "x", null, true, Map.of("b", List.of()));
        assertEquals(expected, results("a: [1, 2.50, x, null, true, {b: []}]", ".a[]"));
        assertEquals(List.of(BigInteger.valueOf(3).pow(50).negate()), results("3", "-pow(.; 50)"));
        assertEquals(List.of(new BigDecimal("-0.5")), results("1", ". / -2"));
        assertEquals(List.of(0.1), results("0.1", Query.compile(".").with("floats", true)));
        assertEquals(List.of(Double.NaN), results(".nan", "."));
        assertEquals(List.of(true), results("é", "test(\"^\\\\w$\")"));
        assertEquals(List.of("x".repeat(100_000)), results("x", ". * 100000"));
    }

    @Test
    void resultsAreComputedAsTheyAreUsed() {
        try (Stream<Object> endless = Query.compile("repeat(1)").run("1")) {
            assertEquals(List.of(1, 1), endless.limit(2).toList());
        }
        assertEquals(List.of(2, 3), results("1\n--- 2", ". + 1"));
        assertEquals(List.of(1, 2), results("1 2", Query.compile(".").with("format", "json")));
        Stream<Object> closed = Query.compile("repeat(1)").run(new byte[] {'1'});
        Iterator<Object> found = closed.iterator();
        assertEquals(1, found.next());
        closed.close();
    }

    @Test
    void theExampleOfThePageIsCorrect() {
        assertEquals(List.of(new BigDecimal("0.5"), 1), results("[1, 2]", ".[] | . / 2"));
    }

    @Test
    void variablesAndModulesReachTheProgram() {
        Query scaled = Query.compile(". * $n", Map.of("n", new BigDecimal("1.25")));
        assertEquals(List.of(new BigDecimal("2.5")), results("2", scaled));
        Map<String, String> texts = Map.of("a", "import \"b\" as b; def f: b::f;", "b", "def f: 8;");
        assertEquals(List.of(8), results("1", Query.compile("import \"a\" as a; a::f", Map.of(), texts::get)));
        QueryException missing = assertThrows(
                QueryException.class, () -> Query.compile("import \"x\" as x; 1", Map.of(), texts::get));
        assertEquals("no-such-module", missing.name());
    }

    @Test
    void errorsHaveAKindAndPlaces() {
        QueryException refused = assertThrows(QueryException.class, () -> Query.compile("1 |\n foo(2)"));
        assertEquals("undefined-function", refused.name());
        assertEquals(List.of(2L, 2L), List.of(refused.line(), refused.column()));
        List<Object> found = new ArrayList<>();
        Query strict = Query.compile(".[] | .prot").with("strict", true);
        QueryException failed = assertThrows(
                QueryException.class, () -> strict.run("- {prot: 1}\n- {port: 2}\n").forEach(found::add));
        assertEquals(List.of(1), found);
        assertEquals("no-such-key", failed.name());
        assertEquals(List.of(1L, 8L), List.of(failed.line(), failed.column()));
        assertEquals(List.of(2L, 3L), List.of(failed.relatedLine(), failed.relatedColumn()));
        assertThrows(YamlSyntaxException.class, () -> results("1\n--- [", "."));
        Query endless = Query.compile("last(repeat(1))").with("max_steps", 1000);
        assertEquals("max_steps", assertThrows(LimitException.class, () -> results("1", endless)).setting());
        assertThrows(IllegalArgumentException.class, () -> results("1", Query.compile(".").with("max_stps", 1)));
        assertThrows(IllegalArgumentException.class, () -> Query.compile(".").with("strct", true).edit("a: 1"));
    }

    @Test
    void editsChangeOnlyWhatTheProgramChanges() {
        Query query = Query.compile(".image.tag = $tag | del(.debug)", Map.of("tag", "1.10"));
        assertEquals("image: {tag: '1.10'}   # pinned\n",
                query.edit("image: {tag: '1.9'}   # pinned\ndebug: true\n"));
        assertEquals("result-count",
                assertThrows(QueryException.class, () -> Query.compile("empty").edit("a: 1\n")).name());
        assertThrows(EditException.class, () -> Query.compile(".b.c = 2").edit("a: &x {c: 1}\nb: *x\n"));
        assertThrows(YamlSyntaxException.class, () -> Query.compile(".").edit("a: ["));
    }

    @Test
    void threadsShareAQuery() throws Exception {
        Query query = Query.compile("[range(100)] | map(. * $n) | add", Map.of("n", 2));
        ExecutorService threads = Executors.newFixedThreadPool(64);
        try {
            Callable<List<Object>> run = () -> results("0", query);
            for (Future<List<Object>> found : threads.invokeAll(java.util.Collections.nCopies(1000, run))) {
                assertEquals(List.of(9900), found.get());
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void anInterruptEndsARun() throws Exception {
        Query endless = Query.compile("last(repeat(1))").with("max_steps", Long.MAX_VALUE);
        for (Runnable run : List.<Runnable>of(() -> results("1", endless), () -> endless.edit("1"))) {
            CompletableFuture<Boolean> ended = new CompletableFuture<>();
            Thread thread = new Thread(() -> {
                try {
                    run.run();
                    ended.complete(false);
                } catch (CancellationException expected) {
                    ended.complete(Thread.currentThread().isInterrupted());
                } catch (Throwable other) {
                    ended.completeExceptionally(other);
                }
            });
            thread.start();
            Thread.sleep(50);
            thread.interrupt();
            assertTrue(ended.get(10, TimeUnit.SECONDS));
        }
        // A run that is never polled does not ask.
        Thread.currentThread().interrupt();
        assertEquals(List.of(2), results("1", ". + 1"));
        assertTrue(Thread.interrupted());
    }

    @Test
    void abandonedRunsAreFreed() {
        Query query = Query.compile(".[]");
        for (int i = 0; i < 20_000; i++) {
            assertTrue(query.run("[1, [2.5], {a: x}, 3]").iterator().hasNext());
        }
    }
}
