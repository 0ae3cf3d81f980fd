package dev.ketch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loads of records, beans and other classes. */
class TypedTest {
    record Endpoint(String host, int port) {}

    record Server(String name, List<Endpoint> endpoints, Map<String, List<Integer>> groups, Optional<Level> level) {}

    enum Level { DEBUG, INFO, @YamlName("warn!") WARNING, VERY_LOUD }

    record Renamed(@YamlName("listen-port") int port, @YamlDefault("[a, b]") Set<String> tags,
            @YamlDefault("5s") String timeout, @Nullable String note, List<@Nullable String> parts) {
        Renamed {
            if (port == 0) {
                throw new IllegalArgumentException("port 0 is reserved");
            }
        }
    }

    record Loose(int a, @YamlRest Map<String, Long> rest) {}

    record Numbers(@YamlDefault("0") byte b, @YamlDefault("0") Short s, @YamlDefault("0") int i, @YamlDefault("0") long l,
            @YamlDefault("0") BigInteger big, @YamlDefault("0") float f, @YamlDefault("0") Double d,
            @YamlDefault("0") BigDecimal decimal, @YamlDefault("0") Number any) {}

    record Page<T>(List<T> items, @Nullable Page<T> next) {}

    record Pages(Page<Endpoint> found, Page<Long> counts) {}

    sealed interface Box<T> permits Single, Several, Labelled {}

    record Single<V>(V value) implements Box<V> {}

    record Several<I>(List<I> items) implements Box<List<I>> {}

    sealed interface Labelled<A> extends Box<A> permits Label {}

    record Label<B>(String text, B value) implements Labelled<B> {}

    @SuppressWarnings("serial")
    static class IntList extends ArrayList<Integer> {}

    @SuppressWarnings("serial")
    static class IntMap<V> extends LinkedHashMap<Integer, V> {}

    record Own(IntList list, IntMap<List<Long>> map) {}

    record Refusing(@YamlDefault("[]") TreeSet<Object> set, @YamlDefault("{}") TreeMap<Object, Object> map,
            @YamlDefault("[]") Queue<Object> queue, @YamlDefault("{}") ConcurrentHashMap<String, Object> shared,
            @YamlRest TreeMap<String, Long> rest) {}

    record Bounded<T extends Number>(T value) {}

    interface ForFields {
        @Retention(RetentionPolicy.RUNTIME)
        @Target(ElementType.FIELD)
        @interface Nullable {}
    }

    interface ForMethods {
        @Retention(RetentionPolicy.RUNTIME)
        @Target(ElementType.METHOD)
        @interface Nullable {}
    }

    interface ForParameters {
        @Retention(RetentionPolicy.RUNTIME)
        @Target(ElementType.PARAMETER)
        @interface Nullable {}
    }

    record InField(@ForFields.Nullable String a, @ForMethods.Nullable String c) {}

    static class InParameter {
        private String b = "unset";

        public void setB(@ForParameters.Nullable String b) {
            this.b = b;
        }

        @Override
        public String toString() {
            return "b=" + b;
        }
    }

    static class Fleet implements Iterable<String> {
        public String name;

        @Override
        public Iterator<String> iterator() {
            return List.of(name).iterator();
        }

        @Override
        public String toString() {
            return "fleet of " + name;
        }
    }

    record Times(@Nullable LocalDate day, @Nullable Duration pause, @Nullable Instant at) {}

    sealed interface Shape permits Circle, Polygon {}

    record Circle(double radius) implements Shape {}

    sealed interface Polygon extends Shape permits Square, Rectangle {}

    record Square(double side) implements Polygon {}

    @YamlName("rect")
    record Rectangle(double width, double height) implements Polygon {}

    @YamlKind("type")
    sealed interface Job permits Copy, Wait {}

    record Copy(String from, String to) implements Job {}

    record Wait(String type, int seconds) implements Job {}

    record Tree(String name, @YamlDefault("[]") List<Tree> children) {}

    static class Base {
        private String name = "none";
        public boolean isOn;

        public void setName(String name) {
            this.name = name;
        }
    }

    static class Bean<T> extends Base {
        static int count;
        final int fixed = 1;
        @YamlName("max-size")
        private long maxSize = 7;
        private List<T> all = List.of();
        private String URL;
        private int internal = 3;

        public void setMaxSize(long maxSize) {
            if (maxSize < 0) {
                throw new IllegalStateException("maxSize is negative");
            }
            this.maxSize = maxSize;
        }

        public void setAll(List<T> all) {
            this.all = all;
        }

