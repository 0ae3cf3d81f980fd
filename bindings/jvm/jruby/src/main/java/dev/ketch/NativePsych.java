package dev.ketch;

/** The native functions for Psych's interface; jni_psych.rs documents them. */
final class NativePsych {
    static {
        Native.load();
    }

    private NativePsych() {}

    static native long scan(byte[] text, boolean isStrict, long[] out);

    static native byte[] breaks(byte[] text);
}
