package dev.ketch.jackson;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonIdentityInfo;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonView;
import com.fasterxml.jackson.annotation.ObjectIdGenerators;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.ketch.DuplicateKeys;
import dev.ketch.Limit;
import dev.ketch.Options;
import dev.ketch.YamlException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Reads and writes classes. */
class MapperTest {
    private final KetchYamlMapper mapper = new KetchYamlMapper();

    record Port(String name, int depth) {}

    record Ship(String name, List<String> masts, Port home, Map<String, Integer> crew, Double speed) {}

    private static final String SHIP = "name: Ariel\nmasts:\n- main\n- mizzen\nhome:\n  name: Poole\n"
            + "  depth: 6\ncrew:\n  cooks: 1\nspeed: 9.5\n";

    private static final Ship ARIEL = new Ship(
            "Ariel", List.of("main", "mizzen"), new Port("Poole", 6), Map.of("cooks", 1), 9.5);

    @Test
    void binaryIsReadIntoAStream() throws IOException {
        try (JsonParser parser = new KetchYamlFactory().createParser("[!!binary aGVsbG8=, aGk=, 1]")) {
            parser.nextToken();
            for (String expected : List.of("hello", "hi")) {
                parser.nextToken();
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                assertEquals(expected.length(), parser.readBinaryValue(out));
                assertEquals(expected, out.toString(StandardCharsets.UTF_8));
            }
            parser.nextToken();
            JsonParseException error = assertThrows(
                    JsonParseException.class, () -> parser.readBinaryValue(new ByteArrayOutputStream()));
            assertEquals("expected Base64 text or `!!binary`, not VALUE_NUMBER_INT", error.getOriginalMessage());
        }
    }

    @Test
    void recordsAreReadAndWritten() throws IOException {
        assertEquals(ARIEL, mapper.readValue(SHIP, Ship.class));
        assertEquals(SHIP, mapper.writeValueAsString(ARIEL));
        assertEquals(ARIEL, mapper.readValue(mapper.writeValueAsBytes(ARIEL), Ship.class));
    }

    @Test
    void treesAndGenericTypesAreRead() throws IOException {
        var tree = mapper.readTree("a: [1, {b: x}]\n");
        assertEquals("x", tree.at("/a/1/b").asText());
        assertEquals("a:\n- 1\n- b: x\n", mapper.writeValueAsString(tree));
        Map<String, List<Long>> map = mapper.readValue("a: [1]", new TypeReference<>() {});
        assertEquals(Map.of("a", List.of(1L)), map);
    }

    @Test
    void textKeepsTheSpellingOfNumbers() throws IOException {
        record Release(String version, BigDecimal price, BigInteger big, byte[] key) {}
        Release read = mapper.readValue(
                "{version: 1.10, price: 12.3400, big: 123456789012345678901, key: !!binary aGk=}",
                Release.class);
        assertEquals("1.10", read.version);
        assertEquals(new BigDecimal("12.3400"), read.price);
        assertEquals(new BigInteger("123456789012345678901"), read.big);
        assertArrayEquals("hi".getBytes(), read.key);
        assertEquals("version: \"1.10\"\nprice: 12.3400\nbig: 123456789012345678901\nkey: !!binary aGk=\n",
                mapper.writeValueAsString(read));
    }