        public void setURL(String url) {
            URL = url;
        }

        @Override
        public String toString() {
            return super.name + " " + isOn + " " + maxSize + " " + all + " " + URL + " " + internal;
        }
    }

    /** A row of typed.yml: a load, and the text of the object or the start of the message. */
    record Row(String type, String yaml, @Nullable String gives, @Nullable String fails,
            @YamlDefault("core") String schema) {}

    private static final Map<String, YamlType<?>> TYPES = new LinkedHashMap<>();

    static {
        TYPES.put("Endpoint", new YamlType<Endpoint>() {});
        TYPES.put("Server", new YamlType<Server>() {});
        TYPES.put("Renamed", new YamlType<Renamed>() {});
        TYPES.put("Loose", new YamlType<Loose>() {});
        TYPES.put("Numbers", new YamlType<Numbers>() {});
        TYPES.put("Pages", new YamlType<Pages>() {});
        TYPES.put("Times", new YamlType<Times>() {});
        TYPES.put("Boxes", new YamlType<List<Box<Integer>>>() {});
        TYPES.put("ListBox", new YamlType<Box<List<Long>>>() {});
        TYPES.put("Own", new YamlType<Own>() {});
        TYPES.put("Refusing", new YamlType<Refusing>() {});
        TYPES.put("Bounded", new YamlType<Bounded<?>>() {});
        TYPES.put("InField", new YamlType<InField>() {});
        TYPES.put("InParameter", new YamlType<InParameter>() {});
        TYPES.put("fleet", new YamlType<List<Fleet>>() {});
        TYPES.put("Shapes", new YamlType<List<Shape>>() {});
        TYPES.put("Jobs", new YamlType<List<Job>>() {});
        TYPES.put("Tree", new YamlType<Tree>() {});
        TYPES.put("Bean", new YamlType<Bean<Endpoint>>() {});
        TYPES.put("Level", new YamlType<Level>() {});
        TYPES.put("int", new YamlType<Integer>() {});
        TYPES.put("String", new YamlType<String>() {});
        TYPES.put("char", new YamlType<Character>() {});
        TYPES.put("boolean", new YamlType<Boolean>() {});
        TYPES.put("longs", new YamlType<List<Long>>() {});
        TYPES.put("set", new YamlType<Set<String>>() {});
        TYPES.put("levels", new YamlType<TreeMap<Level, Optional<Integer>>>() {});
        TYPES.put("objects", new YamlType<Map<?, Object>>() {});
        TYPES.put("array", new YamlType<List<String>[]>() {});
        TYPES.put("uuid", new YamlType<java.util.UUID>() {});
    }

    @Test
    void loadsGiveTheValueOrThePlace() {
        Row[] rows = Yaml.load(Repository.read("bindings/jvm/ketch/src/test/resources/typed.yml"), Row[].class);
        assertTrue(rows.length >= 60, rows.length + " rows");
        List<String> wrong = new ArrayList<>();
        for (Row row : rows) {
            Options options = Options.builder().fileName("f.yml")
                    .schema(Schema.valueOf(row.schema().toUpperCase())).build();
            String found;
            try {
                Object made = Yaml.with(options).located(row.yaml()).as(TYPES.get(row.type()));
                found = made instanceof Object[] array ? List.of(array).toString() : made.toString();
            } catch (ValueException error) {
                found = error.getMessage();
            }
            boolean isRight = row.fails() == null ? found.equals(row.gives()) : found.startsWith("f.yml:" + row.fails());
            if (!isRight) {
                wrong.add(row + "\n" + found);
            }
        }
        assertEquals("", String.join("\n", wrong));
    }

    @Test
    void messagesShowTheLine() {
        ValueException error = assertThrows(ValueException.class, () -> Yaml.load(
                "name: a\nendpoints:\n- {host: b, port: http}\ngroups: {}\n", Server.class));
        assertEquals("""
                3:19: endpoints[0].port: expected an integer, found the text `http`
                    - {host: b, port: http}
                                      ^
                Change the value, or the type.""", error.getMessage());
        assertEquals(List.of(3L, 19L, 4L, "TypeMismatch", "- {host: b, port: http}"), List.of(
                error.line(), error.column(), error.length(), error.name(), error.lineText()));
    }

