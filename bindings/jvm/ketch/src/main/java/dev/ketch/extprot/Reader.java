package dev.ketch.extprot;

import dev.ketch.extprot.ExtprotException.Kind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads values from bytes by the rules of evolution. Generated code calls its methods; programs use
 * {@link Extprot} and the generated classes.
 *
 * <p>{@link #enter} limits the reader to a block, whose end is then the end of the data.
 * {@link #leave} continues after the block, and skips what was not read.
 */
public final class Reader {
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    /** Reads a value of one type. */
    @FunctionalInterface
    public interface Decoder<T extends @Nullable Object> {
        /**
         * Reads a value.
         *
         * @param in the reader
         * @return the value
         */
        T read(Reader in);
    }

    private final byte[] bytes;
    private final Limits limits;
    /** The position to which offsets in errors are relative. */
    private final int base;
    private int at;
    private int end;
    /** The length of the block that was entered last. */
    private long blockBytes;
    /** Whether the primitive that is read is the first element of a tuple. */
    private boolean isInTuple;
    private long defaultsLeft;

    Reader(byte[] bytes, int start, int end, Limits limits) {
        this(bytes, start, end, start, limits);
    }

    private Reader(byte[] bytes, int start, int end, int base, Limits limits) {
        this.bytes = bytes;
        this.base = base;
        this.at = start;
        this.end = end;
        this.limits = limits;
        // The sum may be too large for a long.
        this.defaultsLeft = Math.max(limits.maxDefaultValues(), limits.maxDefaultValues() + (end - start));
    }

    Limits limits() {
        return limits;
    }

    int at() {
        return at;
    }

    boolean isAtEnd() {
        return at == end;
    }

    // Bytes.

    /**
     * Returns the end of the current block, which {@link #leave} needs later.
     *
     * @return the end
     */
    public int end() {
        return end;
    }

    long vint() {
        if (at < end) {
            byte first = bytes[at];
            if (first >= 0) {
                at++;
                return first;
            }
        }
        return longVint();
    }

    private long longVint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (at == end) {
                throw error(Kind.EOF, "the data ends in the middle of a number");
            }
            byte next = bytes[at++];
            value |= (next & 0x7fL) << shift;
            if (next >= 0) {
                if (shift == 63 && next > 1) {
                    break;
                }
                return value;
            }
        }
        throw error(Kind.VINT_TOO_LONG, "a number of more than 64 bits");
    }

    /**
     * Reads a prefix: wire type and tag.
     *
     * @return the prefix
     */
    public long prefix() {
        return vint();
    }

    private void need(int count) {
        if (end - at < count) {
            throw tooShort(count);
        }
    }

    private ExtprotException tooShort(long count) {
        return error(Kind.EOF, "expected " + Long.toUnsignedString(count) + " bytes, found "
                + (end - at));
    }

    private int bits8() {
        need(1);
        return bytes[at++] & 0xff;
    }

    int bits32() {
        need(4);
        at += 4;
        return (int) INT.get(bytes, at - 4);
    }

    long bits64() {
        need(8);
        at += 8;
        return (long) LONG.get(bytes, at - 8);
    }

    /** Reads the length of a string, and checks it against the number of bytes left. */
    private int stringLength() {
        long length = vint();
        if (Long.compareUnsigned(length, limits.maxStringBytes()) > 0) {
            throw ExtprotException.limit("maxStringBytes", length, limits.maxStringBytes(), offset());
        }
        if (Long.compareUnsigned(length, end - at) > 0) {
            throw tooShort(length);
        }
        return (int) length;
    }

    /** Reads the payload of a string. */
    Bytes string() {
        int length = stringLength();
        at += length;
        return Bytes.wrap(Arrays.copyOfRange(bytes, at - length, at));
    }

    /** Reads the payload of a string as text. */
    String text() {
        int length = stringLength();
        String text = Bytes.text(bytes, at, length);
        if (text == null) {
            throw error(Kind.NOT_UTF8, "the text is not UTF-8");
        }
        at += length;
        return text;
    }

    // Blocks.

    /**
     * Enters the block of the prefix that was just read.
     *
     * @return the number of elements that it claims to have, which may be more than there are
     */
    public long enter() {
        blockBytes = vint();
        if (Long.compareUnsigned(blockBytes, end - at) > 0) {
            throw tooShort(blockBytes);
        }
        end = at + (int) blockBytes;
        long count = vint();
        return count < 0 ? Long.MAX_VALUE : count;
    }

    /**
     * Enters a message, and checks the limits.
     *
     * @return the number of fields that it claims to have
     */
    public long enterMessage() {
        long count = enter();
        checkElements(count);
        checkBlock();
        return count;
    }

    /**
     * Enters a list or a block without a schema, and checks the limits.
     *
     * @param each the number of values of an element: 2 for pairs
     * @return the number of values, which is not more than that of the bytes
     */
    int enterValues(int each) {
        long count = enter();
        checkBlock();
        checkElements(count);
        if (count > (end - at) / each) {
            throw error(Kind.EOF, count + " elements in " + (end - at) + " bytes");
        }
        return (int) count * each;
    }

    void checkDepth(int depth) {
        if (depth > limits.maxDepth()) {
            throw ExtprotException.limit("maxDepth", depth, limits.maxDepth(), offset());
        }
    }

    private void checkElements(long count) {
        if (count > limits.maxElements()) {
            throw ExtprotException.limit("maxElements", count, limits.maxElements(), offset());
        }
    }

    private void checkBlock() {
        if (blockBytes > limits.maxBlockBytes()) {
            throw ExtprotException.limit("maxBlockBytes", blockBytes, limits.maxBlockBytes(), offset());
        }
    }

    /**
     * Continues after the block.
     *
     * @param outer the value of {@link #end} before the block was entered
     */
    public void leave(int outer) {
        at = end;
        end = outer;
    }

    /** Moves past the next value. */
    public void skip() {
        skipPayload(prefix());
    }

    /**
     * Moves past values that the block has and the reader does not know.
     *
     * @param from the index of the next one
     * @param to the index to stop at
     * @param count the number of values of the block
     */
    public void skip(int from, int to, long count) {
        for (int i = from; i < to && i < count; i++) {
            skip();
        }
    }

    private void skipPayload(long prefix) {
        int type = Wire.type(prefix);
        if (!Wire.isValid(type)) {
            throw badWireType(prefix, "a value");
        }
        switch (type) {
            case Wire.VINT -> vint();
            case Wire.ENUM -> { }
            case Wire.BITS8 -> advance(1);
            case Wire.BITS32 -> advance(4);
            case Wire.BITS64_LONG, Wire.BITS64_FLOAT -> advance(8);
            default -> advance(vint());
        }
    }

    private void advance(long count) {
        if (Long.compareUnsigned(count, end - at) > 0) {
            throw tooShort(count);
        }
        at += (int) count;
    }

    // Primitives: the tables of the specification, 4.2.

    private int byteOf(long prefix, String expected) {
        if (Wire.type(prefix) != Wire.BITS8) {
            throw badWireType(prefix, expected);
        }
        return bits8();
    }

    private long intOf(long prefix) {
        return switch (Wire.type(prefix)) {
            case Wire.VINT -> promotedInt();
            case Wire.BITS8 -> bits8();
            default -> throw badWireType(prefix, "int");
        };
    }

    private long longOf(long prefix) {
        return switch (Wire.type(prefix)) {
            case Wire.BITS64_LONG -> bits64();
            case Wire.VINT -> promotedInt();
            case Wire.BITS8 -> bits8();
            case Wire.BITS32 -> bits32();
            default -> throw badWireType(prefix, "long");
        };
    }

    private double floatOf(long prefix) {
        return switch (Wire.type(prefix)) {
            case Wire.BITS64_FLOAT -> Double.longBitsToDouble(bits64());
            case Wire.BITS64_LONG -> bits64();
            case Wire.VINT -> promotedInt();
            case Wire.BITS32 -> bits32();
            case Wire.BITS8 -> bits8();
            default -> throw badWireType(prefix, "float");
        };
    }

    /** Reads the prefix of a primitive, which may be the first element of a tuple. */
    private long primitivePrefix(String expected) {
        long prefix = untagged();
        isInTuple = Wire.type(prefix) == Wire.TUPLE;
        if (!isInTuple) {
            return prefix;
        }
        if (enter() == 0) {
            throw badWireType(prefix, expected);
        }
        return untagged();
    }

    private long untagged() {
        long prefix = prefix();
        if (Wire.tag(prefix) != 0) {
            throw unknownTag(prefix);
        }
        return prefix;
    }

    private boolean isNext(int prefix) {
        if (at < end && bytes[at] == prefix) {
            at++;
            return true;
        }
        return false;
    }

    /**
     * Reads a {@code bool}.
     *
     * @return the value
     */
    public boolean readBool() {
        return (isNext(Wire.BITS8) ? bits8() : slowByte("bool")) != 0;
    }

    /**
     * Reads a {@code byte}.
     *
     * @return the value, 0 to 255
     */
    public int readByte() {
        return isNext(Wire.BITS8) ? bits8() : slowByte("byte");
    }

    private int slowByte(String expected) {
        int outer = end;
        int value = byteOf(primitivePrefix(expected), expected);
        finish(outer);
        return value;
    }

    /** Leaves the tuple that a primitive was the first element of, if there was one. */
    private void finish(int outer) {
        if (isInTuple) {
            leave(outer);
        }
    }

    /**
     * Reads an {@code int}.
     *
     * @return the value
     */
    public long readInt() {
        return isNext(Wire.VINT) ? promotedInt() : slowInt();
    }

    private long slowInt() {
        int outer = end;
        long value = intOf(primitivePrefix("int"));
        finish(outer);
        return value;
    }

    /**
     * Reads a {@code long}.
     *
     * @return the value
     */
    public long readLong() {
        return isNext(Wire.BITS64_LONG) ? bits64() : slowLong();
    }

    private long slowLong() {
        int outer = end;
        long value = longOf(primitivePrefix("long"));
        finish(outer);
        return value;
    }

    /**
     * Reads a {@code float}.
     *
     * @return the value
     */
    public double readFloat() {
        return isNext(Wire.BITS64_FLOAT) ? Double.longBitsToDouble(bits64()) : slowFloat();
    }

    private double slowFloat() {
        int outer = end;
        double value = floatOf(primitivePrefix("float"));
        finish(outer);
        return value;
    }

    /**
     * Reads a {@code string}.
     *
     * @return the bytes
     */
    public Bytes readString() {
        if (isNext(Wire.BYTES)) {
            return string();
        }
        int outer = end;
        stringPrefix();
        Bytes value = string();
        finish(outer);
        return value;
    }

    /**
     * Reads a {@code string} that is UTF-8.
     *
     * @return the text
     */
    public String readText() {
        if (isNext(Wire.BYTES)) {
            return text();
        }
        int outer = end;
        stringPrefix();
        String value = text();
        finish(outer);
        return value;
    }

    private void stringPrefix() {
        long prefix = primitivePrefix("string");
        if (Wire.type(prefix) != Wire.BYTES) {
            throw badWireType(prefix, "string");
        }
    }

    // Promotion: the payload of a primitive whose own wire type was just read.

    /**
     * Returns the payload of a promoted {@code bool}.
     *
     * @return the value
     */
    public boolean promotedBool() {
        return bits8() != 0;
    }

    /**
     * Returns the payload of a promoted {@code byte}.
     *
     * @return the value
     */
    public int promotedByte() {
        return bits8();
    }

    /**
     * Returns the payload of a promoted {@code int}.
     *
     * @return the value
     */
    public long promotedInt() {
        long zigzag = vint();
        if (zigzag < 0 && !limits.wideInts()) {
            throw error(Kind.INT_RANGE, "an int of more than 63 bits; allow it with wideInts in Limits");
        }
        return Wire.unzigzag(zigzag);
    }

    /**
     * Returns the payload of a promoted {@code long}.
     *
     * @return the value
     */
    public long promotedLong() {
        return bits64();
    }

    /**
     * Returns the payload of a promoted {@code float}.
     *
     * @return the value
     */
    public double promotedFloat() {
        return Double.longBitsToDouble(bits64());
    }

    /**
     * Returns the payload of a promoted {@code string}.
     *
     * @return the bytes
     */
    public Bytes promotedString() {
        return string();
    }

    /**
     * Returns the payload of a promoted {@code string} that is UTF-8.
     *
     * @return the text
     */
    public String promotedText() {
        return text();
    }

    // Lists, lazy fields, defaults.

    /**
     * Reads a list or array.
     *
     * @param element reads an element
     * @param <T> the type of the elements
     * @return an unmodifiable list
     */
    public <T> List<T> readList(Decoder<? extends T> element) {
        long prefix = prefix();
        if (Wire.type(prefix) != Wire.HTUPLE) {
            throw badWireType(prefix, "a list or array");
        }
        int outer = end;
        int count = enterValues(1);
        List<T> list = new ArrayList<>(Math.min(count, 1024));
        for (int i = 0; i < count; i++) {
            list.add(element.read(this));
        }
        leave(outer);
        return Collections.unmodifiableList(list);
    }

    /**
     * Reads a field that is decoded on first use.
     *
     * @param decoder reads the value
     * @param isSmall for an empty list and a constant, which are decoded at once
     * @param <T> the type of the value
     * @return the field
     */
    public <T> Lazy<T> readLazy(Decoder<T> decoder, boolean isSmall) {
        if (isSmall) {
            return Lazy.of(decoder.read(this));
        }
        int start = at;
        skip();
        byte[] own = Arrays.copyOfRange(bytes, start, at);
        return new Lazy<>(own, offset() - own.length, limits, decoder);
    }

    /**
     * Returns whether the next value is an empty list.
     *
     * @return whether it is
     */
    public boolean isEmptyList() {
        return peek(reader -> {
            boolean isList = Wire.type(reader.prefix()) == Wire.HTUPLE;
            return isList && reader.enter() == 0;
        });
    }

    /**
     * Returns whether the next value is a constant.
     *
     * @return whether it is
     */
    public boolean isConstant() {
        return peek(reader -> Wire.type(reader.prefix()) == Wire.ENUM);
    }

    private boolean peek(Decoder<Boolean> look) {
        try {
            return look.read(new Reader(bytes, at, end, base, limits));
        } catch (ExtprotException corrupt) {
            return false;
        }
    }

    /**
     * Counts values that defaults add.
     *
     * @param count their number
     */
    public void countDefaults(int count) {
        defaultsLeft -= count;
        if (defaultsLeft < 0) {
            long most = limits.maxDefaultValues();
            throw ExtprotException.limit("maxDefaultValues", most + 1, most, offset());
        }
    }

    // Errors.

    /** Returns the offset from the start of the data, in bytes. */
    long offset() {
        return at - base;
    }

    ExtprotException error(Kind kind, String problem) {
        return new ExtprotException(kind, problem, 0, offset());
    }

    /**
     * Returns the error for a wire type that is not accepted.
     *
     * @param prefix the prefix
     * @param expected what was expected
     * @return the error
     */
    public ExtprotException badWireType(long prefix, String expected) {
        String problem = "expected " + expected + ", found " + Wire.name(Wire.type(prefix));
        return error(Kind.BAD_WIRE_TYPE, problem);
    }

    /**
     * Returns the error for an unknown tag.
     *
     * @param prefix the prefix
     * @return the error
     */
    public ExtprotException unknownTag(long prefix) {
        long tag = Wire.tag(prefix);
        return new ExtprotException(Kind.UNKNOWN_TAG, "unknown tag " + tag, tag, offset());
    }

    /**
     * Throws the error for an absent field without a default.
     *
     * @param <T> what an expression needs
     * @return never
     */
    public <T> T noField() {
        throw error(Kind.MISSING_FIELD, "the field is missing and has no default");
    }

    /**
     * Throws the error for an absent element without a default.
     *
     * @param index the index of the element
     * @param <T> what an expression needs
     * @return never
     */
    public <T> T noElement(int index) {
        String problem = "element " + index + " is missing and has no default";
        throw new ExtprotException(Kind.MISSING_TUPLE_ELEMENT, problem, index, offset());
    }
}