    // Types.

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Circle.class, name = "circle"),
        @JsonSubTypes.Type(value = Square.class, name = "square")
    })
    interface Shape {}

    record Circle(int r) implements Shape {}

    record Square(int side) implements Shape {}

    @Test
    void tagsAreTypeIds() throws IOException {
        List<Shape> shapes = List.of(new Circle(1), new Square(2));
        String yaml = "- !circle\n  r: 1\n- !square\n  side: 2\n";
        assertEquals(shapes, mapper.readValue(yaml, new TypeReference<List<Shape>>() {}));
        var writer = mapper.writerFor(new TypeReference<List<Shape>>() {});
        assertEquals(yaml, writer.writeValueAsString(shapes));
    }

    @Test
    void aPropertyMayBeTheType() throws IOException {
        var plain = new KetchYamlMapper(KetchYamlFactory.builder().nativeTypeIds(false).build());
        String yaml = plain.writerFor(Shape.class).writeValueAsString(new Circle(1));
        assertEquals("\"@type\": circle\nr: 1\n", yaml);
        assertEquals(new Circle(1), mapper.readValue(yaml, Shape.class));
        assertEquals(new Circle(1), mapper.readValue("r: 1\n'@type': circle\n", Shape.class));
    }

    @Test
    void anUnknownTypeHasItsLocation() {
        JsonMappingException error = assertThrows(JsonMappingException.class,
                () -> mapper.readValue("\n- !oval {r: 1}\n", new TypeReference<List<Shape>>() {}));
        assertTrue(error.getMessage().contains("oval"), error.getMessage());
        assertEquals(2, error.getLocation().getLineNr());
    }

    // Identity.

    @JsonIdentityInfo(generator = ObjectIdGenerators.StringIdGenerator.class)
    static final class Sailor {
        public String name;
        public Sailor mate;
    }

    @Test
    void anchorsAreObjectIds() throws IOException {
        List<Sailor> crew = mapper.readValue(
                "- &a {name: Ann, mate: &b {name: Bob, mate: *a}}\n- *b\n- *a\n",
                new TypeReference<>() {});
        assertSame(crew.get(0).mate, crew.get(1));
        assertSame(crew.get(0), crew.get(1).mate);
        assertSame(crew.get(0), crew.get(2));
    }

    @Test
    void objectIdsAreWrittenAsAnchors() throws IOException {
        Sailor ann = new Sailor();
        ann.name = "Ann";
        ann.mate = ann;
        String yaml = mapper.writeValueAsString(List.of(ann, ann));
        String id = yaml.substring(yaml.indexOf('&') + 1, yaml.indexOf('\n'));
        assertEquals("- &" + id + "\n  name: Ann\n  mate: *" + id + "\n- *" + id + "\n", yaml);
        List<Sailor> read = mapper.readValue(yaml, new TypeReference<>() {});
        assertSame(read.get(0), read.get(1));
        assertSame(read.get(0), read.get(0).mate);
    }

    @Test
    void objectIdsWrittenByYamlFactoryAreRead() throws IOException {
        Sailor ann = new Sailor();
        ann.name = "Ann";
        ann.mate = ann;
        String yaml = new YAMLMapper().writeValueAsString(List.of(ann, ann));
        assertTrue(yaml.contains(" name: \"Ann\""), yaml);
        List<Sailor> read = mapper.readValue(yaml, new TypeReference<>() {});
        assertSame(read.get(0), read.get(1));
        assertSame(read.get(0), read.get(0).mate);
        String ours = mapper.writeValueAsString(List.of(ann, ann));
        List<Sailor> theirs = new YAMLMapper().readValue(ours, new TypeReference<>() {});
        assertSame(theirs.get(0), theirs.get(1));
    }

    @JsonIdentityInfo(generator = ObjectIdGenerators.StringIdGenerator.class)
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes(@JsonSubTypes.Type(value = Cook.class, name = "cook"))
    interface Hand {}

    static final class Cook implements Hand {
        public int meals;
    }

    @Test
    void aliasesKeepTheTypeOfTheirTag() throws IOException {
        List<Hand> hands =
                mapper.readValue("[&c !cook {meals: 3}, *c]", new TypeReference<List<Hand>>() {});
        assertEquals(3, assertInstanceOf(Cook.class, hands.get(0)).meals);
        assertSame(hands.get(0), hands.get(1));
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes(@JsonSubTypes.Type(value = Gig.class, name = "gig"))
    interface Boat {}

    static class Crew {
        public Sailor cox;
        public Sailor stroke;
        public BigDecimal price;
    }

    static final class Gig extends Crew implements Boat {}

    static final class Watch {
        @JsonUnwrapped public Crew crew;
        public int hours;
    }

    static final class Berth {
        public String kind;

        @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.EXTERNAL_PROPERTY,
                property = "kind")
        @JsonSubTypes(@JsonSubTypes.Type(value = Crew.class, name = "gig"))
        public Object boat;
    }

    @Test
    void objectsThatJacksonBuffersKeepTheirIdentityAndDigits() throws IOException {
        String cox = "cox: &a {name: Ann, mate: &b {name: Bob}}\n";
        String rest = "stroke: *b\nprice: 12.3400\n";
        List<Crew> crews = List.of(
                (Crew) mapper.readValue("kind: gig\n" + cox + rest, Boat.class),
                (Crew) mapper.readValue(cox + "kind: gig\n" + rest, Boat.class),
                (Crew) mapper.readValue(cox + rest + "kind: gig\n", Boat.class),
                mapper.readValue(cox + rest + "hours: 4\n", Watch.class).crew,
                (Crew) mapper.readValue(
                        "boat: {" + (cox + rest).replace('\n', ',') + "}\nkind: gig\n", Berth.class).boat);
        for (Crew crew : crews) {
            assertEquals("Ann", crew.cox.name);
            assertSame(crew.cox.mate, crew.stroke);
            assertEquals(new BigDecimal("12.3400"), crew.price);
        }
        // An alias to a node before the buffer, and one after it.
        List<Boat> fleet = mapper.readValue(
                "- cox: &a {name: Ann}\n  kind: gig\n- {stroke: *a, kind: gig, cox: *a}\n",
                new TypeReference<>() {});
        Gig first = (Gig) fleet.get(0);
        Gig second = (Gig) fleet.get(1);
        assertSame(first.cox, second.cox);
        assertSame(first.cox, second.stroke);
    }

    @Test
    void aCycleInABufferNeedsAliasesAsIds() throws IOException {
        String yaml = "cox: &a {name: Ann, mate: *a}\nkind: gig\nstroke: *a\n";
        JsonProcessingException error = assertThrows(JsonProcessingException.class,
                () -> mapper.readValue(yaml, Boat.class));
        assertTrue(error.getMessage().contains("set aliasesAsIds(true)"), error.getMessage());
        var ids = new KetchYamlMapper(KetchYamlFactory.builder().aliasesAsIds(true).build());
        Gig gig = (Gig) ids.readValue(yaml, Boat.class);
        assertSame(gig.cox, gig.cox.mate);
        assertSame(gig.cox, gig.stroke);
    }

    static final class View {
        @JsonView(Object.class) public int depth;
    }

    @Test
    void copiesDoNotLookLikeObjectsWithIds() throws IOException {
        // Jackson asks for the ids of a class with views, although it has no identity.
        Map<String, View> views = mapper.readerWithView(Object.class)
                .forType(new TypeReference<Map<String, View>>() {})
                .readValue("a: {depth: 6}");
        assertEquals(6, views.get("a").depth);
        var reader = mapper.readerWithView(Object.class).forType(Views.class);
        Views read = reader.readValue("{any: &a {depth: 6}, one: *a}");
        assertEquals(6, read.one.depth);
        assertEquals("{depth=6}", read.any.toString());
        TokenBuffer buffer = mapper.readValue("[&a {depth: 6}, *a, [*a]]", TokenBuffer.class);
        assertEquals("- &a\n  depth: 6\n- depth: 6\n- - depth: 6\n",
                mapper.writeValueAsString(buffer));
    }

    static final class Views {
        public Object any;
        @JsonView(Object.class) public View one;
    }

    @Test
    void withoutAnIdentityAnAliasIsACopy() throws IOException {
        List<Port> ports = mapper.readValue(
                "[&p {name: Poole, depth: 6}, *p]", new TypeReference<List<Port>>() {});
        assertEquals(ports.get(0), ports.get(1));
        assertEquals("[{\"a\":[1]},{\"a\":[1]}]", mapper.readTree("[&a {a: [1]}, *a]").toString());
    }

    @Test
    void aliasesMayBeIdsEverywhere() throws IOException {
        var ids = new ObjectMapper(KetchYamlFactory.builder().aliasesAsIds(true).build());
        assertEquals("[{\"a\":1},\"x\"]", ids.readTree("[&x {a: 1}, *x]").toString());
        List<Sailor> crew = ids.readValue("[&a {name: Ann}, *a]", new TypeReference<>() {});
        assertSame(crew.get(0), crew.get(1));
    }

    @Test
    void expansionOfAliasesIsLimited() throws IOException {
        StringBuilder yaml = new StringBuilder("- &a0 [x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 12; i++) {
            yaml.append("- &a").append(i).append(" [");
            yaml.append(("*a" + (i - 1) + ", ").repeat(9)).append("]\n");
        }
        JsonProcessingException error = assertThrows(JsonProcessingException.class,
                () -> mapper.readTree(yaml.toString()));
        assertTrue(error.getMessage().contains("`Limit.MAX_ALIAS_NODES`"), error.getMessage());
        var few = new KetchYamlMapper(KetchYamlFactory.builder()
                .options(Options.builder().limit(Limit.MAX_ALIAS_NODES, 6).build()).build());
        for (String text : List.of("[&a [1], *a, *a, *a, 1]", "[&a {k: v}, *a, *a, 1]")) {
            assertEquals(text.contains("k") ? 4 : 5, few.readTree(text).size());
            String more = text.replace(", 1]", ", *a]");
            assertThrows(JsonProcessingException.class, () -> few.readTree(more), more);
        }
    }

    @Test
    void anAliasThatWasInsideItsNodeMayBeReadOutsideOfIt() throws IOException {
        var merging = new KetchYamlMapper(KetchYamlFactory.builder()
                .options(Options.builder().merge(true).build()).build());
        String yaml = "- &d {<<: &a {q: *d}, q: 1}\n- *a\n";
        assertEquals("[{\"q\":1},{\"q\":{\"q\":1}}]", merging.readTree(yaml).toString());
        assertThrows(JsonProcessingException.class, () -> merging.readTree("- &d {<<: &a {q: *d}}\n- *a\n"));
    }

    @Test
    void eachDocumentMayHaveThatManyAliases() throws IOException {
        var few = new KetchYamlMapper(KetchYamlFactory.builder()
                .options(Options.builder().limit(Limit.MAX_ALIAS_NODES, 4).build()).build());
        try (MappingIterator<JsonNode> documents = few.readerFor(JsonNode.class)
                .readValues("--- {k: [&a [1], *a, *a]}\n".repeat(20))) {
            assertEquals(20, documents.readAll().size());
        }
    }

    @Test
    void tokensMayBeLimited() {
        StreamReadConstraints constraints = StreamReadConstraints.builder().maxTokenCount(5).build();
        var limited = new ObjectMapper(KetchYamlFactory.builder().streamReadConstraints(constraints).build());
        assertThrows(StreamConstraintsException.class, () -> limited.readTree("[1, 2, 3, 4, 5]"));
        assertDoesNotThrow(() -> limited.readTree("[1, 2, 3]"));
    }

    @Test
    void decimalsBeyondDoublePrecisionKeepTheirDigits() throws IOException {
        for (String text : List.of("1e400", "1E+400", "-1.25e-400", "0.1234567890123456789012345")) {
            BigDecimal decimal = new BigDecimal(text);
            assertEquals(decimal, mapper.readValue(text, BigDecimal.class));
            assertEquals(decimal,
                    mapper.readValue(mapper.writeValueAsString(decimal), BigDecimal.class));
            var reader = mapper.reader().with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
            assertEquals(List.of(decimal, decimal),
                    reader.forType(Object.class).readValue("[&a " + text + ", *a]"));
            assertEquals(decimal, reader.readTree("[&a " + text + ", *a]").get(1).decimalValue());
        }
        assertEquals(BigInteger.TEN.pow(400), mapper.readValue("1e400", BigInteger.class));
        assertEquals(Double.POSITIVE_INFINITY, mapper.readValue("1e400", double.class));
        for (String text : List.of(".inf", "-.inf", ".nan", "1e9999999999")) {
            JsonProcessingException error = assertThrows(JsonProcessingException.class,
                    () -> mapper.readValue(text, BigDecimal.class), text);
            assertTrue(error.getMessage().contains("`" + text + "` is not a decimal"), error.getMessage());
        }
    }

    // Errors.

    @Test
    void aWrongValueHasLineColumnAndPath() {
        JsonMappingException error = assertThrows(JsonMappingException.class,
                () -> mapper.readValue("name: é\nhome:\n  depth: six\n", Ship.class));
        assertEquals(3, error.getLocation().getLineNr());
        assertEquals(10, error.getLocation().getColumnNr());
        assertEquals("depth", error.getPath().get(1).getFieldName());
    }

    @Test
    void aSyntaxErrorShowsTheLineAndHelps() {
        JsonProcessingException error = assertThrows(JsonProcessingException.class,
                () -> mapper.readTree("masts: [main\n"));
        assertTrue(error.getOriginalMessage().contains("    masts: [main\n           ^"));
        assertTrue(error.getMessage().contains("Write `]`"), error.getMessage());
        assertInstanceOf(YamlException.class, error.getCause());
        assertEquals(1, error.getLocation().getLineNr());
    }

    @Test
    void duplicateKeysAreChosen() throws IOException {
        for (DuplicateKeys choice : List.of(DuplicateKeys.FIRST, DuplicateKeys.LAST)) {
            var some = new KetchYamlMapper(KetchYamlFactory.builder()
                    .options(Options.builder().duplicateKeys(choice).build()).build());
            var tree = some.readTree("{a: [1, {x: &x 1}], b: *x, a: 2}".replace("b: *x, ", ""));
            assertEquals(choice == DuplicateKeys.LAST ? "2" : "[1,{\"x\":1}]", tree.get("a").toString());
        }
    }

    @Test
    void depthIsLimited() throws IOException {
        String deep = "[".repeat(1001) + "]".repeat(1001);
        assertThrows(JsonProcessingException.class, () -> mapper.readTree(deep));
        assertTrue(mapper.readTree("[".repeat(1000) + "]".repeat(1000)).isArray());
    }

    @Test
    void numbersOutOfRangeAreErrors() {
        for (String number : List.of("2147483648", "99999999999999999999", "1e30", "-1e30")) {
            JsonProcessingException error = assertThrows(JsonProcessingException.class,
                    () -> mapper.readValue("depth: " + number, Port.class), number);
            assertEquals(1, error.getLocation().getLineNr());
        }
    }

    // Copies.

    @Test
    void mapperAndFactoryAreCopiedAndSerialized() throws IOException, ClassNotFoundException {
        KetchYamlMapper some = new KetchYamlMapper(KetchYamlFactory.builder()
                .options(Options.builder().duplicateKeys(DuplicateKeys.LAST).build()).build());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(some);
        }
        Object read;
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            read = in.readObject();
        }
        for (ObjectMapper same : List.of(some.copy(), (ObjectMapper) read,
                new ObjectMapper(some.getFactory().rebuild().build()))) {
            assertEquals("{\"a\":2}", same.readTree("{a: 1, a: 2}").toString());
        }
        assertSame(Sailor.class, mapper.copy().readValue("{name: Ann}", Sailor.class).getClass());
    }

    @Test
    void aMapWithAllTypesIsWritten() throws IOException {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("int", 1);
        map.put("long", 1L << 40);
        map.put("float", 1.5f);
        map.put("double", 1e100);
        map.put("infinite", Double.NEGATIVE_INFINITY);
        map.put("text", "2");
        map.put("lines", "a\nb\n");
        map.put("null", null);
        map.put("bool", true);
        map.put("empty", List.of());
        String yaml = mapper.writeValueAsString(map);
        assertEquals("int: 1\nlong: 1099511627776\nfloat: 1.5\ndouble: 1.0e+100\ninfinite: -.inf\n"
                + "text: \"2\"\nlines: |\n  a\n  b\n\"null\": null\nbool: true\nempty: []\n", yaml);
        map.put("float", 1.5);
        assertEquals(map, mapper.readValue(yaml, Map.class));
    }
}
