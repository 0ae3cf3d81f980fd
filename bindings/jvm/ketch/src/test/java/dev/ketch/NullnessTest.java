package dev.ketch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The annotations say which results and parameters of the public methods may be null, and the Javadoc agrees. */
class NullnessTest {
    /** Each public method with what may be null: its result, or parameters by their places. */
    private static final String NULLABLE = """
            Assoc.equals: 0
            Bits64Float.equals: 0
            Bytes.equals: 0
            Dumper.dump: 0 (3 times)
            EditCollection.at: 0
            EditList.add: 1
            EditList.get: result
            EditList.remove: result
            EditList.removeIf: 0
            EditList.set: result 1
            EditList.sort: 0
            EditList.subList: result
            EditList.value: result
            EditMap.computeIfAbsent: result 0 1
            EditMap.containsKey: 0
            EditMap.entrySet: result
            EditMap.get: result 0
            EditMap.insert: 0 1
            EditMap.put: result 0 1
            EditMap.remove: result 0
            EditMap.sort: 0
            EditMap.value: result
            EditNode.anchor: result
            EditNode.comment: result
            EditNode.get: result
            EditNode.leadingComment: result
            EditNode.replace: 0
            EditNode.set: 0
            EditNode.setAnchor: 0
            EditNode.setComment: 0
            EditNode.setLeadingComment: 0
            EditNode.tag: result
            EditNode.value: result
            EditOption.key: 0
            EditSession.text: result
            EditSession: 3
            Extprot.dump: 0 (2 times)
            Extprot.load: result (4 times)
            Extprot.loadAll: result (4 times)
            Extprot.values: result (2 times)
            ExtprotException.setting: result
            Htuple.equals: 0
            Lazy.equals: 0
            Loader.forEach: 1 (3 times)
            Loader.load: result (6 times)
            Loader.loadAll: result (5 times)
            Loader.stream: result (2 times)
            Located.keyPosition: result 0
            Located.nearestPosition: result 0
            Located.position: result 0
            Located.value: result
            MessageStream.next: result
            Position.file: result
            Position: 0
            Query.compile: 2
            Query.run: result (2 times)
            Refused.text: result
            Reply.reading: result
            Reply.text: result
            SyckHandler.badAnchor: result
            SyckHandler.error: result
            SyckHandler.handle: result
            SyckNode.anchor: result
            SyckNode.children: result
            SyckNode.inside: result
            SyckNode.tag: result
            SyckNode.text: result
            SyckNode: 1 2 4 5 8
            SyckParser.root: result
            Tagged.value: result
            Tagged: 1
            Tuple.equals: 0
            Yaml.dump: 0 (3 times)
            Yaml.forEach: 1 (3 times)
            Yaml.load: result (6 times)
            Yaml.loadAll: result (5 times)
            Yaml.stream: result (2 times)
            YamlEdit.at: 0
            YamlException.setting: result
            YamlParser.kind: result
            YamlParser.text: result
            YamlParser.value: result
            YamlWriter.timestamp: 2
            """;

    /** A comment of Javadoc, and what it describes, up to its body. */
    private static final Pattern DOCUMENTED =
            Pattern.compile("/\\*\\*((?:[^*]|\\*(?!/))*+)\\*/\\s*([^;{/]++)");
    /** A tag that says that a result or a parameter may be null. */
    private static final Pattern NULL = Pattern.compile("@(?:return|param (\\w+)) (?:"
            + "(?:(?:[^@]|\\{@)*(?:; | or | may be ))?null\\b|as for \\{@link #dump\\(Object\\)\\} )");

    private static List<Class<?>> publicClasses() throws Exception {
        Path classes = Path.of(Yaml.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<Class<?>> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
                String name = classes.relativize(file).toString().replace('/', '.').replaceFirst("\\.class$", "");
                if (!name.endsWith("-info") && Modifier.isPublic(Class.forName(name).getModifiers())) {
                    found.add(Class.forName(name));
                }
            }
        }
        return found;
    }

    private static boolean mayBeNull(AnnotatedType type) {
        return type.toString().contains(Nullable.class.getName());
    }

    /** Returns the name of a method and what of it may be null; null if nothing may. */
    private static String described(Executable method) {
        AnnotatedType[] parameters = method.getAnnotatedParameterTypes();
        Stream<String> places = IntStream.range(0, parameters.length).filter(i -> mayBeNull(parameters[i]))
                .mapToObj(Integer::toString);
        boolean isResult = method instanceof Method && mayBeNull(method.getAnnotatedReturnType());
        String all = Stream.concat(isResult ? Stream.of("result") : Stream.of(), places)
                .collect(Collectors.joining(" "));
        String name = method instanceof Method ? "." + method.getName() : "";
        return all.isEmpty() ? null : method.getDeclaringClass().getSimpleName() + name + ": " + all;
    }

    @Test
    void publicMethodsSayWhatMayBeNull() throws Exception {
        TreeMap<String, Integer> found = new TreeMap<>();
        for (Class<?> type : publicClasses()) {
            assertTrue(type.getPackage().isAnnotationPresent(NullMarked.class), type.getName());
            Stream.of(type.getDeclaredConstructors(), type.getDeclaredMethods()).flatMap(Stream::of)
                    .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                    .map(NullnessTest::described).filter(line -> line != null)
                    .forEach(line -> found.merge(line, 1, Integer::sum));
        }
        StringBuilder lines = new StringBuilder();
        found.forEach((line, count) -> lines.append(line).append(count > 1 ? " (" + count + " times)\n" : "\n"));
        assertEquals(NULLABLE, lines.toString());
    }

    /** Methods, parameters and components of whose Javadoc says that they may be null have the annotation. */
    @Test
    void javadocAgreesWithTheAnnotations() throws IOException {
        List<String> missing = new ArrayList<>();
        int found = 0;
        for (String module : List.of("ketch", "jackson", "rows")) {
            String folder = "bindings/jvm/" + module + "/src/main/java";
            for (String file : Repository.files(folder, ".java")) {
                assertTrue(!file.endsWith("package-info.java") || Repository.read(file).contains("@NullMarked"), file);
                Matcher documented = DOCUMENTED.matcher(Repository.read(file));
                while (documented.find()) {
                    Matcher tag = NULL.matcher(documented.group(1).replaceAll("\\s+\\*?\\s*", " "));
                    while (tag.find()) {
                        found++;
                        String annotated = tag.group(1) == null
                                ? "(?s).*@Nullable [^(]*\\w+\\(.*"
                                : "(?s).*(?:@Nullable [\\w<>. ]*|<\\?> )\\b" + tag.group(1) + "\\b.*";
                        if (!documented.group(2).matches(annotated)) {
                            missing.add(file + ": " + tag.group() + ": " + documented.group(2));
                        }
                    }
                }
            }
        }
        assertEquals(List.of(), missing);
        assertTrue(found > 45, found + " tags");
    }
}
