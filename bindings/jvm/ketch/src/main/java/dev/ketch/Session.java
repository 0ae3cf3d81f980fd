package dev.ketch;

import java.lang.ref.Cleaner;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A native loader with the Java side of its state: the table of keys is in both, so they stay
 * together. Sessions wait in a small pool; one that has seen an exception of Java's is not used
 * again, since its tables may differ.
 */
final class Session {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final AtomicReferenceArray<Session> POOL = new AtomicReferenceArray<>(16);
    private static final int USUAL_WORDS = 1 << 14;
    private static final int USUAL_BYTES = 1 << 14;
    private static final int MOST_KEPT = 1 << 17;

    private final long handle;
    private final Cleaner.Cleanable cleanable;
    private final Builder builder = new Builder();
    long[] words = new long[USUAL_WORDS];
    byte[] kept = new byte[USUAL_BYTES];
    private long counts;

    private Session() {
        handle = Native.create();
        if (handle == 0) {
            throw new IllegalStateException("the native part of Ketch has failed to start");
        }
        cleanable = CLEANER.register(this, new Destroy(handle));
    }

    private record Destroy(long handle) implements Runnable {
        @Override
        public void run() {
            Native.destroy(handle);
        }
    }

    /** A session that nobody else uses. */
    static Session take() {
        int start = (int) Thread.currentThread().getId() & POOL.length() - 1;
        for (int i = 0; i < POOL.length(); i++) {
            int at = start + i & POOL.length() - 1;
            Session session = POOL.get(at) == null ? null : POOL.getAndSet(at, null);
            if (session != null) {
                return session;
            }
        }
        return new Session();
    }

    /** Returns a session whose last load has ended, with a value or an error of the input. */
    void give() {
        check(Native.end(handle));
        if (words.length > MOST_KEPT) {
            words = new long[USUAL_WORDS];
        }
        if (kept.length > MOST_KEPT) {
            kept = new byte[USUAL_BYTES];
        }
        int start = (int) Thread.currentThread().getId() & POOL.length() - 1;
        for (int i = 0; i < POOL.length(); i++) {
            if (POOL.compareAndSet(start + i & POOL.length() - 1, null, this)) {
                return;
            }
        }
        close();
    }

    /** Frees the native loader. */
    void close() {
        cleanable.clean();
    }

    /** The values of all documents. */
    static List<Object> load(byte[] input, int offset, int length, Options options, boolean onlyOne) {
        Session session = take();
        boolean isIntact = false;
        try {
            session.open(input, offset, length, options);
            List<Object> values = session.values(input, offset, onlyOne);
            isIntact = true;
            return values;
        } catch (YamlException error) {
            isIntact = true;
            throw error;
        } catch (StackOverflowError recursion) {
            throw tooDeep();
        } finally {
            if (isIntact) {
                session.builder.clear();
                session.give();
            } else {
                session.close();
            }
        }
    }

    private static LimitException tooDeep() {
        String problem = "a key is nested too deeply: Java computes its hash recursively";
        String help = "Lower max_depth, or run with a larger -Xss.";
        String message = problem + "\n" + help;
        return new LimitException(new Failure(
                "limit", message, problem, "NestingTooDeep", help, "max_depth", 0, 0, 0, 0, "", 0, 0));
    }

    private List<Object> values(byte[] input, int offset, boolean onlyOne) {
        builder.start(input, offset);
        while (next()) {
            if (builder.chunk(words, wordCount(), kept) == Builder.Outcome.DUPLICATE) {
                if (builder.isWhole()) {
                    throw equalInJava();
                }
                builder.restart();
                check(Native.restart(handle));
            }
        }
        if (onlyOne && builder.documents.size() > 1) {
            throw Failure.read(Native.severalDocuments(handle));
        }
        return new ArrayList<>(builder.documents);
    }

    /** Java may take keys as equal that YAML keeps apart. */
    private static YamlException equalInJava() {
        String problem = "two keys of a mapping are equal in Java";
        String help = "Write keys that differ by more than how they are written.";
        String message = problem + "\n" + help;
        return new DuplicateKeyException(new Failure(
                "duplicate", message, problem, "DuplicateKey", help, null, 0, 0, 0, 0, "", 0, 0));
    }

    void open(byte[] input, int offset, int length, Options options) {
        byte[] file = options.fileName == null
                ? null
                : options.fileName.getBytes(StandardCharsets.UTF_8);
        counts = 0;
        check(Native.open(handle, input, offset, length, options.numbers, file));
    }

    /** Reads the next tokens. False at the end of the stream. */
    boolean next() {
        counts = check(Native.next(handle, words, kept));
        int wordCount = wordCount();
        int byteCount = (int) (counts >>> 32);
        if (wordCount > words.length || byteCount > kept.length) {
            words = new long[Math.max(wordCount, words.length)];
            kept = new byte[Math.max(byteCount, kept.length)];
            Native.again(handle, words, kept);
        }
        return wordCount > 0;
    }

    int wordCount() {
        return (int) counts;
    }

    private long check(long result) {
        if (result == Native.FAILED) {
            throw Failure.read(Native.error(handle));
        }
        if (result == Native.DEAD) {
            throw new IllegalStateException("the native part of Ketch has failed; please report it");
        }
        return result;
    }
}
