package dev.ketch.extprot;

import dev.ketch.extprot.ExtprotException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes extprot, without a schema or by generated classes.
 *
 * <p>Without a schema, values are those of {@code dev.ketch.Yaml}: a mapping is a
 * {@link java.util.LinkedHashMap}, a sequence an {@link java.util.ArrayList}, an integer the
 * narrowest of {@link Integer}, {@link Long} and {@link java.math.BigInteger}, and so on. A
 * {@link TaggedValue} also represents data that are not in this data model.
 *
 * <pre>{@code
 * byte[] bytes = Extprot.dump(List.of(1, "a"));
 * Extprot.load(bytes); // [1, a]
 * }</pre>
 */
public final class Extprot {
    private Extprot() {}

    /**
     * Returns the only value of the data.
     *
     * @param bytes extprot
     * @return the value
     * @throws ExtprotException if the bytes are not one value of the data model
     */
    public static @Nullable Object load(byte[] bytes) {
        return load(bytes, Limits.DEFAULT);
    }

    /**
     * Returns the only value of the data.
     *
     * @param bytes extprot
     * @param limits what to accept
     * @return the value
     * @throws ExtprotException if the bytes are not one value of the data model
     */
    public static @Nullable Object load(byte[] bytes, Limits limits) {
        return value(reader(bytes, limits));
    }

    /**
     * Returns the only value in what remains of a buffer. Its position does not change, and offsets in
     * errors count from there. This holds for all methods that read a buffer. A buffer with an
     * accessible array is read in place.
     *
     * @param buffer extprot
     * @return the value
     * @throws ExtprotException if the bytes are not one value of the data model
     */
    public static @Nullable Object load(ByteBuffer buffer) {
        return load(buffer, Limits.DEFAULT);
    }

    /**
     * Returns the only value in what remains of a buffer.
     *
     * @param buffer extprot
     * @param limits what to accept
     * @return the value
     * @throws ExtprotException if the bytes are not one value of the data model
     */
    public static @Nullable Object load(ByteBuffer buffer, Limits limits) {
        return value(reader(buffer, limits));
    }

    private static Reader reader(byte[] bytes, Limits limits) {
        return new Reader(bytes, 0, bytes.length, limits);
    }

    private static Reader reader(ByteBuffer buffer, Limits limits) {
        if (buffer.hasArray()) {
            int start = buffer.arrayOffset() + buffer.position();
            return new Reader(buffer.array(), start, start + buffer.remaining(), limits);
        }
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return reader(bytes, limits);
    }

    private static @Nullable Object value(Reader in) {
        Object value = new ModelReader(in).value();
        if (!in.isAtEnd()) {
            throw in.error(Kind.TRAILING_BYTES, "more data after the value; read all with loadAll");
        }
        return value;
    }

    /**
     * Returns the only value of the data as a tree that keeps tags and wire types. Unlike
     * {@link #load(byte[])}, this reads any well-formed extprot, such as that of a message whose schema
     * is not known.
     *
     * @param bytes extprot
     * @return the value
     * @throws ExtprotException if the bytes are corrupt, or other bytes follow the value
     */
    public static TaggedValue loadTagged(byte[] bytes) {
        return loadTagged(bytes, Limits.DEFAULT);
    }

    /**
     * Returns the only value of the data as a tree that keeps tags and wire types.
     *
     * @param bytes extprot
     * @param limits what to accept
     * @return the value
     * @throws ExtprotException if the bytes are corrupt, exceed a limit, or other bytes follow the value
     */
    public static TaggedValue loadTagged(byte[] bytes, Limits limits) {
        return tagged(reader(bytes, limits));
    }

    /**
     * Returns the only value in what remains of a buffer as a tree that keeps tags and wire types.
     *
     * @param buffer extprot; its position does not change
     * @return the value
     * @throws ExtprotException if the bytes are corrupt, or other bytes follow the value
     */
    public static TaggedValue loadTagged(ByteBuffer buffer) {
        return loadTagged(buffer, Limits.DEFAULT);
    }

    /**
     * Returns the only value in what remains of a buffer as a tree that keeps tags and wire types.
     *
     * @param buffer extprot; its position does not change
     * @param limits what to accept
     * @return the value
     * @throws ExtprotException if the bytes are corrupt, exceed a limit, or other bytes follow the value
     */
    public static TaggedValue loadTagged(ByteBuffer buffer, Limits limits) {
        return tagged(reader(buffer, limits));
    }

    private static TaggedValue tagged(Reader in) {
        TaggedValue value = TaggedValue.read(in);
        if (!in.isAtEnd()) {
            throw in.error(
                    Kind.TRAILING_BYTES, "more data after the value; read all with messages and TaggedValue::read");
        }
        return value;
    }

