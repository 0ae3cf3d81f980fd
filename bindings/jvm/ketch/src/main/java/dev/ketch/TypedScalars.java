package dev.ketch;

import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.*;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Converts scalars to the classes of components and properties. */
final class TypedScalars {
    /** A scalar that does not have the type. The message says what is wrong. */
    static final class Mismatch extends Exception {
        private static final long serialVersionUID = 1;

        final String help;

        Mismatch(String problem, String help) {
            super(problem, null, false, false);
            this.help = help;
        }
    }

    /** The classes whose values are written as text. */
    private static final Map<Class<?>, Function<String, Object>> PARSERS = Map.ofEntries(
            Map.entry(LocalDate.class, LocalDate::parse), Map.entry(LocalTime.class, LocalTime::parse),
            Map.entry(LocalDateTime.class, LocalDateTime::parse), Map.entry(Instant.class, Instant::parse),
            Map.entry(OffsetDateTime.class, OffsetDateTime::parse), Map.entry(Duration.class, Duration::parse),
            Map.entry(ZoneId.class, ZoneId::of), Map.entry(UUID.class, UUID::fromString),
            Map.entry(URI.class, URI::create), Map.entry(Path.class, Path::of),
            Map.entry(Pattern.class, Pattern::compile), Map.entry(Charset.class, Charset::forName));

    /** The integers with a range, and the bits of their values without the sign. */
    private static final Map<Class<?>, Integer> BITS =
            Map.of(Byte.class, 7, Short.class, 15, Integer.class, 31, Long.class, 63);

    /** The classes of numbers with fractions. */
    private static final Set<Class<?>> FRACTIONS = Set.of(Float.class, Double.class, BigDecimal.class, Number.class);

    static final String CHANGE = "Change the value, or the type.";

    private static final int MOST_SHOWN = 40;

    private TypedScalars() {}

    /** Returns what an error says that a class expects; null if the class is no scalar. */
    static @Nullable String expected(Class<?> raw) {
        Class<?> type = boxed(raw);
        if (BITS.containsKey(type) || type == BigInteger.class) {
            return "an integer";
        }
        if (FRACTIONS.contains(type)) {
            return "a number";
        }
        if (type.isEnum()) {
            return "one of `" + Stream.of(type.getEnumConstants()).map(TypedScalars::name)
                    .collect(Collectors.joining("`, `")) + "`";
        }
        return type == Boolean.class ? "true or false" : type == String.class ? "text"
                : type == Character.class ? "one character" : type == byte[].class ? "binary data"
                : PARSERS.containsKey(type) ? "a " + type.getSimpleName() : null;
    }

    private static Class<?> boxed(Class<?> type) {
        return MethodType.methodType(type).wrap().returnType();
    }

    /**
     * Converts a scalar.
     *
     * @param spelling the text of the scalar
     */
    static Object convert(@Nullable Object value, Class<?> raw, String spelling) throws Mismatch {
        Class<?> type = boxed(raw);
        boolean isInteger = value instanceof Integer || value instanceof Long || value instanceof BigInteger;
        if (value instanceof Double number && FRACTIONS.contains(type) && type != BigDecimal.class) {
            return floating(number, type, spelling);
        }
        if (type.isInstance(value)) {
            return value;
        }
        if (isInteger && BITS.containsKey(type)) {
            return integer(new BigInteger(value.toString()), type);
        }
        if (isInteger && type == BigInteger.class) {
            return new BigInteger(value.toString());
        }
        if (isInteger && FRACTIONS.contains(type)) {
            return exact(new BigDecimal(value.toString()), type);
        }
        if (value instanceof Double && type == BigDecimal.class && isDigits(spelling)) {
            try {
                return new BigDecimal(spelling.replace("_", ""));
            } catch (NumberFormatException exponent) {
                checkRange(false, spelling, type);
            }
        }
        if (value instanceof OffsetDateTime time && type == Instant.class) {
            return time.toInstant();
        }
        if (value instanceof String text) {
            return text(text, type);
        }
        String help = type == String.class && value != null ? "Put it in quotes." : CHANGE;
        throw new Mismatch("expected " + expected(raw) + ", found " + found(value), help);
    }

