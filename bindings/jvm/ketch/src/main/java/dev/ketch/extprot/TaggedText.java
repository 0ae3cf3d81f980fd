package dev.ketch.extprot;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/** Prints trees in the two notations of the specification, 14, with its own stack. */
final class TaggedText {
    /** An open block. */
    private static final class Open {
        private final TaggedValue.Block block;
        /** The number of children that were printed. */
        private int printed;

        private Open(TaggedValue.Block block) {
            this.block = block;
        }

        private boolean isComplete() {
            return printed == block.children().size();
        }

        /** Returns what separates the next child from what precedes it. */
        private String separator() {
            if (printed == 0) {
                return " ";
            }
            // As in the reference implementation, nothing separates a key from its value.
            return block instanceof TaggedValue.Assoc && printed % 2 == 1 ? "" : "; ";
        }
    }

    private final StringBuilder out = new StringBuilder();
    private final Deque<Open> open = new ArrayDeque<>();
    private final boolean isVerbose;

    private TaggedText(boolean isVerbose) {
        this.isVerbose = isVerbose;
    }

    /** Returns the short form. */
    static String brief(TaggedValue value) {
        return new TaggedText(false).text(value);
    }

    /** Returns the verbose form. */
    static String verbose(TaggedValue value) {
        return new TaggedText(true).text(value);
    }

    private String text(TaggedValue root) {
        start(root);
        while (!open.isEmpty()) {
            Open innermost = open.peek();
            if (innermost.isComplete()) {
                close(open.pop());
            } else {
                out.append(innermost.separator());
                start(innermost.block.children().get(innermost.printed++));
            }
        }
        return out.toString();
    }

    private void close(Open closed) {
        if (closed.printed == 0) {
            out.append(' ');
        }
        out.append(closed.block instanceof TaggedValue.Tuple ? " }" : " ]");
    }

    private void start(TaggedValue value) {
        if (value instanceof TaggedValue.Block block) {
            head(block);
            open.push(new Open(block));
        } else {
            scalar(value);
        }
    }

    /** Prints the start of a block. */
    private void head(TaggedValue.Block block) {
        if (block instanceof TaggedValue.Assoc) {
            // As in the reference implementation, the tag follows the letter.
            out.append('A');
            if (isVerbose || block.tag() != 0) {
                out.append(block.tag());
            }
            out.append(' ');
        } else if (isVerbose || block.tag() != 0) {
            out.append('T').append(block.tag()).append(' ');
        }
        out.append(block instanceof TaggedValue.Tuple ? '{' : '[');
    }

    private void scalar(TaggedValue scalar) {
        if (scalar instanceof TaggedValue.Enum) {
            out.append(isVerbose ? "Enum_" : "T").append(scalar.tag());
            return;
        }
        // In the short form, only tags other than 0 are shown, in the same way as in the verbose form.
        if (isVerbose || scalar.tag() != 0) {
            out.append(name(scalar)).append('_').append(scalar.tag()).append(' ');
        } else if (scalar instanceof TaggedValue.Bits8) {
            out.append("0x");
        }
        content(scalar);
    }

    private static String name(TaggedValue scalar) {
        return switch (TaggedWalk.wireType(scalar)) {
            case Wire.VINT -> "Vint";
            case Wire.BITS8 -> "I8";
            case Wire.BITS32 -> "I32";
            case Wire.BITS64_LONG -> "I64";
            case Wire.BITS64_FLOAT -> "Fl";
            default -> "B";
        };
    }

    private void content(TaggedValue scalar) {
        if (scalar instanceof TaggedValue.Vint number) {
            out.append(ScalarText.integer(number.value(), ""));
        } else if (scalar instanceof TaggedValue.Bytes string) {
            ScalarText.quote(string.value().array(), out);
        } else if (scalar instanceof TaggedValue.Bits8 number) {
            out.append(Integer.toHexString(number.value()).toUpperCase(Locale.ROOT));
        } else if (scalar instanceof TaggedValue.Bits32 number) {
            out.append(ScalarText.integer(number.value(), "l"));
        } else if (scalar instanceof TaggedValue.Bits64Long number) {
            out.append(ScalarText.integer(number.value(), "L"));
        } else if (scalar instanceof TaggedValue.Bits64Float number) {
            out.append(ScalarText.floating(number.value()));
        }
    }
}
