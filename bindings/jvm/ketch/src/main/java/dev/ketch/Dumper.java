package dev.ketch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes with given {@link DumpOptions}. Created by {@link Yaml#with}; any number of threads may
 * use it.
 */
public final class Dumper {
    private final DumpOptions options;

    Dumper(DumpOptions options) {
        this.options = Objects.requireNonNull(options);
    }

    /**
     * Returns the text of a value.
     *
     * @param value null, Boolean, an integer, Float, Double, {@link java.math.BigDecimal}, String,
     *     {@code byte[]}, an enum, a time, Collection, array, Map, record, {@link Tagged}, or what a
     *     typed load reads from text, such as a UUID; a decimal keeps all its digits, and a collection
     *     that occurs twice gets an anchor
     * @return YAML
     * @throws IllegalArgumentException for an object of any other class
     */
    public String dump(@Nullable Object value) {
        return dumpAll(Collections.singletonList(value));
    }

    /**
     * Writes a value to a stream as UTF-8. The stream is not closed.
     *
     * @param value as for {@link #dump(Object)}
     * @param out the stream
     * @throws IOException if the stream fails
     * @throws IllegalArgumentException for an object of any other class
     */
    public void dump(@Nullable Object value, OutputStream out) throws IOException {
        DumpWalk.write(Collections.singletonList(value), options, null, out);
    }

    /**
     * Replaces a file by the text of a value: a new file with the old one's owner, mode and
     * attributes is put in its place once it is complete. On any error the old file is left
     * unchanged. In a file system other than the default one, the new file has default attributes.
     *
     * @param value as for {@link #dump(Object)}
     * @param path the file
     * @throws IOException if the file cannot be replaced
     * @throws IllegalArgumentException for an object of any other class
     */
    public void dump(@Nullable Object value, Path path) throws IOException {
        if (path.getFileSystem() == FileSystems.getDefault()) {
            DumpWalk.write(Collections.singletonList(value), options, path, null);
        } else {
            dumpElsewhere(value, path);
        }
    }

    /** Replaces a file of a file system that native code cannot reach, such as that of an archive. */
    private void dumpElsewhere(Object value, Path path) throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        Path written = Files.createTempFile(folder, ".ketch", ".tmp");
        try {
            try (OutputStream out = Files.newOutputStream(written)) {
                dump(value, out);
            }
            Files.move(written, path, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(written);
        }
    }

    /**
     * Returns the text of values, one document per value.
     *
     * @param values as for {@link #dump(Object)}
     * @return YAML
     * @throws IllegalArgumentException for an object of any other class
     */
    public String dumpAll(Iterable<?> values) {
        Collected out = new Collected();
        try {
            dumpAll(values, out);
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
        return out.text();
    }

    /** The text that is written, which is often a single array. */
    private static final class Collected extends ByteArrayOutputStream {
        private byte @Nullable [] only;

        Collected() {
            super(0);
        }

        @Override
        public void write(byte[] part) {
            if (only == null && count == 0) {
                only = part;
                return;
            }
            if (only != null) {
                super.write(only, 0, only.length);
                only = null;
            }
            super.write(part, 0, part.length);
        }

        String text() {
            return only == null ? toString(StandardCharsets.UTF_8) : new String(only, StandardCharsets.UTF_8);
        }
    }

    /**
     * Writes values to a stream as UTF-8, one document per value, in memory bounded by the largest.
     * The stream is not closed.
     *
     * @param values as for {@link #dump(Object)}
     * @param out the stream
     * @throws IOException if the stream fails
     * @throws IllegalArgumentException for an object of any other class
     */
    public void dumpAll(Iterable<?> values, OutputStream out) throws IOException {
        DumpWalk.write(values, options, null, out);
    }
}
