package dev.ketch.extprot;

import dev.ketch.extprot.ExtprotException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The messages or values of a stream. The memory depends on the longest message. Each message has its
 * length, so reading can continue after one that is corrupt. It cannot continue after an exception of the
 * stream: the calls that follow throw an {@link IOException} with that exception as its cause.
 *
 * <pre>{@code
 * MessageStream<User> users = Extprot.messages(stream, User::read);
 * for (User user = users.next(); user != null; user = users.next()) {
 *     System.out.println(user.name());
 * }
 * }</pre>
 *
 * @param <T> the class of the messages
 * @see Extprot#messages
 * @see Extprot#values(InputStream)
 */
public final class MessageStream<T extends @Nullable Object> {
    private static final int PART_BYTES = 1 << 13;
    /** The longest array that all JVMs support. */
    private static final int MAX_BUFFER_BYTES = Integer.MAX_VALUE - 8;
    /** Before the payload, there may be a prefix and a length of 10 bytes each. */
    private static final int MAX_PAYLOAD_BYTES = MAX_BUFFER_BYTES - 20;

    private final InputStream stream;
    private final Reader.Decoder<T> decoder;
    private final Limits limits;
    private byte[] buffer = new byte[PART_BYTES];
    private int at;
    private int end;
    /** The offset of the buffer's start in the stream. */
    private long base;
    private boolean isDone;
    /** The exception of the stream; null if there was none. */
    private @Nullable Throwable failure;

    MessageStream(InputStream stream, Reader.Decoder<T> decoder, Limits limits) {
        this.stream = stream;
        this.decoder = decoder;
        this.limits = limits;
    }

    /**
     * Returns whether there is another message, which may be incomplete or corrupt. This may wait for
     * the stream.
     *
     * @return false at the end
     * @throws IOException if the stream fails, or has failed before
     */
    public boolean hasNext() throws IOException {
        return !isDone && (at < end || fill());
    }

    /**
     * Returns the next message.
     *
     * @return the message; null at the end of the stream
     * @throws IOException if the stream fails, or has failed before
     * @throws ExtprotException if the message cannot be read; the next call continues after it, or
     *     returns null if the start of the next message cannot be found
     */
    public @Nullable T next() throws IOException {
        if (!hasNext()) {
            return null;
        }
        int length = measure();
        Reader in = new Reader(buffer, at, at + length, limits);
        long offset = base + at;
        at += length;
        try {
            return decoder.read(in);
        } catch (ExtprotException error) {
            throw error.shifted(offset);
        }
    }

    /** Returns the offset of the next message in the stream. */
    long position() {
        return base + at;
    }

    /** Returns the size of the buffer. */
    int bufferBytes() {
        return buffer.length;
    }

    /** Reads the next value into the buffer, and returns its length. */
    private int measure() throws IOException {
        try {
            return tryMeasure();
        } catch (ExtprotException error) {
            isDone = true;
            throw error;
        }
    }

    private int tryMeasure() throws IOException {
        while (true) {
            Reader in = new Reader(buffer, at, end, Limits.DEFAULT);
            long length = headLength(in);
            if (length >= 0) {
                return whole(length);
            }
            int found = end - at;
            if (!fill()) {
                throw cut(found);
            }
        }
    }

    /**
     * Returns the size of the prefix and payload of the next value, or -1 if the buffer ends too
     * early.
     */
    private long headLength(Reader in) {
        int start = in.at();
        try {
            long prefix = in.prefix();
            int type = Wire.type(prefix);
            if (!Wire.isValid(type)) {
                throw in.badWireType(prefix, "a value");
            }
            long payload = switch (type) {
                case Wire.VINT -> {
                    in.vint();
                    yield 0;
                }
                case Wire.ENUM -> 0;
                case Wire.BITS8 -> 1;
                case Wire.BITS32 -> 4;
                case Wire.BITS64_LONG, Wire.BITS64_FLOAT -> 8;
                default -> checked(in.vint());
            };
            return in.at() - start + payload;
        } catch (ExtprotException error) {
            if (error.kind() == Kind.EOF) {
                return -1;
            }
            throw error.shifted(base + at);
        }
    }

    private long checked(long length) {
        if (Long.compareUnsigned(length, limits.maxBlockBytes()) > 0) {
            throw ExtprotException.limit("maxBlockBytes", length, limits.maxBlockBytes(), 0);
        }
        if (Long.compareUnsigned(length, MAX_PAYLOAD_BYTES) > 0) {
            String problem = "a value of " + Long.toUnsignedString(length)
                    + " bytes is longer than an array of Java";
            throw new ExtprotException(Kind.LIMIT_EXCEEDED, problem, length, 0);
        }
        return length;
    }

    private int whole(long length) throws IOException {
        while (end - at < length) {
            int found = end - at;
            if (!fill()) {
                throw cut(found);
            }
        }
        return (int) length;
    }

    private ExtprotException cut(int found) {
        String problem = "the stream ends after " + found + " bytes of a value";
        return new ExtprotException(Kind.EOF, problem, 0, base + at);
    }

    /** Reads more. Returns false at the end of the stream. */
    private boolean fill() throws IOException {
        if (failure != null) {
            throw new IOException("the stream has failed before", failure);
        }
        try {
            reserve();
            int count = read();
            end += Math.max(count, 0);
            return count > 0;
        } catch (IOException | RuntimeException | Error problem) {
            failure = problem;
            throw problem;
        }
    }

    /** Makes space. A full buffer is doubled, so memory depends on the data, not on its lengths. */
    private void reserve() {
        if (at > 0) {
            System.arraycopy(buffer, at, buffer, 0, end - at);
            base += at;
            end -= at;
            at = 0;
        }
        if (end == buffer.length) {
            buffer = Arrays.copyOf(buffer, (int) Math.min(end * 2L, MAX_BUFFER_BYTES));
        }
    }

    /** Reads at least one byte. Returns -1 at the end of the stream. */
    private int read() throws IOException {
        int most = buffer.length - end;
        int count = stream.read(buffer, end, most);
        if (count > most) {
            throw new IOException("the stream has returned " + count + ", but was asked for at most " + most);
        }
        if (count != 0) {
            return count;
        }
        // A correct stream never returns 0. Reading a single byte makes it block.
        int next = stream.read();
        buffer[end] = (byte) next;
        return next < 0 ? -1 : 1;
    }
}
