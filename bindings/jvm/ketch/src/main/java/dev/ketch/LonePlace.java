package dev.ketch;

/** The location of a surrogate that is not half of a pair. */
final class LonePlace {
    private static final int SHOWN_CHARACTERS = 200;

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

    YamlSyntaxException failure(char unit) {
        String problem =
                String.format("half of a surrogate pair, U+%04X, is not a character", (int) unit);
        String help = "Check how the text was decoded or cut.";
        String message = line + ":" + column + ": " + problem + "\n" + help;
        return new YamlSyntaxException(new Failure("syntax", message, problem, "LoneSurrogate", help,
                null, line, column, offset, 0, start.toString(), 0, 0));
    }
}
