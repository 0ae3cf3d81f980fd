package dev.ketch.extprot;

import java.io.IOException;
import java.io.OutputStream;

/** A generated class that can be written. */
public interface Message extends Printable {
    /**
     * Writes the message before the bytes that the writer already has.
     *
     * @param out the writer
     */
    void write(Writer out);

    /**
     * Returns the bytes of the message.
     *
     * @return a new array
     * @throws ExtprotException if an {@code int} needs more than 63 bits
     */
    default byte[] encode() {
        Writer out = new Writer();
        write(out);
        return out.finish();
    }

    /**
     * Writes the bytes of the message to a stream.
     *
     * @param stream where to; not closed
     * @throws IOException if the stream fails
     * @throws ExtprotException if an {@code int} needs more than 63 bits; then nothing is written
     */
    default void encode(OutputStream stream) throws IOException {
        stream.write(encode());
    }
}
