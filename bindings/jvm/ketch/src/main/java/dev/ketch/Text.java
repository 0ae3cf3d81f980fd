package dev.ketch;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A text in UTF-8, and where its lines start, for {@link Position}. */
final class Text {
    private final byte[] bytes;
    private final String file;
    /** Computed on first use. */
    private int[] starts;

    Text(byte[] bytes, String file) {
        this.bytes = bytes;
        this.file = file;
    }

    /** Returns a part of the text. */
    String part(long offset, long length) {
        return new String(bytes, (int) offset, (int) length, StandardCharsets.UTF_8);
    }

    Position position(long offset, long length) {
        int[] lines = lines();
        int at = (int) offset;
        int found = Arrays.binarySearch(lines, at);
        int line = found < 0 ? -found - 2 : found;
        int start = lines[line];
        int end = line + 1 < lines.length ? lines[line + 1] : bytes.length;
        while (end > start && isBreak(bytes[end - 1])) {
            end--;
        }
        String lineText = new String(bytes, start, end - start, StandardCharsets.UTF_8);
        return new Position(file, line + 1L, column(start, at), offset, length, lineText);
    }

    private long column(int start, int at) {
        long column = 1;
        for (int i = start; i < at; i++) {
            if ((bytes[i] & 0xc0) != 0x80) {
                column++;
            }
        }
        return column;
    }

    private synchronized int[] lines() {
        if (starts == null) {
            int[] found = new int[64];
            int count = 1;
            for (int i = 0; i < bytes.length; i++) {
                boolean isEnd = bytes[i] == '\n'
                        || bytes[i] == '\r' && !(i + 1 < bytes.length && bytes[i + 1] == '\n');
                if (isEnd) {
                    found = count < found.length ? found : Arrays.copyOf(found, 2 * count);
                    found[count++] = i + 1;
                }
            }
            starts = Arrays.copyOf(found, count);
        }
        return starts;
    }

    private static boolean isBreak(byte unit) {
        return unit == '\n' || unit == '\r';
    }
}
