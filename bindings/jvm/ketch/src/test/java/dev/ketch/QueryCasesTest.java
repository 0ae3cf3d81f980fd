package dev.ketch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The cases of conformance/query, which all hosts run. */
@SuppressWarnings("unchecked")
class QueryCasesTest {
    private static List<Map<String, Object>> cases(String name) {
        return (List<Map<String, Object>>) Json.read(Repository.read("conformance/query/" + name + ".json"));
    }

    /** Returns the results, and the kind, the column and the place in the text of an error. */
    private static List<Object> outcome(Supplier<Stream<?>> run) {
        List<Object> found = new ArrayList<>();
        try (Stream<?> results = run.get()) {
            results.forEach(found::add);
        } catch (YamlException error) {
            boolean isOfText = !(error instanceof QueryException || error instanceof LimitException);
            boolean hasPlace = error.relatedLine() > 0;
            found.add(isOfText
                    ? Arrays.asList(null, null, error.line() + ":" + error.column())
                    : Arrays.asList(
                            error.name(),
                            error.line() > 0 ? error.column() : null,
                            hasPlace ? error.relatedLine() + ":" + error.relatedColumn() : null));
        }
        return found;
    }

    private static List<String> lines(Object text) {
        return ((String) text).lines().toList();
    }

    private static Query with(Query query, Map<String, Object> options) {
        Options.Builder reading = Options.builder();
        for (Map.Entry<String, Object> option : options.entrySet()) {
            switch (option.getKey()) {
                case "schema" -> reading.schema(Schema.valueOf(option.getValue().toString().toUpperCase()));
                case "filename" -> reading.fileName((String) option.getValue());
                case "merge" -> reading.merge((Boolean) option.getValue());
                default -> query = query.with(option.getKey(), option.getValue());
            }
        }
        return query.with(reading.build());
    }

    @Test
    void casesThatNeedOnlyTheLibrary() {
        int count = 0;
        for (Map<String, Object> one : cases("cases")) {
            var library = (Map<String, Object>) one.get("library");
            if (library == null) {
                continue;
            }
            count++;
            String after = library.containsKey("after") ? "\n| " + library.get("after") : "";
            var options = (Map<String, Object>) library.get("options");
            boolean isEdit = one.containsKey("file");
            String input = one.get("input") == null ? "" : (String) one.get("input");
            List<Object> found = outcome(() -> {
                Query query = with(Query.compile(one.get("program") + after), options);
                return isEdit ? Stream.of(query.edit(input)) : query.run(input);
            });
            List<Object> expected = new ArrayList<>();
            if (!isEdit) {
                expected.addAll((List<Object>) library.getOrDefault("results", one.get("stdout")));
            } else if (!library.containsKey("error")) {
                expected.addAll(lines(one.get("file")));
            }
            if (library.containsKey("error")) {
                expected.add(library.get("error"));
            }
            List<Object> shown = new ArrayList<>();
            found.forEach(each -> shown.addAll(each instanceof String ? lines(each) : List.of(each)));
            assertEquals(expected.toString(), shown.toString(), (String) one.get("id"));
        }
        assertTrue(count >= 115, count + " cases");
    }

    @Test
    void messages() {
        int count = 0;
        for (Map<String, Object> one : cases("messages")) {
            count++;
            List<Object> found = outcome(
                    () -> Query.compileMessages((String) one.get("query"), Map.of()).run((String) one.get("input")));
            List<Object> expected = new ArrayList<>();
            for (String line : lines(one.get("output"))) {
                if (line.startsWith("{\"error\"")) {
                    var error = (Map<String, Object>) Json.read(line);
                    long column = ((Number) ((List<?>) error.get("at")).get(0)).longValue() + 1;
                    expected.add(Arrays.asList(error.get("error"), column));
                    found.set(found.size() - 1, ((List<?>) found.get(found.size() - 1)).subList(0, 2));
                } else {
                    try (Stream<Object> value = Query.compile(".").run(line)) {
                        expected.addAll(value.toList());
                    }
                }
            }
            assertEquals(expected, found, (String) one.get("name"));
        }
        assertTrue(count >= 30, count + " cases");
    }
}
