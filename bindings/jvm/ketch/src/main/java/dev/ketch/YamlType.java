package dev.ketch;

import java.lang.reflect.AnnotatedParameterizedType;
import java.util.Map;

/**
 * A type with type arguments, for {@link Located#as(YamlType)}.
 *
 * <pre>{@code
 * Yaml.located("[1, 2]").as(new YamlType<Set<Long>>() {}); // [1, 2]
 * }</pre>
 *
 * @param <T> the type
 */
public abstract class YamlType<T> {
    final LoadType type;

    /** Reads the type argument of a subclass, which is usually anonymous. */
    protected YamlType() {
        if (!(getClass().getAnnotatedSuperclass() instanceof AnnotatedParameterizedType generic)) {
            throw new IllegalArgumentException("write the type, as in new YamlType<List<String>>() {}");
        }
        type = LoadType.of(generic.getAnnotatedActualTypeArguments()[0], Map.of());
    }
}
