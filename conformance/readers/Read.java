import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import org.snakeyaml.engine.v2.schema.JsonSchema;
import org.snakeyaml.engine.v2.schema.Schema;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Reads documents with SnakeYAML or SnakeYAML Engine, and prints their values: Read READER CASES.
 *
 * <p>Input and output are described in ../src/readers/notation.rs.
 */
final class Read {
    private interface Reader {
        Iterable<Object> all(String text);

        Object one(String text);
    }

    private static Reader snakeYaml() {
        return new Reader() {
            private Yaml yaml() {
                return new Yaml(new SafeConstructor(new LoaderOptions()));
            }

            @Override
            public Iterable<Object> all(String text) {
                return yaml().loadAll(new StringReader(text));
            }

            @Override
            public Object one(String text) {
                return yaml().load(text);
            }
        };
    }

    private static Reader engine(Schema schema) {
        LoadSettings settings = LoadSettings.builder().setSchema(schema).build();
        return new Reader() {
            @Override
            public Iterable<Object> all(String text) {
                return new Load(settings).loadAllFromString(text);
            }

            @Override
            public Object one(String text) {
                return new Load(settings).loadFromString(text);
            }
        };
    }

    private static Reader reader(String name) {
        switch (name) {
            case "snakeyaml": return snakeYaml();
            case "engine-json": return engine(new JsonSchema());
            case "engine-core": return engine(new CoreSchema());
            default: throw new IllegalArgumentException(name);
        }
    }

    /** Returns the name and the version from the jar's name. */
    private static String version(Class<?> some) {
        String jar = some.getProtectionDomain().getCodeSource().getLocation().getPath();
        String name = jar.substring(jar.lastIndexOf('/') + 1, jar.lastIndexOf('.'));
        int at = name.lastIndexOf('-');
        return name.substring(0, at) + " " + name.substring(at + 1);
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            if (c < 0x80 && Character.isLetterOrDigit(c)) {
                out.appendCodePoint(c);
            } else {
                out.append('%').append(Integer.toHexString(c)).append(';');
            }
        });
        return out.toString();
    }

    private static String number(double value) {
        if (Double.isNaN(value)) {
            return "nan";
        }
        return String.format("f%016x", Double.doubleToRawLongBits(value));
    }

    private static String shown(Object value) {
        if (value == null || value instanceof Boolean) {
            return String.valueOf(value);
        }
        if (value instanceof Integer || value instanceof Long || value instanceof BigInteger) {
            return "i" + value;
        }
        if (value instanceof Double) {
            return number((Double) value);
        }
        if (value instanceof String) {
            return quoted((String) value);
        }
        if (value instanceof List) {
            List<?> list = (List<?>) value;
            return list.stream().map(Read::shown).collect(Collectors.joining(",", "[", "]"));
        }
        if (value instanceof Map) {
            List<String> entries = new ArrayList<>();
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                entries.add(shown(entry.getKey()) + ":" + shown(entry.getValue()));
            }
            Collections.sort(entries);
            return "{" + String.join(",", entries) + "}";
        }
        return "?" + value.getClass().getName() + quoted(value.toString());
    }

    private static String read(Reader reader, int count, String text) {
        List<String> values = new ArrayList<>();
        try {
            if (count == 1) {
                return shown(reader.one(text));
            }
            reader.all(text).forEach(value -> values.add(shown(value)));
            return String.join(";", values);
        } catch (RuntimeException error) {
            return "error " + quoted(String.valueOf(error.getMessage()));
        }
    }

    public static void main(String[] arguments) throws IOException {
        boolean isOld = arguments[0].equals("snakeyaml");
        PrintStream out = new PrintStream(System.out, false, "US-ASCII");
        out.print(version(isOld ? Yaml.class : Load.class) + "\n");
        Reader reader = reader(arguments[0]);
        byte[] cases = Files.readAllBytes(Path.of(arguments[1]));
        for (int at = 0; at < cases.length; ) {
            int end = at;
            while (cases[end] != '\n') {
                end++;
            }
            String[] header = new String(cases, at, end - at, StandardCharsets.UTF_8).split(" ");
            int length = Integer.parseInt(header[1]);
            String text = new String(cases, end + 1, length, StandardCharsets.UTF_8);
            out.print(read(reader, Integer.parseInt(header[0]), text) + "\n");
            at = end + 1 + length;
        }
        out.flush();
    }
}
