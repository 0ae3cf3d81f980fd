package dev.ketch;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** What collections, arrays and records contain, in the order in which it is written. */
final class Children {
    /** The methods that return the components of a record, by their names in YAML. */
    private static final ClassValue<Map<String, Method>> ACCESSORS = new ClassValue<>() {
        @Override
        protected Map<String, Method> computeValue(Class<?> type) {
            Map<String, Method> accessors = new LinkedHashMap<>();
            for (RecordComponent component : type.getRecordComponents()) {
                YamlName name = component.getAnnotation(YamlName.class);
                component.getAccessor().trySetAccessible();
                accessors.put(name == null ? component.getName() : name.value(), component.getAccessor());
            }
            return accessors;
        }
    };

    private Children() {}

    /** Returns whether a value is written as a sequence or a mapping. */
    static boolean has(Object value) {
        return value instanceof Map || value instanceof Collection
                || value != null && (value.getClass().isArray() || value instanceof Record)
                && !(value instanceof byte[] || value instanceof char[] || value instanceof Tagged);
    }

    static boolean isMapping(Object collection) {
        return collection instanceof Map || collection instanceof Record;
    }

    /** Returns the items of a sequence, or the entries of a mapping. */
    static Iterator<?> of(Object collection, boolean isMapping) {
        if (isMapping) {
            return collection instanceof Map<?, ?> map
                    ? map.entrySet().iterator() : components((Record) collection);
        }
        return collection instanceof Collection<?> items ? items.iterator() : items(collection);
    }

    private static Iterator<?> items(Object array) {
        return new Iterator<>() {
            private final int length = Array.getLength(array);
            private int at;

            @Override
            public boolean hasNext() {
                return at < length;
            }

            @Override
            public Object next() {
                return Array.get(array, at++);
            }
        };
    }

    private static Iterator<?> components(Record record) {
        Map<String, Object> components = new LinkedHashMap<>();
        try {
            for (Map.Entry<String, Method> accessor : ACCESSORS.get(record.getClass()).entrySet()) {
                components.put(accessor.getKey(), accessor.getValue().invoke(record));
            }
        } catch (IllegalAccessException closed) {
            throw new IllegalArgumentException("cannot read the record " + record.getClass().getName()
                    + ": open its package to the module dev.ketch, or convert it to a map", closed);
        } catch (InvocationTargetException thrown) {
            throw new IllegalArgumentException("cannot read the record " + record.getClass().getName()
                    + ": " + thrown.getCause(), thrown.getCause());
        }
        return components.entrySet().iterator();
    }
}
