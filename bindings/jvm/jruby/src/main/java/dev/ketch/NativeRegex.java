package dev.ketch;

import java.io.IOException;

/** The native functions for regular expressions; jni_regex.rs documents them. */
final class NativeRegex {
    static {
        Native.load();
    }

    private NativeRegex() {}

    static native long compile(byte[] source, int encoding, boolean isBroken, byte[] converted,
            boolean extendsAscii, int options) throws RegexFailure;

    static native byte[] facts(long pattern) throws RegexFailure;

    static native void free(long pattern);

    static native boolean search(long pattern, int how, byte[] text, int begin, int length, int from,
            double seconds, Runnable poller, int[] slots) throws RegexFailure;

    static native long walk(
            long pattern, int which, byte[] text, int begin, int length, long limit)
            throws RegexFailure;

    static native int next(long walk, int width, double seconds, Runnable poller, int[] slots)
            throws RegexFailure;

    static native void closeWalk(long walk) throws RegexFailure;

    static native byte[] substitute(long pattern, int which, byte[] text, int begin, int length,
            byte[] template, int most, double seconds, Runnable poller, int[] slots)
            throws RegexFailure;

    static native long lines(long pattern, long maxLineBytes, boolean chomps) throws RegexFailure;

    static native byte[] nextLine(
            long lines, Feed feed, byte[] buffer, double seconds, Runnable poller)
            throws RegexFailure, IOException;

    static native void closeLines(long lines) throws RegexFailure;

    /** Native code calls this to read a stream. */
    static int fill(Feed feed, int most) throws IOException {
        return feed.fill(most);
    }

    /** Native code calls this to throw. */
    static int fail(byte[] fields) throws RegexFailure {
        throw RegexFailure.read(fields);
    }
}
