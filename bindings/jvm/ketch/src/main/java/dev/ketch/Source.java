package dev.ketch;

import java.nio.charset.StandardCharsets;

/** Java text as UTF-8. */
final class Source {
    private Source() {}

    static byte[] bytes(String text) {
        int wrong = loneSurrogate(text);
        if (wrong >= 0) {
            throw failure(text, wrong);
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The index of a surrogate that is not half of a pair, or -1. */
    static int loneSurrogate(String text) {
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

    private static YamlSyntaxException failure(String text, int at) {
        LonePlace place = new LonePlace();
        text.substring(0, at).codePoints().forEach(
                character -> place.pass(character, utf8Length(character)));
        return place.failure(text.charAt(at));
    }

    private static int utf8Length(int character) {
        return character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    }
}
