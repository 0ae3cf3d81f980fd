package dev.ketch;

import org.jspecify.annotations.Nullable;

/** An option of an operation on a text that is edited. docs/editing.md lists the options of each operation. */
public final class EditOption {
    /** If the path goes through an alias, edits the anchored node. */
    public static final EditOption THROUGH = new EditOption("alias", "through");

    /** If the path goes through an alias, first replaces the alias by a copy of its node. */
    public static final EditOption DETACH = new EditOption("alias", "detach");

    /** If aliases refer to a node that is deleted, moves the node to the first of them. */
    public static final EditOption PROMOTE = new EditOption("anchors", "promote");

    /** If aliases refer to a node, copies the node to each of them. */
    public static final EditOption EXPAND = new EditOption("anchors", "expand");

    /** Keeps a tag of the old value that YAML does not define. */
    public static final EditOption KEEP_TAG = new EditOption("keep_tag", "true");

    /** Puts an entry before all others. */
    public static final EditOption FIRST = new EditOption("first", "true");

    final String name;
    final String text;

    EditOption(String name, String text) {
        this.name = name;
        this.text = text;
    }

    /**
     * Puts an entry before another one.
     *
     * @param neighbor the key or index of the other one
     * @return the option
     */
    public static EditOption before(Object neighbor) {
        return new EditOption("before", neighbor instanceof String key ? key : EditView.keySource(neighbor));
    }

    /**
     * Puts an entry after another one.
     *
     * @param neighbor the key or index of the other one
     * @return the option
     */
    public static EditOption after(Object neighbor) {
        return new EditOption("after", neighbor instanceof String key ? key : EditView.keySource(neighbor));
    }

    /**
     * Puts an entry where it has this index.
     *
     * @param index counted from 0
     * @return the option
     */
    public static EditOption index(int index) {
        return new EditOption("index", Integer.toString(index));
    }

    /**
     * Gives a moved or copied entry this key.
     *
     * @param key the key
     * @return the option
     */
    public static EditOption key(@Nullable Object key) {
        return new EditOption("key", EditView.source(key));
    }

    /**
     * Matches the items of the old and the new sequence that have the same value for a key.
     *
     * @param key the key
     * @return the option
     */
    public static EditOption by(String key) {
        return new EditOption("key", key);
    }

    /**
     * Gives the new value a tag.
     *
     * @param tag the tag, such as {@code !Sub}
     * @return the option
     */
    public static EditOption tag(String tag) {
        return new EditOption("tag", tag);
    }

    static EditOption value(@Nullable Object value) {
        return new EditOption("value", EditView.source(value));
    }
}
