package dev.ketch.extprot;

import dev.ketch.extprot.ExtprotException.Kind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Writes values from back to front, so that the length of each block is known when it is written.
 * Generated code calls its methods; programs use {@link Message#encode}.
 */
public final class Writer {
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int MOST_VINT_BYTES = 10;
    /** Longer texts are encoded by the JDK, which takes several characters at once. */
    private static final int SHORT_CHARS = 48;

    private byte[] bytes = new byte[256];
    private int at = bytes.length;

    Writer() {}

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

    byte[] toByteArray() {
        return Arrays.copyOfRange(bytes, at, bytes.length);
    }

    void vint(long value) {
        reserve(MOST_VINT_BYTES);
        if ((value & ~0x7fL) == 0) {
            bytes[--at] = (byte) value;
            return;
        }
        int count = (70 - Long.numberOfLeadingZeros(value)) / 7;
        at -= count;
        long rest = value;
        for (int i = 0; i < count - 1; i++) {
            bytes[at + i] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[at + count - 1] = (byte) rest;
    }

    private void prefix(int type) {
        reserve(1);
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
        if ((value & ~0xff) != 0) {
            throw new IllegalArgumentException("expected a byte from 0 to 255, not " + value);
        }
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
        vint(value << 1 ^ value >> 63);
        prefix(Wire.VINT);
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
     */
    public void writeText(String value) {
        int length = value.length();
        if (length > SHORT_CHARS || !ascii(value, length)) {
            byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
            raw(encoded);
            length = encoded.length;
        }
        vint(length);
        prefix(Wire.BYTES);
    }

    /** Writes short text without an array of its own; false if it is not ASCII. */
    private boolean ascii(String value, int length) {
        reserve(length);
        int start = at - length;
        int bits = 0;
        for (int i = 0; i < length; i++) {
            char unit = value.charAt(i);
            bits |= unit;
            bytes[start + i] = (byte) unit;
        }
        if (bits >= 0x80) {
            return false;
        }
        at = start;
        return true;
    }

    void string(byte[] value) {
        raw(value);
        vint(value.length);
        prefix(Wire.BYTES);
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
