package dev.ketch;

import static dev.ketch.DumpToken.*;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes YAML one node at a time, as UTF-8, in bounded memory. A mapping takes alternating keys and
 * values. Anchor and tag are those of the next node.
 *
 * <pre>{@code
 * ByteArrayOutputStream out = new ByteArrayOutputStream();
 * try (YamlWriter writer = YamlWriter.of(out, DumpOptions.DEFAULT)) {
 *     writer.startDocument().startMapping().text("masts").integer(3).endMapping().endDocument();
 * }
 * out.toString(StandardCharsets.UTF_8); // masts: 3
 * }</pre>
 *
 * <p>Nodes in a wrong order, or a text that cannot be written, are an {@link
 * IllegalArgumentException}, which may come with a later call, since nodes are written some
 * thousands at a time. A writer must be used by one thread at a time.
 */
public final class YamlWriter implements Closeable {
    private final DumpTokens out;
    private final boolean hasHeader;
    private boolean isClosed;
    private boolean hasFailed;

    private YamlWriter(DumpTokens out, boolean hasHeader) {
        this.out = out;
        this.hasHeader = hasHeader;
    }

    /**
     * Creates a writer to a stream, which it does not close.
     *
     * @param out the stream
     * @param options the options
     * @return the writer
     */
    public static YamlWriter of(OutputStream out, DumpOptions options) {
        Objects.requireNonNull(out);
        return new YamlWriter(new DumpTokens(options, null, out), options.hasHeader);
    }

    private interface Step {
        void run() throws IOException;
    }

    private YamlWriter run(Step step) throws IOException {
        if (isClosed) {
            throw new IllegalStateException("the writer is closed");
        }
        boolean isWritten = false;
        try {
            step.run();
            isWritten = true;
        } finally {
            hasFailed |= !isWritten;
        }
        return this;
    }

    private YamlWriter word(int kind, long number) throws IOException {
        return run(() -> out.word(kind, number));
    }

    private YamlWriter text(int kind, String text) throws IOException {
        return run(() -> out.text(kind, text));
    }

    /**
     * Starts a document.
     *
     * @return this writer
     * @throws IOException if the stream fails; so for all methods
     */
    public YamlWriter startDocument() throws IOException {
        return word(START, hasHeader ? 1 : 0);
    }

    /**
     * Ends the document.
     *
     * @return this writer
     * @throws IOException if the stream fails
     */
    public YamlWriter endDocument() throws IOException {
        return word(END, 0);
    }

    /**
     * Starts a sequence.
     *
     * @return this writer
     * @throws IOException if the stream fails
     */
    public YamlWriter startSequence() throws IOException {
        return word(START_SEQUENCE, 0);
    }

    /**
     * Ends the sequence.
     *
     * @return this writer
     * @throws IOException if the stream fails
     */
    public YamlWriter endSequence() throws IOException {
        return word(END_SEQUENCE, 0);
    }

    /**
     * Starts a mapping.
     *
     * @return this writer
     * @throws IOException if the stream fails
     */
    public YamlWriter startMapping() throws IOException {
        return word(START_MAPPING, 0);
    }

    /**
     * Ends the mapping.
     *
     * @return this writer
     * @throws IOException if the stream fails
     */
    public YamlWriter endMapping() throws IOException {
        return word(END_MAPPING, 0);
    }

    /**
     * Gives the next node an anchor.
     *
     * @param name the name, without {@code &}
     * @return this writer
     * @throws IOException if the stream fails
     */
    public YamlWriter anchor(String name) throws IOException {
        return text(ANCHOR_NAME, name);
    }

    /**
     * Gives the next node a tag.
     *
     * @param tag such as {@code !ship} or {@code tag:example.com,2026:ship}
     * @return this writer
     * @throws IOException if the stream fails
     */
    public YamlWriter tag(String tag) throws IOException {
        return text(TAG, tag);
    }

    /**
     * Writes an alias.
     *
     * @param name the name of the anchor
     * @return this writer
     * @throws IOException if the stream fails
     */
    public YamlWriter alias(String name) throws IOException {
        return text(ALIAS_NAME, name);
    }

