package dev.ketch;

import java.io.IOException;

/** The native functions for nodes; jni_nodes.rs documents them. */
final class NativeNodes {
    static {
        Native.load();
    }

    private NativeNodes() {}

    static native long compose(
            byte[] input, int offset, int length, long[] numbers, byte[] file, int most);

    static native long open(long[] numbers, byte[] file);

    static native long next(long handle, Feed feed, byte[] buffer) throws IOException;

    /** Native code calls this to read a stream. */
    static int fill(Feed feed, int most) throws IOException {
        return feed.fill(most);
    }

    static native byte[] error(long handle);

    static native void close(long handle);

    static native void free(long document);

    static native long numbers(long document, int node, int which, long[] out);

    static native byte[] text(long document, int node, int which);

    static native long value(long document, int node, boolean isNew, long[] words, byte[] kept);

    static native long again(long document, long[] words, byte[] kept);

    static native long wide(long document, char[] units);

    static native byte[] valueError(long document);
}
