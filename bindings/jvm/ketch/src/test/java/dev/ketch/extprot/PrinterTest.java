package dev.ketch.extprot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Texts of messages, apart from the vectors. */
class PrinterTest {
    /** Prints a record with a list of texts, and an empty list. */
    private static String record(int count) {
        return Extprot.pretty(out -> {
            out.openRecord("M");
            out.field("a").printList(Collections.nCopies(count, "item"), Printer::printText);
            out.field("b").printList(List.<Long>of(), Printer::printInt);
            out.close();
        });
    }

    @Test
    void itemsThatFitStayOnOneLine() {
        assertEquals("{ M.a = [ \"item\"; \"item\" ]; b = [  ] }", record(2));
        String text = record(12);
        assertTrue(text.startsWith("{ M.a =\n    [ \"item\";\n      \"item\";\n"), text);
        assertTrue(text.endsWith("\"item\" ];\n  b = [  ] }"), text);
    }

    @Test
    void deepTextsDoNotOverflowTheStack() {
        int depth = 20_000;
        String text = Extprot.pretty(out -> {
            for (int i = 0; i < depth; i++) {
                out.constructor("T.C").openTuple();
            }
            out.printBool(true);
            for (int i = 0; i < depth; i++) {
                out.close();
            }
        });
        assertEquals(depth, text.chars().filter(unit -> unit == '(').count());
        assertTrue(text.endsWith(")".repeat(depth)));
    }

    @Test
    @Tag("fetched")
    void aCorruptLazyFieldIsPrintedAsItsError() {
        byte[] bytes = HexFormat.of().parseHex("010a02000201050203000300");
        Object message = Extprot.decode(bytes, Generated.decoder(Generated.type("lazies", "lz_nodef"), "read"));
        assertEquals(
                "{ Lz_nodef.z0 = 1;\n  a = <error: offset 9 in leaf.n: expected int, found Bytes> }",
                Extprot.pretty((Printable) message));
    }

    @Test
    void treesArePrintedInTheShortForm() {
        TaggedValue tree = new TaggedValue.Tuple(2, List.of(new TaggedValue.Bits8(0, 42)));
        assertEquals(tree.toString(), Extprot.pretty(tree));
        assertEquals("T2 { 0x2A }", tree.toString());
    }
}
