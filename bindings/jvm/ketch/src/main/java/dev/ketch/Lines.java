package dev.ketch;

/** Lines, columns and characters in UTF-8, counted on from the last location. */
final class Lines {
    private int at;
    private long line = 1;
    private long column = 1;
    private long chars;

    /** Moves to the location of an offset. Moving backwards counts from the start again. */
    Lines at(byte[] text, long offset) {
        if (text == null) {
            line = 0;
            column = 0;
            chars = -1;
            return this;
        }
        int end = (int) Math.min(offset, text.length);
        if (end < at) {
            at = 0;
            line = 1;
            column = 1;
            chars = 0;
        }
        for (; at < end; at++) {
            byte unit = text[at];
            chars += (unit & 0xc0) == 0x80 ? 0 : 1;
            if (unit == '\n' || unit == '\r' && !(at + 1 < text.length && text[at + 1] == '\n')) {
                line++;
                column = 1;
            } else if ((unit & 0xc0) != 0x80) {
                column++;
            }
        }
        return this;
    }

    long line() {
        return line;
    }

    long column() {
        return column;
    }

    /** Returns the number of characters before the location; -1 if the text is not there. */
    long chars() {
        return chars;
    }
}
