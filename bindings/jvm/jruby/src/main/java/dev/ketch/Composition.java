package dev.ketch;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Composed documents of a text or a stream. Their nodes are read one by one. */
public final class Composition {
    private final long handle;
    private final Feed feed;

    private Composition(long handle, Feed feed) {
        if (handle == 0) {
            throw new OutOfMemoryError("Ketch: no native memory");
        }
        this.handle = check(handle);
        this.feed = feed;
    }

    /** A reader of documents, one after the other. */
    public interface Receiver {
        /** Takes a document, as soon as it is complete. */
        void take(Nodes document);
    }

    /** Returns the first documents of a text, which is valid to its end. */
    public static List<Nodes> of(byte[] input, int offset, int length, Options options, int most) {
        long handle = NativeNodes.compose(
                input, offset, length, options.numbers, options.fileNameUtf8(), most);
        List<Nodes> documents = new ArrayList<>();
        try {
            new Composition(handle, null).forEach(documents::add);
        } catch (IOException noStream) {
            throw new IllegalStateException(noStream);
        }
        return documents;
    }

    /** Passes the documents of a stream to a receiver. Reads no more of the stream than needed. */
    public static void forEach(InputStream in, Options options, Receiver receiver) throws IOException {
        long handle = NativeNodes.open(options.numbers, options.fileNameUtf8());
        new Composition(handle, Feed.of(in)).forEach(receiver);
    }

    private void forEach(Receiver receiver) throws IOException {
        try {
            byte[] buffer = feed == null ? null : feed.buffer;
            long document = check(NativeNodes.next(handle, feed, buffer));
            while (document != 0) {
                receiver.take(new Nodes(document));
                document = check(NativeNodes.next(handle, feed, buffer));
            }
        } finally {
            NativeNodes.close(handle);
        }
    }

    private long check(long result) {
        if (result == Native.FAILED) {
            throw Failure.read(NativeNodes.error(handle));
        }
        return Native.checkIntact(result);
    }
}
