package dev.ketch;

import java.lang.reflect.*;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A type that a value is loaded as.
 *
 * @param raw the class
 * @param arguments its type arguments, or the type of an array's items
 */
record LoadType(Class<?> raw, List<LoadType> arguments, boolean isNullable) {
    static LoadType of(Class<?> type) {
        return new LoadType(type, type.isArray() ? List.of(of(type.getComponentType())) : List.of(), false);
    }

    /** Returns a type as a class declares it, with its type variables replaced. */
    static LoadType of(AnnotatedType type, Map<Type, LoadType> variables) {
        boolean isNullable = isNullable(type);
        if (type instanceof AnnotatedParameterizedType generic) {
            Class<?> raw = (Class<?>) ((ParameterizedType) type.getType()).getRawType();
            return new LoadType(raw, Stream.of(generic.getAnnotatedActualTypeArguments())
                    .map(argument -> of(argument, variables)).toList(), isNullable);
        }
        if (type instanceof AnnotatedArrayType array) {
            LoadType item = of(array.getAnnotatedGenericComponentType(), variables);
            return new LoadType(item.raw.arrayType(), List.of(item), isNullable);
        }
        if (type instanceof AnnotatedWildcardType wildcard) {
            return of(wildcard.getAnnotatedUpperBounds()[0], variables);
        }
        LoadType found = type instanceof AnnotatedTypeVariable
                ? variables.getOrDefault(type.getType(), of(Object.class)) : of((Class<?>) type.getType());
        return isNullable ? found.orNull() : found;
    }

    /** Returns whether an annotation of any library says that a value may be null. */
    static boolean isNullable(AnnotatedElement element) {
        return Stream.of(element.getAnnotations())
                .anyMatch(annotation -> annotation.annotationType().getSimpleName().equals("Nullable"));
    }

    LoadType orNull() {
        return new LoadType(raw, arguments, true);
    }

    LoadType argument(int index) {
        return index < arguments.size() ? arguments.get(index) : of(Object.class);
    }

    /** Returns the types that the type variables of the class stand for. */
    Map<Type, LoadType> variables() {
        Map<Type, LoadType> variables = new HashMap<>();
        for (int i = 0; i < arguments.size() && !raw.isArray(); i++) {
            variables.put(raw.getTypeParameters()[i], arguments.get(i));
        }
        return variables;
    }
}
