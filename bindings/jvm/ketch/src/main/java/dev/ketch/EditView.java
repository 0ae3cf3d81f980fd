package dev.ketch;

import dev.ketch.internal.EditSession.Argument;
import dev.ketch.internal.EditSession.Call;
import dev.ketch.internal.EditSession.Reply;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
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

    /** Adds a key or an index as edit.rs reads it. */
    static void putKey(Argument out, @Nullable Object key) {
        if (key instanceof String text) {
            out.put('t').text(text);
        } else if (key instanceof Integer || key instanceof Long) {
            out.put('i').wide(((Number) key).longValue());
        } else if (key == null || key instanceof Boolean || key instanceof Double || key instanceof BigInteger) {
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
            edit.call(Call.OPERATE, out);
        }
    }

    /** Returns options with more of them. */
    static EditOption[] with(EditOption[] options, EditOption... more) {
        return Stream.of(options, more).flatMap(Stream::of).toArray(EditOption[]::new);
    }

    EditOption into() {
        return new EditOption("into", Integer.toString(id));
    }

    /** Sorts the entries, of which a mapping has keys. */
    <T> void sort(List<T> entries, Comparator<? super T> order, @Nullable List<?> keys) {
        List<Integer> now = new ArrayList<>(IntStream.range(0, entries.size()).boxed().toList());
        Comparator<Integer> byEntry = (one, other) -> order.compare(entries.get(one), entries.get(other));
        List<Integer> sorted = now.stream().sorted(byEntry).toList();
        Batch moves = new Batch();
        for (int to = 0; to < sorted.size(); to++) {
            int at = now.indexOf(sorted.get(to));
            if (at != to) {
                now.add(to, now.remove(at));
                Object key = keys == null ? at : keys.get(sorted.get(to));
                moves.add("move", Collections.singletonList(key), into(), EditOption.index(to));
            }
        }
        moves.run();
    }
}
