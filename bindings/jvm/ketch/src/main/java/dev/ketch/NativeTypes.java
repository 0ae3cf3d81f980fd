package dev.ketch;

/** The native function for the types of scalars; jni_types.rs documents it. */
final class NativeTypes {
    private NativeTypes() {}

    static native long types(int schema, byte[] texts, int length, int[] ends, int count, byte[] types);
}
