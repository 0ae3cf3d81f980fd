package dev.ketch.extprot;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A value that was read without a schema: a tree that keeps the tags and wire types of the data. Any
 * well-formed extprot can be read as such a tree, and is the same when it is written again. (Only
 * padded numbers, and bytes that no element of a block accounts for, are not kept.)
 *
 * <pre>{@code
 * byte[] bytes = {1, 8, 2, 0, 2, 3, 3, 'A', 'n', 'n'};
 * TaggedValue value = Extprot.loadTagged(bytes);
 * value.toString(); // { 1; "Ann" }
 * value.toVerboseString(); // T0 { Vint_0 1; B_0 "Ann" }
 * Arrays.equals(bytes, value.encode()); // true
 * if (value instanceof TaggedValue.Tuple tuple
 *         && tuple.elements().get(0) instanceof TaggedValue.Vint id) {
 *     id.value(); // 1
 * }
 * }</pre>
 *
 * <p>There is a record for each wire type. A tree may have any depth, because no method recurses.
 * Trees are immutable, and equal if their bytes are equal, so floats are compared by their bits.
 *
 * @see Extprot#loadTagged(byte[])
 */
public sealed interface TaggedValue extends Message {
    /**
     * Returns the tag.
     *
     * @return 0 to 2^60-1
     */
    long tag();

    /**
     * Reads the next value, as the methods {@code read} of generated classes do. {@link Extprot#decode}
     * and {@link Extprot#messages} accept it.
     *
     * @param in the reader
     * @return the value
     * @throws ExtprotException if the bytes are corrupt, or exceed a limit
     */
    static TaggedValue read(Reader in) {
        return new TaggedReader(in).value();
    }

    @Override
    default void write(Writer out) {
        new TaggedWriter(out).value(this);
    }

    /** Prints the short form of the text. */
    @Override
    default void print(Printer out) {
        out.printRaw(toString());
    }

    /**
     * Returns the verbose form of the text, which shows wire types and tags. {@link Object#toString}
     * returns the short form.
     *
     * @return the text, on one line, such as {@code T0 { Vint_0 1; B_0 "Ann" }}
     */
    default String toVerboseString() {
        return TaggedText.verbose(this);
    }

    /**
     * An integer of any length.
     *
     * @param tag the tag
     * @param value the value, of which data with a schema use at most 63 bits
     */
    record Vint(long tag, long value) implements TaggedValue {
        /** Rejects a tag that is out of range. */
        public Vint {
            Wire.checkTag(tag);
        }

        @Override
        public String toString() {
            return TaggedText.brief(this);
        }
    }

    /**
     * A byte.
     *
     * @param tag the tag
     * @param value 0 to 255
     */
    record Bits8(long tag, int value) implements TaggedValue {
        /** Rejects a tag or a value that is out of range. */
        public Bits8 {
            Wire.checkTag(tag);
            Wire.checkByte(value);
        }

        @Override
        public String toString() {
            return TaggedText.brief(this);
        }
    }

    /**
     * An integer of four bytes.
     *
     * @param tag the tag
     * @param value the value
     */
    record Bits32(long tag, int value) implements TaggedValue {
        /** Rejects a tag that is out of range. */
        public Bits32 {
            Wire.checkTag(tag);
        }

        @Override
        public String toString() {
            return TaggedText.brief(this);
        }
    }

    /**
     * An integer of eight bytes.
     *
     * @param tag the tag
     * @param value the value
     */
    record Bits64Long(long tag, long value) implements TaggedValue {
        /** Rejects a tag that is out of range. */
        public Bits64Long {
            Wire.checkTag(tag);
        }

        @Override
        public String toString() {
            return TaggedText.brief(this);
        }
    }

    /**
     * A float of eight bytes.
     *
     * @param tag the tag
     * @param value the value
     */
    record Bits64Float(long tag, double value) implements TaggedValue {
        /** Rejects a tag that is out of range. */
        public Bits64Float {
            Wire.checkTag(tag);
        }

        private long bits() {
            return Double.doubleToRawLongBits(value);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Bits64Float number && tag == number.tag && bits() == number.bits();
        }

        @Override
        public int hashCode() {
            return 31 * Long.hashCode(tag) + Long.hashCode(bits());
        }

        @Override
        public String toString() {
            return TaggedText.brief(this);
        }
    }

    /**
     * A constant: a constructor without arguments, which is its tag.
     *
     * @param tag the tag
     */
    record Enum(long tag) implements TaggedValue {
        /** Rejects a tag that is out of range. */
        public Enum {
            Wire.checkTag(tag);
        }

        @Override
        public String toString() {
            return TaggedText.brief(this);
        }
    }

    /**
     * A string of bytes.
     *
     * @param tag the tag
     * @param value the bytes
     */
    record Bytes(long tag, dev.ketch.extprot.Bytes value) implements TaggedValue {
        /** Rejects a tag that is out of range, and a missing value. */
        public Bytes {
            Wire.checkTag(tag);
            Objects.requireNonNull(value);
        }

        @Override
        public String toString() {
            return TaggedText.brief(this);
        }
    }

    /** A value that contains others. */
    sealed interface Block extends TaggedValue {
        /**
         * Returns the elements of the block. In an {@link Assoc}, keys and values alternate.
         *
         * @return an unmodifiable list
         */
        List<TaggedValue> children();
    }

    /**
     * A tuple, a message, or a constructor with arguments.
     *
     * @param tag the tag
     * @param elements the elements, in an unmodifiable list
     */
    record Tuple(long tag, List<TaggedValue> elements) implements Block {
        /** Rejects a tag that is out of range, and copies the list. */
        public Tuple {
            Wire.checkTag(tag);
            elements = List.copyOf(elements);
        }

        @Override
        public List<TaggedValue> children() {
            return elements;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Tuple block && TaggedWalk.areEqual(this, block);
        }

        @Override
        public int hashCode() {
            return TaggedWalk.hash(this);
        }

        @Override
        public String toString() {
            return TaggedText.brief(this);
        }
    }

    /**
     * A list or an array.
     *
     * @param tag the tag
     * @param elements the elements, in an unmodifiable list
     */
    record Htuple(long tag, List<TaggedValue> elements) implements Block {
        /** Rejects a tag that is out of range, and copies the list. */
        public Htuple {
            Wire.checkTag(tag);
            elements = List.copyOf(elements);
        }

        @Override
        public List<TaggedValue> children() {
            return elements;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Htuple block && TaggedWalk.areEqual(this, block);
        }

        @Override
        public int hashCode() {
            return TaggedWalk.hash(this);
        }

        @Override
        public String toString() {
            return TaggedText.brief(this);
        }
    }

    /**
     * A mapping.
     *
     * @param tag the tag
     * @param pairs alternating keys and values, in an unmodifiable list
     */
    record Assoc(long tag, List<TaggedValue> pairs) implements Block {
        /** Rejects a tag that is out of range and a key without a value, and copies the list. */
        public Assoc {
            Wire.checkTag(tag);
            pairs = List.copyOf(pairs);
            if (pairs.size() % 2 != 0) {
                throw new IllegalArgumentException("the last key has no value: keys and values alternate");
            }
        }

        @Override
        public List<TaggedValue> children() {
            return pairs;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Assoc block && TaggedWalk.areEqual(this, block);
        }

        @Override
        public int hashCode() {
            return TaggedWalk.hash(this);
        }

        @Override
        public String toString() {
            return TaggedText.brief(this);
        }
    }
}
