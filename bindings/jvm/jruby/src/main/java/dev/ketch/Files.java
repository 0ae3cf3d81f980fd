package dev.ketch;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Replaces files. After a crash, a file has either its old or its new content. */
public final class Files {
    private Files() {}

    /** An error of the operating system. */
    public static final class SystemError extends Exception {
        private static final long serialVersionUID = 1;

        private final int number;

        private SystemError(int number) {
            super("error " + number + " of the operating system");
            this.number = number;
        }

        /** Returns the number, {@code errno}. */
        public int number() {
            return number;
        }
    }

    /**
     * Replaces a file on which the caller holds a lock.
     *
     * @param path the file
     * @param name the name of the temporary file beside it
     * @param content what the file has afterwards
     * @return the reason if some metadata could not be restored and the file is unchanged; else null
     * @throws SystemError if the operating system refuses; the file is unchanged
     */
    public static String replace(byte[] path, byte[] name, byte[] content) throws SystemError {
        byte[] result = NativeFiles.replace(path, name, content);
        if (result == null) {
            throw new OutOfMemoryError("Ketch: no native memory");
        }
        if (result.length == 0) {
            return null;
        }
        if (result[0] == 0) {
            throw new SystemError(ByteBuffer.wrap(result, 1, Integer.BYTES).getInt());
        }
        return new String(result, 1, result.length - 1, StandardCharsets.UTF_8);
    }
}
