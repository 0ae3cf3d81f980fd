package dev.ketch;

import java.nio.charset.StandardCharsets;

/** Java text as UTF-8. */
final class Source {
    private Source() {}

    static byte[] bytes(String text) {
        int wrong = loneSurrogate(text);
        if (wrong >= 0) {
            throw new YamlSyntaxException(failure(text, wrong));
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The index of a surrogate that is not half of a pair, or -1. */
    private static int loneSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (Character.isSurrogate(unit)) {
                boolean isPair = Character.isHighSurrogate(unit)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!isPair) {
                    return i;
                }
                i++;
            }
        }
        return -1;
    }

    private static Failure failure(String text, int at) {
        String before = text.substring(0, at);
        long line = 1 + before.chars().filter(unit -> unit == '\n').count();
        String start = before.substring(before.lastIndexOf('\n') + 1);
        long column = 1 + start.codePointCount(0, start.length());
        String problem = String.format(
                "half of a surrogate pair, U+%04X, is not a character", (int) text.charAt(at));
        String help = "Check how the text was decoded or cut.";
        String message = line + ":" + column + ": " + problem + "\n" + help;
        long offset = before.getBytes(StandardCharsets.UTF_8).length;
        return new Failure("syntax", message, problem, "LoneSurrogate", help, null,
                line, column, offset, 0, start, 0, 0);
    }
}
