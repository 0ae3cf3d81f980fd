package dev.ketch;

import dev.ketch.internal.Integers;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of a stream one at a time, with the values that scalars have in the schema.
 * Texts are decoded on demand.
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
 * <p>A parser must be used by one thread at a time.
 */
public final class YamlParser implements AutoCloseable {
    private final byte @Nullable [] input;
    /** The file that this parser has opened, or null. */
    private final @Nullable InputStream file;
    private final Object[] keys;
    private final Guard guard;
    /** Null after the end and after {@link #close}. */
    private @Nullable Session session;
    private volatile boolean isEnded;
    /** The thread that has last read a chunk, or written to the table of keys. */
    private @Nullable Thread reader;
    /** Whether several threads have, so that one may still do so while another closes the parser. */
    private volatile boolean isShared;
    // The last words and texts of the session. Other threads may get the session, but not these.
    private long[] words;
    private byte[] kept;
    private char[] wide;
    private int end;
    private int at;
    private int kind;
    private int flags;
    private long text;
    private int textLength;
    private int type;
    /** Where the value is in the words. */
    private int value;
    private long offset;
    private long length;
    /** Line and column, if native code counts them. */
    private long location;
    private final Lines lines = new Lines();

    private static final int LOCATED = 1 << 2;
    private static final int DEFINED = 1 << 3;
    private static final int TEXT = 1 << 16;

    private static final String CLOSED_WHILE_READING = "the parser was closed while it was reading";

    // The constants of pull.rs.
    private static final int TRUE = 3;
    private static final int INT = 4;
    private static final int FLOAT = 5;
    private static final int BIG_INT = 6;
    private static final int TIMESTAMP = 7;
    private static final int BINARY = 8;

