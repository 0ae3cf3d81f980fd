package dev.ketch.rows;

import java.io.Serializable;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A row: its values, and the labels that it shares with other rows. It cannot be changed. */
final class Row<V extends @Nullable Object> extends AbstractMap<String, V> implements Serializable {
    private static final long serialVersionUID = 1;

    private final transient Labels labels;
    private final transient V[] values;

    Row(Labels labels, V[] values) {
        this.labels = labels;
        this.values = values;
    }

    @Override
    public int size() {
        return values.length;
    }

    @Override
    public @Nullable V get(@Nullable Object key) {
        int place = labels.place(key);
        return place < 0 ? null : values[place];
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return labels.place(key) >= 0;
    }

    @Override
    public Set<String> keySet() {
        return labels.set;
    }

    @Override
    public Collection<V> values() {
        return Collections.unmodifiableList(Arrays.asList(values));
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super V> action) {
        for (int i = 0; i < values.length; i++) {
            action.accept(labels.names[i], values[i]);
        }
    }

    @Override
    public Set<Map.Entry<String, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return values.length;
            }

            @Override
            public Iterator<Map.Entry<String, V>> iterator() {
                return new Entries();
            }
        };
    }

    private final class Entries implements Iterator<Map.Entry<String, V>> {
        private int at;

        @Override
        public boolean hasNext() {
            return at < values.length;
        }

        @Override
        public Map.Entry<String, V> next() {
            if (at == values.length) {
                throw new NoSuchElementException();
            }
            return new SimpleImmutableEntry<>(labels.names[at], values[at++]);
        }
    }

    /** Returns what serialization writes: an ordinary map. */
    private Object writeReplace() {
        return new LinkedHashMap<>(this);
    }
}
