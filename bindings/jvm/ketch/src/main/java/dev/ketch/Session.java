package dev.ketch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Cleaner;
import java.lang.ref.SoftReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A native loader with the Java side of its state: the table of keys is in both, so they stay
 * together. Sessions wait in a small pool; a session in which Java threw an exception is not
 * reused, since its tables may differ.
 */
final class Session {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final int USUAL_WORDS = 1 << 14;
    private static final int USUAL_BYTES = 1 << 14;
    private static final int MOST_KEPT = 1 << 17;

    private final long handle;
    private final Cleaner.Cleanable cleanable;
    private final SessionPool pool;
    final Builder builder;
    long[] words = new long[USUAL_WORDS];
    byte[] kept = new byte[USUAL_BYTES];
    char[] wide = {};
    private final SoftReference<Session> reference = new SoftReference<>(this);
    /** The stream that native code reads from; null for an array. */
    private Feed feed;
    /** Ends the run of a program if its thread is interrupted; null if there is no run. */
    private Runnable poller;
    private long counts;
    /** Whether native code may have defined keys that Java has not read. */
    private boolean isAhead;

    Session(SessionPool pool, Builder builder) {
        this.pool = pool;
        this.builder = builder;
        Native.load();
        handle = Native.create();
        cleanable = CLEANER.register(this, new Destroy(handle));
    }

    private record Destroy(long handle) implements Runnable {
        @Override
        public void run() {
            Native.destroy(handle);
        }
    }

    /** Returns a session that builds values of Java. */
    static Session take() {
        return SessionPool.JAVA.take();
    }

    /**
     * Returns a session to the pool whose last load has ended, with a value or an input error. Nobody
     * else may use it any more.
     */
    void give() {
        feed = null;
        poller = null;
        check(Native.end(handle));
        if (words.length > MOST_KEPT) {
            words = new long[USUAL_WORDS];
        }
        if (kept.length > MOST_KEPT) {
            kept = new byte[USUAL_BYTES];
        }
        if (wide.length > MOST_KEPT) {
            wide = new char[0];
        }
        if (!pool.give(reference)) {
            close();
        }
    }

    /** Replaces the arrays, which somebody may still read. The new ones have space for an equal chunk. */
    void renewArrays() {
        words = new long[wordCount()];
        kept = new byte[(int) (counts >>> 32)];
        wide = new char[0];
    }

    /** Frees the native loader. No call may be in progress. */
    void close() {
        cleanable.clean();
    }

    /** Loads the values of all documents of an array. */
    static List<Object> load(byte[] input, int offset, int length, Options options, boolean onlyOne) {
        try {
            return use(SessionPool.JAVA, session -> {
                session.open(input, offset, length, options);
                return session.values(input, offset, options, onlyOne);
            });
        } catch (IOException noStream) {
            throw new UncheckedIOException(noStream);
        }
    }

    /**
     * Returns the values of all documents of an array in UTF-8, with the positions of their parts.
     */
    static List<Located> located(byte[] input, Options options, boolean onlyOne) {
        try {
            return use(SessionPool.JAVA, session -> {
                session.open(input, 0, input.length, options.forPositions());
                return session.located(input, options.fileName, onlyOne);
            });
        } catch (IOException noStream) {
            throw new UncheckedIOException(noStream);
        }
    }

    private List<Located> located(byte[] input, String file, boolean onlyOne) throws IOException {
        Marks marks = new Marks();
        builder.start(input, 0, DuplicateKeys.ERROR);
        // Documents, from the first token on.
        builder.restart();
        while (next()) {
            marks.chunk(words, wordCount());
            if (!build()) {
                throw equalInJava();
            }
        }
        if (onlyOne && builder.documents.size() > 1) {
            throw Failure.read(Native.severalDocuments(handle));
        }
        Text text = new Text(input, file);
        List<Located> all = new ArrayList<>();
        for (int i = 0; i < builder.documents.size(); i++) {
            all.add(new Located(builder.documents.get(i), marks.documents.get(i), text));
        }
        return all;
    }