    /**
     * Returns all values of the data.
     *
     * @param bytes extprot
     * @return a new list
     * @throws ExtprotException if the bytes are not values of the data model
     */
    public static List<@Nullable Object> loadAll(byte[] bytes) {
        return loadAll(bytes, Limits.DEFAULT);
    }

    /**
     * Returns all values of the data.
     *
     * @param bytes extprot
     * @param limits what to accept
     * @return a new list
     * @throws ExtprotException if the bytes are not values of the data model, or exceed a limit
     */
    public static List<@Nullable Object> loadAll(byte[] bytes, Limits limits) {
        return all(reader(bytes, limits));
    }

    /**
     * Returns all values in what remains of a buffer.
     *
     * @param buffer extprot; its position does not change
     * @return a new list
     * @throws ExtprotException if the bytes are not values of the data model
     */
    public static List<@Nullable Object> loadAll(ByteBuffer buffer) {
        return loadAll(buffer, Limits.DEFAULT);
    }

    /**
     * Returns all values in what remains of a buffer.
     *
     * @param buffer extprot; its position does not change
     * @param limits what to accept
     * @return a new list
     * @throws ExtprotException if the bytes are not values of the data model, or exceed a limit
     */
    public static List<@Nullable Object> loadAll(ByteBuffer buffer, Limits limits) {
        return all(reader(buffer, limits));
    }

    private static List<@Nullable Object> all(Reader in) {
        List<@Nullable Object> values = new ArrayList<>();
        while (!in.isAtEnd()) {
            values.add(new ModelReader(in).value());
        }
        return values;
    }

    /**
     * Reads the values of a stream, one after another. The memory depends on the largest value.
     *
     * <pre>{@code
     * InputStream stream = new ByteArrayInputStream(Extprot.dump(List.of(1, "a")));
     * MessageStream<Object> values = Extprot.values(stream);
     * while (values.hasNext()) {
     *     System.out.println(values.next());
     * }
     * }</pre>
     *
     * <p>{@code messages(stream, TaggedValue::read)} reads values that are not in the data model.
     *
     * @param stream extprot; not closed
     * @return the values; since null may be one of them, only {@link MessageStream#hasNext} shows the end
     */
    public static MessageStream<@Nullable Object> values(InputStream stream) {
        return values(stream, Limits.DEFAULT);
    }

    /**
     * Reads the values of a stream, one after another.
     *
     * @param stream extprot; not closed
     * @param limits what to accept; {@code maxBlockBytes} bounds a value
     * @return the values
     */
    public static MessageStream<@Nullable Object> values(InputStream stream, Limits limits) {
        return messages(stream, in -> new ModelReader(in).value(), limits);
    }

    /**
     * Returns the bytes of a value. Equal values give equal bytes.
     *
     * @param value null, Boolean, Number, String, {@code byte[]}, a time, List, Map or Tagged, or a
     *     {@link TaggedValue}
     * @return a new array
     * @throws IllegalArgumentException for an object of any other class, a time outside the years 0
     *     to 9999, a Tagged in a Tagged, and text with half of a surrogate pair
     * @throws ExtprotException if lists and maps are nested in more than 10,000 levels, as in a list that
     *     contains itself; the setting of the exception is null, because this limit cannot be raised
     */
    public static byte[] dump(@Nullable Object value) {
        Writer out = new Writer();
        new ModelWriter(out).value(value);
        return out.finish();
    }

    /**
     * Writes the bytes of a value to a stream.
     *
     * @param value as for {@link #dump(Object)}
     * @param stream where to; not closed
     * @throws IOException if the stream fails
     * @throws IllegalArgumentException as for {@link #dump(Object)}; then nothing is written
     * @throws ExtprotException as for {@link #dump(Object)}; then nothing is written
     */
    public static void dump(@Nullable Object value, OutputStream stream) throws IOException {
        stream.write(dump(value));
    }

    /**
     * Writes the bytes of values to a stream, one after another. {@link #values} and {@link #loadAll}
     * read them.
     *
     * @param values each as for {@link #dump(Object)}
     * @param stream where to; not closed
     * @throws IOException if the stream fails
     * @throws IllegalArgumentException as for {@link #dump(Object)}; the values before it are written
     * @throws ExtprotException as for {@link #dump(Object)}; the values before it are written
     */
    public static void dumpAll(Iterable<?> values, OutputStream stream) throws IOException {
        for (Object value : values) {
            dump(value, stream);
        }
    }

    /**
     * Reads the message that bytes start with.
     *
     * @param bytes extprot
     * @param decoder the method {@code read} of a generated class
     * @param <T> the class
     * @return the message
     * @throws ExtprotException if the bytes are corrupt, or written by an incompatible schema
     */
    public static <T> T decode(byte[] bytes, Reader.Decoder<T> decoder) {
        return decode(bytes, decoder, Limits.DEFAULT);
    }

