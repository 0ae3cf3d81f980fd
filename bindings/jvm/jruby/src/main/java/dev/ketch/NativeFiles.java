package dev.ketch;

/** The native function that replaces files; jni_files.rs documents it. */
final class NativeFiles {
    static {
        Native.load();
    }

    private NativeFiles() {}

    static native byte[] replace(byte[] path, byte[] name, byte[] content);
}
