package dev.ketch;

/** The native functions for editing; jni_edit.rs documents them. */
final class NativeEdit {
    static {
        Native.load();
    }

    private NativeEdit() {}

    static native long open(byte[] text, long[] numbers, byte[] file, boolean isPath);

    static native byte[] error(long handle);

    static native byte[] call(long handle, int which, byte[] argument);

    static native void close(long handle);

    static native byte[] quoted(byte[] text);

    static native byte[] floating(double value);
}