    @Test
    void allSourcesCanBeLoaded(@TempDir Path folder) throws IOException {
        String yaml = "host: \u00e4\nport: 1\n";
        byte[] bytes = yaml.getBytes(StandardCharsets.UTF_8);
        Path file = Files.writeString(folder.resolve("e.yml"), yaml);
        Endpoint expected = new Endpoint("\u00e4", 1);
        Loader loader = Yaml.with(Options.DEFAULT);
        InputStream in = new ByteArrayInputStream(bytes);
        for (Endpoint found : List.of(Yaml.load(yaml, Endpoint.class), Yaml.load(bytes, Endpoint.class),
                Yaml.load(file, Endpoint.class), Yaml.load(in, Endpoint.class),
                Yaml.load(new StringReader(yaml), Endpoint.class), loader.load(yaml, Endpoint.class),
                loader.load(file, Endpoint.class), Yaml.load(yaml.getBytes(StandardCharsets.UTF_16), Endpoint.class))) {
            assertEquals(expected, found);
        }
        Files.writeString(file, "host: a\nport: b\n");
        ValueException error = assertThrows(ValueException.class, () -> Yaml.load(file, Endpoint.class));
        assertTrue(error.getMessage().startsWith(file + ":2:7: port: "), error.getMessage());
        assertThrows(YamlSyntaxException.class, () -> Yaml.load("[", Endpoint.class));
        assertThrows(ValueException.class, () -> Yaml.load("{host: a, port: 1}\n--- a", Endpoint.class));
        assertEquals(List.of(1L, 2L), loader.allLocated("1\n--- 2").stream().map(document -> document.as(long.class)).toList());
        assertArrayEquals(new int[] {1, 2}, Yaml.load("[1, 2]", int[].class));
        assertArrayEquals(new byte[] {1}, Yaml.load("!!binary AQ==", byte[].class));
        assertEquals(Map.of("a", 1), Yaml.load("a: 1", Map.class));
        assertEquals(new LinkedList<>(List.of(1)), Yaml.load("[1]", LinkedList.class));
        assertEquals(new Tagged("!x", "a"), Yaml.load("!x a", Tagged.class));
        Options old = Options.builder().schema(Schema.YAML11).build();
        assertEquals(LocalDate.of(2024, 2, 29), Yaml.with(old).load("2024-02-29", LocalDate.class));
        assertEquals(expected, Yaml.with(old).load("<<: {host: \u00e4}\nport: 1", Endpoint.class));
    }

    @Test
    void anAliasIsTheSameObject() {
        List<Tree> trees = Yaml.located("- &a {name: a}\n- {name: b, children: [*a]}").as(new YamlType<>() {});
        assertSame(trees.get(0), trees.get(1).children().get(0));
        List<Bean<?>> beans = Yaml.located("- ").as(new YamlType<>() {});
        assertEquals(List.of("none false 7 [] null 3"), beans.stream().map(Object::toString).toList());
        List<Bean<?>> two = Yaml.located("- \n- ").as(new YamlType<>() {});
        assertNotSame(two.get(0), two.get(1));
        StringBuilder bomb = new StringBuilder("- &a0 {name: x}\n");
        for (int i = 1; i < 100; i++) {
            bomb.append("- &a" + i + " {name: x, children: [*a" + (i - 1) + ", *a" + (i - 1) + "]}\n");
        }
        List<Tree> many = Yaml.located(bomb.toString()).as(new YamlType<>() {});
        assertSame(many.get(98), many.get(99).children().get(1));
        // Hashing the items of a set would take 2 to the power of 100 steps.
        String lists = bomb.toString().replace("{name: x}", "[x]").replace("{name: x, children: [", "[").replace("]}", "]");
        ValueException refused = assertThrows(ValueException.class, () -> Yaml.located(lists).as(new YamlType<Set<Object>>() {}));
        assertTrue(refused.getMessage().contains("too many values"), refused.getMessage());
        // Collections of the program's own.
        List<String> items = Yaml.located("[a]").as(new YamlType<>() {});
        items.add("b");
    }

    interface Open {}

    sealed interface Same permits One.Case, Two.Case {}

    static class One {
        record Case(int a) implements Same {}
    }

    static class Two {
        record Case(int b) implements Same {}
    }

    record RestList(@YamlRest List<String> rest) {}

    record RestTwice(@YamlRest Map<String, Object> a, @YamlRest Map<String, Object> b) {}

    abstract static class Abstract {
        Abstract() {}
    }

    record Twice(@YamlName("b") int a, int b) {}

    record BadDefault(@YamlDefault("x") int a) {}

    static class Failing {
        Failing() throws IOException {
            throw new IOException("no disk");
        }
    }

