package dev.ketch.extprot;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Prints values with their schema. Generated code calls its methods; programs use
 * {@link Extprot#pretty}.
 *
 * <p>The pieces of the text are collected first, because where lines break depends on their widths.
 */
public final class Printer {
    private final List<PrinterPiece> pieces = new ArrayList<>();
    /** The indices of the open blocks. */
    private final Deque<Integer> open = new ArrayDeque<>();
    /** The name before that of the next field, with a dot: only the first field of a record has one. */
    private String module = "";

    Printer() {}

    String finish() {
        return new PrinterPage(pieces).text();
    }

    private void atom(String text) {
        pieces.add(new PrinterPiece(PrinterPiece.Kind.ATOM, text));
    }

    private void open(PrinterPiece.Kind bracket) {
        open.push(pieces.size());
        pieces.add(new PrinterPiece(bracket, ""));
    }

    // Blocks.

    /**
     * Starts a record, whose parts are printed after {@link #field}. {@link #close} ends it.
     *
     * @param name its name in the schema
     */
    public void openRecord(String name) {
        open(PrinterPiece.Kind.RECORD);
        module = name + ".";
    }

    /**
     * Prints the name of a field. Its value is printed next.
     *
     * @param name its name in the schema
     * @return this printer
     */
    public Printer field(String name) {
        pieces.add(new PrinterPiece(PrinterPiece.Kind.LABEL, module + name + " ="));
        module = "";
        return this;
    }

    /** Starts a tuple, which {@link #close} ends. */
    public void openTuple() {
        open(PrinterPiece.Kind.TUPLE);
    }

    /** Ends the innermost open record or tuple. */
    public void close() {
        pieces.get(open.pop()).end = pieces.size();
        module = "";
    }

    /**
     * Prints the name of a constructor. Its only argument, or the tuple of its arguments, is printed
     * next.
     *
     * @param name its type and name in the schema
     * @return this printer
     */
    public Printer constructor(String name) {
        pieces.add(new PrinterPiece(PrinterPiece.Kind.LABEL, name));
        return this;
    }

    // Values.

    /**
     * Prints a constant.
     *
     * @param type its type in the schema
     * @param name its name in the schema
     */
    public void printConstant(String type, String name) {
        atom(type + "." + name);
    }

    /**
     * Prints a {@code bool}.
     *
     * @param value the value
     */
    public void printBool(boolean value) {
        atom(value ? "true" : "false");
    }

    /**
     * Prints a {@code byte}.
     *
     * @param value the value
     */
    public void printByte(int value) {
        atom(ScalarText.integer(value, ""));
    }

    /**
     * Prints an {@code int}.
     *
     * @param value the value
     */
    public void printInt(long value) {
        atom(ScalarText.integer(value, ""));
    }

    /**
     * Prints a {@code long}.
     *
     * @param value the value
     */
    public void printLong(long value) {
        atom(ScalarText.integer(value, "L"));
    }

    /**
     * Prints a {@code float}.
     *
     * @param value the value
     */
    public void printFloat(double value) {
        atom(ScalarText.floating(value));
    }

    /**
     * Prints a {@code string}.
     *
     * @param value the bytes
     */
    public void printString(Bytes value) {
        StringBuilder text = new StringBuilder(value.size() + 2);
        ScalarText.quote(value.array(), text);
        atom(text.toString());
    }

    /**
     * Prints a {@code string} that is UTF-8.
     *
     * @param value the text
     */
    public void printText(String value) {
        printString(Bytes.of(value));
    }

    /**
     * Prints a value of a generated class.
     *
     * @param value the value
     */
    public void printValue(Printable value) {
        value.print(this);
    }

    /** Prints text as it is. */
    void printRaw(String text) {
        atom(text);
    }

    /**
     * Prints a list.
     *
     * @param list the values
     * @param element prints an element
     * @param <T> the type of the elements
     */
    public <T> void printList(List<? extends T> list, BiConsumer<Printer, T> element) {
        elements(PrinterPiece.Kind.LIST, list, element);
    }

    /**
     * Prints an array.
     *
     * @param array the values
     * @param element prints an element
     * @param <T> the type of the elements
     */
    public <T> void printArray(List<? extends T> array, BiConsumer<Printer, T> element) {
        elements(PrinterPiece.Kind.ARRAY, array, element);
    }

    private <T> void elements(
            PrinterPiece.Kind bracket, List<? extends T> list, BiConsumer<Printer, T> element) {
        open(bracket);
        for (T value : list) {
            element.accept(this, value);
        }
        close();
    }

    /**
     * Prints a lazy field, which is decoded; if it is corrupt, the error.
     *
     * @param lazy the field
     * @param value prints the value
     * @param <T> the type of the value
     */
    public <T> void printLazy(Lazy<T> lazy, BiConsumer<Printer, T> value) {
        T decoded;
        try {
            decoded = lazy.get();
        } catch (ExtprotException error) {
            atom("<error: " + error.getMessage() + ">");
            return;
        }
        value.accept(this, decoded);
    }
}
