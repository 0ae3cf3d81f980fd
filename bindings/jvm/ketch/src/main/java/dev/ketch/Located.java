package dev.ketch;

import org.jspecify.annotations.Nullable;

/**
 * A value, and where each part of it is written: the result of {@link Yaml#located(String)}.
 *
 * <pre>{@code
 * Located ship = Yaml.located("masts: [main, 2]");
 * ship.position("masts", 1).column(); // 15
 * ship.nearestPosition("masts", 5).column(); // 8
 * }</pre>
 *
 * <p>A path has the keys and indices that lead to a part. Aliases, merge keys and tags are followed
 * to where the part is written. Positions are those of the value as it was loaded.
 */
public final class Located {
    private final @Nullable Object value;
    private final Marks.@Nullable Mark root;
    private final Text text;

    Located(@Nullable Object value, Marks.@Nullable Mark root, Text text) {
        this.value = value;
        this.root = root;
        this.text = text;
        if (root != null) {
            Marks.name(value, root);
        }
    }

    /**
     * Returns the value.
     *
     * @return what {@code load} returns
     */
    public @Nullable Object value() {
        return value;
    }

    /**
     * Converts the value to a class: to a record, a bean, a number, text, an enum or a time.
     * docs/jvm.md has the rules.
     *
     * @param <T> the class
     * @param type the class
     * @return the object
     * @throws ValueException if a part of the value is missing, unknown, or of another type
     * @throws IllegalArgumentException if the class is neither of these, or not open to Ketch
     */
    public <T> T as(Class<T> type) {
        return as(LoadType.of(type));
    }

    /**
     * Converts the value to a type with type arguments, as {@link #as(Class)} does.
     *
     * @param <T> the type
     * @param type the type
     * @return the object
     * @throws ValueException if a part of the value is missing, unknown, or of another type
     * @throws IllegalArgumentException if a class cannot be loaded
     */
    public <T> T as(YamlType<T> type) {
        return as(type.type);
    }

    @SuppressWarnings("unchecked")
    <T> T as(LoadType type) {
        return (T) new TypedLoad(text).convert(value, root, type);
    }

    /**
     * Returns where the value at the end of a path is written.
     *
     * @param path keys, and indices from 0; none for the whole document
     * @return the position; null if there is no such value
     */
    public @Nullable Position position(@Nullable Object... path) {
        return position(find(path, path.length));
    }

    /**
     * Returns where the key at the end of a path is written.
     *
     * @param path keys and indices, of which the last one is a key
     * @return the position; null if there is no such key
     */
    public @Nullable Position keyPosition(@Nullable Object... path) {
        Marks.Mark mapping = path.length == 0 ? null : find(path, path.length - 1);
        return position(mapping == null ? null : mapping.part(path[path.length - 1], true));
    }

    /**
     * Returns where the innermost part of a path that exists is written: what to point at if a key
     * is missing.
     *
     * @param path keys and indices
     * @return the position; null if the text has no document
     */
    public @Nullable Position nearestPosition(@Nullable Object... path) {
        for (int length = path.length; length > 0; length--) {
            Marks.Mark found = find(path, length);
            if (found != null) {
                return position(found);
            }
        }
        return position(root);
    }

    private Marks.@Nullable Mark find(@Nullable Object[] path, int length) {
        Marks.Mark mark = root;
        for (int i = 0; i < length && mark != null; i++) {
            mark = mark.part(path[i], false);
        }
        return mark;
    }

    private @Nullable Position position(Marks.@Nullable Mark mark) {
        return mark == null || mark.offset < 0 ? null : text.position(mark.offset, mark.length);
    }
}
