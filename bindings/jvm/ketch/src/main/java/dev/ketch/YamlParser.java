package dev.ketch;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Reads the events of a stream one at a time. Texts are decoded when they are asked for.
 *
 * <pre>{@code
 * try (YamlParser parser = YamlParser.of("- ketch")) {
 *     while (parser.next()) {
 *         if (parser.kind().isScalar()) {
 *             System.out.println(parser.text());
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>For one thread at a time.
 */
public final class YamlParser implements AutoCloseable {
    private final byte[] input;
    private Session session;
    private int at;
    private EventKind kind;
    private int flags;
    private long text;
    private int textLength;
    private long offset;
    private long length;

    private YamlParser(byte[] input, Feed feed, Options options) {
        this.input = input;
        session = Session.take();
        boolean isOpen = false;
        try {
            if (feed == null) {
                session.open(input, 0, input.length, options.forEvents());
            } else {
                session.openStream(feed, options.forEvents(), false);
            }
            isOpen = true;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } finally {
            if (!isOpen) {
                session.close();
            }
        }
    }

    /**
     * A parser of a text.
     *
     * @param text YAML
     * @return the parser
     */
    public static YamlParser of(String text) {
        return of(Source.bytes(text), Options.DEFAULT);
    }

    /**
     * A parser of bytes.
     *
     * @param bytes YAML in UTF-8, UTF-16 or UTF-32; not to be changed while it is read
     * @return the parser
     */
    public static YamlParser of(byte[] bytes) {
        return of(bytes, Options.DEFAULT);
    }

    /**
     * A parser of bytes with options, of which schema, duplicate keys and merge keys have no effect.
     *
     * @param bytes YAML in UTF-8, UTF-16 or UTF-32; not to be changed while it is read
     * @param options the options
     * @return the parser
     */
    public static YamlParser of(byte[] bytes, Options options) {
        return new YamlParser(bytes, null, options);
    }

    /**
     * A parser of a stream, in bounded memory. The stream is not closed.
     *
     * @param in YAML in UTF-8, UTF-16 or UTF-32
     * @return the parser
     */
    public static YamlParser of(InputStream in) {
        return of(in, Options.DEFAULT);
    }

    /**
     * A parser of a stream with options, of which schema, duplicate keys and merge keys have no
     * effect.
     *
     * @param in YAML in UTF-8, UTF-16 or UTF-32
     * @param options the options
     * @return the parser
     */
    public static YamlParser of(InputStream in, Options options) {
        return new YamlParser(null, Feed.of(in), options);
    }

    /**
     * A parser of a reader with options, in bounded memory. The reader is not closed.
     *
     * @param in YAML
     * @param options the options
     * @return the parser
     */
    public static YamlParser of(Reader in, Options options) {
        return new YamlParser(null, Feed.of(in), options);
    }

    /**
     * Goes to the next event.
     *
     * @return false at the end of the stream
     * @throws YamlException if what follows is not valid YAML; the parser is closed then
     * @throws UncheckedIOException what a stream throws; the parser is closed then
     */
    public boolean next() {
        if (session == null) {
            return false;
        }
        if (at == session.wordCount() && !nextChunk()) {
            return false;
        }
        long word = session.words[at++];
        kind = EventKind.of(Token.kind(word));
        flags = (int) (word >>> 8) & 0xff;
        length = word >>> 32;
        text = session.words[at++];
        boolean isText = Token.kind(text) != Token.NULL;
        textLength = isText ? Token.length(text) : 0;
        if (textLength == Token.LONG_LENGTH) {
            textLength = (int) session.words[at++];
        }
        offset = session.words[at++];
        return true;
    }

    void forEachRemaining(Consumer<YamlParser> handler) {
        while (next()) {
            handler.accept(this);
        }
    }

    private boolean nextChunk() {
        boolean hasMore = false;
        boolean isIntact = false;
        at = 0;
        try {
            hasMore = session.next();
            isIntact = true;
        } catch (YamlException error) {
            isIntact = input != null;
            throw error;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } finally {
            if (!isIntact) {
                session.close();
                session = null;
            } else if (!hasMore) {
                close();
            }
        }
        return hasMore;
    }

    /**
     * The kind of the event.
     *
     * @return the kind
     */
    public EventKind kind() {
        return kind;
    }

    /**
     * The content of a scalar, the name of an anchor or alias, the tag, or the line of a directive.
     *
     * @return the text; null for other events
     * @throws IllegalStateException if the stream has ended
     */
    public String text() {
        if (session == null) {
            throw new IllegalStateException("the parser is at the end of its stream");
        }
        int start = Token.offset(text);
        return switch (Token.kind(text)) {
            case Token.ASCII -> new String(input, start, textLength, StandardCharsets.ISO_8859_1);
            case Token.UTF8 -> new String(input, start, textLength, StandardCharsets.UTF_8);
            case Token.KEPT_ASCII, Token.KEPT_UTF8 ->
                    new String(session.kept, start, textLength, StandardCharsets.UTF_8);
            default -> null;
        };
    }

    /**
     * Whether a collection that starts is in flow style.
     *
     * @return whether it is
     */
    public boolean isFlow() {
        return (flags & 1) != 0;
    }

    /**
     * Whether the marker of a document, {@code ---} or {@code ...}, is written.
     *
     * @return whether it is
     */
    public boolean isExplicit() {
        return (flags & 2) != 0;
    }

    /**
     * Where the event starts in the input's UTF-8 form, in bytes.
     *
     * @return the offset
     */
    public long offset() {
        return offset;
    }

    /**
     * The length of the event in the input's UTF-8 form, in bytes.
     *
     * @return the length
     */
    public long length() {
        return length;
    }

    /** Frees what the parser holds. Without it, that happens when the parser is collected. */
    @Override
    public void close() {
        if (session != null) {
            Session ended = session;
            session = null;
            ended.give();
        }
    }
}