    /**
     * Writes text, in quotes where it would be read as something else.
     *
     * @param text the text
     * @return this writer
     * @throws IOException if the stream fails
     */
    public YamlWriter text(String text) throws IOException {
        return text(TEXT, text);
    }

    /**
     * Writes a plain scalar, of which the reader's schema decides the value.
     *
     * @param text the text
     * @return this writer
     * @throws IOException if the stream fails
     */
    public YamlWriter plain(String text) throws IOException {
        return text(PLAIN, text);
    }

    /**
     * Writes a null.
     *
     * @return this writer
     * @throws IOException if the stream fails
     */
    public YamlWriter nullValue() throws IOException {
        return word(NULL, 0);
    }

    /**
     * Writes a boolean.
     *
     * @param value the value
     * @return this writer
     * @throws IOException if the stream fails
     */
    public YamlWriter bool(boolean value) throws IOException {
        return word(value ? TRUE : FALSE, 0);
    }

    /**
     * Writes an integer.
     *
     * @param value the value
     * @return this writer
     * @throws IOException if the stream fails
     */
    public YamlWriter integer(long value) throws IOException {
        return run(() -> out.integer(value));
    }

    /**
     * Writes an integer of any size.
     *
     * @param value the value
     * @return this writer
     * @throws IOException if the stream fails
     */
    public YamlWriter integer(BigInteger value) throws IOException {
        return text(DIGITS, value.toString());
    }

    /**
     * Writes a float.
     *
     * @param value the value
     * @return this writer
     * @throws IOException if the stream fails
     */
    public YamlWriter floating(double value) throws IOException {
        return run(() -> out.floating(value));
    }

    /**
     * Writes a float of 32 bits with the digits of {@link Float#toString(float)}, such as {@code
     * 0.1}, and not with those of the equal double, {@code 0.10000000149011612}.
     *
     * @param value the value
     * @return this writer
     * @throws IOException if the stream fails
     */
    public YamlWriter floating(float value) throws IOException {
        return run(() -> out.floating(value));
    }

    /**
     * Writes a decimal with all its digits. Without a fraction and an exponent, it is read as an
     * integer, otherwise as a float.
     *
     * @param value the value
     * @return this writer
     * @throws IOException if the stream fails
     */
    public YamlWriter decimal(BigDecimal value) throws IOException {
        return run(() -> out.decimal(value));
    }

    /**
     * Writes a day or a point in time.
     *
     * @param seconds since the start of 1970 in UTC
     * @param nanoseconds 0 to 999,999,999
     * @param offsetMinutes minutes east of UTC; null for a time without a zone
     * @param isDay whether it is written without a time
     * @return this writer
     * @throws IOException if the stream fails
     */
    public YamlWriter timestamp(long seconds, int nanoseconds, @Nullable Integer offsetMinutes, boolean isDay)
            throws IOException {
        int form = isDay ? 2 : offsetMinutes == null ? 1 : 0;
        int minutes = form == 0 ? offsetMinutes : 0;
        return run(() -> out.timestamp(form, seconds, nanoseconds, minutes));
    }

    /**
     * Writes bytes with the tag {@code !!binary}.
     *
     * @param value the bytes
     * @return this writer
     * @throws IOException if the stream fails
     */
    public YamlWriter binary(byte[] value) throws IOException {
        return run(() -> out.bytes(BINARY, value));
    }

    /**
     * Passes to the stream what has been written so far, except for text that depends on later
     * calls.
     *
     * @throws IOException if the stream fails
     */
    public void flush() throws IOException {
        run(out::flush);
    }

    /**
     * Writes the rest, unless a call before has failed. The stream is not closed.
     *
     * @throws IOException if the stream fails
     * @throws IllegalArgumentException if a document is not complete
     */
    @Override
    public void close() throws IOException {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try {
            if (!hasFailed) {
                out.finish();
            }
        } finally {
            out.close();
        }
    }
}
