package dev.ketch;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Types of plain text, and documents in the form of Syck. Texts are bytes in UTF-8. */
public final class SyckText {
    private SyckText() {}

    /** Returns the tag that Syck gives to plain text, with its refinement. */
    public static byte[] tag(byte[] text) {
        return intact(NativeSyck.tag(text));
    }

    static byte[] intact(byte[] result) {
        if (result == null) {
            throw new OutOfMemoryError("Ketch: no native memory");
        }
        return result;
    }

    /** An error in what is written. */
    public static final class Wrong extends Exception {
        private static final long serialVersionUID = 1;

        private final boolean isTag;

        private Wrong(String message, boolean isTag) {
            super(message);
            this.isTag = isTag;
        }

        /** Returns whether a tag has no form in the dialect. */
        public boolean isTag() {
            return isTag;
        }
    }

    /** Writes a document. A text may be null where it is a tag or an anchor. */
    public static final class Writer {
        // The kinds of syck_write.rs.
        private static final int SCALAR = 0;
        private static final int PLAIN = 1;
        private static final int SEQUENCE = 2;
        private static final int MAPPING = 3;
        private static final int ALIAS = 4;
        private static final int SEQUENCE_END = 5;
        private static final int MAPPING_END = 6;

        private final Packed out = new Packed();

        /** Writes a null. */
        public void nullValue(byte[] tag) {
            scalar(tag, 'n');
        }

        /** Writes a boolean. */
        public void bool(byte[] tag, boolean value) {
            scalar(tag, value ? 't' : 'f');
        }

        /** Writes an integer. */
        public void integer(byte[] tag, long value) {
            scalar(tag, 'i');
            out.putLong(value);
        }

        /** Writes an integer of any size. */
        public void integer(byte[] tag, String digits) {
            scalar(tag, 'b');
            out.put(digits.getBytes(StandardCharsets.US_ASCII));
        }

        /** Writes a float. */
        public void floating(byte[] tag, double value) {
            scalar(tag, 'd');
            out.putLong(Double.doubleToRawLongBits(value));
        }

        /** Writes bytes: as text if they are valid UTF-8. */
        public void bytes(byte[] tag, byte[] value) {
            scalar(tag, 's');
            out.put(value);
        }

        private void scalar(byte[] tag, char type) {
            out.write(SCALAR);
            out.put(tag);
            out.write(type);
        }

        /** Writes text without quotes. */
        public void plain(byte[] tag, byte[] text) {
            out.write(PLAIN);
            out.put(tag);
            out.put(text);
        }

        /** Starts a sequence or a mapping. */
        public void start(boolean isMapping, byte[] tag, byte[] anchor) {
            out.write(isMapping ? MAPPING : SEQUENCE);
            out.put(tag);
            out.put(anchor);
        }

        /** Writes an alias. */
        public void alias(byte[] name) {
            out.write(ALIAS);
            out.put(name);
        }

        /** Ends a sequence or a mapping. */
        public void end(boolean isMapping) {
            out.write(isMapping ? MAPPING_END : SEQUENCE_END);
        }

        /**
         * Returns the document.
         *
         * @param isIndented whether the entries of a sequence are indented more than its key
         */
        public byte[] document(boolean isIndented) throws Wrong {
            byte[] result = intact(NativeSyck.write(out.bytes(), out.size(), isIndented));
            if (result[0] != 0) {
                String message = new String(result, 1, result.length - 1, StandardCharsets.UTF_8);
                throw new Wrong(message, result[0] == 1);
            }
            return Arrays.copyOfRange(result, 1, result.length);
        }
    }
}
