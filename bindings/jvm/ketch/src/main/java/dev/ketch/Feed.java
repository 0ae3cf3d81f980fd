package dev.ketch;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;

/** A stream that native code reads: it calls {@link Native#fill}, then copies from the buffer. */
abstract class Feed {
    final byte[] buffer = new byte[1 << 16];

    /** Fills the start of the buffer with up to this many bytes. Returns 0 at the end. */
    abstract int fill(int most) throws IOException;

    /** Returns a count that a stream has returned, or 0 at its end. */
    private static int checked(int count, int most) throws IOException {
        if (count > most) {
            throw new IOException("the stream has returned " + count + ", but was asked for at most " + most);
        }
        return Math.max(count, 0);
    }

    static Feed of(InputStream in) {
        return new Bytes(in);
    }

    static Feed of(Reader in) {
        return new Utf8(in);
    }

    private static final class Bytes extends Feed {
        private final InputStream in;

        Bytes(InputStream in) {
            this.in = in;
        }

        @Override
        int fill(int most) throws IOException {
            int count = in.read(buffer, 0, most);
            if (count == 0 && most > 0) {
                // A correct stream never returns 0. Reading a single byte makes it block.
                int next = in.read();
                buffer[0] = (byte) next;
                return next < 0 ? 0 : 1;
            }
            return checked(count, most);
        }
    }

    /** Java text as UTF-8. Half of a surrogate pair is an error. */
    private static final class Utf8 extends Feed {
        private static final int MAX_BYTES_PER_CHARACTER = 4;

        private final Reader in;
        private final char[] units = new char[1 << 13];
        private int at;
        private int end;
        /** The first half of a pair, or 0. */
        private char high;
        /** The bytes of a character for which there was no space, in the lowest bits. */
        private int rest;

        private int restBytes;
        private final LonePlace place = new LonePlace();

        Utf8(Reader in) {
            this.in = in;
        }

        @Override
        int fill(int most) throws IOException {
            int filled = takeRest();
            while (filled == 0) {
                if (at == end && !read()) {
                    return 0;
                }
                while (at < end && (filled == 0 || filled + MAX_BYTES_PER_CHARACTER <= most)) {
                    filled = put(units[at++], filled);
                }
            }
            return keepRest(filled, most);
        }

        /** Moves the bytes that were left to the start of the buffer. */
        private int takeRest() {
            int count = restBytes;
            while (restBytes > 0) {
                restBytes--;
                buffer[count - 1 - restBytes] = (byte) (rest >> 8 * restBytes);
            }
            return count;
        }

        /** Keeps the bytes of a character that are beyond the limit. Returns the number before it. */
        private int keepRest(int filled, int most) {
            for (int i = most; i < filled; i++) {
                rest = rest << 8 | buffer[i] & 0xff;
                restBytes++;
            }
            return Math.min(filled, most);
        }

        private boolean read() throws IOException {
            int count = in.read(units);
            end = checked(count, units.length);
            if (count == 0) {
                // A correct reader never returns 0. Reading a single character makes it block.
                int next = in.read();
                units[0] = (char) next;
                count = next < 0 ? -1 : 1;
                end = Math.max(count, 0);
            }
            at = 0;
            if (count < 0 && high != 0) {
                throw place.failure(high);
            }
            return count >= 0;
        }

        private int put(char unit, int filled) {
            if (high != 0) {
                if (!Character.isLowSurrogate(unit)) {
                    throw place.failure(high);
                }
                int character = Character.toCodePoint(high, unit);
                high = 0;
                place.pass(character, 4);
                return put(character, 0xf0, 18, filled);
            }
            if (Character.isHighSurrogate(unit)) {
                high = unit;
                return filled;
            }
            if (Character.isLowSurrogate(unit)) {
                throw place.failure(unit);
            }
            if (unit == 0 && place.isNearStart()) {
                throw place.nul();
            }
            int more = unit < 0x80 ? 0 : unit < 0x800 ? 1 : 2;
            place.pass(unit, more + 1);
            return put(unit, more == 0 ? 0 : more == 1 ? 0xc0 : 0xe0, 6 * more, filled);
        }

        /**
         * Writes the bytes of a character: its highest bits with a mark, then six bits per byte.
         * Returns the number of bytes that are filled after it.
         */
        private int put(int character, int mark, int shift, int filled) {
            int place = filled;
            buffer[place++] = (byte) (mark | character >> shift);
            for (int rest = shift - 6; rest >= 0; rest -= 6) {
                buffer[place++] = (byte) (0x80 | character >> rest & 0x3f);
            }
            return place;
        }
    }
}
