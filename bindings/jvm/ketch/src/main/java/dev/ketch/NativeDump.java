package dev.ketch;

/** The native functions that write; jni_dump.rs documents them. */
final class NativeDump {
    private NativeDump() {}

    static native long create(long[] numbers, byte[] path);

    static native byte[] write(long handle, long[] words, int wordCount, byte[] bytes, int byteCount);

    static native byte[] once(long[] numbers, long[] words, int wordCount, byte[] bytes, int byteCount);

    static native byte[] finish(long handle);

    static native byte[] error(long handle);

    static native void destroy(long handle);
}
