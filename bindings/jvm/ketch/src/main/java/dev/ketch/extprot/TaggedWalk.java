package dev.ketch.extprot;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Visits a tree and everything in it, each block before its children, with its own stack. */
final class TaggedWalk {
    private final Deque<TaggedValue> left = new ArrayDeque<>();

    private TaggedWalk(TaggedValue root) {
        left.push(root);
    }

    private boolean hasNext() {
        return !left.isEmpty();
    }

    private TaggedValue next() {
        TaggedValue value = left.pop();
        if (value instanceof TaggedValue.Block block) {
            List<TaggedValue> children = block.children();
            for (int i = children.size() - 1; i >= 0; i--) {
                left.push(children.get(i));
            }
        }
        return value;
    }

    static boolean areEqual(TaggedValue one, TaggedValue other) {
        TaggedWalk left = new TaggedWalk(one);
        TaggedWalk right = new TaggedWalk(other);
        // So far, all blocks have as many children as their counterparts, so the walks end together.
        while (left.hasNext()) {
            if (!areAlike(left.next(), right.next())) {
                return false;
            }
        }
        return true;
    }

    /** Compares two values, but of two blocks not the children. */
    private static boolean areAlike(TaggedValue one, TaggedValue other) {
        if (!(one instanceof TaggedValue.Block block)) {
            return one.equals(other);
        }
        return one.getClass() == other.getClass() && one.tag() == other.tag()
                && block.children().size() == ((TaggedValue.Block) other).children().size();
    }

    static int hash(TaggedValue root) {
        TaggedWalk walk = new TaggedWalk(root);
        int hash = 0;
        while (walk.hasNext()) {
            hash = 31 * hash + ownHash(walk.next());
        }
        return hash;
    }

    /** Returns the hash of a value, but of a block without the children. */
    private static int ownHash(TaggedValue value) {
        return value instanceof TaggedValue.Block block
                ? 31 * Long.hashCode(block.tag()) + block.children().size()
                : value.hashCode();
    }

    /** Returns the wire type of a value. */
    static int wireType(TaggedValue value) {
        if (value instanceof TaggedValue.Block) {
            boolean isTuple = value instanceof TaggedValue.Tuple;
            return isTuple ? Wire.TUPLE : value instanceof TaggedValue.Assoc ? Wire.ASSOC : Wire.HTUPLE;
        } else if (value instanceof TaggedValue.Vint) {
            return Wire.VINT;
        } else if (value instanceof TaggedValue.Bytes) {
            return Wire.BYTES;
        } else if (value instanceof TaggedValue.Enum) {
            return Wire.ENUM;
        } else if (value instanceof TaggedValue.Bits64Float) {
            return Wire.BITS64_FLOAT;
        } else if (value instanceof TaggedValue.Bits64Long) {
            return Wire.BITS64_LONG;
        }
        return value instanceof TaggedValue.Bits8 ? Wire.BITS8 : Wire.BITS32;
    }
}
