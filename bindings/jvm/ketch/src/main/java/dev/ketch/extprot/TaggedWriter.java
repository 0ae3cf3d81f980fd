package dev.ketch.extprot;

import java.util.ArrayDeque;
import java.util.Deque;

/** Writes trees with tags and wire types from back to front, with its own stack. */
final class TaggedWriter {
    /** An open block. */
    private static final class Open {
        private final TaggedValue.Block block;
        private final int mark;
        /** The number of children that are left to write, the last one first. */
        private int left;

        private Open(TaggedValue.Block block, int mark) {
            this.block = block;
            this.mark = mark;
            this.left = block.children().size();
        }
    }

    private final Writer out;
    private final Deque<Open> open = new ArrayDeque<>();

    TaggedWriter(Writer out) {
        this.out = out;
    }

    void value(TaggedValue root) {
        start(root);
        while (!open.isEmpty()) {
            Open innermost = open.peek();
            if (innermost.left > 0) {
                innermost.left--;
                start(innermost.block.children().get(innermost.left));
            } else {
                close(open.pop());
            }
        }
    }

    private void close(Open closed) {
        TaggedValue.Block block = closed.block;
        int type = TaggedWalk.wireType(block);
        int size = block.children().size();
        out.close(closed.mark, type == Wire.ASSOC ? size / 2 : size, block.tag(), type);
    }

    private void start(TaggedValue value) {
        if (value instanceof TaggedValue.Block block) {
            open.push(new Open(block, out.mark()));
        } else {
            payload(value);
            out.vint(value.tag() << 4 | TaggedWalk.wireType(value));
        }
    }

    private void payload(TaggedValue scalar) {
        if (scalar instanceof TaggedValue.Vint number) {
            out.vint(Wire.zigzag(number.value()));
        } else if (scalar instanceof TaggedValue.Bytes string) {
            out.raw(string.value().array());
            out.vint(string.value().size());
        } else if (scalar instanceof TaggedValue.Bits8 number) {
            fixed(number.value(), 1);
        } else if (scalar instanceof TaggedValue.Bits32 number) {
            fixed(number.value(), 4);
        } else if (scalar instanceof TaggedValue.Bits64Long number) {
            fixed(number.value(), 8);
        } else if (scalar instanceof TaggedValue.Bits64Float number) {
            fixed(Double.doubleToRawLongBits(number.value()), 8);
        }
    }

    private void fixed(long value, int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (value >> 8 * i);
        }
        out.raw(bytes);
    }
}
