package dev.ketch.internal;

/** The native functions for editing; jni_edit.rs documents them. The library must be loaded. */
final class NativeEdit {
    private NativeEdit() {}

    static native long open(byte[] text, long[] numbers, byte[] file, boolean isPath);

    static native byte[] error(long handle);

    static native byte[] call(long handle, int which, byte[] argument);

    static native void close(long handle);

    static native byte[] quoted(byte[] text);

    static native byte[] floating(double value);
}
