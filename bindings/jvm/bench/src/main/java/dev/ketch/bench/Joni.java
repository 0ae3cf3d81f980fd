package dev.ketch.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jcodings.specific.UTF8Encoding;
import org.joni.Matcher;
import org.joni.Option;
import org.joni.Regex;

/** Searches of joni, for rows of other hosts. {@code bench/rows/regex.toml} describes the inputs and the results. */
final class Joni {
    private Joni() {}

    private record Case(Regex regex, byte[] text) {
        /** Searches the text; returns null if nothing matches. */
        Matcher found() {
            Matcher matcher = regex.matcher(text);
            return matcher.search(0, text.length, Option.NONE) < 0 ? null : matcher;
        }

        long count() {
            Matcher matcher = regex.matcher(text);
            long count = 0;
            int from = 0;
            while (from <= text.length && matcher.search(from, text.length, Option.NONE) >= 0) {
                count++;
                from = matcher.getEnd() > matcher.getBegin() ? matcher.getEnd() : next(matcher.getEnd());
            }
            return count;
        }

        private int next(int at) {
            return at < text.length ? at + UTF8Encoding.INSTANCE.length(text, at, text.length) : at + 1;
        }
    }

    static void register(Runner runner) {
        add(runner, "find", one -> ends(one.found(), Integer::sum, 0), one -> ends(one.found(), List::of, null));
        add(runner, "is_match", one -> one.found() == null ? 0 : 1, one -> one.found() != null);
        add(runner, "count", Case::count, Case::count);
    }

    /** Returns the result for the start and the end of a match, or the other one if there is none. */
    private static <T> T ends(Matcher found, BiFunction<Integer, Integer, T> result, T none) {
        return found == null ? none : result.apply(found.getBegin(), found.getEnd());
    }

    /** Adds an operation. It is timed as a number, so that no objects are made for results. */
    private static void add(Runner runner, String operation, ToLongFunction<Case> timed, Function<Case, Object> result) {
        runner.addFile("regex." + operation, "joni", path -> {
            List<Case> cases = cases(path);
            return new Work(() -> {
                long sum = 0;
                for (Case one : cases) {
                    sum += timed.applyAsLong(one);
                }
                return sum;
            }, sum -> {
                List<Object> results = new ArrayList<>();
                cases.forEach(one -> results.add(result.apply(one)));
                return results;
            });
        });
    }

    private static List<Case> cases(Path path) throws IOException {
        List<Case> cases = new ArrayList<>();
        for (String[] fields : new ObjectMapper().readValue(path.toFile(), String[][].class)) {
            byte[] pattern = fields[1].getBytes(StandardCharsets.UTF_8);
            int options = (fields[0].contains("i") ? Option.IGNORECASE : 0) | (fields[0].contains("m") ? Option.MULTILINE : 0);
            byte[] text = fields[2].startsWith("@")
                    ? Files.readAllBytes(path.resolveSibling(fields[2].substring(1)))
                    : fields[2].getBytes(StandardCharsets.UTF_8);
            cases.add(new Case(new Regex(pattern, 0, pattern.length, options, UTF8Encoding.INSTANCE), text));
        }
        return cases;
    }
}
