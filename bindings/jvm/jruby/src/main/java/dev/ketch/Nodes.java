package dev.ketch;

import dev.ketch.internal.EditSession;
import dev.ketch.internal.EditSession.Refused;
import java.lang.ref.Cleaner;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * A composed document. Its nodes are numbers below {@link #count}, and the root is 0; nodes.rs
 * documents the numbers of a node. Any number of threads may use it, one at a time.
 */
public final class Nodes extends NodeValues {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final String[] KINDS = {"scalar", "sequence", "mapping", "alias"};
    private static final String[] STYLES = {
        "plain", "single_quoted", "double_quoted", "literal", "folded", "block", "flow", "alias"
    };

    private static final int FACTS = 0;
    private static final int SHAPE = 1;
    private static final int PLACE = 2;
    private static final int CHILDREN = 3;
    private static final int PAIRS = 4;
    private static final int LINE_COLUMN = 5;

    private static final int TAG = 0;
    private static final int ANCHOR = 1;
    private static final int TEXT = 2;
    private static final int KEY = 3;
    private static final int LINE = 4;

    private static final int FEW = 64;

    private final long[] facts = new long[3];
    private final long[] few = new long[FEW];

    /** Holds a native document. */
    public Nodes(long handle) {
        super(handle);
        CLEANER.register(this, new Free(handle));
        Native.checkIntact(NativeNodes.numbers(handle, 0, FACTS, facts));
    }

    private record Free(long handle) implements Runnable {
        @Override
        public void run() {
            NativeNodes.free(handle);
        }
    }

    /** Starts to edit a text or, if {@code isPath} is true, the file with this path. */
    public static EditSession edit(byte[] text, boolean isPath, Options options) throws Refused {
        Native.load();
        return new EditSession(text, isPath, options.numbers, options.fileNameUtf8());
    }

    /** Returns the exception for YAML that an edit cannot read. */
    public static YamlException failure(Refused refused) {
        return Failure.read(refused.rest());
    }

    /** Returns the number of nodes. */
    public int count() {
        return (int) facts[0];
    }

    /** Returns whether the document starts with {@code ---}. */
    public boolean isStartExplicit() {
        return facts[1] != 0;
    }

    /** Returns whether the document ends with {@code ...}. */
    public boolean isEndExplicit() {
        return facts[2] != 0;
    }

    private synchronized long[] numbers(int node, int which) {
        int count = (int) Native.checkIntact(NativeNodes.numbers(handle, node, which, few));
        if (count <= FEW) {
            return Arrays.copyOf(few, count);
        }
        long[] many = new long[count];
        Native.checkIntact(NativeNodes.numbers(handle, node, which, many));
        return many;
    }

    private synchronized String text(int node, int which) {
        byte[] text = NativeNodes.text(handle, node, which);
        return text == null ? null : new String(text, StandardCharsets.UTF_8);
    }

    /** Returns the kind of a node. */
    public String kind(int node) {
        return KINDS[(int) numbers(node, SHAPE)[0]];
    }

    /** Returns the style of a node. */
    public String style(int node) {
        return STYLES[(int) numbers(node, SHAPE)[1]];
    }

    /** Returns the node that an alias refers to, or -1 for other nodes. */
    public int target(int node) {
        return (int) numbers(node, SHAPE)[2];
    }

    /**
     * Returns where a node is: its start line and column, end line and column, and its offset and
     * length in bytes.
     */
    public long[] place(int node) {
        return numbers(node, PLACE);
    }

    /** Returns the items of a sequence, or the keys and values of a mapping in turn. */
    public long[] children(int node) {
        return numbers(node, CHILDREN);
    }

    /**
     * Returns three numbers for each pair of a mapping, including merged pairs: the key, the value,
     * and 1 if the pair is the mapping's own, or 0 if it is merged.
     */
    public long[] pairs(int node) {
        return numbers(node, PAIRS);
    }

    /** Returns the tag of a node, or null if it has none. */
    public String tag(int node) {
        return text(node, TAG);
    }

    /** Returns the anchor of a node, or the one that an alias refers to; null if there is none. */
    public String anchor(int node) {
        return text(node, ANCHOR);
    }

    /** Returns the content of a scalar, or null for other nodes. */
    public String text(int node) {
        return text(node, TEXT);
    }

    /** Returns the text of a node that is a key, or null if it is not text. */
    public String key(int node) {
        return text(node, KEY);
    }

    /** Returns the text of the line that a node starts on. */
    public String line(int node) {
        return text(node, LINE);
    }

    /** Returns the number of characters before the node in the text of its line. */
    public long lineColumn(int node) {
        return numbers(node, LINE_COLUMN)[0];
    }

    /** Returns the Ruby object of a node and all below it. */
    public IRubyObject value(int node, ThreadContext context, RubyForm form) {
        return (IRubyObject) value(node, keys -> {
            RubyBuilder builder = new RubyBuilder(keys);
            builder.prepare(context, form);
            return builder;
        });
    }
}
