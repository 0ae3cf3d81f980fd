package dev.ketch.extprot;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A string of extprot: any bytes. Immutable, and equal by its bytes. */
public final class Bytes {
    private final byte[] bytes;

    private Bytes(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Creates a string from a copy of these bytes.
     *
     * @param bytes the bytes
     * @return the string
     */
    public static Bytes of(byte... bytes) {
        return new Bytes(bytes.clone());
    }

    /**
     * Creates a string from a text, in UTF-8.
     *
     * @param text the text
     * @return its bytes
     * @throws IllegalArgumentException if it has half of a surrogate pair, which is no character
     */
    public static Bytes of(String text) {
        return new Bytes(Writer.encode(text));
    }

    /** Wraps bytes without a copy. Nobody else may change them. */
    static Bytes wrap(byte[] bytes) {
        return new Bytes(bytes);
    }

    byte[] array() {
        return bytes;
    }

    /**
     * Returns the number of bytes.
     *
     * @return the number
     */
    public int size() {
        return bytes.length;
    }

    /**
     * Returns the bytes.
     *
     * @return a copy
     */
    public byte[] toByteArray() {
        return bytes.clone();
    }

    /**
     * Returns the text.
     *
     * @return the text
     * @throws IllegalStateException if the bytes are not UTF-8
     */
    public String utf8() {
        String text = text(bytes, 0, bytes.length);
        if (text == null) {
            throw new IllegalStateException("the string is not UTF-8");
        }
        return text;
    }

    /** Returns the text of bytes; null if they are not UTF-8. */
    static @Nullable String text(byte[] bytes, int start, int length) {
        String text = new String(bytes, start, length, StandardCharsets.UTF_8);
        // Invalid bytes become U+FFFD, which may also be in valid text.
        return text.indexOf('\ufffd') < 0 || isUtf8(bytes, start, length) ? text : null;
    }

    private static boolean isUtf8(byte[] bytes, int start, int length) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, start, length));
            return true;
        } catch (CharacterCodingException invalid) {
            return false;
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Bytes string && Arrays.equals(bytes, string.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Returns the text, or hexadecimal digits if it is not UTF-8. */
    @Override
    public String toString() {
        String text = text(bytes, 0, bytes.length);
        return text == null ? "0x" + HexFormat.of().formatHex(bytes) : text;
    }
}
