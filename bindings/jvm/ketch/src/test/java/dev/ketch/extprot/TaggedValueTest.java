package dev.ketch.extprot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ketch.extprot.ExtprotException.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** Trees with tags and wire types. */
class TaggedValueTest {
    private static final List<String> SAMPLES = List.of(
            "01 08 02 00 02 03 03 41 6e 6e",
            "05 06 03 2a 02 2a 00 03",
            "07 0d 02 03 01 61 00 02 03 01 62 05 02 01 0a",
            "8a 01",
            "8a 80 80 10",
            "fa ff ff ff ff ff ff ff ff 01",
            "91 01 06 01 04 ff ff ff ff",
            "10 02",
            "12 05",
            "16 01 00 00 00 00 00 00 80",
            "18 00 00 00 00 00 00 f8 3f",
            "13 01 ff",
            "06 ff ff ff ff ff ff ff 7f",
            "01 0a 01 08 01 00 00 00 00 00 f0 7f",
            "00 ff ff ff ff ff ff ff ff ff 01",
            "03 00",
            "05 01 00",
            "01 01 00",
            "07 01 00",
            "f1 01 01 00");

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static Kind kind(byte[] bytes) {
        return assertThrows(ExtprotException.class, () -> Extprot.loadTagged(bytes)).kind();
    }

    @Test
    void theExampleOfTheDocumentationIsCorrect() {
        byte[] bytes = {1, 8, 2, 0, 2, 3, 3, 'A', 'n', 'n'};
        TaggedValue value = Extprot.loadTagged(bytes);
        assertEquals("{ 1; \"Ann\" }", value.toString());
        assertEquals("T0 { Vint_0 1; B_0 \"Ann\" }", value.toVerboseString());
        assertArrayEquals(bytes, value.encode());
        assertTrue(value instanceof TaggedValue.Tuple tuple
                && tuple.elements().get(0) instanceof TaggedValue.Vint id && id.value() == 1);
    }

    @Test
    void treesAreWrittenUnchanged() throws IOException {
        for (String sample : SAMPLES) {
            TaggedValue value = Extprot.loadTagged(bytes(sample));
            assertArrayEquals(bytes(sample), value.encode(), sample);
            assertArrayEquals(bytes(sample), Extprot.dump(value), sample);
            assertEquals(value, Extprot.decode(bytes(sample), TaggedValue::read));
            byte[] twice = bytes(sample + sample);
            assertEquals(Kind.TRAILING_BYTES, kind(twice));
            var stream = Extprot.messages(new ByteArrayInputStream(twice), TaggedValue::read);
            assertEquals(List.of(value, value), Arrays.asList(stream.next(), stream.next()));
        }
    }

    @Test
    void differentTreesAreNotEqual() {
        for (int i = 0; i < SAMPLES.size(); i++) {
            for (int j = 0; j < SAMPLES.size(); j++) {
                TaggedValue one = Extprot.loadTagged(bytes(SAMPLES.get(i)));
                TaggedValue other = Extprot.loadTagged(bytes(SAMPLES.get(j)));
                assertEquals(i == j, one.equals(other), one + " and " + other);
                assertEquals(i == j, new TaggedValue.Tuple(1, List.of(one)).equals(
                        new TaggedValue.Tuple(1, List.of(other))));
                if (i == j) {
                    assertEquals(one.hashCode(), other.hashCode());
                }
            }
        }
        var nan = new TaggedValue.Bits64Float(0, Double.longBitsToDouble(0x7ff0_0000_0000_0001L));
        assertNotEquals(nan, new TaggedValue.Bits64Float(0, Double.NaN));
        assertNotEquals(new TaggedValue.Bits64Float(0, 0.0), new TaggedValue.Bits64Float(0, -0.0));
        // Two elements, and one element with one element.
        var leaf = new TaggedValue.Htuple(0, List.of());
        assertNotEquals(new TaggedValue.Tuple(0, List.of(leaf, leaf)),
                new TaggedValue.Tuple(0, List.of(new TaggedValue.Htuple(0, List.of(leaf)))));
    }

    @Test
    void deepTreesDoNotOverflowTheStack() {
        TaggedValue deep = new TaggedValue.Enum(3);
        TaggedValue other = new TaggedValue.Enum(4);
        int depth = 300_000;
        for (int i = 0; i < depth; i++) {
            List<TaggedValue> only = List.of(deep);
            deep = i % 2 == 0 ? new TaggedValue.Htuple(0, only) : new TaggedValue.Tuple(i, only);
            List<TaggedValue> same = List.of(other);
            other = i % 2 == 0 ? new TaggedValue.Htuple(0, same) : new TaggedValue.Tuple(i, same);
        }
        byte[] written = deep.encode();
        TaggedValue read = Extprot.loadTagged(written, Limits.DEFAULT.withMaxDepth(depth));
        assertTrue(read.equals(deep) && deep.hashCode() == read.hashCode() && !read.equals(other));
        assertTrue(deep.toString().contains("[ T3 ]") && deep.toVerboseString().contains("[ Enum_3 ]"));
        ExtprotException error = assertThrows(ExtprotException.class, () -> Extprot.loadTagged(written));
        assertEquals("maxDepth", error.setting());
    }

