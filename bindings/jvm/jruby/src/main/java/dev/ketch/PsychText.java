package dev.ketch;

import static dev.ketch.DumpToken.*;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;

/** Plain scalars, line breaks and events by Psych's rules. */
public final class PsychText {
    /** The kinds of plain scalars, as in jni_psych.rs. */
    public enum Kind { NULL, BOOL, INT, FLOAT, SYMBOL, TEXT, RARE }

    private PsychText() {}

    /**
     * Resolves a plain scalar.
     *
     * @param text the scalar
     * @param isStrict whether digits with a comma are text
     * @param out gets the value, or the start and length of a symbol's name
     * @return the kind
     */
    public static Kind scan(byte[] text, boolean isStrict, long[] out) {
        return Kind.values()[(int) Native.checkIntact(NativePsych.scan(text, isStrict, out))];
    }

    /** Returns the text with only the line breaks of YAML 1.2, packed; null if it has no others. */
    public static byte[] breaks(byte[] text) {
        return NativePsych.breaks(text);
    }

    /** Writes events as YAML. */
    public static final class Writer implements Closeable {
        private static final int FLOW = 2;

        private final ByteArrayOutputStream text = new ByteArrayOutputStream();
        private final DumpTokens out;

        /** Creates a writer with these options. */
        public Writer(DumpOptions options) {
            out = new DumpTokens(options, null, text);
        }

        /** Starts a document, after its directives. */
        public void startDocument(boolean isExplicit) throws IOException {
            out.word(START, isExplicit ? 1 : 0);
        }

        /** Writes a line such as {@code %YAML 1.1}. */
        public void directive(String line) throws IOException {
            out.text(DIRECTIVE, line);
        }

        /** Ends the document. */
        public void endDocument(boolean isExplicit) throws IOException {
            out.word(END, isExplicit ? 1 : 0);
        }

        /** Writes an alias. */
        public void alias(String anchor) throws IOException {
            out.text(ALIAS_NAME, anchor);
        }

        /** Writes a scalar in a style that Psych numbers. */
        public void scalar(String value, String anchor, String tag, long style) throws IOException {
            properties(anchor, tag);
            out.word(STYLE, style);
            out.text(TEXT, value);
        }

        /** Starts a mapping in a style that Psych numbers. */
        public void startMapping(String anchor, String tag, long style) throws IOException {
            properties(anchor, tag);
            out.word(START_MAPPING, style == FLOW ? 1 : 0);
        }

        /** Starts a sequence in a style that Psych numbers. */
        public void startSequence(String anchor, String tag, long style) throws IOException {
            properties(anchor, tag);
            out.word(START_SEQUENCE, style == FLOW ? 1 : 0);
        }

        /** Ends a mapping. */
        public void endMapping() throws IOException {
            out.word(END_MAPPING, 0);
        }

        /** Ends a sequence. */
        public void endSequence() throws IOException {
            out.word(END_SEQUENCE, 0);
        }

        private void properties(String anchor, String tag) throws IOException {
            if (anchor != null) {
                out.text(ANCHOR_NAME, anchor);
            }
            if (tag != null) {
                out.text(TAG, tag);
            }
        }

        /** Returns the text. */
        public byte[] finish() throws IOException {
            out.finish();
            return text.toByteArray();
        }

        @Override
        public void close() {
            out.close();
        }
    }
}
