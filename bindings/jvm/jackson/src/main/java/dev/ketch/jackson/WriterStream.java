package dev.ketch.jackson;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/** Passes UTF-8 to a writer. Each call has complete characters. */
final class WriterStream extends OutputStream {
    private final Writer out;

    WriterStream(Writer out) {
        this.out = out;
    }

    @Override
    public void write(int unit) {
        throw new UnsupportedOperationException("single bytes");
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(new String(bytes, offset, length, StandardCharsets.UTF_8));
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
