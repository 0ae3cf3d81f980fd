package dev.ketch.extprot;

import dev.ketch.extprot.ExtprotException.Kind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.SoftReference;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes values from back to front, so that the length of each block is known when it is written.
 * Generated code calls its methods; programs use {@link Message#encode}.
 */
public final class Writer {
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final byte[] NONE = {};
    /** The lowest bit of each byte. */
    private static final long LOW_BITS = 0x0101_0101_0101_0101L;
    private static final int MAX_VINT_BYTES = 10;
    /** Longer texts are encoded by the JDK, which takes several characters at once. */
    private static final int SHORT_CHARS = 48;
    /** The JDK encodes longer texts even if they start with a character that is not ASCII. */
    private static final int MEDIUM_CHARS = 1024;
    /** A larger array is not kept for the next writer. */
    private static final int MAX_KEPT_BYTES = 1 << 20;

    /** The array of a writer that has finished. */
    private static final AtomicReference<SoftReference<byte[]>> SPARE = new AtomicReference<>();

    /** In UTF-8. */
    private static final int MAX_BYTES_PER_CHAR = 3;

    private byte[] bytes;
    private int at;
    /** Refers to the array that the writer started with; null if the array was new. */
    private @Nullable SoftReference<byte[]> spare;

    Writer() {
        spare = SPARE.getAndSet(null);
        byte[] kept = spare == null ? null : spare.get();
        bytes = kept == null ? new byte[256] : kept;
        at = bytes.length;
    }

    private void reserve(int count) {
        if (at < count) {
            grow(count);
        }
    }

    private void grow(int count) {
        int used = size();
        int least = Math.addExact(used, count);
        int size = Math.max(least, (int) Math.min(used * 2L, Integer.MAX_VALUE - 8));
        byte[] larger = new byte[size];
        System.arraycopy(bytes, at, larger, size - used, used);
        bytes = larger;
        at = size - used;
    }

    private int size() {
        return bytes.length - at;
    }

    /** Returns the bytes. The writer must not be used any more, because the next one may use its array. */
    byte[] finish() {
        byte[] result = Arrays.copyOfRange(bytes, at, bytes.length);
        if (bytes.length <= MAX_KEPT_BYTES) {
            if (spare == null || spare.get() != bytes) {
                spare = new SoftReference<>(bytes);
            }
            SPARE.set(spare);
        }
        bytes = NONE;
        at = 0;
        return result;
    }

    void vint(long value) {
        reserve(MAX_VINT_BYTES);
        if ((value & ~0x7fL) == 0) {
            bytes[--at] = (byte) value;
        } else {
            longVint(value);
        }
    }

    /** Writes a number of several bytes, for which there is space. */
    private void longVint(long value) {
        int count = (70 - Long.numberOfLeadingZeros(value)) / 7;
        at -= count;
        long rest = value;
        for (int i = 0; i < count - 1; i++) {
            bytes[at + i] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[at + count - 1] = (byte) rest;
    }

    /** Writes a number and a byte before it, for which there is space. */
    private void vintAfter(int type, long value) {
        if ((value & ~0x7fL) == 0) {
            bytes[--at] = (byte) value;
        } else {
            longVint(value);
        }
        bytes[--at] = (byte) type;
    }

    void bits64(long value, int type) {
        reserve(9);
        at -= 8;
        LONG.set(bytes, at, value);
        bytes[--at] = (byte) type;
    }

    void raw(byte[] value) {
        reserve(value.length);
        at -= value.length;
        System.arraycopy(value, 0, bytes, at, value.length);
    }

    /**
     * Returns the end of a block, to be passed to {@link #close}.
     *
     * @return the mark
     */
    public int mark() {
        return size();
    }

    /**
     * Closes a tuple: a message, a record or a constructor with arguments.
     *
     * @param mark the end of the block
     * @param count the number of elements
     * @param tag the tag
     */
    public void close(int mark, int count, int tag) {
        close(mark, count, tag, Wire.TUPLE);
    }

    void close(int mark, int count, long tag, int type) {
        vint(count);
        vint(size() - mark);
        vint(tag << 4 | type);
    }

    /**
     * Writes a constant.
     *
     * @param tag its tag
     */
    public void writeConstant(int tag) {
        vint((long) tag << 4 | Wire.ENUM);
    }

    /**
     * Writes a {@code bool}.
     *
     * @param value the value
     */
    public void writeBool(boolean value) {
        writeByte(value ? 1 : 0);
    }

    /**
     * Writes a {@code byte}.
     *
     * @param value 0 to 255
     */
    public void writeByte(int value) {
        Wire.checkByte(value);
        reserve(2);
        bytes[--at] = (byte) value;
        bytes[--at] = Wire.BITS8;
    }

    /**
     * Writes an {@code int}.
     *
     * @param value -2^62 to 2^62-1
     */
    public void writeInt(long value) {
        if (value << 1 >> 1 != value) {
            throw new ExtprotException(
                    Kind.INT_RANGE, "expected an int from -2^62 to 2^62-1, not " + value + "; use long", 0, -1);
        }
        reserve(MAX_VINT_BYTES + 1);
        vintAfter(Wire.VINT, Wire.zigzag(value));
    }

    /**
     * Writes a {@code long}.
     *
     * @param value the value
     */
    public void writeLong(long value) {
        bits64(value, Wire.BITS64_LONG);
    }

    /**
     * Writes a {@code float}.
     *
     * @param value the value
     */
    public void writeFloat(double value) {
        bits64(Double.doubleToRawLongBits(value), Wire.BITS64_FLOAT);
    }

    /**
     * Writes a {@code string}.
     *
     * @param value the bytes
     */
    public void writeString(Bytes value) {
        string(value.array());
    }

    /**
     * Writes a {@code string} in UTF-8.
     *
     * @param value the text
     * @throws IllegalArgumentException if it has half of a surrogate pair, which is no character
     */
    public void writeText(String value) {
        int length = value.length();
        boolean mayBeAscii = length == 0 || value.charAt(0) < 0x80;
        if (length > (mayBeAscii ? SHORT_CHARS : MEDIUM_CHARS)) {
            string(encode(value));
            return;
        }
        reserve(MAX_BYTES_PER_CHAR * length + MAX_VINT_BYTES + 1);
        int size = mayBeAscii && ascii(value, length) ? length : utf8(value, length);
        at -= size;
        vintAfter(Wire.BYTES, size);
    }

    /** Puts short text before the current position; false if it is not ASCII. */
    private boolean ascii(String value, int length) {
        byte[] out = bytes;
        int start = at - length;
        int bits = 0;
        for (int i = 0; i < length; i++) {
            char unit = value.charAt(i);
            bits |= unit;
            out[start + i] = (byte) unit;
        }
        return bits < 0x80;
    }

    /** Puts short text before the current position, and returns its length in UTF-8. */
    private int utf8(String value, int length) {
        byte[] out = bytes;
        int to = at;
        for (int i = length - 1; i >= 0; i--) {
            int unit = value.charAt(i);
            if (unit < 0x80) {
                out[--to] = (byte) unit;
            } else if (unit < 0x800) {
                out[--to] = (byte) (0x80 | unit & 0x3f);
                out[--to] = (byte) (0xc0 | unit >> 6);
            } else if (!Character.isSurrogate((char) unit)) {
                out[--to] = (byte) (0x80 | unit & 0x3f);
                out[--to] = (byte) (0x80 | unit >> 6 & 0x3f);
                out[--to] = (byte) (0xe0 | unit >> 12);
            } else {
                return encoded(value);
            }
        }
        return at - to;
    }

    /** The same for text with surrogates. */
    private int encoded(String value) {
        byte[] utf8 = encode(value);
        System.arraycopy(utf8, 0, bytes, at - utf8.length, utf8.length);
        return utf8.length;
    }

    /** Returns a text in UTF-8. Half of a surrogate pair is an error. */
    static byte[] encode(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        // Java writes `?` for half of a surrogate pair.
        if (hasQuestionMark(utf8) && !new String(utf8, StandardCharsets.UTF_8).equals(value)) {
            throw new IllegalArgumentException(
                    "half of a surrogate pair is not a character: check how the text was cut");
        }
        return utf8;
    }

    /** Returns a number with a byte whose highest bit is set if one of eight bytes is a question mark. */
    private static long marks(byte[] utf8, int start) {
        long difference = (long) LONG.get(utf8, start) ^ '?' * LOW_BITS;
        return difference - LOW_BITS & ~difference;
    }

    private static boolean hasQuestionMark(byte[] utf8) {
        int i = 0;
        for (; i + 4 * Long.BYTES <= utf8.length; i += 4 * Long.BYTES) {
            long found = marks(utf8, i) | marks(utf8, i + Long.BYTES)
                    | marks(utf8, i + 2 * Long.BYTES) | marks(utf8, i + 3 * Long.BYTES);
            if ((found & LOW_BITS << 7) != 0) {
                return true;
            }
        }
        for (; i < utf8.length; i++) {
            if (utf8[i] == '?') {
                return true;
            }
        }
        return false;
    }

    void string(byte[] value) {
        raw(value);
        reserve(MAX_VINT_BYTES + 1);
        vintAfter(Wire.BYTES, value.length);
    }

    /**
     * Writes a list or array.
     *
     * @param list the values
     * @param element writes an element
     * @param <T> the type of the elements
     */
    public <T> void writeList(List<? extends T> list, BiConsumer<Writer, T> element) {
        int mark = mark();
        for (int i = list.size() - 1; i >= 0; i--) {
            element.accept(this, list.get(i));
        }
        close(mark, list.size(), 0, Wire.HTUPLE);
    }

    /**
     * Writes a lazy field: the bytes that were read, or its value.
     *
     * @param lazy the field
     * @param value writes the value
     * @param <T> the type of the value
     */
    public <T> void writeLazy(Lazy<T> lazy, BiConsumer<Writer, T> value) {
        if (lazy.bytes() != null) {
            raw(lazy.bytes());
        } else {
            value.accept(this, lazy.get());
        }
    }
}
