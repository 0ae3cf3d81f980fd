package dev.ketch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens files, and converts Java text to UTF-8. */
final class Source {
    private Source() {}

    static InputStream open(Path path) throws IOException {
        checkIsFile(path);
        return Files.newInputStream(path);
    }

    static byte[] read(Path path) throws IOException {
        checkIsFile(path);
        return Files.readAllBytes(path);
    }

    /** Java's own exception does not name the folder. */
    private static void checkIsFile(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            throw new FileSystemException(path.toString(), null, "is a directory");
        }
    }

    static byte[] bytes(String text) {
        int wrong = loneSurrogate(text);
        if (wrong >= 0) {
            throw placeOf(text, wrong).failure(text.charAt(wrong));
        }
        int nul = text.indexOf(0);
        // Native code reports a later one itself.
        if (nul >= 0 && placeOf(text, nul).isNearStart()) {
            throw placeOf(text, nul).nul();
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Converts UTF-16 or UTF-32 to UTF-8. Returns UTF-8 unchanged.
     *
     * @throws YamlException if the bytes are malformed, as the parser throws it
     */
    static byte[] utf8(byte[] bytes, Options options) {
        Charset charset = charset(bytes);
        if (charset == null) {
            return bytes;
        }
        String text;
        try {
            text = charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException malformed) {
            Session.checkSyntax(bytes, options);
            throw new InternalException("malformed text", malformed);
        }
        boolean isMarked = !text.isEmpty() && text.charAt(0) == '\ufeff';
        return bytes(isMarked ? text.substring(1) : text);
    }

    /** Detects the encoding as in YAML: by a byte order mark, or by the zeros of an ASCII character. */
    private static Charset charset(byte[] bytes) {
        int first = at(bytes, 0) << 8 | at(bytes, 1);
        int second = at(bytes, 2) << 8 | at(bytes, 3);
        if (first == 0 && bytes.length >= 4) {
            return Charset.forName("UTF-32BE");
        }
        if (bytes.length >= 4 && second == 0 && (first == 0xfffe || (first & 0xff) == 0)) {
            return Charset.forName("UTF-32LE");
        }
        if (bytes.length >= 2 && (first == 0xfeff || first >> 8 == 0)) {
            return StandardCharsets.UTF_16BE;
        }
        boolean isLittle = bytes.length >= 2 && (first == 0xfffe || (first & 0xff) == 0);
        return isLittle ? StandardCharsets.UTF_16LE : null;
    }

    private static int at(byte[] bytes, int index) {
        return index < bytes.length ? bytes[index] & 0xff : 0xff;
    }

    /** Returns the index of a surrogate that is not half of a pair, or -1. */
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

    private static LonePlace placeOf(String text, int at) {
        LonePlace place = new LonePlace();
        text.substring(0, at).codePoints().forEach(
                character -> place.pass(character, utf8Length(character)));
        return place;
    }

    private static int utf8Length(int character) {
        return character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    }
}
