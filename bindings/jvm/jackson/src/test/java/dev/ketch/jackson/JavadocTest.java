package dev.ketch.jackson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ketch.Yaml;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The examples in the Javadoc of ketch and ketch-jackson, and in pages, compile, run, and give the
 * documented results. A line that ends with {@code // text} is an expression whose value has that
 * text, with {@code \n} for a line break. Without quotes around it, white space at its ends does not
 * count. In a page, a block without a language after an example is what it prints.
 */
class JavadocTest {
    private static final Pattern EXAMPLE =
            Pattern.compile("<pre>\\{@code\\n(.*?)^ *\\* *\\}</pre>", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern PAGE_EXAMPLE = Pattern.compile(
            "^```java\\n(.*?)^```\\n(?:\\n```\\n(.*?)^```\\n)?", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern RESULT = Pattern.compile("(?!\\s*System\\.out|[\\w<>, \\[\\]]+ \\w+ = )(.*);\\s+// (.*)");

    /** The pages with examples, and the number of those that run here. */
    private static final Map<String, Integer> PAGES = Map.of("README.md", 1, "bindings/jvm/README.md", 11,
            "docs/migrating-from-jackson-yaml.md", 5, "docs/syck.md", 2, "docs/editing.md", 2);
    /** Examples that use generated classes or ketch-rows, which has a test of its own. */
    private static final Pattern ELSEWHERE = Pattern.compile("new Users\\.|import dev\\.ketch\\.rows");
    private static final String IMPORTS = """
            import com.fasterxml.jackson.core.JsonProcessingException;
            import com.fasterxml.jackson.databind.ObjectMapper;
            import dev.ketch.*;
            import dev.ketch.extprot.*;
            import dev.ketch.jackson.*;
            import java.io.*;
            import java.nio.charset.StandardCharsets;
            import java.nio.file.*;
            import java.util.*;
            import java.util.stream.*;
            """;

    /** The variables that the text around an example describes. */
    private static final Map<String, String> GIVEN = Map.of("MessageStream.java", """
            record User(String name) {
                static User read(dev.ketch.extprot.Reader reader) { return new User("Ann"); }
            }
            InputStream stream = new ByteArrayInputStream(new byte[0]);
            """);

    @TempDir
    Path folder;

    @Test
    void examplesHaveTheirDocumentedResults() throws Exception {
        Map<String, String> methods = new LinkedHashMap<>();
        for (String sources : List.of("ketch/src/main/java", "jackson/src/main/java")) {
            Path root = Path.of(System.getProperty("ketch.repository"), "bindings/jvm", sources);
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : files.filter(path -> path.toString().endsWith(".java")).sorted().toList()) {
                    Matcher example = EXAMPLE.matcher(Files.readString(file));
                    while (example.find()) {
                        methods.put("example" + methods.size(), method(file, example.group(1)));
                    }
                }
            }
        }
        assertTrue(methods.size() >= 10, methods.size() + " examples");
        int results = 0;
        Class<?> program = compiled(methods);
        for (String name : methods.keySet()) {
            results += check(program, name, methods.get(name));
        }
        assertTrue(results >= 8, results + " results");
    }

    /**
     * Returns the body of a method that runs an example and returns the expected and the actual
     * results.
     */
    private static String method(Path file, String example) {
        List<String> lines = new ArrayList<>();
        lines.add(GIVEN.getOrDefault(file.getFileName().toString(), ""));
        for (String line : example.split("\\n")) {
            String code = line.replaceFirst("^ *\\* ?", "");
            Matcher result = RESULT.matcher(code);
            lines.add(result.matches() ? "pairs.add(new String[] {\"" + result.group(2).replace("\\", "\\\\").replace("\"", "\\\"")
                    + "\", String.valueOf(" + result.group(1) + ")});" : code);
        }
        return String.join("\n", lines);
    }

    @Test
    void examplesOfPagesHaveTheirDocumentedResults() throws Exception {
        Map<String, String> methods = new LinkedHashMap<>();
        Map<String, String> printed = new HashMap<>();
        for (Map.Entry<String, Integer> page : PAGES.entrySet()) {
            Path file = Path.of(System.getProperty("ketch.repository"), page.getKey());
            Matcher example = PAGE_EXAMPLE.matcher(Files.readString(file));
            int count = 0;
            while (example.find()) {
                if (ELSEWHERE.matcher(example.group(1)).find()) {
                    continue;
                }
                String name = "example" + methods.size();
                methods.put(name, method(file, example.group(1).replaceAll("(?m)^import .*;\\n", "")));
                printed.put(name, example.group(2));
                count++;
            }
            assertEquals(page.getValue(), count, page.getKey());
        }
        PrintStream terminal = System.out;
        int outputs = 0;
        Class<?> program = compiled(methods);
        for (String name : methods.keySet()) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
            try {
                check(program, name, methods.get(name));
            } finally {
                System.setOut(terminal);
            }
            if (printed.get(name) != null) {
                assertEquals(printed.get(name), out.toString(StandardCharsets.UTF_8), methods.get(name));
                outputs++;
            }
        }
        assertEquals(1, outputs);
    }

    /** Runs an example, and returns the number of its results. */
    private static int check(Class<?> program, String name, String body) throws ReflectiveOperationException {
        @SuppressWarnings("unchecked")
        List<String[]> pairs = (List<String[]>) program.getMethod(name).invoke(null);
        for (String[] pair : pairs) {
            boolean isQuoted = pair[0].startsWith("\"");
            String given = isQuoted ? "\"" + pair[1].replace("\"", "\\\"") + "\"" : pair[1].strip();
            assertEquals(pair[0], given.replace("\n", "\\n"), body);
        }
        return pairs.size();
    }

    private Class<?> compiled(Map<String, String> methods) throws Exception {
        StringBuilder source = new StringBuilder(IMPORTS).append("public class Program {\n");
        methods.forEach((name, body) -> source.append("public static List<String[]> ").append(name)
                .append("() throws Exception {\nList<String[]> pairs = new ArrayList<>();\n").append(body)
                .append("\nreturn pairs;\n}\n"));
        Path file = Files.writeString(folder.resolve("Program.java"), source.append("}\n"));
        String classPath = Stream.of(Yaml.class, KetchYamlMapper.class, ObjectMapper.class, JsonFactory.class,
                        JsonInclude.class)
                .map(type -> new File(type.getProtectionDomain().getCodeSource().getLocation().getPath()).getPath())
                .distinct().collect(Collectors.joining(File.pathSeparator));
        Process javac = new ProcessBuilder(System.getProperty("java.home") + "/bin/javac", "-proc:none",
                "-d", folder.toString(), "-cp", classPath, file.toString()).redirectErrorStream(true).start();
        String errors = new String(javac.getInputStream().readAllBytes());
        assertEquals(0, javac.waitFor(), () -> errors + "\n" + source);
        URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, JavadocTest.class.getClassLoader());
        return loader.loadClass("Program");
    }
}
