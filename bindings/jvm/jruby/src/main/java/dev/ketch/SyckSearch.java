package dev.ketch;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Searches trees with paths of YPath. */
public final class SyckSearch {
    // What native code asks for, as in ypath.rs.
    private static final int KIND = 0;
    private static final int ENTRIES = 1;
    private static final int CHILD = 2;

    private SyckSearch() {}

    /** A tree whose nodes are numbers; its root is 0. */
    public interface Tree {
        /** Returns the kind of a node. */
        SyckNode.Kind kind(int node);

        /** Returns the entries of a collection. */
        List<Entry> entries(int node);

        /** Returns the value of the first key that is this text, or the entry with this index; -1 if missing. */
        int child(int node, String name);

        /** Returns the text of a scalar. */
        String text(int node);
    }

    /**
     * An entry.
     *
     * @param key what its key is
     * @param shown how the key is shown in paths, or null
     * @param node the entry, or the value
     */
    public record Entry(Key key, String shown, int node) {}

    /** The kinds of keys, in the order of ypath.rs. */
    public enum Key {
        /** An entry of a sequence has no key. */
        INDEX,
        /** Text. */
        TEXT,
        /** Another node. */
        OTHER
    }

    /**
     * A result.
     *
     * @param steps the steps that led to it; null for one that is not shown
     * @param node the node, or -1
     * @param line the line of a scalar, or null
     */
    public record Match(List<String> steps, int node, String line) {}

    /** A path that is not valid. */
    public static final class WrongPath extends Exception {
        private static final long serialVersionUID = 1;

        private final int offset;

        private WrongPath(String message, int offset) {
            super(message);
            this.offset = offset;
        }

        /** Returns the location of the problem, in bytes from the start of the path. */
        public int offset() {
            return offset;
        }
    }

    /**
     * Returns what a path leads to; null if the search visits more nodes than allowed.
     *
     * @param path the path in UTF-8
     */
    public static List<Match> search(byte[] path, Tree tree, long visits) throws WrongPath {
        ByteBuffer in = ByteBuffer.wrap(SyckText.intact(NativeSyck.search(path, tree, visits)));
        byte outcome = in.get();
        if (outcome == 1) {
            int offset = in.getInt();
            throw new WrongPath(StandardCharsets.UTF_8.decode(in).toString(), offset);
        }
        if (outcome != 0) {
            return null;
        }
        List<Match> matches = new ArrayList<>();
        while (in.hasRemaining()) {
            matches.add(match(in));
        }
        return matches;
    }

    private static Match match(ByteBuffer in) {
        int count = in.getInt();
        List<String> steps = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            steps.add(Failure.text(in));
        }
        return switch (in.get()) {
            case 0 -> new Match(steps, in.getInt(), null);
            case 1 -> new Match(steps, -1, Failure.text(in));
            default -> new Match(steps, -1, null);
        };
    }

    /** Answers native code. */
    static byte[] answer(Tree tree, int what, int node, byte[] name) {
        Packed out = new Packed();
        switch (what) {
            case KIND -> out.write(tree.kind(node).ordinal());
            case ENTRIES -> {
                for (Entry entry : tree.entries(node)) {
                    out.write(entry.key().ordinal());
                    out.put(entry.shown() == null ? null : utf8(entry.shown()));
                    out.putInt(entry.node());
                }
            }
            case CHILD -> {
                int child = tree.child(node, new String(name, StandardCharsets.UTF_8));
                if (child >= 0) {
                    out.putInt(child);
                }
            }
            default -> out.writeBytes(utf8(tree.text(node)));
        }
        return out.toByteArray();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
