package dev.ketch;

import dev.ketch.internal.EditSession.Argument;
import dev.ketch.internal.EditSession.Call;
import dev.ketch.internal.EditSession.Reply;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A collection of a text that is edited, by its number in native code. */
record EditView(YamlEdit edit, int id) {
    /** The value of an entry that is not there. */
    static final Object MISSING = new Object();

    private static final Dumper SOURCE = new Dumper(DumpOptions.builder().flow(true).build().expanded());

    static EditView of(EditCollection collection) {
        return collection instanceof EditMap map ? map.view : ((EditList) collection).view;
    }

    /** Returns a value as YAML in flow style, without anchors. */
    static String source(@Nullable Object value) {
        return SOURCE.dump(value);
    }

    /** Returns a key that is no text as YAML on one line. */
    static String keySource(@Nullable Object key) {
        return source(key).stripTrailing();
    }

    /** Returns whether a path may contain a key. */
    static boolean isKey(@Nullable Object key) {
        return key == null || key instanceof String || key instanceof Integer || key instanceof Long
                || key instanceof Boolean || key instanceof Double || key instanceof BigInteger;
    }

    /** Adds a key or an index as edit.rs reads it. */
    static void putKey(Argument out, @Nullable Object key) {
        if (key instanceof String text) {
            out.put('t').text(text);
        } else if (key instanceof Integer || key instanceof Long) {
            out.put('i').wide(((Number) key).longValue());
        } else if (isKey(key)) {
            out.put('p').text(keySource(key));
        } else {
            throw new ClassCastException("a key must be text, a number, a boolean or null, not a " + key.getClass());
        }
    }

    /** Makes a call with this view and keys. */
    Reply call(Call call, List<?> keys) {
        Argument argument = new Argument().number(id);
        keys.forEach(key -> putKey(argument, key));
        return edit.call(call, argument);
    }

    /** Returns a copy of the value that keys lead to. */
    @Nullable Object value(List<?> keys) {
        return YamlEdit.value(call(Call.READ, keys).reading());
    }

    /** Returns a copy of a collection with its tag, or of the last value of one that was replaced. */
    static @Nullable Object snapshot(EditCollection collection) {
        EditView view = of(collection);
        Object last = view.edit.replaced.get(view.id);
        return last == null ? view.value(List.of()) : last;
    }

    /** Returns a copy of the collection, without a tag. */
    @Nullable Object copy() {
        Object value = value(List.of());
        return value instanceof Tagged tagged ? tagged.value() : value;
    }

    int count() {
        return call(Call.COUNT, List.of()).number();
    }

    /** Applies an operation to the node that keys lead to. */
    void run(String operation, List<?> keys, EditOption... options) {
        new Batch().add(operation, keys, options).run();
    }

    /** Returns whether a value must be written to a node, of whose value this is a copy. */
    static boolean isNew(@Nullable Object value, EditNode node, @Nullable Object old) {
        return value instanceof EditCollection view
                ? !(node.get() instanceof EditCollection now && of(now).equals(of(view))) : !Objects.equals(value, old);
    }

    /** Operations that are applied together: all of them or none. */
    final class Batch {
        private final Argument out = new Argument();

        /** Adds an operation on the node that keys lead to. */
        Batch add(String operation, List<?> keys, EditOption... options) {
            out.text(operation).number(id).number(keys.size());
            keys.forEach(key -> putKey(out, key));
            out.number(options.length);
            for (EditOption option : options) {
                out.text(option.name).text(option.text);
            }
            return this;
        }

        void run() {
            Reply replaced = edit.call(Call.REPLACE, out);
            while (replaced.hasMore()) {
                edit.replaced.put(replaced.number(), YamlEdit.value(replaced.reading()));
            }
        }
    }

    /** Returns options with more of them. */
    static EditOption[] with(EditOption[] options, EditOption... more) {
        return Stream.of(options, more).flatMap(Stream::of).toArray(EditOption[]::new);
    }

    EditOption into() {
        return new EditOption("into", Integer.toString(id));
    }

    /** Sorts the entries, of which a mapping has keys. Those of a sequence start at an index. */
    <T> void sort(List<T> entries, Comparator<? super T> order, @Nullable List<?> keys, int start) {
        List<Integer> now = new ArrayList<>(IntStream.range(0, entries.size()).boxed().toList());
        Comparator<Integer> byEntry = (one, other) -> order.compare(entries.get(one), entries.get(other));
        List<Integer> sorted = now.stream().sorted(byEntry).toList();
        Batch moves = new Batch();
        for (int to = 0; to < sorted.size(); to++) {
            int at = now.indexOf(sorted.get(to));
            if (at != to) {
                now.add(to, now.remove(at));
                Object key = keys == null ? start + at : keys.get(sorted.get(to));
                moves.add("move", Collections.singletonList(key), into(), EditOption.index(start + to));
            }
        }
        moves.run();
    }
}