    /** Loads the values of all documents of a stream. */
    static List<Object> load(Feed feed, Options options, boolean onlyOne) throws IOException {
        return use(SessionPool.JAVA, session -> {
            session.openStream(feed, options, true);
            return session.values(null, 0, options, onlyOne);
        });
    }

    /** Passes the values of the documents of a stream to a consumer, one at a time. */
    static void forEach(Feed feed, Options options, Consumer<Object> consumer) throws IOException {
        use(SessionPool.JAVA, session -> {
            session.openDocuments(feed, options);
            while (session.nextDocuments()) {
                session.documents().forEach(consumer);
            }
            return null;
        });
    }

    /** Checks the syntax of all documents of an array. */
    static void checkSyntax(byte[] input, Options options) {
        try {
            use(SessionPool.JAVA, session -> {
                session.open(input, 0, input.length, options.forSyntax());
                return session.next();
            });
        } catch (IOException noStream) {
            throw new UncheckedIOException(noStream);
        }
    }

    /** Checks the syntax of all documents of a stream. */
    static void checkSyntax(Feed feed, Options options) throws IOException {
        use(SessionPool.JAVA, session -> {
            session.openStream(feed, options.forSyntax(), false);
            return session.next();
        });
    }

    interface Load<T> {
        T run(Session session) throws IOException;
    }

    /**
     * Runs a task with a session, which returns to the pool unless something other than YAML fails.
     */
    static <T> T use(SessionPool pool, Load<T> load) throws IOException {
        Session session = pool.take();
        boolean isIntact = false;
        try {
            T result = load.run(session);
            isIntact = true;
            return result;
        } catch (YamlException error) {
            // The stream's exception comes from inside a native call.
            isIntact = session.feed == null && !session.isAhead
                    && !(error instanceof InternalException);
            throw error;
        } finally {
            if (isIntact) {
                session.giveBack();
            } else {
                session.close();
            }
        }
    }

    /** Forgets the values, and returns the session to the pool. */
    void giveBack() {
        builder.clear();
        give();
    }

    static LimitException tooDeep() {
        String problem = "a key is nested too deeply: Java computes its hash recursively";
        String help = "Lower `max_depth`, or run with a larger -Xss.";
        String message = problem + "\n" + help;
        return new LimitException(new Failure(
                "limit", message, problem, "NestingTooDeep", help, "max_depth", 0, 0, 0, 0, "", 0, 0));
    }

    List<Object> values(byte[] input, int offset, Options options, boolean onlyOne)
            throws IOException {
        builder.start(input, offset, options.duplicateKeys());
        while (next()) {
            if (!build()) {
                if (builder.isWhole()) {
                    throw equalInJava();
                }
                builder.restart();
                check(Native.restart(handle));
                isAhead = false;
            }
        }
        if (onlyOne && builder.documents.size() > 1) {
            throw Failure.read(Native.severalDocuments(handle));
        }
        return new ArrayList<>(builder.documents);
    }

    /** Opens a stream whose documents are read one after another. */
    void openDocuments(Feed stream, Options options) throws IOException {
        openStream(stream, options, false);
        builder.start(null, 0, DuplicateKeys.ERROR);
    }

    /** Reads the next {@link #documents}. Returns false at the end of the stream. */
    boolean nextDocuments() throws IOException {
        builder.documents.clear();
        if (!next()) {
            return false;
        }
        if (!build()) {
            throw equalInJava();
        }
        return true;
    }

    /** Builds values from the last tokens. Returns false if two keys of a mapping are equal. */
    private boolean build() {
        isAhead = true;
        try {
            isAhead = builder.chunk(words, wordCount(), kept, wide) == Builder.Outcome.DUPLICATE;
            return !isAhead;
        } catch (StackOverflowError recursion) {
            throw tooDeep();
        }
    }

