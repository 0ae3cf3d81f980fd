package dev.ketch;

import org.jspecify.annotations.Nullable;

/**
 * A view of a collection in a text that is edited: each change of it changes the text. Scalars in it
 * are plain values, and collections are views.
 *
 * <p>The view follows its collection when entries around that are added, deleted or renamed. If an
 * edit deletes, moves or replaces the collection, each method throws an {@link EditException}.
 */
public sealed interface EditCollection permits EditMap, EditList {
    /**
     * Returns what a path leads to. There need not be such a node yet.
     *
     * @param path keys and indices, from here on; none for the collection itself
     * @return the node
     */
    default EditNode at(@Nullable Object... path) {
        return new EditNode(EditView.of(this), path);
    }

    /**
     * Returns a copy of the collection, with all collections in it. Edits do not change it.
     *
     * @return what {@link Yaml#load(String)} would return for this collection, without a tag
     */
    Object value();
}
