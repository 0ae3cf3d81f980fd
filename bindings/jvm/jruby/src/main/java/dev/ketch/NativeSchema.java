package dev.ketch;

/** The native function for schemas of extprot; jni_schema.rs documents it. */
final class NativeSchema {
    static {
        Native.load();
    }

    private NativeSchema() {}

    static native byte[] rubySource(byte[] name, byte[] text);
}
