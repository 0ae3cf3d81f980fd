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

        /** The file of the first error; null if the errors have no place. */
        public String file() {
            return file;
        }

        /** The line of the first error. */
        public String lineText() {
            return lineText;
        }

        /** What is wrong. */
        public String problem() {
            return problem;
        }

        /** How to fix it. */
        public String help() {
            return help;
        }

        /** The offset in bytes. */
        public long offset() {
            return offset;
        }

        /** The number of the line, counted from 1. */
        public long line() {
            return line;
        }

        /** The column in characters, counted from 1. */
        public long column() {
            return column;
        }
    }

    /**
     * The source of the Ruby module for a schema.
     *
     * @param name the name for errors, or of the file if there is no text
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