    @Test
    void classesThatCannotBeLoadedAreErrorsOfTheProgram() {
        for (Class<?> type : List.of(Open.class, Abstract.class, Twice.class, Runnable.class, AtomicInteger.class,
                RestList.class, RestTwice.class, OptionalInt.class, EnumMap.class, Same.class)) {
            IllegalArgumentException error =
                    assertThrows(IllegalArgumentException.class, () -> Yaml.load("{}", type), type.getName());
            assertTrue(error.getMessage().contains(type.getName()), error.getMessage());
        }
        String same = assertThrows(IllegalArgumentException.class, () -> Yaml.load("!Case {a: 1}", Same.class)).getMessage();
        assertTrue(same.contains(One.Case.class.getName()) && same.contains(Two.Case.class.getName()), same);
        assertThrows(IllegalArgumentException.class, () -> Yaml.load("{}", Thread.class));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Yaml.load("{}", BadDefault.class))
                .getMessage().startsWith("the default of `a`: 1:1: expected an integer, found the text `x`"));
        ValueException failed = assertThrows(ValueException.class, () -> Yaml.load("{}", Failing.class));
        assertInstanceOf(IOException.class, failed.getCause());
        assertEquals("no disk", failed.problem());
        assertThrows(IllegalArgumentException.class, () -> new RawType());
    }

    @SuppressWarnings("rawtypes")
    private static final class RawType extends YamlType {}

    @Test
    void longLinesAndDeepValuesAreLimited() throws InterruptedException {
        String row = "[" + "1234567890, ".repeat(1000) + "x, " + "1234567890, ".repeat(1000) + "]";
        ValueException error = assertThrows(ValueException.class, () -> Yaml.located(row).as(new YamlType<List<Long>>() {}));
        String[] lines = error.getMessage().split("\n");
        assertEquals("1:12002: [1000]: expected an integer, found the text `x`", lines[0]);
        assertEquals('x', lines[1].charAt(lines[2].indexOf('^')));
        assertTrue(lines[1].length() < 200, lines[1]);
        Options deep = Options.builder().limit(Limit.MAX_DEPTH, 1_000_000).build();
        String tree = "{name: a, children: [".repeat(100_000) + "]}".repeat(100_000);
        ValueException tooDeep = assertThrows(ValueException.class, () -> Yaml.with(deep).load(tree, Tree.class));
        assertEquals("TooDeep", tooDeep.name());
        // A small stack is enough for what is allowed.
        String most = "{name: a, children: [".repeat(124) + "]}".repeat(124);
        List<Object> made = new ArrayList<>();
        Thread small = new Thread(null, () -> made.add(Yaml.load(most, Tree.class)), "small", 1 << 19);
        small.start();
        small.join();
        assertEquals(1, made.size());
    }

    @Test
    void dumpsOfRecordsCanBeLoaded() {
        Renamed renamed = new Renamed(1, Set.of("x"), "t", null, List.of("p"));
        assertEquals("listen-port: 1\ntags:\n- x\ntimeout: t\nnote: null\nparts:\n- p\n", Yaml.dump(renamed));
        assertEquals(renamed, Yaml.load(Yaml.dump(renamed), Renamed.class));
        Server server = new Server("s", new ArrayList<>(), Map.of(), Optional.of(Level.WARNING));
        assertEquals(server, Yaml.load(Yaml.dump(server), Server.class));
        assertEquals("level: null\n", Yaml.dump(Map.of("level", Optional.empty())));
        List<?> texts = List.of('c', LocalDate.EPOCH, LocalTime.of(1, 30), LocalDateTime.of(2024, 2, 29, 1, 2, 3),
                Instant.EPOCH, OffsetDateTime.parse("2024-02-29T12:30:00+02:00"), Duration.ofSeconds(90),
                ZoneId.of("Europe/Paris"), ZoneOffset.ofHours(1), new UUID(0, 1), URI.create("http://x"), Path.of("/x"),
                StandardCharsets.UTF_8);
        for (Object value : texts) {
            Class<?> type = value instanceof Path ? Path.class : value instanceof ZoneId ? ZoneId.class
                    : value instanceof Charset ? Charset.class : value.getClass();
            assertEquals(value, Yaml.load(Yaml.dump(value), type), type.getName());
            Options old = Options.builder().schema(Schema.YAML11).build();
            assertEquals(value, Yaml.with(old).load(Yaml.dump(value), type), type.getName());
        }
        assertEquals("a+", Yaml.load(Yaml.dump(Pattern.compile("a+")), Pattern.class).pattern());
        assertThrows(IllegalArgumentException.class, () -> Yaml.dump(new AtomicInteger(1)));
        assertThrows(IllegalArgumentException.class, () -> Yaml.dump(Instant.MAX));
    }
}
