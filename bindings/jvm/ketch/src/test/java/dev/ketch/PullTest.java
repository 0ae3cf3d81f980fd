package dev.ketch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.ketch.Repository.Case;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Values and locations of events, and nodes written one at a time. */
class PullTest {
    private static List<Object> values(YamlParser parser) {
        List<Object> values = new ArrayList<>();
        try (parser) {
            while (parser.next()) {
                if (parser.kind().isScalar()) {
                    values.add(parser.type());
                    values.add(parser.value());
                }
            }
        }
        return values;
    }

    /** The types of plain scalars are those of the same scalars in a text, in all schemas. */
    @Test
    void typesWithoutATextAreThoseInAText() {
        List<String> texts = new ArrayList<>(List.of("~", "null", "yes", "No", "true", "on", "OFF", "42", "-17",
                "0x1F", "0o17", "0755", "1,000", "1:30:00", "3.14", "-1e+10", ".inf", ".NaN", "2001-12-14",
                "2001-12-14 21:59:43.10 Z", "a plain text", "größe", "123456789012345678901234567890"));
        for (int i = 0; i < 3000; i++) {
            texts.add("x" + i);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int[] ends = new int[texts.size()];
        for (int i = 0; i < ends.length; i++) {
            bytes.writeBytes(texts.get(i).getBytes(StandardCharsets.UTF_8));
            ends[i] = bytes.size();
        }
        for (Schema schema : Schema.values()) {
            List<ScalarType> expected = new ArrayList<>();
            String yaml = "- " + String.join("\n- ", texts) + "\n";
            try (YamlParser parser = YamlParser.of(yaml, Options.builder().schema(schema).build())) {
                while (parser.next()) {
                    if (parser.kind().isScalar()) {
                        expected.add(parser.type());
                    }
                }
            }
            assertEquals(expected, List.of(schema.typesOf(bytes.toByteArray(), ends)), schema.toString());
            assertEquals(expected.get(0), schema.typeOf("~"));
        }
        assertEquals(ScalarType.MERGE, Schema.YAML11.typeOf("<<"));
        assertEquals(0, Schema.CORE.typesOf(new byte[0], new int[0]).length);
        for (int[] wrong : new int[][] {{2}, {-1}, {1, 0}}) {
            assertThrows(IndexOutOfBoundsException.class, () -> Schema.CORE.typesOf(new byte[1], wrong));
        }
    }

    @Test
    void scalarsHaveTypesAndValues() {
        String yaml = "[a, 1, 99999999999, 123456789012345678901, -0x1ffffffffffffffffff, 1.5, ~,"
                + " true, 'no', !!str 7, !!int '8', !ship 9, !!int x]";
        assertEquals(List.of(
                ScalarType.STR, "a", ScalarType.INT, 1, ScalarType.INT, 99_999_999_999L,
                ScalarType.INT, new BigInteger("123456789012345678901"), ScalarType.STR,
                "-0x1ffffffffffffffffff", ScalarType.FLOAT, 1.5, ScalarType.NULL, "null",
                ScalarType.BOOL, true, ScalarType.STR, "no", ScalarType.STR, "7", ScalarType.INT, 8,
                ScalarType.STR, "9", ScalarType.INVALID, "x").toString(),
                values(YamlParser.of(yaml)).toString());
        Options old = Options.builder().schema(Schema.YAML11).build();
        assertEquals("[TIMESTAMP, 2001-12-14, INT, -8589934591, MERGE, <<, STR, <<]",
                values(YamlParser.of("[2001-12-14, -0x1ffffffff, {<<: <<}]", old)).toString());
        Object bytes = values(YamlParser.of("!!binary aGk=")).get(1);
        assertArrayEquals("hi".getBytes(StandardCharsets.UTF_8), (byte[]) bytes);
    }

    @Test
    @Tag("fetched")
    void parsedScalarsEqualLoadedScalars() {
        for (Case kase : Repository.suite()) {
            if (kase.fails()) {
                continue;
            }
            byte[] bytes = kase.yaml().getBytes(StandardCharsets.UTF_8);
            List<Object> expected = values(YamlParser.of(bytes));
            List<Object> streamed = values(YamlParser.of(new ByteArrayInputStream(bytes)));
            assertEquals(expected.toString().replaceAll("\\[B@\\w+", "bytes"),
                    streamed.toString().replaceAll("\\[B@\\w+", "bytes"), kase.id());
        }
        assertEquals(List.of("x", 1), List.of(
                values(YamlParser.of("- x\n- 1\n")).get(1), values(YamlParser.of("- x\n- 1\n")).get(3)));
    }

    private static List<String> locations(YamlParser parser) {
        List<String> locations = new ArrayList<>();
        try (parser) {
            while (parser.next()) {
                locations.add(parser.kind() + " " + parser.line() + ":" + parser.column() + " "
                        + parser.offset() + "+" + parser.length());
            }
        }
        return locations;
    }

    @Test
    void locationsCountCharactersInAllEncodings() {
        String yaml = "é: [ü, \"x\"]\r\n# \uD83D\uDE00\r\r- 1\n".replace("- 1", "b: 1");
        List<String> expected = locations(YamlParser.of(yaml));
        assertEquals("[PLAIN 1:1 0+2, SEQUENCE_START 1:4 4+1, PLAIN 1:5 5+2, DOUBLE_QUOTED 1:8 9+3]",
                expected.subList(2, 6).toString());
        assertEquals("[PLAIN 4:1 23+1, PLAIN 4:4 26+1]", expected.subList(7, 9).toString());
        for (String name : List.of("UTF-8", "UTF-16BE", "UTF-16LE", "UTF-32BE")) {
            byte[] bytes = yaml.getBytes(Charset.forName(name));
            assertEquals(expected, locations(YamlParser.of(bytes)), name);
            assertEquals(expected, locations(YamlParser.of(new ByteArrayInputStream(bytes))), name);
        }
    }

    @Test
    void locationsStayCorrectInALongStream() {
        StringBuilder yaml = new StringBuilder();
        for (int i = 0; i < 50_000; i++) {
            yaml.append("- ü").append(i).append("   # comment\n\n");
        }
        byte[] bytes = yaml.toString().getBytes(StandardCharsets.UTF_8);
        List<String> whole = locations(YamlParser.of(bytes));
        assertEquals("PLAIN 99999:3", whole.get(whole.size() - 3).split(" \\d+\\+")[0]);
        assertEquals(whole, locations(YamlParser.of(new ByteArrayInputStream(bytes))));
    }

    @Test
    void aParserThatIsClosedEarlyLeavesItsSessionIntact() {
        StringBuilder yaml = new StringBuilder();
        for (int i = 0; i < 1000; i++) {
            yaml.append("key").append(i).append(": ").append(i).append('\n');
        }
        for (int stop = 1; stop < 40; stop++) {
            try (YamlParser parser = YamlParser.of(yaml.toString())) {
                for (int i = 0; i < stop; i++) {
                    parser.next();
                }
            }
            assertEquals(String.valueOf(Yaml.load("{key1: 1, key999: 2, key" + stop + "x: 3}")),
                    "{key1=1, key999=2, key" + stop + "x=3}");
        }
    }

    @Test
    void nodesAreWrittenOneAtATime() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (YamlWriter writer = YamlWriter.of(out, DumpOptions.DEFAULT)) {
            writer.startDocument().startMapping();
            writer.text("a").anchor("x").tag("!ship").startSequence();
            writer.integer(1).floating(1.5).bool(true).nullValue().text("true").plain("1.50");
            writer.integer(BigInteger.TWO.pow(70)).binary(new byte[] {1}).endSequence();
            writer.text("b").alias("x").text("c").anchor("y").tag("!n").text("5");
            writer.text("d").anchor("z").integer(7);
            writer.endMapping().endDocument();
        }
        assertEquals("a: &x !ship\n- 1\n- 1.5\n- true\n- null\n- \"true\"\n- 1.50\n"
                + "- 1180591620717411303424\n- !!binary AQ==\nb: *x\nc: &y !n \"5\"\nd: &z 7\n",
                out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void nodesInTheWrongOrderAreRejected() throws IOException {
        YamlWriter writer = YamlWriter.of(new ByteArrayOutputStream(), DumpOptions.DEFAULT);
        writer.startDocument().startMapping().text("a").endMapping();
        assertThrows(IllegalArgumentException.class, writer::flush);
        writer.close();
        assertThrows(IllegalStateException.class, () -> writer.text("late"));
        YamlWriter open = YamlWriter.of(new ByteArrayOutputStream(), DumpOptions.DEFAULT);
        open.startDocument().startMapping();
        assertThrows(IllegalArgumentException.class, open::close);
    }
}