    /** Returns the documents that were read last. */
    List<Object> documents() {
        return builder.documents;
    }

    /** Returns the exception for keys that are different in YAML, but equal in Java. */
    static YamlException equalInJava() {
        String problem = "two keys of a mapping are equal in Java";
        String help = "Write keys that differ in value, not only in notation.";
        String message = problem + "\n" + help;
        return new DuplicateKeyException(new Failure(
                "duplicate", message, problem, "DuplicateKey", help, null, 0, 0, 0, 0, "", 0, 0));
    }

    void open(byte[] input, int offset, int length, Options options) {
        counts = 0;
        check(Native.open(handle, input, offset, length, options.numbers, options.fileNameUtf8()));
    }

    /** Opens a stream; reads it to its end first if {@code isWhole}. */
    void openStream(Feed stream, Options options, boolean isWhole) throws IOException {
        counts = 0;
        feed = stream;
        byte[] name = options.fileNameUtf8();
        check(Native.openStream(handle, stream, stream.buffer, options.numbers, name, isWhole));
        if (isWhole) {
            feed = null;
        }
    }

    /** Calls a function with a session that is returned afterwards. */
    static <T> T call(Load<T> load) {
        try {
            return use(SessionPool.JAVA, load);
        } catch (IOException noStream) {
            throw new UncheckedIOException(noStream);
        }
    }

    /** Compiles a program, and returns its address. */
    long compile(byte[] texts) {
        return check(NativeQuery.compile(handle, texts));
    }

    /** Starts a run of a program, whose results are read as documents. */
    void run(long program, byte[] text, Options options, byte[] settings) {
        counts = 0;
        poller = builder::pollRun;
        long result = NativeQuery.run(handle, program, text, options.numbers, options.fileNameUtf8(), settings);
        if (result == Native.DEAD) {
            throw wrongSetting(settings);
        }
        check(result);
        builder.start(null, 0, DuplicateKeys.ERROR);
    }

    /** Edits a text by a program. */
    byte[] edit(long program, byte[] text, Options options, byte[] settings, Runnable polled) {
        byte[] name = options.fileNameUtf8();
        byte[] edited = NativeQuery.edit(handle, program, text, options.numbers, name, settings, polled);
        if (edited != null) {
            return edited;
        }
        byte[] error = Native.error(handle);
        throw error.length == 0 ? wrongSetting(settings) : Failure.read(error);
    }

    private static RuntimeException wrongSetting(byte[] settings) {
        String shown = new String(settings, StandardCharsets.UTF_8).replace('\n', ' ');
        return new IllegalArgumentException("there is no such setting, or it has no such value: " + shown);
    }

    /** Reads the next tokens. Returns false at the end of the stream. */
    boolean next() throws IOException {
        byte[] buffer = feed == null ? null : feed.buffer;
        counts = check(Native.next(handle, words, kept, feed, buffer, poller));
        int wordCount = wordCount();
        int byteCount = (int) (counts >>> 32);
        if (wordCount > words.length || byteCount > kept.length) {
            words = new long[Math.max(wordCount, words.length)];
            kept = new byte[Math.max(byteCount, kept.length)];
            check(Native.again(handle, words, kept));
        }
        // The sign of the lower half says whether there are wide texts.
        if ((int) counts < 0) {
            readWide();
        }
        return wordCount > 0;
    }

    private void readWide() {
        int count = (int) check(Native.wide(handle, wide));
        if (count > wide.length) {
            wide = new char[count];
            check(Native.wide(handle, wide));
        }
    }

    int wordCount() {
        return (int) counts & Integer.MAX_VALUE;
    }

    private long check(long result) {
        if (result == Native.FAILED) {
            throw Failure.read(Native.error(handle));
        }
        return Native.checkIntact(result);
    }
}
