package dev.ketch;

import java.io.ByteArrayOutputStream;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A text that is being edited. Its collections are views, which are numbers. edit.rs documents the
 * calls. Any number of threads may use it, one at a time.
 */
public final class EditSession {
    /** The calls, in the order of edit.rs. */
    public enum Call {
        DOCUMENT_COUNT, TEXT, ORIGINAL, BYTES, IS_CHANGED, PATCHES, LSP, DIFF, ROOT, CHILD, KIND, COUNT,
        READ, ENTRIES, PATH, FACTS, COMMENTS, OPERATE, OPERATE_SOURCE, SAVE
    }

    private static final Cleaner CLEANER = Cleaner.create();

    private final long handle;
    /** Whether a call has panicked, so that the text may be in any state. */
    private boolean isBroken;

    private EditSession(long handle) throws Refused {
        if (handle == 0) {
            throw new OutOfMemoryError("Ketch: no native memory");
        }
        this.handle = Native.checkIntact(handle);
        CLEANER.register(this, new Close(handle));
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

    /** Starts to edit a text. */
    public static EditSession ofText(byte[] text, Options options) throws Refused {
        return new EditSession(NativeEdit.open(text, options.numbers, options.fileNameUtf8(), false));
    }

    /** Starts to edit a file. */
    public static EditSession ofFile(byte[] path, Options options) throws Refused {
        return new EditSession(NativeEdit.open(path, options.numbers, options.fileNameUtf8(), true));
    }

    /** Makes a call. */
    public synchronized Reply call(Call call, byte[] argument) throws Refused {
        if (isBroken) {
            throw new InternalException("an earlier call on this text failed");
        }
        byte[] reply;
        try {
            reply = NativeEdit.call(handle, call.ordinal(), argument);
        } catch (InternalException panic) {
            isBroken = true;
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

        /** Adds a text after its length in UTF-8. */
        public Argument text(String text) {
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

    /** A node of a document. */
    public record Reading(Nodes document, int node) {}

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
        public String text() {
            return Failure.text(in);
        }

        /** Reads a node, or null for one that is missing. */
        public Reading reading() {
            long document = in.getLong();
            return document == 0 ? null : new Reading(new Nodes(document), in.getInt());
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

        /** Returns the exception for YAML that cannot be read. */
        public YamlException yaml() {
            return Failure.read(rest());
        }

        /** Reads the next field as text, or null if it is missing. */
        public String text() {
            return fields.hasRemaining() ? Failure.text(fields) : null;
        }

        /** Reads the number of the operating system's error. */
        public int number() {
            return fields.getInt();
        }

        /** Reads the remaining bytes as a message. */
        public String message() {
            return new String(rest(), StandardCharsets.UTF_8);
        }

        private byte[] rest() {
            return Arrays.copyOfRange(fields.array(), fields.position(), fields.limit());
        }
    }
}
