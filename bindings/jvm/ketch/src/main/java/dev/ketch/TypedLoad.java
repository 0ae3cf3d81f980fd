package dev.ketch;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Converts the value of a document to objects of classes. */
final class TypedLoad {
    /** What a reference to a collection in itself leads to. */
    private static final Object OPEN = new Object();

    /** The number of values in the items of sets, with aliases expanded, from which on they are refused. */
    private static final long HASHED_MAX = 10_000_000;
    /** The classes of collections, of which the first one is taken that has the type. */
    private static final List<Class<?>> COLLECTIONS = List.of(ArrayList.class, LinkedHashSet.class, TreeSet.class,
            ArrayDeque.class, LinkedHashMap.class, TreeMap.class);

    private static final String UNTAG = "Change or remove the tag.";
    private static final int MOST_SHOWN = 160;
    private static final int MOST_LEVELS = 250;

    private final Text text;
    /** Keys as text, and indices. */
    private final Deque<Object> path = new ArrayDeque<>();
    private final Map<LoadType, LoadClass> classes = new HashMap<>();
    private final Map<LoadType, LoadType> parents = new HashMap<>();
    /** The classes of sealed types by their names. */
    private final Map<LoadType, Map<String, LoadType>> sealed = new HashMap<>();
    /** The objects of collections and tagged values, because aliases lead to the same object again. */
    private final Map<Object, Map<LoadType, Object>> made = new IdentityHashMap<>();
    /** The numbers of values in the collections that are in sets, with aliases expanded. */
    private final Map<Object, Long> counted = new IdentityHashMap<>();
    private long hashed;

    TypedLoad(Text text) {
        this.text = text;
    }

    /** Converts a value at a place to a type. */
    @Nullable Object convert(@Nullable Object value, Marks.@Nullable Mark mark, LoadType type) {
        boolean isShared = value instanceof Map || value instanceof List || value instanceof Tagged;
        if (!isShared) {
            return convertOnce(value, mark, type);
        }
        Map<LoadType, Object> known = made.computeIfAbsent(value, key -> new HashMap<>());
        if (!known.containsKey(type)) {
            known.put(type, OPEN);
            known.put(type, convertOnce(value, mark, type));
        }
        Object found = known.get(type);
        if (found == OPEN) {
            throw wrong(mark, "Cycle", "the value contains itself", "Remove the alias.");
        }
        return found;
    }

    private @Nullable Object convertOnce(@Nullable Object value, Marks.@Nullable Mark mark, LoadType type) {
        Class<?> raw = type.raw();
        if (raw == Object.class || value == null && type.isNullable()) {
            return value;
        }
        if (raw == Optional.class) {
            return Optional.ofNullable(value == null ? null : convert(value, mark, type.argument(0)));
        }
        if (value instanceof Tagged && raw == Tagged.class) {
            return value;
        }
        if (TypedScalars.expected(raw) != null) {
            return scalar(value, mark, raw);
        }
        if (raw.isSealed()) {
            return sealed(value, mark, type);
        }
        // An empty node is an empty collection.
        boolean isEmpty = value == null && (mark == null || mark.length == 0);
        if (raw.isArray() || raw == Iterable.class || Collection.class.isAssignableFrom(raw)) {
            return sequence(isEmpty ? List.of() : value, mark, type);
        }
        if (Map.class.isAssignableFrom(raw)) {
            Map<@Nullable Object, @Nullable Object> map = created(raw);
            Map<?, ?> given = mapping(isEmpty ? Map.of() : value, mark);
            int at = 0;
            for (Map.Entry<?, ?> entry : given.entrySet()) {
                put(map, entry, mark, at, parent(type, Map.class));
                at += 2;
            }
            return map;
        }
        return object(isEmpty ? Map.of() : value, mark, type, null);
    }

    private Object scalar(@Nullable Object value, Marks.@Nullable Mark mark, Class<?> raw) {
        boolean isFloat = value instanceof Double && mark != null;
        try {
            return TypedScalars.convert(value, raw, isFloat ? text.part(mark.offset, mark.length) : "");
        } catch (TypedScalars.Mismatch mismatch) {
            throw wrong(mark, "TypeMismatch", mismatch.getMessage(), value instanceof Tagged ? UNTAG : mismatch.help);
        }
    }

    /** Returns a collection's type as an interface, whose type arguments are those of its parts. */
    private LoadType parent(LoadType type, Class<?> target) {
        return type.raw() == target ? type : parents.computeIfAbsent(type, any -> type.as(target));
    }

    private static Marks.@Nullable Mark part(Marks.@Nullable Mark mark, int index) {
        return mark == null || index >= mark.parts.length ? null : mark.parts[index];
    }

    private @Nullable Object child(Object step, @Nullable Object value, Marks.@Nullable Mark mark, LoadType type) {
        if (path.size() == MOST_LEVELS) {
            String problem = "objects can be at most " + MOST_LEVELS + " levels deep";
            throw wrong(mark, "TooDeep", problem, "Load it without a type.");
        }
        path.addLast(step);
        Object converted = convert(value, mark, type);
        path.removeLast();
        return converted;
    }

