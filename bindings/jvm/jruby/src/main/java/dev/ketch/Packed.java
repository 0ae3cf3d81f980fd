package dev.ketch;

import java.io.ByteArrayOutputStream;

/** Bytes with numbers and texts, in the form of packed.rs. */
final class Packed extends ByteArrayOutputStream {
    byte[] bytes() {
        return buf;
    }

    void putInt(int number) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            write(number >>> shift);
        }
    }

    void putLong(long number) {
        putInt((int) (number >>> 32));
        putInt((int) number);
    }

    /** Writes the bytes of a text, or null. */
    void put(byte[] text) {
        if (text == null) {
            putInt(-1);
        } else {
            putInt(text.length);
            write(text, 0, text.length);
        }
    }
}
