package dev.ketch;

import dev.ketch.internal.EditSession.Call;
import dev.ketch.internal.EditSession.Reply;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a path leads to in a text that is edited: an entry that can be read, changed and deleted, with
 * its comments, style, tag and anchor. The path is followed by each call, so there need not be such
 * an entry yet; {@link #set} adds it, with the mappings on the way.
 *
 * <pre>{@code
 * YamlEdit edit = Yaml.edit("image:\n  tag: '1.9'   # pinned\n");
 * edit.at("image", "tag").set("1.10");
 * edit.at("image", "tag").comment(); // "pinned"
 * edit.text(); // "image:\n  tag: '1.10'   # pinned\n"
 * }</pre>
 */
public final class EditNode {
    /** How a scalar or a collection is written. {@link #LITERAL} and {@link #FOLDED} are block scalars. */
    public enum Style { PLAIN, SINGLE, DOUBLE, LITERAL, FOLDED, BLOCK, FLOW, ALIAS }

    private final EditView root;
    final List<@Nullable Object> path;

    EditNode(EditView root, @Nullable Object... path) {
        this.root = root;
        this.path = Arrays.asList(path.clone());
    }

    private Reply call(Call call) {
        Reply reply = root.call(call, path);
        if (!reply.hasMore()) {
            // This is refused, with the place where the path ends.
            run("test", EditOption.value(null));
        }
        return reply;
    }

    /** Returns the value, or {@link EditView#MISSING}. */
    @Nullable Object found() {
        return root.edit().answer(root.call(Call.CHILD, path));
    }

    /**
     * Returns whether there is such a node.
     *
     * @return whether there is
     */
    public boolean exists() {
        return found() != EditView.MISSING;
    }

    /**
     * Returns the value: that of a scalar, or a view of a collection.
     *
     * @return the value; null if there is no such node, or its value is null
     */
    public @Nullable Object get() {
        Object found = found();
        return found == EditView.MISSING ? null : found;
    }

    /**
     * Returns a view of the mapping here. An empty document is an empty mapping.
     *
     * @return the view
     * @throws EditException if there is no such node
     * @throws ClassCastException if the node is not a mapping
     */
    public EditMap map() {
        Object found = get() == null && path.isEmpty() ? new EditMap(root) : get();
        return found instanceof EditMap map ? map : (EditMap) wrong("mapping");
    }

    /**
     * Returns a view of the sequence here.
     *
     * @return the view
     * @throws EditException if there is no such node
     * @throws ClassCastException if the node is not a sequence
     */
    public EditList list() {
        return get() instanceof EditList list ? list : (EditList) wrong("sequence");
    }

    /** Throws the exception for a node that is missing, or not of a kind. */
    private Object wrong(String kind) {
        call(Call.FACTS);
        throw new ClassCastException(path + " is not a " + kind);
    }

    /**
     * Returns a copy of the value, with all collections in it. Edits do not change it.
     *
     * @return what {@link Yaml#load(String)} would return for this node; null if there is no such node
     */
    public @Nullable Object value() {
        return root.value(path);
    }

    /**
     * Changes the value, or adds the entry. Parts of a collection that are equal in the old and the
     * new value keep their bytes, and comments stay where they are. Views of the old value become stale.
     *
     * @param value as for {@link Dumper#dump(Object)}; the copy of a collection, if it is a view
     * @param options {@code THROUGH}, {@code DETACH}, {@code KEEP_TAG}, {@code tag}, {@code by}
     * @throws EditException if the edit is refused
     */
    public void set(@Nullable Object value, EditOption... options) {
        run("set", EditView.with(options, EditOption.value(value)));
    }

    /**
     * Writes an existing value again as a whole; no part of it keeps its bytes.
     *
     * @param value as for {@link #set}
     * @param options as for {@link #set}, without {@code by}
     * @throws EditException if the edit is refused
     */
    public void replace(@Nullable Object value, EditOption... options) {
        run("replace", EditView.with(options, EditOption.value(value)));
    }

    /**
     * Merges a mapping into this one recursively: its entries are set, and all others stay.
     *
     * @param value the mapping
     * @throws EditException if the edit is refused
     */
    public void merge(Map<?, ?> value) {
        run("merge", EditOption.value(value));
    }

    /**
     * Applies a JSON Merge Patch (RFC 7396), which merges, too, but null deletes an entry.
     *
     * @param patch the patch
     * @throws EditException if the edit is refused
     */
    public void mergePatch(Map<?, ?> patch) {
        run("merge_patch", EditOption.value(patch));
    }

    /**
     * Deletes the entry with its comments.
     *
     * @param options {@code PROMOTE}, {@code EXPAND}, {@code THROUGH}, {@code DETACH}
     * @throws EditException if there is no such entry, or the edit is refused
     */
    public void delete(EditOption... options) {
        run("delete", options);
    }

    /**
     * Renames the key. The value, its comments and its position stay the same.
     *
     * @param key the new key
     * @throws EditException if the edit is refused
     */
    public void rename(String key) {
        run("rename", new EditOption("to", key));
    }

    /**
     * Moves the entry into a collection of the same document, or to another place in its own.
     *
     * @param target a view of the same text
     * @param options {@code before}, {@code after}, {@code index}, {@code FIRST}, and {@code key} for
     *     a mapping, which an item of a sequence needs
     * @throws EditException if the edit is refused
     */
    public void moveTo(EditCollection target, EditOption... options) {
        transfer("move", EditView.of(target), options);
    }

    /**
     * Copies the entry, without its anchors, into a collection of the same document.
     *
     * @param target a view of the same text
     * @param options as for {@link #moveTo}
     * @throws EditException if the edit is refused
     */
    public void copyTo(EditCollection target, EditOption... options) {
        transfer("copy", EditView.of(target), options);
    }

    private void transfer(String operation, EditView target, EditOption[] options) {
        if (target.edit() != root.edit()) {
            throw new IllegalArgumentException("expected a view of the same text");
        }
        run(operation, EditView.with(options, target.into()));
    }

    /**
     * Sorts the items of a sequence, or the entries of a mapping by key. Comments move with their
     * entries.
     *
     * @throws EditException if the edit is refused
     */
    public void sort() {
        run("sort");
    }

    /**
     * Returns the style.
     *
     * @return the style
     * @throws EditException if there is no such node
     */
    public Style style() {
        return Style.valueOf(fact(1).toUpperCase(Locale.ROOT));
    }

    /**
     * Changes the style.
     *
     * @param style one that can represent the value
     * @throws EditException if the edit is refused
     */
    public void setStyle(Style style) {
        run("style", new EditOption("to", style.name().toLowerCase(Locale.ROOT)));
    }

    /**
     * Returns the tag, with its handle replaced.
     *
     * @return the tag; null if there is none
     * @throws EditException if there is no such node
     */
    public @Nullable String tag() {
        return fact(2);
    }

    /**
     * Returns the name of the anchor, or for an alias the name that it refers to.
     *
     * @return the name; null if there is none
     * @throws EditException if there is no such node
     */
    public @Nullable String anchor() {
        return fact(3);
    }

    /**
     * Adds an anchor, or renames it together with its aliases.
     *
     * @param name the name; null removes the anchor
     * @param options {@code EXPAND}, which first replaces the aliases by copies
     * @throws EditException if the edit is refused
     */
    public void setAnchor(@Nullable String name, EditOption... options) {
        run("anchor", name == null ? options : EditView.with(options, new EditOption("to", name)));
    }

    /**
     * Returns the comment on the line of the entry.
     *
     * @return its text after {@code #}; null if there is none
     * @throws EditException if there is no such node
     */
    public @Nullable String comment() {
        Reply comments = call(Call.COMMENTS);
        comments.text();
        return comments.text();
    }

    /**
     * Returns the comment above the entry.
     *
     * @return its lines, each without {@code #}; null if there is none
     * @throws EditException if there is no such node
     */
    public @Nullable String leadingComment() {
        return call(Call.COMMENTS).text();
    }

    /**
     * Sets the comment on the line of the entry.
     *
     * @param text the comment; null removes it
     * @throws EditException if the edit is refused
     */
    public void setComment(@Nullable String text) {
        comment("trailing", text);
    }

    /**
     * Sets the comment above the entry.
     *
     * @param text the comment, which may have several lines; null removes it
     * @throws EditException if the edit is refused
     */
    public void setLeadingComment(@Nullable String text) {
        comment("leading", text);
    }

    private void comment(String where, @Nullable String text) {
        EditOption[] options = {new EditOption("where", where)};
        run("comment", text == null ? options : EditView.with(options, new EditOption("text", text)));
    }

    /** Returns one of kind, style, tag and anchor. */
    private @Nullable String fact(int index) {
        Reply facts = call(Call.FACTS);
        for (int i = 0; i < index; i++) {
            facts.text();
        }
        return facts.text();
    }

    private void run(String operation, EditOption... options) {
        root.run(operation, path, options);
    }
}
