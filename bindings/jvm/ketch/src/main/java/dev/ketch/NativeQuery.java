package dev.ketch;

/** The native functions for programs; jni_query.rs documents them. */
final class NativeQuery {
    private NativeQuery() {}

    static native long compile(long session, byte[] texts);

    static native void free(long program);

    static native long run(long session, long program, byte[] text, long[] numbers, byte[] file, byte[] settings);

    static native byte[] edit(long session, long program, byte[] text, long[] numbers, byte[] file, byte[] settings,
            Runnable poller);
}
