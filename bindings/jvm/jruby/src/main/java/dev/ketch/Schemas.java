package dev.ketch;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Ruby source for schemas of extprot. */
public final class Schemas {
    private Schemas() {}

    /** The errors of a schema: the message has all of them, the fields are those of the first. */
    public static final class Wrong extends Exception {
        private static final long serialVersionUID = 1;

        private final String file;
        private final String lineText;
        private final String problem;
        private final String help;
        private final long offset;
        private final long line;
        private final long column;

        private Wrong(String message, ByteBuffer in) {
            super(message);
            boolean isLocated = in.hasRemaining();
            file = isLocated ? Failure.text(in) : null;
            lineText = isLocated ? Failure.text(in) : null;
            problem = isLocated ? Failure.text(in) : null;
            help = isLocated ? Failure.text(in) : null;
            offset = isLocated ? Failure.number(in) : -1;
            line = isLocated ? Failure.number(in) : -1;
            column = isLocated ? Failure.number(in) : -1;
        }

        /** Returns the file of the first error, or null if the errors have no location. */
        public String file() {
            return file;
        }

        /**
         * Returns the text of the line of the first error, or null if the errors have no location.
         */
        public String lineText() {
            return lineText;
        }

        /** Returns what is wrong, or null if the errors have no location. */
        public String problem() {
            return problem;
        }

        /** Returns how to fix it, or null if the errors have no location. */
        public String help() {
            return help;
        }

        /** Returns the offset in bytes, or -1 if the errors have no location. */
        public long offset() {
            return offset;
        }

        /** Returns the number of the line, counted from 1, or -1 if the errors have no location. */
        public long line() {
            return line;
        }

        /**
         * Returns the column in characters, counted from 1, or -1 if the errors have no location.
         */
        public long column() {
            return column;
        }
    }

    /**
     * Generates the source of the Ruby module for a schema.
     *
     * @param name the name of the schema in errors; the path of its file if {@code text} is null
     * @param text the schema in UTF-8, or null
     * @return the source in UTF-8
     * @throws Wrong if the schema has errors
     */
    public static byte[] rubySource(byte[] name, byte[] text) throws Wrong {
        byte[] result = NativeSchema.rubySource(name, text);
        if (result == null) {
            throw new OutOfMemoryError("no memory for the schema");
        }
        if (result[0] == 0) {
            return Arrays.copyOfRange(result, 1, result.length);
        }
        ByteBuffer in = ByteBuffer.wrap(result, 1, result.length - 1);
        throw new Wrong(Failure.text(in), in);
    }
}
