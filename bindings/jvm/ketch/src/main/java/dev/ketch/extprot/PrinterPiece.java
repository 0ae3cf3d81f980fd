package dev.ketch.extprot;

/** A piece of the text of a {@link Printer}. */
final class PrinterPiece {
    /** The kinds of pieces. All but the first two are blocks, whose items follow. */
    enum Kind {
        /** Text that is never broken. */
        ATOM("", "", ""),
        /** The name of a value, which is the next item, and may go to the next line. */
        LABEL("", "", ""),
        RECORD("{ ", ";", " }"),
        LIST("[ ", ";", " ]"),
        ARRAY("[| ", ";", " |]"),
        TUPLE("(", ",", ")");

        final String opening;
        /** What separates two items, before a space or a line break. */
        final String separator;
        final String closing;

        Kind(String opening, String separator, String closing) {
            this.opening = opening;
            this.separator = separator;
            this.closing = closing;
        }
    }

    final Kind kind;
    final String text;
    /** The index of the piece after the item that starts here. */
    int end;
    /** The width of the item on one line. */
    long width;

    PrinterPiece(Kind kind, String text) {
        this.kind = kind;
        this.text = text;
    }

    boolean isBlock() {
        return kind != Kind.ATOM && kind != Kind.LABEL;
    }
}
