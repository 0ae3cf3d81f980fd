package dev.ketch;

/**
 * The location of a character in Java text that native code would not report: half of a surrogate
 * pair, or a NUL at the start, which would look like UTF-16.
 */
final class LonePlace {
    private static final int SHOWN_CHARACTERS = 200;
    /** The number of bytes by which an encoding is detected. */
    private static final int MARK_BYTES = 4;

    private long line = 1;
    private long column = 1;
    private long offset;
    private final StringBuilder start = new StringBuilder();

    /** Counts a character, and its bytes in UTF-8. */
    void pass(int character, int bytes) {
        offset += bytes;
        if (character == '\n') {
            line++;
            column = 1;
            start.setLength(0);
            return;
        }
        column++;
        if (start.length() < SHOWN_CHARACTERS) {
            start.appendCodePoint(character);
        }
    }

    /** Returns whether the encoding is detected by the character here. */
    boolean isNearStart() {
        return offset < MARK_BYTES;
    }

    YamlSyntaxException failure(char unit) {
        String problem =
                String.format("half of a surrogate pair, U+%04X, is not a character", (int) unit);
        return failure("LoneSurrogate", problem, "Check how the text was decoded or cut.");
    }

    YamlSyntaxException nul() {
        return failure("Control", "a NUL byte (0x00) is not allowed in YAML",
                "Delete it. If you need it, write `\\x00` in double quotes. A binary file is not YAML.");
    }

    private YamlSyntaxException failure(String name, String problem, String help) {
        String message = line + ":" + column + ": " + problem + "\n" + help;
        return new YamlSyntaxException(new Failure("syntax", message, problem, name, help,
                null, line, column, offset, 0, start.toString(), 0, 0));
    }
}