    private YamlParser(byte @Nullable [] input, @Nullable Feed feed, @Nullable InputStream file, Options options) {
        this(input, file, Session.take());
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
                guard.close();
            }
        }
    }

    /** Creates a parser that has read nothing. */
    private YamlParser(byte[] input, InputStream file, Session session) {
        this.input = input;
        this.file = file;
        this.session = session;
        keys = session.builder.keys();
        guard = new Guard(session::close);
    }

    /**
     * Creates a parser of a text.
     *
     * @param text YAML
     * @return the parser
     */
    public static YamlParser of(String text) {
        return of(Source.bytes(text), Options.DEFAULT);
    }

    /**
     * Creates a parser of a text with options. The choice for duplicate keys has no effect.
     *
     * @param text YAML
     * @param options the options
     * @return the parser
     */
    public static YamlParser of(String text, Options options) {
        return of(Source.bytes(text), options);
    }

    /**
     * Creates a parser of bytes.
     *
     * @param bytes YAML in UTF-8, UTF-16 or UTF-32; not to be changed while it is read
     * @return the parser
     */
    public static YamlParser of(byte[] bytes) {
        return of(bytes, Options.DEFAULT);
    }

    /**
     * Creates a parser of bytes with options. The choice for duplicate keys has no effect.
     *
     * @param bytes YAML in UTF-8, UTF-16 or UTF-32; not to be changed while it is read
     * @param options the options
     * @return the parser
     */
    public static YamlParser of(byte[] bytes, Options options) {
        return new YamlParser(bytes, null, null, options);
    }

    /**
     * Creates a parser of a stream, in bounded memory. The stream is not closed.
     *
     * @param in YAML in UTF-8, UTF-16 or UTF-32
     * @return the parser
     */
    public static YamlParser of(InputStream in) {
        return of(in, Options.DEFAULT);
    }

    /**
     * Creates a parser of a stream with options. The choice for duplicate keys has no effect.
     *
     * @param in YAML in UTF-8, UTF-16 or UTF-32
     * @param options the options
     * @return the parser
     */
    public static YamlParser of(InputStream in, Options options) {
        return new YamlParser(null, Feed.of(in), null, options);
    }

    /**
     * Creates a parser of a reader, in bounded memory. The reader is not closed.
     *
     * @param in YAML
     * @return the parser
     */
    public static YamlParser of(Reader in) {
        return of(in, Options.DEFAULT);
    }

    /**
     * Creates a parser of a file, in bounded memory. The file is closed at its end, after an error,
     * and by {@link #close}.
     *
     * @param path the file, whose name appears in errors
     * @return the parser
     * @throws IOException if the file cannot be opened
     */
    public static YamlParser of(Path path) throws IOException {
        return of(path, Options.DEFAULT);
    }

    /**
     * Creates a parser of a file with options, like {@link #of(Path)}. The choice for duplicate keys
     * has no effect.
     *
     * @param path the file, whose name appears in errors
     * @param options the options
     * @return the parser
     * @throws IOException if the file cannot be opened
     */
    public static YamlParser of(Path path, Options options) throws IOException {
        Options named = options.forFile(path.toString());
        InputStream in = Source.open(path);
        YamlParser parser = null;
        try {
            parser = new YamlParser(null, Feed.of(in), in, named);
        } finally {
            if (parser == null) {
                in.close();
            }
        }
        return parser;
    }

    /**
     * Creates a parser of a reader with options, in bounded memory. The reader is not closed.
     *
     * @param in YAML
     * @param options the options
     * @return the parser
     */
    public static YamlParser of(Reader in, Options options) {
        return new YamlParser(null, Feed.of(in), null, options);
    }

    /**
     * Goes to the next event.
     *
     * @return false at the end of the stream
     * @throws YamlException if what follows is not valid YAML; the parser is closed then
     * @throws UncheckedIOException if a stream fails; the parser is closed then
     */
    public boolean next() {
        if ((session == null || at == end) && !nextChunk()) {
            return false;
        }
        read();
        return true;
    }

    /** Reads an event from the words that pull.rs documents. */
    private void read() {
        long word = words[at++];
        kind = Token.kind(word);
        flags = (int) (word >>> 8) & 0xf;
        type = (int) (word >>> 12) & 0xf;
        length = word >>> 32;
        if ((word & TEXT) != 0) {
            readText();
        } else {
            text = Token.NULL;
        }
        offset = words[at++];
        location = (flags & LOCATED) == 0 ? 0 : words[at++];
    }

    private void readText() {
        text = words[at++];
        textLength = Token.length(text);
        if (textLength == Token.LONG_LENGTH) {
            textLength = (int) words[at++];
        }
        if ((flags & DEFINED) != 0) {
            define(Token.offset(words[at++]));
        }
        value = at;
        if (type >= INT) {
            at += valueWords();
        }
    }

    private void define(int slot) {
        if (reader != Thread.currentThread()) {
            changeReader();
        }
        keys[slot] = textOf(text, textLength);
    }

    /** Makes this thread the reader, before it writes to the table of keys: see {@link #close}. */
    private void changeReader() {
        isShared = reader != null;
        reader = Thread.currentThread();
        VarHandle.fullFence();
        if (session == null) {
            throw notOpen();
        }
    }

    private int valueWords() {
        return switch (type) {
            case INT, FLOAT -> 1;
            case BIG_INT -> Token.length(words[at]) == Token.LONG_LENGTH ? 3 : 2;
            case TIMESTAMP -> 3;
            case BINARY -> Token.length(words[at]) == Token.LONG_LENGTH ? 2 : 1;
            default -> 0;
        };
    }

    void forEachRemaining(Consumer<YamlParser> handler) {
        while (next()) {
            handler.accept(this);
        }
    }

    private boolean nextChunk() {
        Session current = session;
        if (current == null) {
            if (isEnded) {
                return false;
            }
            throw notOpen();
        }
        boolean hasMore = false;
        boolean isIntact = false;
        boolean isOpen = false;
        if (reader != Thread.currentThread()) {
            changeReader();
        }
        guard.enter();
        try {
            hasMore = current.next();
            take(current);
            isIntact = true;
        } catch (YamlException error) {
            isIntact = input != null && !(error instanceof InternalException);
            throw error;
        } catch (IOException failure) {
            if (file != null && session == null) {
                throw new IllegalStateException(CLOSED_WHILE_READING, failure);
            }
            throw new UncheckedIOException(failure);
        } finally {
            isOpen = guard.exit();
            // After a close, each later call throws, too.
            isEnded = isOpen && !(isIntact && hasMore);
            if (!isIntact || !hasMore) {
                end(current, isIntact);
            }
        }
        if (!isOpen) {
            throw new IllegalStateException(CLOSED_WHILE_READING);
        }
        return hasMore;
    }

    /** Takes what the session has read. */
    private void take(Session current) {
        words = current.words;
        kept = current.kept;
        wide = current.wide;
        end = current.wordCount();
        at = 0;
    }

    /** Ends the parser at the end of the stream or after an error. */
    private void end(Session current, boolean isIntact) {
        session = null;
        if (isIntact && guard.release()) {
            current.give();
        } else {
            guard.close();
        }
        closeFile();
    }

    private IllegalStateException notOpen() {
        return new IllegalStateException(
                isEnded ? "the parser is at the end of its stream" : "the parser is closed");
    }

    /**
     * Returns the kind of the event.
     *
     * @return the kind; null before the first event
     */
    public @Nullable EventKind kind() {
        return kind == 0 ? null : EventKind.of(kind);
    }

    /**
     * Returns the content of a scalar, the name of an anchor or alias, the tag, or the line of a
     * directive.
     *
     * @return the text; null for other events
     * @throws IllegalStateException if the stream has ended
     */
    public @Nullable String text() {
        if (session == null) {
            throw notOpen();
        }
        return textOf(text, textLength);
    }

    private @Nullable String textOf(long token, int length) {
        int start = Token.offset(token);
        return switch (Token.kind(token)) {
            case Token.KEY -> (String) keys[start];
            case Token.ASCII -> JavaBuilder.latin1(input, start, length);
            case Token.WIDE -> new String(wide, start, length);
            case Token.UTF8 -> new String(input, start, length, StandardCharsets.UTF_8);
            case Token.KEPT_ASCII -> JavaBuilder.latin1(kept, start, length);
            case Token.KEPT_UTF8 -> new String(kept, start, length, StandardCharsets.UTF_8);
            default -> null;
        };
    }

    /**
     * Returns the type of a scalar by its tag or, for a plain one without a tag, by the schema.
     *
     * @return the type; {@link ScalarType#STR} for other events
     */
    public ScalarType type() {
        return ScalarType.ofNumber(type);
    }

    /**
     * Returns the value of a scalar, as {@link Yaml#load(String)} makes it; its text if the type is
     * {@link ScalarType#INVALID}.
     *
     * @return the value; the text of other events
     * @throws IllegalStateException if the stream has ended
     */
    public @Nullable Object value() {
        return switch (type()) {
            case NULL -> null;
            case BOOL -> booleanValue();
            case FLOAT -> doubleValue();
            case INT, TIMESTAMP, BINARY -> convert();
            default -> text();
        };
    }

    private Object convert() {
        long first = word();
        if (type == INT) {
            return Integers.narrowest(first);
        }
        if (type == TIMESTAMP) {
            return JavaBuilder.time((int) (first >>> 8), words[value + 1], words[value + 2]);
        }
        int length = Token.length(first);
        boolean isLong = length == Token.LONG_LENGTH;
        length = isLong ? (int) words[value + 1] : length;
        if (type == BIG_INT) {
            return JavaBuilder.bigInteger(textOf(first, length), words[value + (isLong ? 2 : 1)]);
        }
        int start = Token.offset(first);
        return Arrays.copyOfRange(kept, start, start + length);
    }

    /** Returns the first word of the value. */
    private long word() {
        if (session == null) {
            throw notOpen();
        }
        return words[value];
    }

    /**
     * Returns the value of a {@link ScalarType#BOOL}.
     *
     * @return the value; false for other events
     */
    public boolean booleanValue() {
        return type == TRUE;
    }

    /**
     * Returns whether the event is a {@link ScalarType#INT} that a {@code long} holds.
     *
     * @return whether it is
     */
    public boolean isLong() {
        return type == INT;
    }

    /**
     * Returns the value of an {@link ScalarType#INT} of which {@link #isLong} is true.
     *
     * @return the value; 0 for other events
     */
    public long longValue() {
        return type == INT ? word() : 0;
    }

    /**
     * Returns the value of a {@link ScalarType#FLOAT}.
     *
     * @return the value; 0 for other events
     */
    public double doubleValue() {
        return type == FLOAT ? Double.longBitsToDouble(word()) : 0;
    }

    /**
     * Returns the line that the event starts on, counted from 1. This is cheap if called for each
     * event.
     *
     * @return the line; 0 if it is not known
     */
    public long line() {
        return location != 0 ? location & 0xffff_ffffL : lines.at(input, offset).line();
    }

    /**
     * Returns the column that the event starts at in characters (Unicode scalar values), counted
     * from 1.
     *
     * @return the column; 0 if it is not known
     */
    public long column() {
        return location != 0 ? location >>> 32 : lines.at(input, offset).column();
    }

    /**
     * Returns whether a collection that starts is in flow style.
     *
     * @return whether it is
     */
    public boolean isFlow() {
        return (flags & 1) != 0;
    }

    /**
     * Returns whether the marker of a document, {@code ---} or {@code ...}, is written.
     *
     * @return whether it is
     */
    public boolean isExplicit() {
        return (flags & 2) != 0;
    }

    /**
     * Returns where the event starts in the input, in characters (Unicode scalar values). Counting
     * them takes time.
     *
     * @return the offset; -1 for a file, stream or reader, or if the input is in UTF-16 or UTF-32
     */
    public long charOffset() {
        return location != 0 ? -1 : lines.at(input, offset).chars();
    }

    /**
     * Returns where the event starts in the input's UTF-8 form, in bytes.
     *
     * @return the offset
     */
    public long offset() {
        return offset;
    }

    /**
     * Returns the length of the event in the input's UTF-8 form, in bytes.
     *
     * @return the length
     */
    public long length() {
        return length;
    }

    /**
     * Frees the parser's native memory. Otherwise this happens when the parser is
     * garbage-collected. Any thread may call this, and so may the parser's own stream. A call that is
     * in progress then throws an {@link IllegalStateException}, and so does each later one, unless the
     * stream has ended before.
     */
    @Override
    public void close() {
        Session ended = session;
        if (ended == null) {
            return;
        }
        session = null;
        if (guard.release()) {
            // A thread that sets isShared after this finds no session.
            recycle(ended, isShared || reader != Thread.currentThread());
        } else {
            guard.close();
        }
        closeFile();
    }

    /**
     * Returns a session to the pool. Another thread may still be reading an event from the words, so
     * this parser keeps them, and also the table of keys if another thread may write to it.
     */
    private void recycle(Session ended, boolean copiesKeys) {
        YamlParser rest = this;
        if (copiesKeys) {
            ended.builder.copyKeys();
            rest = new YamlParser(input, null, ended);
            rest.take(ended);
        }
        // The table needs all keys that native code has defined.
        while (rest.at < rest.end) {
            rest.read();
        }
        ended.renewArrays();
        ended.give();
    }

    private void closeFile() {
        if (file != null) {
            try {
                file.close();
            } catch (IOException ofClosing) {
                // What has been read is complete.
            }
        }
    }
}
