package dev.ketch.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ketch.Yaml;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples in the Javadoc of {@link Rows} and in the README of the binding compile and run. */
class ExamplesTest {
    private static final Pattern JAVADOC =
            Pattern.compile("<pre>\\{@code\\n(.*?)^ *\\* *\\}</pre>", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern README = Pattern.compile(
            "^```java\\n(import dev\\.ketch\\.rows.*?)^```\\n", Pattern.DOTALL | Pattern.MULTILINE);
    /** An expression, with its value in a comment. */
    private static final Pattern RESULT = Pattern.compile("(?m)^(.*); // (.*)$");
    private static final String METHOD = """
            import dev.ketch.rows.*;
            import java.io.OutputStream;
            import java.sql.*;
            import java.util.*;
            public class Program {
                private static void check(String expected, Object value) {
                    if (!expected.equals(String.valueOf(value))) throw new AssertionError(value);
                }
                public static void run(Connection connection, OutputStream stream) throws Exception {
            %s
                }
            }
            """;

    @TempDir
    Path folder;

    private String run(String example) throws Exception {
        String body = RESULT.matcher(example.replaceAll("(?m)^import .*\\n", "")).replaceAll("check(\"$2\", $1);");
        Path file = Files.writeString(folder.resolve("Program.java"), METHOD.formatted(body));
        String classPath = Stream.of(Rows.class, Yaml.class)
                .map(type -> new File(type.getProtectionDomain().getCodeSource().getLocation().getPath()).getPath())
                .collect(Collectors.joining(File.pathSeparator));
        Process javac = new ProcessBuilder(System.getProperty("java.home") + "/bin/javac", "-proc:none",
                "-d", folder.toString(), "-cp", classPath, file.toString()).redirectErrorStream(true).start();
        String errors = new String(javac.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, javac.waitFor(), () -> errors + "\n" + body);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (URLClassLoader loader =
                        new URLClassLoader(new URL[] {folder.toUri().toURL()}, ExamplesTest.class.getClassLoader());
                Connection connection = DriverManager.getConnection("jdbc:h2:mem:")) {
            connection.createStatement().execute("create table ships as select 'Ariel' as name, 2 as masts");
            loader.loadClass("Program").getMethod("run", Connection.class, OutputStream.class)
                    .invoke(null, connection, out);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private static String example(Path file, Pattern pattern) throws Exception {
        List<String> examples = pattern.matcher(Files.readString(file)).results().map(found -> found.group(1)).toList();
        assertEquals(1, examples.size(), file.toString());
        return examples.get(0);
    }

    @Test
    void theExampleOfTheJavadocRuns() throws Exception {
        Path rows = Path.of(System.getProperty("ketch.repository"), "bindings/jvm/rows/src/main/java/dev/ketch/rows");
        run(example(rows.resolve("Rows.java"), JAVADOC).replaceAll("(?m)^ \\* ?", ""));
    }

    @Test
    void theExampleOfTheReadmeRuns() throws Exception {
        String example = example(Path.of(System.getProperty("ketch.repository"), "bindings/jvm/README.md"), README);
        Matcher result = RESULT.matcher(example);
        assertTrue(result.find(), example);
        assertEquals("[\n{\"NAME\":\"Ariel\",\"MASTS\":2}\n]\n", run(example));
    }
}