    private static String shown(Object step) {
        return step instanceof Integer index ? "[" + index + "]"
                : step.toString().matches("[\\w-]+") ? "." + step : "[\"" + step + "\"]";
    }

    private ValueException expected(String what, @Nullable Object value, Marks.@Nullable Mark mark) {
        String help = value instanceof Tagged ? UNTAG : TypedScalars.CHANGE;
        return wrong(mark, "TypeMismatch", "expected " + what + ", found " + TypedScalars.found(value), help);
    }

    private Object sequence(@Nullable Object value, Marks.@Nullable Mark mark, LoadType type) {
        if (!(value instanceof List<?> given)) {
            throw expected("a sequence", value, mark);
        }
        Class<?> raw = type.raw();
        Collection<@Nullable Object> items = raw.isArray() ? new ArrayList<>() : created(raw);
        LoadType itemType = (raw.isArray() ? type : parent(type, Iterable.class)).argument(0);
        for (int i = 0; i < given.size(); i++) {
            Marks.Mark item = part(mark, i);
            Object made = child(i, given.get(i), item, itemType);
            if (items instanceof Set && !isHashable(given.get(i))) {
                throw wrong(item, "TooManyAliasNodes", "the items of a set have too many values", "Use a list.");
            }
            if (!accepted(() -> items.add(made), items, made, item)) {
                throw wrong(item, "DuplicateItem", "the item occurs twice", "Delete it.");
            }
        }
        if (!raw.isArray()) {
            return items;
        }
        Object array = Array.newInstance(raw.componentType(), items.size());
        int at = 0;
        for (Object item : items) {
            Array.set(array, at++, item);
        }
        return array;
    }

    /** Returns whether all items of sets so far, with aliases expanded, can be hashed in a short time. */
    private boolean isHashable(@Nullable Object item) {
        if (item instanceof Collection || item instanceof Map) {
            hashed += count(item);
        }
        return hashed < HASHED_MAX;
    }

    /** Returns the number of values in a value, at most HASHED_MAX, and that if it contains itself. */
    private long count(@Nullable Object value) {
        Collection<?> parts = value instanceof Map<?, ?> map ? map.values()
                : value instanceof Collection<?> items ? items : List.of();
        if (parts.isEmpty()) {
            return 1;
        }
        Long before = counted.putIfAbsent(value, HASHED_MAX);
        if (before != null) {
            return before;
        }
        long sum = 1;
        for (Object part : parts) {
            sum = Math.min(HASHED_MAX, sum + count(part));
        }
        counted.put(value, sum);
        return sum;
    }

    private Map<?, ?> mapping(@Nullable Object value, Marks.@Nullable Mark mark) {
        if (!(value instanceof Map<?, ?> map)) {
            throw expected("a mapping", value, mark);
        }
        return map;
    }

    private void put(Map<@Nullable Object, @Nullable Object> map, Map.Entry<?, ?> entry,
            Marks.@Nullable Mark mark, int at, LoadType type) {
        Object key = child(String.valueOf(entry.getKey()), entry.getKey(), part(mark, at), type.argument(0));
        if (accepted(() -> map.containsKey(key), map, key, part(mark, at))) {
            throw wrong(part(mark, at), "DuplicateKey", "the key occurs twice", "Delete one of the entries.");
        }
        Object made = child(String.valueOf(entry.getKey()), entry.getValue(), part(mark, at + 1), type.argument(1));
        accepted(() -> map.put(key, made) == null, map, made, part(mark, at + 1));
    }

    /** Returns the result of a method of a collection that may refuse an item or key, as one that sorts does null. */
    private boolean accepted(BooleanSupplier method, Object collection, @Nullable Object item, Marks.@Nullable Mark mark) {
        try {
            return method.getAsBoolean();
        } catch (ClassCastException | NullPointerException | IllegalArgumentException | IllegalStateException refused) {
            throw wrong(mark, "InvalidValue", "`" + collection.getClass().getSimpleName()
                    + "` cannot hold " + TypedScalars.found(item), TypedScalars.CHANGE);
        }
    }

