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
                ? variables.getOrDefault(type.getType(), bound(type.getType())) : of((Class<?>) type.getType());
        return isNullable ? found.orNull() : found;
    }

    /** Returns the class that a type variable must extend. */
    private static LoadType bound(Type variable) {
        return of(((TypeVariable<?>) variable).getBounds()[0] instanceof Class<?> bound ? bound : Object.class);
    }

    private static Stream<AnnotatedType> supertypes(Class<?> type) {
        return Stream.concat(Stream.of(type.getAnnotatedInterfaces()), Stream.ofNullable(type.getAnnotatedSuperclass()));
    }

    /** Returns this type as a class or interface that it extends. */
    LoadType as(Class<?> target) {
        return raw == target ? this : supertypes(raw).map(type -> of(type, variables()))
                .filter(type -> target.isAssignableFrom(type.raw)).findFirst().orElseThrow().as(target);
    }

    /** Returns a class that extends this type, with the type arguments with which it does. */
    LoadType extendedBy(Class<?> type) {
        Map<Type, LoadType> known = new HashMap<>();
        supertypes(type).filter(found -> of(found, Map.of()).raw == raw).forEach(found -> match(found.getType(), this, known));
        return new LoadType(type, Stream.of(type.getTypeParameters())
                .map(variable -> known.getOrDefault(variable, bound(variable))).toList(), false);
    }

    /** Finds out what the type variables in a declared type stand for. */
    private static void match(Type declared, LoadType given, Map<Type, LoadType> known) {
        known.put(declared, given);
        Type[] declaredArguments = declared instanceof ParameterizedType generic ? generic.getActualTypeArguments() : new Type[0];
        for (int i = 0; i < declaredArguments.length; i++) {
            match(declaredArguments[i], given.argument(i), known);
        }
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
            Type variable = raw.getTypeParameters()[i];
            // A wildcard has the bound of its variable.
            variables.put(variable, arguments.get(i).raw == Object.class ? bound(variable) : arguments.get(i));
        }
        return variables;
    }
}
