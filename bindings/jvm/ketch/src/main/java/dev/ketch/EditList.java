package dev.ketch;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A view of a sequence in a text that is edited. {@link #addAll}, {@link #removeIf}, {@link #clear} and
 * {@link #sort} change all items or none.
 */
public final class EditList extends AbstractList<@Nullable Object> implements EditCollection, RandomAccess {
    final EditView view;

    EditList(EditView view) {
        this.view = view;
    }

    @Override
    public List<@Nullable Object> value() {
        return view.copy() instanceof List<?> list ? new ArrayList<>(list) : new ArrayList<>();
    }

    @Override
    public int size() {
        return view.count();
    }

    @Override
    public @Nullable Object get(int index) {
        return at(Objects.checkIndex(index, size())).get();
    }

    /** Changes an item, and returns a copy of its old value. */
    @Override
    public @Nullable Object set(int index, @Nullable Object value) {
        Object old = copy(index);
        if (EditView.isNew(value, at(index), old)) {
            at(index).set(value);
        }
        return old;
    }

    @Override
    public void add(int index, @Nullable Object value) {
        addAll(index, Collections.singletonList(value));
    }

    /** Deletes an item with its comments, and returns a copy of its value. */
    @Override
    public @Nullable Object remove(int index) {
        Object old = copy(index);
        at(index).delete();
        modCount++;
        return old;
    }

    private @Nullable Object copy(int index) {
        return at(Objects.checkIndex(index, size())).value();
    }

    @Override
    public boolean addAll(Collection<?> items) {
        return addAll(size(), items);
    }

    @Override
    public boolean addAll(int index, Collection<?> items) {
        Objects.checkIndex(index, size() + 1);
        EditView.Batch inserts = view.new Batch();
        int at = index;
        for (Object item : items) {
            inserts.add("insert", List.of(), EditOption.value(item), EditOption.index(at++));
        }
        inserts.run();
        modCount++;
        return !items.isEmpty();
    }

    @Override
    public boolean removeIf(Predicate<? super @Nullable Object> condition) {
        List<@Nullable Object> items = new ArrayList<>(this);
        int[] found = IntStream.range(0, items.size()).filter(i -> condition.test(items.get(i))).toArray();
        EditView.Batch deletes = view.new Batch();
        // From the end on, so that the indices of the other items do not change.
        for (int i = found.length - 1; i >= 0; i--) {
            deletes.add("delete", List.of(found[i]));
        }
        deletes.run();
        modCount++;
        return found.length > 0;
    }

    @Override
    public void clear() {
        at().set(List.of());
        modCount++;
    }

    /** Returns a view of some items. Comments move with their items when they are sorted. */
    @Override
    public List<@Nullable Object> subList(int start, int end) {
        List<@Nullable Object> items = super.subList(start, end);
        return new AbstractList<>() {
            @Override
            public int size() {
                return items.size();
            }

            @Override
            public @Nullable Object get(int index) {
                return items.get(index);
            }

            @Override
            public @Nullable Object set(int index, @Nullable Object value) {
                return items.set(index, value);
            }

            @Override
            public void add(int index, @Nullable Object value) {
                items.add(index, value);
            }

            @Override
            public @Nullable Object remove(int index) {
                return items.remove(index);
            }

            @Override
            public void sort(@Nullable Comparator<? super @Nullable Object> order) {
                view.sort(new ArrayList<>(items), order == null ? natural() : order, null, start);
            }
        };
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Comparator<? super @Nullable Object> natural() {
        return (Comparator) Comparator.naturalOrder();
    }

    /** Sorts the items; null sorts scalars in their order. Comments move with their items. */
    @Override
    public void sort(@Nullable Comparator<? super @Nullable Object> order) {
        if (order == null) {
            at().sort();
        } else {
            view.sort(new ArrayList<>(this), order, null, 0);
        }
    }
}