    /**
     * Reads the message that bytes start with.
     *
     * @param bytes extprot
     * @param decoder the method {@code read} of a generated class
     * @param limits what to accept
     * @param <T> the class
     * @return the message
     * @throws ExtprotException if the bytes are corrupt, or written by an incompatible schema
     */
    public static <T> T decode(byte[] bytes, Reader.Decoder<T> decoder, Limits limits) {
        return decoder.read(reader(bytes, limits));
    }

    /**
     * Reads the message that the rest of a buffer starts with.
     *
     * @param buffer extprot; its position does not change
     * @param decoder the method {@code read} of a generated class
     * @param <T> the class
     * @return the message
     * @throws ExtprotException if the bytes are corrupt, or written by an incompatible schema
     */
    public static <T> T decode(ByteBuffer buffer, Reader.Decoder<T> decoder) {
        return decode(buffer, decoder, Limits.DEFAULT);
    }

    /**
     * Reads the message that the rest of a buffer starts with.
     *
     * @param buffer extprot; its position does not change
     * @param decoder the method {@code read} of a generated class
     * @param limits what to accept
     * @param <T> the class
     * @return the message
     * @throws ExtprotException if the bytes are corrupt, or written by an incompatible schema
     */
    public static <T> T decode(ByteBuffer buffer, Reader.Decoder<T> decoder, Limits limits) {
        return decoder.read(reader(buffer, limits));
    }

    /**
     * Returns the default value of a generated class: that of an absent field of its type.
     *
     * @param byDefault its method {@code byDefault}
     * @param <T> the class
     * @return the value
     * @throws ExtprotException if it has none
     */
    public static <T> T defaultOf(Reader.Decoder<T> byDefault) {
        return decode(new byte[0], byDefault);
    }

    /**
     * Reads the messages of a stream, one after another.
     *
     * @param stream extprot; not closed
     * @param decoder the method {@code read} of a generated class
     * @param <T> the class
     * @return the messages
     */
    public static <T extends @Nullable Object> MessageStream<T> messages(
            InputStream stream, Reader.Decoder<T> decoder) {
        return messages(stream, decoder, Limits.DEFAULT);
    }

    /**
     * Reads the messages of a stream, one after another.
     *
     * @param stream extprot; not closed
     * @param decoder the method {@code read} of a generated class
     * @param limits what to accept; {@code maxBlockBytes} bounds a message
     * @param <T> the class
     * @return the messages
     */
    public static <T extends @Nullable Object> MessageStream<T> messages(
            InputStream stream, Reader.Decoder<T> decoder, Limits limits) {
        return new MessageStream<>(Objects.requireNonNull(stream), decoder, limits);
    }

    /**
     * Reads a message after a version header.
     *
     * @param bytes two bytes of version, then the message
     * @param versions the methods {@code read} of version 0, 1 and so on
     * @param <T> what the classes have in common
     * @return the message
     * @throws ExtprotException if the version is not known, or the message is corrupt
     */
    public static <T> T decodeVersioned(
            byte[] bytes, List<? extends Reader.Decoder<? extends T>> versions) {
        return decodeVersioned(bytes, versions, Limits.DEFAULT);
    }

    /**
     * Reads a message after a version header.
     *
     * @param bytes two bytes of version, then the message
     * @param versions the methods {@code read} of version 0, 1 and so on
     * @param limits what to accept
     * @param <T> what the classes have in common
     * @return the message
     * @throws ExtprotException if the version is not known, or the message is corrupt or exceeds a limit
     */
    public static <T> T decodeVersioned(
            byte[] bytes, List<? extends Reader.Decoder<? extends T>> versions, Limits limits) {
        int version = bytes.length < 2 ? -1 : bytes[0] & 0xff | (bytes[1] & 0xff) << 8;
        if (version < 0 || version >= versions.size()) {
            String problem = "version " + version + " is not among the " + versions.size() + " known";
            throw new ExtprotException(Kind.WRONG_PROTOCOL_VERSION, problem, version, 0);
        }
        try {
            return versions.get(version).read(new Reader(bytes, 2, bytes.length, limits));
        } catch (ExtprotException error) {
            throw error.shifted(2);
        }
    }

    /**
     * Returns the bytes of a message after a version header.
     *
     * @param version 0 to 65535
     * @param message the message
     * @return a new array
     */
    public static byte[] encodeVersioned(int version, Message message) {
        if ((version & ~0xffff) != 0) {
            throw new IllegalArgumentException("expected a version from 0 to 65535, not " + version);
        }
        Writer out = new Writer();
        message.write(out);
        out.raw(new byte[] {(byte) version, (byte) (version >> 8)});
        return out.finish();
    }

    /**
     * Returns the text of a message with the names of its schema, in lines of at most 80 columns where
     * possible. Lazy fields are decoded.
     *
     * @param message a value of a generated class
     * @return the text, such as {@code { User.id = 1; name = "Ann" }}
     */
    public static String pretty(Printable message) {
        Printer out = new Printer();
        message.print(out);
        return out.finish();
    }
}
