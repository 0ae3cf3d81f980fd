package dev.ketch.extprot;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The generated classes of the vectors' schemas, and their values as the vectors write them. */
final class Generated {
    private static final ClassLoader CLASSES = compile();

    private Generated() {}

    /** Compiles what bindings/jvm/test has generated. */
    private static ClassLoader compile() {
        Path sources = Path.of(System.getProperty("ketch.generated"));
        try (Stream<Path> files = Files.list(sources.resolve("vectors"))) {
            Path out = Files.createDirectories(sources.resolveSibling("generated-classes"));
            Path classes = Path.of(Extprot.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "javac").toString(), "--release", "17",
                    "-cp", classes.toString(), "-d", out.toString(), "-Xlint:all", "-Werror"));
            files.forEach(file -> command.add(file.toString()));
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException("the generated code does not compile:\n" + output);
            }
            return new URLClassLoader(new URL[] {out.toUri().toURL()}, Generated.class.getClassLoader());
        } catch (Exception e) {
            throw new IllegalStateException("run bindings/jvm/test, which generates the code", e);
        }
    }

    /** Returns the class of a message or type by its name in the schema. */
    static Class<?> type(String schema, String name) {
        try {
            String outer = schema.substring(0, 1).toUpperCase(Locale.ROOT) + schema.substring(1).replace("_", "");
            Class<?> all = CLASSES.loadClass("vectors." + outer + "Schema");
            for (Class<?> type : all.getDeclaredClasses()) {
                if (type.getSimpleName().replace("_", "").equalsIgnoreCase(name.replace("_", ""))) {
                    return method(type, "read", Reader.class).getReturnType();
                }
            }
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
        throw new IllegalStateException(schema + " has no " + name);
    }

    private static Method method(Class<?> type, String name, Class<?>... parameters) {
        try {
            Method method = type.getDeclaredMethod(name, parameters);
            method.setAccessible(true);
            return method;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the method with this name as a function. */
    static Reader.Decoder<Object> decoder(Class<?> type, String name) {
        Method method = method(type, name, Reader.class);
        return in -> invoke(method, null, in);
    }

    private static Object invoke(Method method, Object receiver, Object... arguments) {
        try {
            return method.invoke(receiver, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isMessage(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods()).anyMatch(method -> method.getName().equals("decode")
                && Modifier.isStatic(method.getModifiers()));
    }

    /** Returns a value as JSON. */
    static Object render(Object value) {
        if (value instanceof Long) {
            return value.toString();
        }
        if (value instanceof Double number) {
            return String.format("%016x", Double.doubleToRawLongBits(number));
        }
        if (value instanceof Bytes bytes) {
            return string(bytes.toByteArray());
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Generated::render).toList();
        }
        if (value instanceof Lazy<?> lazy) {
            return render(lazy.get());
        }
        if (value instanceof Enum<?> constant) {
            return Map.of("tag", constant.name());
        }
        return value instanceof Record ? renderRecord(value) : value;
    }

    private static Object renderRecord(Object value) {
        Class<?> type = value.getClass();
        List<Object> parts = new ArrayList<>();
        Map<String, Object> fields = new LinkedHashMap<>();
        for (RecordComponent component : type.getRecordComponents()) {
            component.getAccessor().setAccessible(true);
            Object part = render(invoke(component.getAccessor(), value));
            parts.add(part);
            fields.put(component.getName(), part);
        }
        Class<?> around = type.getDeclaringClass();
        if (!around.isInterface()) {
            return isMessage(type) ? fields : parts;
        }
        Map<String, Object> choice = new LinkedHashMap<>();
        if (isMessage(around)) {
            choice.put("case", name(type));
            choice.put("value", fields);
        } else {
            choice.put("tag", name(type));
            if (!parts.isEmpty()) {
                choice.put("args", parts);
            }
        }
        return choice;
    }

    /**
     * Returns the name in the schema: a constructor named like its type has a different name in
     * Java.
     */
    private static String name(Class<?> type) {
        return type.getSimpleName().replaceAll("_2$", "");
    }

    private static Object string(byte[] bytes) {
        boolean isRun = bytes.length > 200;
        boolean isText = true;
        for (byte unit : bytes) {
            isRun &= unit == bytes[0];
            isText &= unit >= 0x20 && unit < 0x7f;
        }
        if (isRun) {
            return Map.of("repeat", HexFormat.of().toHexDigits(bytes[0]), "count", bytes.length);
        }
        return isText
                ? new String(bytes, StandardCharsets.US_ASCII)
                : Map.of("hex", HexFormat.of().formatHex(bytes));
    }

    /** Returns the value that the JSON describes. */
    static Object build(Type type, Object json) {
        if (type instanceof ParameterizedType generic) {
            Type element = generic.getActualTypeArguments()[0];
            return generic.getRawType() == Lazy.class
                    ? Lazy.of(build(element, json))
                    : ((List<?>) json).stream().map(item -> build(element, item)).toList();
        }
        Class<?> own = (Class<?>) type;
        if (own == long.class || own == Long.class) {
            return Long.parseLong((String) json);
        }
        if (own == int.class || own == Integer.class) {
            return ((Number) json).intValue();
        }
        if (own == double.class || own == Double.class) {
            return Double.longBitsToDouble(Long.parseUnsignedLong((String) json, 16));
        }
        if (own == Bytes.class) {
            return bytes(json);
        }
        return own == boolean.class || own == Boolean.class ? json : buildNamed(own, json);
    }

    private static Bytes bytes(Object json) {
        if (json instanceof String text) {
            return Bytes.of(text);
        }
        Map<?, ?> map = (Map<?, ?>) json;
        if (map.get("hex") != null) {
            return Bytes.of(HexFormat.of().parseHex((String) map.get("hex")));
        }
        byte[] repeated = new byte[((Number) map.get("count")).intValue()];
        Arrays.fill(repeated, HexFormat.of().parseHex((String) map.get("repeat"))[0]);
        return Bytes.of(repeated);
    }

    private static Object buildNamed(Class<?> own, Object json) {
        if (json instanceof List<?> list) {
            return record(own, list);
        }
        Map<?, ?> map = (Map<?, ?>) json;
        if (own.isEnum()) {
            return Arrays.stream(own.getEnumConstants())
                    .filter(constant -> ((Enum<?>) constant).name().equals(map.get("tag"))).findFirst().orElseThrow();
        }
        if (!own.isInterface()) {
            return record(own, new ArrayList<>(map.values()));
        }
        Object name = isMessage(own) ? map.get("case") : map.get("tag");
        Class<?> chosen = Arrays.stream(own.getDeclaredClasses())
                .filter(type -> name(type).equals(name)).findFirst().orElseThrow();
        Object parts = isMessage(own) ? ((Map<?, ?>) map.get("value")).values() : map.get("args");
        return record(chosen, parts == null ? List.of() : new ArrayList<>((Collection<?>) parts));
    }

    private static Object record(Class<?> type, List<?> parts) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = build(components[i].getGenericType(), parts.get(i));
        }
        try {
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static byte[] encode(Object message) {
        return ((Message) message).encode();
    }

}
