package dev.ketch;

import java.lang.annotation.Annotation;
import java.lang.reflect.*;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How a record or a bean is made from the entries of a mapping. */
final class LoadClass {
    /** A part for which there is no entry. */
    static final Object ABSENT = new Object();

    /** Sets a property of a bean. */
    private interface Setter {
        void set(Object bean, @Nullable Object value) throws ReflectiveOperationException;
    }

    /**
     * A component of a record, or a property of a bean.
     *
     * @param fallback the value without an entry, in YAML; null if there is none
     * @param setter null for a record
     */
    record Part(int index, String key, LoadType type, @Nullable String fallback, @Nullable Setter setter) {}

    /** The parts by their keys. */
    final Map<String, Part> parts = new LinkedHashMap<>();
    /** The part that gets all other entries; null if there is none. */
    @Nullable Part rest;

    private final Class<?> type;
    private final Constructor<?> constructor;
    private final List<Part> all = new ArrayList<>();

    /**
     * Reads the components or properties.
     *
     * @throws IllegalArgumentException if this is neither a record nor a bean
     */
    LoadClass(LoadType loaded) {
        type = loaded.raw();
        RecordComponent[] components = type.isRecord() ? type.getRecordComponents() : new RecordComponent[0];
        try {
            constructor = type.getDeclaredConstructor(
                    Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        } catch (NoSuchMethodException none) {
            throw wrong("it is no record, and has no constructor without parameters");
        }
        if (Modifier.isAbstract(type.getModifiers()) || type.getName().startsWith("java.")) {
            throw wrong("it is abstract and not sealed, or a class of Java that is not supported");
        }
        open(constructor);
        for (RecordComponent component : components) {
            add(component.getName(), component.getAnnotatedType(), loaded, null, component, component.getAccessor(),
                    field(type, component.getName()));
        }
        Map<String, Setter> properties = new LinkedHashMap<>();
        for (LoadType at = loaded; !type.isRecord() && at.raw() != Object.class;
                at = LoadType.of(at.raw().getAnnotatedSuperclass(), at.variables())) {
            addProperties(at, properties);
        }
    }

    private void addProperties(LoadType at, Map<String, Setter> properties) {
        for (Method method : at.raw().getDeclaredMethods()) {
            boolean isSetter = method.getName().matches("set\\P{Ll}.*") && method.getParameterCount() == 1
                    && Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())
                    && !method.isBridge();
            String name = isSetter ? decapitalized(method.getName().substring(3)) : "";
            Setter setter = (bean, value) -> method.invoke(bean, value);
            if (isSetter && properties.putIfAbsent(name, setter) == null) {
                open(method);
                add(name, method.getAnnotatedParameterTypes()[0], at, setter, method, method.getParameters()[0],
                        field(at.raw(), name));
            }
        }
        for (Field field : at.raw().getDeclaredFields()) {
            int kind = field.getModifiers() & (Modifier.PUBLIC | Modifier.STATIC | Modifier.FINAL);
            Setter setter = field::set;
            if (kind == Modifier.PUBLIC && properties.putIfAbsent(field.getName(), setter) == null) {
                open(field);
                add(field.getName(), field.getAnnotatedType(), at, setter, field);
            }
        }
    }

    /** Returns the field that may have the annotations of a component or property, or else the class, which has none. */
    private static AnnotatedElement field(Class<?> type, String name) {
        return Stream.of(type.getDeclaredFields()).filter(field -> field.getName().equals(name))
                .map(AnnotatedElement.class::cast).findFirst().orElse(type);
    }

    /** Returns the name of a property, as {@code java.beans} has it. */
    private static String decapitalized(String name) {
        boolean isAcronym = name.length() > 1 && Character.isUpperCase(name.charAt(1));
        return isAcronym ? name : name.substring(0, 1).toLowerCase(java.util.Locale.ROOT) + name.substring(1);
    }

    /** Adds a part, whose annotations are those of these elements. */
    private void add(String name, AnnotatedType declared, LoadType owner, @Nullable Setter setter,
            AnnotatedElement... elements) {
        LoadType partType = LoadType.of(declared, owner.variables());
        boolean isNullable = Stream.of(elements).anyMatch(LoadType::isNullable);
        YamlName key = annotation(YamlName.class, elements);
        YamlDefault fallback = annotation(YamlDefault.class, elements);
        Part part = new Part(all.size(), key == null ? name : key.value(), isNullable ? partType.orNull() : partType,
                fallback == null ? null : fallback.value(), setter);
        all.add(part);
        if (annotation(YamlRest.class, elements) != null) {
            if (rest != null || !Map.class.isAssignableFrom(partType.raw())) {
                throw wrong("only one part can have @YamlRest, and it must be a Map");
            }
            rest = part;
        } else if (parts.put(part.key, part) != null) {
            throw wrong("two of its parts have the name `" + part.key + "`");
        }
    }

    private static <A extends Annotation> @Nullable A annotation(Class<A> kind, AnnotatedElement... elements) {
        return Stream.of(elements).map(element -> element.getAnnotation(kind)).filter(found -> found != null)
                .findFirst().orElse(null);
    }

    private void open(AccessibleObject member) {
        try {
            member.setAccessible(true);
        } catch (InaccessibleObjectException closed) {
            throw wrong("open its package to the module dev.ketch");
        }
    }

    private IllegalArgumentException wrong(String reason) {
        return new IllegalArgumentException("cannot load " + type.getName() + ": " + reason);
    }

    Object[] absent() {
        return Collections.nCopies(all.size(), ABSENT).toArray();
    }

    /**
     * Makes an object of the values of the parts.
     *
     * @throws InvocationTargetException if the class throws an exception
     */
    Object make(@Nullable Object[] values) throws InvocationTargetException {
        try {
            if (type.isRecord()) {
                return constructor.newInstance(values);
            }
            Object bean = constructor.newInstance();
            for (Part part : all) {
                if (values[part.index] != ABSENT) {
                    part.setter.set(bean, values[part.index]);
                }
            }
            return bean;
        } catch (InvocationTargetException thrown) {
            throw thrown;
        } catch (ReflectiveOperationException | IllegalArgumentException failed) {
            throw wrong(failed.toString());
        }
    }
}
