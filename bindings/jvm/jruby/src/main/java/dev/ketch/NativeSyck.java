package dev.ketch;

/** The native functions for the dialect of Syck; jni_syck.rs documents them. */
final class NativeSyck {
    static {
        Native.load();
    }

    private NativeSyck() {}

    static native byte[] tag(byte[] text);

    static native byte[] write(byte[] tokens, int length, boolean isIndented);

    static native byte[] search(byte[] path, SyckSearch.Tree tree, long visits);

    /** Native code calls this to search a tree. */
    static byte[] ask(SyckSearch.Tree tree, int what, int node, byte[] name) {
        return SyckSearch.answer(tree, what, node, name);
    }
}