    @Test
    void corruptBytesAreErrors() {
        for (String sample : SAMPLES) {
            byte[] whole = bytes(sample);
            for (int size = 0; size < whole.length; size++) {
                assertEquals(Kind.EOF, kind(Arrays.copyOf(whole, size)), sample);
            }
        }
        for (int prefix : new int[] {0x09, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x19}) {
            assertEquals(Kind.BAD_WIRE_TYPE, kind(new byte[] {(byte) prefix, 0, 0}));
        }
        assertEquals(Kind.VINT_TOO_LONG, kind(bytes("00 ff ff ff ff ff ff ff ff ff ff 01")));
        // A count beyond the block, and a length beyond the block around it.
        for (String hex : List.of("05 03 ff 7f 0a", "07 03 02 0a 0a", "05 04 01 03 7f 61 61 61",
                "05 03 01 00 80 01", "07 0a ff ff ff ff ff ff ff ff ff 01")) {
            assertEquals(Kind.EOF, kind(bytes(hex)), hex);
        }
    }

    @Test
    void limitsAreEnforced() {
        byte[] string = bytes("03 04 61 62 63 64");
        assertEquals("maxStringBytes", setting(string, Limits.DEFAULT::withMaxStringBytes, 4));
        byte[] list = bytes("05 07 03 00 02 00 04 00 06");
        assertEquals("maxElements", setting(list, Limits.DEFAULT::withMaxElements, 3));
        assertEquals("maxBlockBytes", setting(list, Limits.DEFAULT::withMaxBlockBytes, 7));
        assertEquals("maxDepth", setting(bytes("05 04 01 05 01 00"), Limits.DEFAULT::withMaxDepth, 2));
    }

    @Test
    void aLimitThatIsExceededIsNamedWithWhatWasFound() {
        byte[] bytes = bytes("05 07 03 00 02 00 04 00 06");
        Limits all = Limits.DEFAULT;
        assertEquals("offset 3: 3 elements exceed maxElements (2); raise it in Limits",
                message(bytes, all.withMaxElements(2)));
        assertEquals("offset 3: a block of 7 bytes exceeds maxBlockBytes (6); raise it in Limits",
                message(bytes, all.withMaxBlockBytes(6)));
        assertEquals("offset 3: nesting of 1 levels exceeds maxDepth (0); raise it in Limits",
                message(bytes, all.withMaxDepth(0)));
        assertEquals("offset 2: a string of 1 bytes exceeds maxStringBytes (0); raise it in Limits",
                message(bytes("03 01 61"), all.withMaxStringBytes(0)));
        Reader.Decoder<Object> defaults = in -> {
            in.countDefaults(3);
            return null;
        };
        ExtprotException error = assertThrows(ExtprotException.class,
                () -> Extprot.decode(new byte[0], defaults, all.withMaxDefaultValues(2)));
        assertEquals("offset 0: 3 default values exceed maxDefaultValues (2); raise it in Limits", error.getMessage());
        Extprot.decode(new byte[0], defaults, all.withMaxDefaultValues(3));
        Extprot.decode(new byte[9], defaults, all.withMaxDefaultValues(Long.MAX_VALUE));
    }

    private static String message(byte[] bytes, Limits limits) {
        return assertThrows(ExtprotException.class, () -> Extprot.loadTagged(bytes, limits)).getMessage();
    }

    @Test
    void eachLimitHasAMethodThatChangesIt() throws ReflectiveOperationException {
        for (RecordComponent component : Limits.class.getRecordComponents()) {
            String name = component.getName();
            String method = "with" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
            Object value = component.getType() == boolean.class ? (Object) true : (Object) 7L;
            Object changed = Limits.class.getMethod(method, component.getType()).invoke(Limits.DEFAULT, value);
            for (RecordComponent other : Limits.class.getRecordComponents()) {
                Object expected = other.getName().equals(name) ? value : other.getAccessor().invoke(Limits.DEFAULT);
                assertEquals(expected, other.getAccessor().invoke(changed), method + " and " + other.getName());
            }
        }
    }

    /** Checks that a limit is the least one that suffices, and returns the setting that raises it. */
    private static String setting(byte[] bytes, LongFunction<Limits> limits, long least) {
        Limits few = limits.apply(least - 1);
        Extprot.loadTagged(bytes, limits.apply(least));
        String setting = assertThrows(ExtprotException.class, () -> Extprot.load(bytes, few)).setting();
        assertEquals(setting,
                assertThrows(ExtprotException.class, () -> Extprot.loadTagged(bytes, few)).setting());
        return setting;
    }

    @Test
    void treesThatCannotBeWrittenCannotBeMade() {
        assertThrows(IllegalArgumentException.class, () -> new TaggedValue.Vint(-1, 0));
        assertThrows(IllegalArgumentException.class, () -> new TaggedValue.Tuple(1L << 60, List.of()));
        assertThrows(IllegalArgumentException.class, () -> new TaggedValue.Bits8(0, 256));
        assertThrows(IllegalArgumentException.class,
                () -> new TaggedValue.Assoc(0, List.of(new TaggedValue.Enum(0))));
        assertThrows(NullPointerException.class, () -> new TaggedValue.Bytes(0, null));
        assertThrows(NullPointerException.class, () -> new TaggedValue.Htuple(0, Arrays.asList((TaggedValue) null)));
    }

    @Test
    void floatsArePrintedAsInC() {
        double[] values = {1, -0.0, 0.1, 100778.839918, Double.MAX_VALUE, 5e-324, 1e12, 123456789012.0,
            999999999999.9, 0.0001, 0.00001, Double.NEGATIVE_INFINITY, Double.NaN, 1.5e-10, -2e100, 0.5, 2.5e11};
        List<String> texts = List.of("1.", "-0.", "0.1", "100778.839918", "1.79769313486e+308",
                "4.94065645841e-324", "1e+12", "123456789012.", "1e+12", "0.0001", "1e-05", "-inf", "nan",
                "1.5e-10", "-2e+100", "0.5", "250000000000.");
        for (int i = 0; i < values.length; i++) {
            assertEquals(texts.get(i), new TaggedValue.Bits64Float(0, values[i]).toString());
        }
    }
}