    /** Creates an empty collection of a class. */
    @SuppressWarnings("unchecked")
    private <T> T created(Class<?> raw) {
        Class<?> type = COLLECTIONS.stream().filter(raw::isAssignableFrom).findFirst().orElse((Class) raw);
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.trySetAccessible();
            return (T) constructor.newInstance();
        } catch (ReflectiveOperationException none) {
            throw new IllegalArgumentException("cannot load " + raw.getName() + ": " + none, none);
        }
    }

    /** Makes an object of a class of a sealed type. */
    private Object sealed(@Nullable Object value, Marks.@Nullable Mark mark, LoadType type) {
        Map<String, LoadType> cases = sealed.computeIfAbsent(type, any -> addCases(type, new LinkedHashMap<>()));
        YamlKind kind = type.raw().getAnnotation(YamlKind.class);
        Object name = kind != null ? mapping(value, mark).get(kind.value())
                : value instanceof Tagged tagged && tagged.tag().startsWith("!") ? tagged.tag().substring(1) : null;
        LoadType found = name == null ? null : cases.get(name);
        if (found == null && kind == null) {
            throw expected("the tag `!" + String.join("` or `!", cases.keySet()) + "`", value, mark);
        }
        if (found == null) {
            Marks.Mark at = name == null || mark == null ? mark : mark.part(kind.value(), false);
            throw wrong(at, "UnknownKind", "expected one of `" + String.join("`, `", cases.keySet()) + "` as the key `"
                    + kind.value() + "`", "Write one of them.");
        }
        Object content = value instanceof Tagged tagged ? tagged.value() : value;
        String ignored = kind == null ? null : kind.value();
        return object(content == null ? Map.of() : content, mark, found, ignored);
    }

    private static Map<String, LoadType> addCases(LoadType type, Map<String, LoadType> cases) {
        for (Class<?> found : type.raw().getPermittedSubclasses()) {
            YamlName name = found.getAnnotation(YamlName.class);
            if (found.isSealed()) {
                addCases(type.extendedBy(found), cases);
                continue;
            }
            String key = name == null ? found.getSimpleName() : name.value();
            LoadType other = cases.put(key, type.extendedBy(found));
            if (other != null && other.raw() != found) {
                throw new IllegalArgumentException("cannot load " + type.raw().getName() + ": the name `" + key
                        + "` is that of " + other.raw().getName() + " and of " + found.getName() + "; add @YamlName");
            }
        }
        return cases;
    }

    /** Makes a record or a bean. */
    private Object object(@Nullable Object value, Marks.@Nullable Mark mark, LoadType type, @Nullable String kind) {
        LoadClass found = classes.computeIfAbsent(type, LoadClass::new);
        Object[] values = found.absent();
        Map<@Nullable Object, @Nullable Object> others = found.rest == null ? Map.of() : created(found.rest.type().raw());
        int at = 0;
        for (Map.Entry<?, ?> entry : mapping(value, mark).entrySet()) {
            LoadClass.Part part = found.parts.get(entry.getKey());
            if (part != null) {
                values[part.index()] = child(part.key(), entry.getValue(), part(mark, at + 1), part.type());
            } else if (found.rest != null) {
                put(others, entry, mark, at, parent(found.rest.type(), Map.class));
            } else if (kind == null || !kind.equals(entry.getKey())) {
                throw wrong(part(mark, at), "UnknownKey", "unknown key `" + entry.getKey() + "`",
                        "Expected are `" + String.join("`, `", found.parts.keySet()) + "`.");
            }
            at += 2;
        }
        if (found.rest != null) {
            values[found.rest.index()] = others;
        }
        List<String> missing = new ArrayList<>();
        for (LoadClass.Part part : found.parts.values()) {
            if (values[part.index()] == LoadClass.ABSENT && !fill(part, values)) {
                missing.add("`" + part.key() + "`");
            }
        }
        if (!missing.isEmpty()) {
            throw wrong(mark, "MissingKey", "missing key " + String.join(", ", missing), "Add it to the mapping.");
        }
        try {
            return found.make(values);
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof Error error) {
                throw error;
            }
            String problem = Objects.requireNonNullElse(thrown.getCause().getMessage(), thrown.getCause().toString());
            ValueException wrong = wrong(mark, "InvalidValue", problem, "Change the value.");
            wrong.initCause(thrown.getCause());
            throw wrong;
        }
    }

    /** Gives a part without an entry its value. Returns false if it has none. */
    private static boolean fill(LoadClass.Part part, @Nullable Object[] values) {
        boolean isOptional = part.type().raw() == Optional.class;
        if (part.fallback() != null) {
            try {
                values[part.index()] = Yaml.located(part.fallback()).as(part.type());
            } catch (YamlException invalid) {
                String problem = "the default of `" + part.key() + "`: " + invalid.getMessage();
                throw new IllegalArgumentException(problem, invalid);
            }
        } else if (part.setter() == null) {
            values[part.index()] = isOptional ? Optional.empty() : null;
            return isOptional || part.type().isNullable();
        }
        return true;
    }

    private ValueException wrong(Marks.@Nullable Mark mark, String name, String what, String help) {
        String at = path.stream().map(TypedLoad::shown).collect(Collectors.joining()).replaceFirst("^\\.", "");
        String problem = at.isEmpty() ? what : at + ": " + what;
        Position place = mark == null ? text.position(0, 0) : text.position(mark.offset, mark.length);
        String message = place + ": " + problem + "\n" + excerpt(place) + help;
        return new ValueException(new Failure("value", message, problem, name, help, null,
                place.line(), place.column(), place.offset(), place.length(), place.lineText(), 0, 0));
    }

    /** Returns the line with a caret, indented. A long line is cut. */
    private static String excerpt(Position position) {
        String line = position.lineText();
        int column = line.offsetByCodePoints(0, (int) position.column() - 1);
        int start = Math.max(0, Math.min(column - MOST_SHOWN / 2, line.length() - MOST_SHOWN));
        String shown = line.substring(start, Math.min(line.length(), start + MOST_SHOWN));
        Position part = new Position(null, 1, shown.codePointCount(0, column - start) + 1, 0, 0, shown);
        return part.excerpt().indent(4);
    }
}
