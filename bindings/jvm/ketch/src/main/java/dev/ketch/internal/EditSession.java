package dev.ketch.internal;

import dev.ketch.InternalException;
import java.io.ByteArrayOutputStream;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A text that is being edited. Its collections are views, which are numbers. edit.rs documents the
 * calls. Any number of threads may use it, one at a time.
 */
public final class EditSession {
    /** The calls, in the order of edit.rs. */
    public enum Call {
        DOCUMENT_COUNT, TEXT, ORIGINAL, BYTES, IS_CHANGED, PATCHES, LSP, DIFF, ROOT, CHILD, KIND, COUNT,
        READ, ENTRIES, PATH, FACTS, COMMENTS, OPERATE, OPERATE_SOURCE, SAVE, REPLACE
    }

    private static final Cleaner CLEANER = Cleaner.create();

    private final long handle;
    private final Cleaner.Cleanable cleanable;
    /** Why the text can no longer be used: it is closed, or a call has panicked. */
    private @Nullable RuntimeException closed;

    /**
     * Starts to edit a text or, if {@code isPath} is true, the file with this path. The native library
     * must be loaded.
     *
     * @param text the text or the path
     * @param isPath whether it is the path
     * @param numbers the options
     * @param file the name of the file in errors
     * @throws Refused if the text cannot be edited
     */
    public EditSession(byte[] text, boolean isPath, long[] numbers, byte @Nullable [] file) throws Refused {
        handle = NativeEdit.open(text, numbers, file, isPath);
        if (handle <= 0) {
            throw new OutOfMemoryError("Ketch: no native memory");
        }
        cleanable = CLEANER.register(this, new Close(handle));
        byte[] error = NativeEdit.error(handle);
        if (error.length > 0) {
            throw new Refused(ByteBuffer.wrap(error));
        }
    }

    private record Close(long handle) implements Runnable {
        @Override
        public void run() {
            NativeEdit.close(handle);
        }
    }

    /** Frees the text. */
    public synchronized void close() {
        closed = new IllegalStateException("this text is closed");
        cleanable.clean();
    }

    /** Makes a call. */
    public synchronized Reply call(Call call, byte[] argument) throws Refused {
        if (closed != null) {
            throw closed;
        }
        byte[] reply;
        try {
            reply = NativeEdit.call(handle, call.ordinal(), argument);
        } catch (InternalException panic) {
            // The text may be in any state.
            close();
            closed = panic;
            throw panic;
        }
        if (reply == null) {
            throw new OutOfMemoryError("Ketch: no native memory");
        }
        ByteBuffer in = ByteBuffer.wrap(reply, 1, reply.length - 1);
        if (reply[0] != 0) {
            throw new Refused(in);
        }
        return new Reply(in);
    }

    /** Returns a text as a double-quoted scalar. */
    public static String quoted(String text) {
        byte[] quoted = NativeEdit.quoted(text.getBytes(StandardCharsets.UTF_8));
        return new String(quoted, StandardCharsets.UTF_8);
    }

    /** Returns a floating-point number as a scalar. */
    public static String floating(double value) {
        return new String(NativeEdit.floating(value), StandardCharsets.UTF_8);
    }

    /** The bytes of an argument: numbers of four bytes, big-endian, and texts after their length. */
    public static final class Argument {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        /** Adds a byte. */
        public Argument put(int number) {
            out.write(number);
            return this;
        }

        /** Adds a number of four bytes. */
        public Argument number(int number) {
            out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
            return this;
        }

        /** Adds a number of eight bytes. */
        public Argument wide(long number) {
            out.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
            return this;
        }

        /**
         * Adds a text after its length in UTF-8.
         *
         * @throws IllegalArgumentException if it has half of a surrogate pair
         */
        public Argument text(String text) {
            for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
                if (Character.getType(text.codePointAt(at)) == Character.SURROGATE) {
                    throw new IllegalArgumentException("half of a surrogate pair is not a character: check how the"
                            + " text was cut, at index " + at + " of `" + text.replaceAll("\\p{Cs}", "\uFFFD") + "`");
                }
            }
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            number(bytes.length);
            out.writeBytes(bytes);
            return this;
        }

        /** Returns the bytes. */
        public byte[] bytes() {
            return out.toByteArray();
        }
    }

    /**
     * A node.
     *
     * @param document the handle of its native document, which must be freed
     * @param node its number in the document
     */
    public record Reading(long document, int node) {}

    /** The bytes of a reply, which are read in order. */
    public static final class Reply {
        private final ByteBuffer in;

        private Reply(ByteBuffer in) {
            this.in = in;
        }

        /** Returns whether there is more to read. */
        public boolean hasMore() {
            return in.hasRemaining();
        }

        /** Reads a byte. */
        public int next() {
            return in.get();
        }

        /** Reads a number of four bytes. */
        public int number() {
            return in.getInt();
        }

        /** Reads a text, or null for one that is missing. */
        public @Nullable String text() {
            return EditSession.text(in);
        }

        /** Reads a node, or null for one that is missing. */
        public @Nullable Reading reading() {
            long document = in.getLong();
            return document == 0 ? null : new Reading(document, in.getInt());
        }

        /** Reads the remaining bytes. */
        public byte[] rest() {
            return Arrays.copyOfRange(in.array(), in.position(), in.limit());
        }
    }

    /** The reason why a call failed. */
    public static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        private final char kind;
        private final transient ByteBuffer fields;

        private Refused(ByteBuffer in) {
            super("the edit is refused", null, false, false);
            kind = (char) in.get();
            fields = in;
        }

        /**
         * Returns the kind: {@code y} for YAML that cannot be read, {@code e} for an edit,
         * {@code s} for a stale view, {@code f} for a file, {@code o} for the operating system,
         * {@code a} for an argument, {@code i} for input and output.
         */
        public char kind() {
            return kind;
        }

        /** Reads the next field as text, or null if it is missing. */
        public @Nullable String text() {
            return fields.hasRemaining() ? EditSession.text(fields) : null;
        }

        /** Reads the number of the operating system's error. */
        public int number() {
            return fields.getInt();
        }

        /** Reads the remaining bytes as a message. */
        public String message() {
            return new String(rest(), StandardCharsets.UTF_8);
        }

        /** Reads the remaining bytes. */
        public byte[] rest() {
            return Arrays.copyOfRange(fields.array(), fields.position(), fields.limit());
        }
    }

    /** Reads a text after its length, or null for one that is missing. */
    public static @Nullable String text(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0) {
            return null;
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
