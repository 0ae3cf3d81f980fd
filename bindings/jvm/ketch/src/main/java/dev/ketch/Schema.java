package dev.ketch;

import java.util.Objects;

/** The rules that give plain scalars their types. */
public enum Schema {
    // The constants are in the engine's order.
    /** All scalars are text. */
    FAILSAFE,
    /** The scalars of JSON. Other plain text is an error. */
    JSON,
    /** YAML 1.2, the default. */
    CORE,
    /** YAML 1.1: {@code yes}, {@code 0777}, dates, {@code <<}. */
    YAML11,
    /** Syck, the YAML of early Ruby. */
    SYCK;

    /**
     * Returns the type that a plain scalar has.
     *
     * <pre>{@code
     * Schema.CORE.typeOf("0x1F"); // INT
     * Schema.YAML11.typeOf("yes"); // BOOL
     * }</pre>
     *
     * @param text the text of the scalar
     * @return the type; {@link ScalarType#INVALID} if the schema does not allow the text, and {@link
     *     ScalarType#MERGE} for {@code <<} in schemas with merge keys
     * @throws YamlSyntaxException if the text has a NUL, or half of a surrogate pair
     */
    public ScalarType typeOf(String text) {
        byte[] utf8 = Source.bytes(text);
        return typesOf(utf8, new int[] {utf8.length})[0];
    }

    /**
     * Returns the types that plain scalars have, in one call to native code. This is faster than a
     * call for each.
     *
     * @param texts the texts of the scalars, one after another, in UTF-8; not changed during the call
     * @param ends the index in {@code texts} after the last byte of each scalar, in ascending order
     * @return the type of each scalar
     * @throws IndexOutOfBoundsException if an end is not in {@code texts}, or before the one before
     */
    public ScalarType[] typesOf(byte[] texts, int[] ends) {
        int length = 0;
        for (int end : ends) {
            Objects.checkFromToIndex(length, end, texts.length);
            length = end;
        }
        byte[] numbers = new byte[ends.length];
        Native.load();
        Native.checkIntact(NativeTypes.types(ordinal(), texts, length, ends, ends.length, numbers));
        ScalarType[] types = new ScalarType[ends.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = ScalarType.ofNumber(numbers[i]);
        }
        return types;
    }
}
