package dev.ketch.extprot;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Reads trees with tags and wire types, with its own stack: nothing recurses. */
final class TaggedReader {
    /** An open block. */
    private static final class Open {
        private final long prefix;
        /** The end of the block around it. */
        private final int outer;
        /** Grows with what is read, because the counts of nested blocks may all claim the same bytes. */
        private final List<TaggedValue> children = new ArrayList<>();
        /** The number of children that are left to read. */
        private int left;

        private Open(long prefix, int outer, int count) {
            this.prefix = prefix;
            this.outer = outer;
            this.left = count;
        }
    }

    private final Reader in;
    private final Deque<Open> open = new ArrayDeque<>();

    TaggedReader(Reader in) {
        this.in = in;
    }

    /** Returns the next value. */
    TaggedValue value() {
        TaggedValue value;
        do {
            value = start(in.prefix());
            while (value != null && !open.isEmpty()) {
                Open block = open.peek();
                block.children.add(value);
                block.left--;
                value = closed();
            }
        } while (value == null);
        return value;
    }

    /** Reads a whole scalar, or the start of a block; null if the block has children. */
    private TaggedValue start(long prefix) {
        long tag = Wire.tag(prefix);
        return switch (Wire.type(prefix)) {
            case Wire.VINT -> new TaggedValue.Vint(tag, Wire.unzigzag(in.vint()));
            case Wire.BITS8 -> new TaggedValue.Bits8(tag, in.promotedByte());
            case Wire.BITS32 -> new TaggedValue.Bits32(tag, in.bits32());
            case Wire.BITS64_LONG -> new TaggedValue.Bits64Long(tag, in.bits64());
            case Wire.BITS64_FLOAT -> new TaggedValue.Bits64Float(tag, Double.longBitsToDouble(in.bits64()));
            case Wire.ENUM -> new TaggedValue.Enum(tag);
            case Wire.BYTES -> new TaggedValue.Bytes(tag, in.string());
            case Wire.TUPLE, Wire.HTUPLE, Wire.ASSOC -> block(prefix);
            default -> throw in.badWireType(prefix, "a value");
        };
    }

    private TaggedValue block(long prefix) {
        int outer = in.end();
        int count = in.enterValues(Wire.type(prefix) == Wire.ASSOC ? 2 : 1);
        in.checkDepth(open.size() + 1);
        open.push(new Open(prefix, outer, count));
        return closed();
    }

    /** Closes the innermost block if it is complete, and returns it; otherwise null. */
    private TaggedValue closed() {
        if (open.peek().left > 0) {
            return null;
        }
        Open block = open.pop();
        in.leave(block.outer);
        long tag = Wire.tag(block.prefix);
        return switch (Wire.type(block.prefix)) {
            case Wire.TUPLE -> new TaggedValue.Tuple(tag, block.children);
            case Wire.HTUPLE -> new TaggedValue.Htuple(tag, block.children);
            default -> new TaggedValue.Assoc(tag, block.children);
        };
    }
}
