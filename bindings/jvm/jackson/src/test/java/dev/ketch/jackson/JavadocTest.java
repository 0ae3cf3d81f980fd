package dev.ketch.jackson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ketch.Yaml;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
 * The examples in the Javadoc of ketch and ketch-jackson compile, run, and give the documented
 * results. A line that ends with {@code // text} is an expression whose value has that text, with
 * {@code \n} for a line break. Without quotes around it, white space at its ends does not count.
 */
class JavadocTest {
    private static final Pattern EXAMPLE =
            Pattern.compile("<pre>\\{@code\\n(.*?)^ *\\* *\\}</pre>", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern RESULT = Pattern.compile("(.*);\\s+// (.*)");
    private static final String IMPORTS = """
            import com.fasterxml.jackson.databind.ObjectMapper;
            import dev.ketch.*;
            import dev.ketch.extprot.*;
            import dev.ketch.jackson.*;
            import java.io.*;
            import java.nio.charset.StandardCharsets;
            import java.util.*;
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
            @SuppressWarnings("unchecked")
            List<String[]> pairs = (List<String[]>) program.getMethod(name).invoke(null);
            results += pairs.size();
            for (String[] pair : pairs) {
                String given = pair[0].startsWith("\"") ? "\"" + pair[1] + "\"" : pair[1].strip();
                assertEquals(pair[0], given.replace("\n", "\\n"), methods.get(name));
            }
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
