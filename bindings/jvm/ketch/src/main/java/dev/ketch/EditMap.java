package dev.ketch;

import java.math.BigInteger;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A view of a mapping in a text that is edited. {@link #putAll}, {@link #clear} and {@link #sort} change
 * all entries or none.
 */
public final class EditMap extends AbstractMap<@Nullable Object, @Nullable Object> implements EditCollection {
    final EditView view;

    EditMap(EditView view) {
        this.view = view;
    }

    @Override
    public Map<@Nullable Object, @Nullable Object> value() {
        return view.copy() instanceof Map<?, ?> map ? new LinkedHashMap<>(map) : new LinkedHashMap<>();
    }

    /**
     * Adds an entry at the end, or where an option says.
     *
     * @param key the new key
     * @param value as for {@link EditNode#set}
     * @param options {@code before}, {@code after}, {@code index}, {@code FIRST}, {@code tag}
     * @throws EditException if there is such a key, or the edit is refused
     */
    public void insert(@Nullable Object key, @Nullable Object value, EditOption... options) {
        view.run("insert", List.of(), EditView.with(options, EditOption.value(value), EditOption.key(key)));
    }

    /**
     * Sorts the entries. Comments move with them. {@link EditNode#sort} sorts by key.
     *
     * @param order the order
     * @throws EditException if the edit is refused
     */
    public void sort(Comparator<? super Map.Entry<@Nullable Object, @Nullable Object>> order) {
        List<Map.Entry<@Nullable Object, @Nullable Object>> entries = new ArrayList<>(entrySet());
        view.sort(entries, order, entries.stream().map(Map.Entry::getKey).toList(), 0);
    }

    @Override
    public int size() {
        return view.count();
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return at(key).exists();
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
        return at(key).get();
    }

    /** Sets an entry, and returns a copy of its old value. */
    @Override
    public @Nullable Object put(@Nullable Object key, @Nullable Object value) {
        Object old = at(key).value();
        if (value == null && !containsKey(key) || EditView.isNew(value, at(key), old)) {
            entry(key).set(value);
        }
        return old;
    }

    /** Returns the node of an entry that may be new: an integer is a key, also in an empty document. */
    private EditNode entry(@Nullable Object key) {
        boolean isFirst = (key instanceof Integer || key instanceof Long) && view.count() == 0;
        return at(isFirst ? new BigInteger(key.toString()) : key);
    }

    /** Adds an entry, unless the key has a value, and returns the value: a view, if it is a collection. */
    @Override
    public @Nullable Object computeIfAbsent(
            @Nullable Object key, Function<? super @Nullable Object, ? extends @Nullable Object> value) {
        Object old = get(key);
        Object added = old == null ? value.apply(key) : null;
        if (added != null) {
            entry(key).set(added);
        }
        return old == null ? get(key) : old;
    }

    /** Deletes an entry with its comments, and returns a copy of its value. */
    @Override
    public @Nullable Object remove(@Nullable Object key) {
        Object old = at(key).value();
        if (old != null || containsKey(key)) {
            at(key).delete();
        }
        return old;
    }

    @Override
    public void putAll(Map<?, ?> entries) {
        EditView.Batch sets = view.new Batch();
        entries.forEach((key, value) -> sets.add("set", entry(key).path, EditOption.value(value)));
        sets.run();
    }

    @Override
    public void clear() {
        at().set(Map.of());
    }

    @Override
    public Set<Map.Entry<@Nullable Object, @Nullable Object>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return view.count();
            }

            @Override
            public Iterator<Map.Entry<@Nullable Object, @Nullable Object>> iterator() {
                return new Entries();
            }
        };
    }

    /** Fails when entries were added or deleted by others. Values whose keys no path contains are copies. */
    private final class Entries implements Iterator<Map.Entry<@Nullable Object, @Nullable Object>> {
        private final Iterator<Map.Entry<@Nullable Object, @Nullable Object>> copies = value().entrySet().iterator();
        private int count = view.count();
        private @Nullable Object last = EditView.MISSING;

        @Override
        public boolean hasNext() {
            return copies.hasNext();
        }

        @Override
        public Map.Entry<@Nullable Object, @Nullable Object> next() {
            Map.Entry<@Nullable Object, @Nullable Object> copy = copies.next();
            if (count != view.count()) {
                throw new ConcurrentModificationException();
            }
            last = copy.getKey();
            Object found = EditView.isKey(last) ? at(last).found() : EditView.MISSING;
            return new SimpleEntry<>(last, found == EditView.MISSING ? copy.getValue() : found) {
                private static final long serialVersionUID = 1;

                @Override
                public @Nullable Object setValue(@Nullable Object value) {
                    put(getKey(), value);
                    return super.setValue(value);
                }
            };
        }

        @Override
        public void remove() {
            if (last == EditView.MISSING) {
                throw new IllegalStateException();
            }
            EditMap.this.remove(last);
            last = EditView.MISSING;
            count--;
        }
    }
}