    private static Object text(String text, Class<?> type) throws Mismatch {
        Function<String, Object> parser = PARSERS.get(type);
        if (parser != null) {
            try {
                return parser.apply(text);
            } catch (RuntimeException invalid) {
                throw new Mismatch("`" + text + "` is not a valid " + type.getSimpleName(), invalid.getMessage());
            }
        }
        if (type == Character.class && text.length() == 1) {
            return text.charAt(0);
        }
        Object constant = type.isEnum() ? constants(type).get(text) : null;
        if (constant == null) {
            throw new Mismatch("expected " + expected(type) + ", found " + found(text), CHANGE);
        }
        return constant;
    }

    /** Returns the constants of an enum by their names in YAML, in Java, and in lower case with dashes. */
    private static Map<String, Object> constants(Class<?> type) {
        Map<String, Object> constants = new LinkedHashMap<>();
        List<Function<Object, String>> names = List.of(TypedScalars::name, constant -> ((Enum<?>) constant).name(),
                constant -> name(constant).toLowerCase(Locale.ROOT).replace('_', '-'));
        for (Function<Object, String> name : names) {
            for (Object constant : type.getEnumConstants()) {
                constants.putIfAbsent(name.apply(constant), constant);
            }
        }
        return constants;
    }

    private static String name(Object constant) {
        String own = ((Enum<?>) constant).name();
        try {
            YamlName name = ((Enum<?>) constant).getDeclaringClass().getField(own).getAnnotation(YamlName.class);
            return name == null ? own : name.value();
        } catch (NoSuchFieldException none) {
            throw new InternalException("an enum without its constant", none);
        }
    }

    private static Object integer(BigInteger number, Class<?> type) throws Mismatch {
        checkRange(number.bitLength() <= BITS.get(type), number, type);
        if (type == Byte.class) {
            return number.byteValue();
        }
        if (type == Short.class) {
            return number.shortValue();
        }
        return type == Integer.class ? (Object) number.intValue() : (Object) number.longValue();
    }

    /** Converts an integer to a number with fractions. */
    private static Object exact(BigDecimal number, Class<?> type) throws Mismatch {
        if (type == BigDecimal.class) {
            return number;
        }
        Number converted = type == Float.class ? (Number) number.floatValue() : (Number) number.doubleValue();
        boolean isFinite = Double.isFinite(converted.doubleValue());
        if (!isFinite || new BigDecimal(converted.doubleValue()).compareTo(number) != 0) {
            throw new Mismatch(type.getSimpleName() + " cannot represent " + number + " exactly",
                    "Write it with a fraction, or use a BigDecimal.");
        }
        return converted;
    }

    /** Converts a number that may have become infinite or zero only because the type has a range. */
    private static Number floating(Double number, Class<?> type, String spelling) throws Mismatch {
        Number made = type == Float.class ? (Number) number.floatValue() : (Number) number;
        double result = made.doubleValue();
        if (result == 0 || Double.isInfinite(result)) {
            boolean isDigits = isDigits(spelling);
            boolean isLost = result != number || isDigits && (result != 0 || spelling.matches("[-+]?[0_.]*[1-9].*"));
            checkRange(!isLost, isDigits ? spelling : number, type);
        }
        return made;
    }

    private static boolean isDigits(String spelling) {
        return spelling.matches("[-+]?[0-9_]*\\.?[0-9_]*([eE][-+]?[0-9]+)?") && !spelling.isEmpty();
    }

    private static void checkRange(boolean isInside, Object number, Class<?> type) throws Mismatch {
        if (!isInside) {
            throw new Mismatch(number + " is out of the range of " + type.getSimpleName(), CHANGE);
        }
    }

    /** Returns whether a value is loaded from its text. */
    static boolean isText(@Nullable Object value) {
        return value instanceof Character || PARSERS.keySet().stream().anyMatch(type -> type.isInstance(value));
    }

    /** Returns what an error says about a value. */
    static String found(@Nullable Object value) {
        if (value instanceof String text) {
            return "the text `" + (text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "..." : text) + "`";
        }
        return value instanceof Map ? "a mapping" : value instanceof Iterable ? "a sequence"
                : value instanceof Tagged tagged ? "the tag `" + tagged.tag() + "`"
                : value instanceof byte[] ? "binary data" : (value instanceof Number ? "the number " : "") + value;
    }
}
