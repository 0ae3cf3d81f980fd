package dev.ketch;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A compiled regular expression with Ruby's rules. Any number of threads may use it. Positions in a text count its
 * bytes; each search copies the text.
 */
public final class Regex {
    /** The numbers of encodings. Any other number is that of an encoding that the engine does not know. */
    public static final int BINARY = 0;

    /** The number of UTF-8. */
    public static final int UTF8 = 1;

    /** The number of US-ASCII. */
    public static final int ASCII = 2;

    /** The number of some other encoding. */
    public static final int OTHER = 3;

    /** How to search, in the order of regex.rs. */
    public enum How {
        /** Only determines whether there is a match. */
        TEST,
        /** Finds the first match from a position on. */
        FORWARD,
        /** Finds the last match that starts at or before a position. */
        BACKWARD,
        /** Finds a match that starts at a position. */
        HERE
    }

    /** What a walk yields, in the order of walk.rs. */
    public enum Which {
        /** The start and end of each group of each match; -1 for a group that is not set. */
        MATCHES,
        /** The start and end of each part between matches, as Ruby's {@code split} returns them. */
        PARTS,
        /** The start of each line, its end, and its end without the separator. */
        LINES
    }

    /** The strings that a pattern matches. */
    public enum Kind { ANY, HISTORICAL, UTF8, BINARY, CONVERTED, WIDE }

    /** The name of groups, and their numbers. */
    public record Name(String name, int[] groups) {}

    /** A text: the bytes of an array from {@code begin} on. */
    public record Text(byte[] bytes, int begin, int length, boolean isBinary) {
        /** Checks the range, which native code relies on. */
        public Text {
            Objects.checkFromIndexSize(begin, length, bytes.length);
        }
    }

    /** A time limit in seconds, or 0 for none, and what is called in the middle of a search. */
    public record Watch(double seconds, Runnable poller) {}

    private static final Cleaner CLEANER = Cleaner.create();
    private static final int BINARY_BIT = 1 << 8;
    private static final int PATTERN_BYTES = 8192;
    private static final int BYTES_PER_BYTE = 40;

    private final long handle;
    private final int encoding;
    private final int options;
    private final Kind kind;
    private final int groups;
    private final String notLinear;
    private final int notLinearColumn;
    private final List<Name> names = new ArrayList<>();

    private Regex(long handle, int bytes) throws RegexFailure {
        this.handle = handle;
        CLEANER.register(this, new Free(handle, bytes));
        NativeMemory.add(bytes);
        ByteBuffer in = ByteBuffer.wrap(NativeRegex.facts(handle));
        encoding = (int) Failure.number(in);
        options = (int) Failure.number(in);
        kind = Kind.valueOf(Failure.text(in).toUpperCase(java.util.Locale.ROOT));
        groups = (int) Failure.number(in);
        notLinear = Failure.text(in);
        notLinearColumn = (int) Failure.number(in);
        while (in.hasRemaining()) {
            String name = Failure.text(in);
            String[] numbers = Failure.text(in).split(" ");
            names.add(new Name(name, Arrays.stream(numbers).mapToInt(Integer::parseInt).toArray()));
        }
    }

    private record Free(long handle, int bytes) implements Runnable {
        @Override
        public void run() {
            NativeRegex.free(handle);
            NativeMemory.add(-bytes);
        }
    }

    /** The approximate number of bytes of native memory that patterns take, of which the collector knows nothing. */
    private static final class NativeMemory {
        private static final long LEAST = 64 << 20;
        private static final AtomicLong BYTES = new AtomicLong();
        private static volatile long most = LEAST;

        private NativeMemory() {}

        /** Counts bytes. If they have doubled since the last time, lets the collector find patterns to free. */
        static void add(int bytes) {
            if (BYTES.addAndGet(bytes) <= most || bytes < 0) {
                return;
            }
            most = Long.MAX_VALUE;
            System.gc();
            try {
                Thread.sleep(1);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            most = Math.max(LEAST, 2 * BYTES.get());
        }
    }

    /**
     * Compiles a pattern.
     *
     * @param encoding the number of the encoding of the source
     * @param isBroken whether the source is invalid in its encoding
     * @param converted the source in UTF-8 if the engine does not know its encoding, or null
     * @param extendsAscii whether the encoding extends ASCII
     * @param options the options of Ruby
     */
    public static Regex compile(byte[] source, int encoding, boolean isBroken, byte[] converted,
            boolean extendsAscii, int options) throws RegexFailure {
        long handle =
                NativeRegex.compile(source, encoding, isBroken, converted, extendsAscii, options);
        return new Regex(handle, PATTERN_BYTES + BYTES_PER_BYTE * source.length);
    }

    /** Returns the number of the encoding that the pattern has by Ruby's rules. */
    public int encoding() {
        return encoding;
    }

    /** Returns the options, with those that the pattern sets. */
    public int options() {
        return options;
    }

    /** Returns which strings the pattern matches. */
    public Kind kind() {
        return kind;
    }

    /** Returns the number of numbers for a match: two for each group, and for the match itself. */
    public int slots() {
        return 2 * (groups + 1);
    }

    /** Returns the names of groups. */
    public List<Name> names() {
        return names;
    }

    /** Returns the reason why a search may take more than linear time, or null. */
    public String notLinear() {
        return notLinear;
    }

    /** Returns the column of the part of the pattern that is the reason. */
    public int notLinearColumn() {
        return notLinearColumn;
    }

    /** Returns the numbers of the groups with a name, or null. */
    public int[] groupsOf(String name) {
        for (Name known : names) {
            if (known.name.equals(name)) {
                return known.groups;
            }
        }
        return null;
    }

    private static int number(Enum<?> which, Text text) {
        return which.ordinal() | (text.isBinary ? BINARY_BIT : 0);
    }

    /**
     * Searches a text from a position on.
     *
     * @param slots gets the start and end of each group; null for a test
     */
    public boolean search(Text text, int from, How how, Watch watch, int[] slots)
            throws RegexFailure {
        try {
            return NativeRegex.search(handle, number(how, text), text.bytes, text.begin,
                    text.length, Math.min(from, text.length), watch.seconds, watch.poller, slots);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Replaces the first matches in a text by a template. Returns null if there are none.
     *
     * @param slots gets the start and end of each group of the last match
     */
    public byte[] substitute(Text text, byte[] template, int most, Watch watch, int[] slots)
            throws RegexFailure {
        try {
            return NativeRegex.substitute(handle, number(Which.MATCHES, text), text.bytes,
                    text.begin, text.length, template, most, watch.seconds, watch.poller, slots);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Starts a walk through a copy of a text.
     *
     * @param limit the maximum number of parts, as of Ruby's {@code split}
     */
    public Walk walk(Which which, Text text, long limit, Watch watch) throws RegexFailure {
        int width = switch (which) {
            case MATCHES -> slots();
            case PARTS -> 2;
            case LINES -> 3;
        };
        try {
            long walk = NativeRegex.walk(handle, number(which, text), text.bytes, text.begin,
                    text.length, limit);
            return new Walk(walk, width, watch);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Prepares the lines of a stream. */
    public Lines lines(InputStream in, long maxLineBytes, boolean chomps, Watch watch)
            throws RegexFailure {
        try {
            return new Lines(NativeRegex.lines(handle, maxLineBytes, chomps), Feed.of(in), watch);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** A walk through a text. It yields chunks of results, which grow. One thread may use it, and has to close it. */
    public static final class Walk implements AutoCloseable {
        private static final int MOST = 256;

        private final long walk;
        private final int width;
        private final Watch watch;
        private int[] slots = {};
        private int count;
        private int at;

        private Walk(long walk, int width, Watch watch) {
            this.walk = walk;
            this.width = width;
            this.watch = watch;
        }

        /** Advances to the next result. */
        public boolean next() throws RegexFailure {
            if (++at < count) {
                return true;
            }
            if (slots.length < MOST * width) {
                slots = new int[Math.min(Math.max(2 * slots.length, width), MOST * width)];
            }
            watch.poller.run();
            count = NativeRegex.next(walk, width, watch.seconds, watch.poller, slots);
            at = 0;
            return count > 0;
        }

        /** Returns a number of the current result. */
        public int get(int number) {
            return slots[at * width + number];
        }

        /** Returns the numbers of the current result. */
        public int[] numbers() {
            return Arrays.copyOfRange(slots, at * width, (at + 1) * width);
        }

        @Override
        public void close() throws RegexFailure {
            NativeRegex.closeWalk(walk);
        }
    }

    /** The lines of a stream. One thread may use them, and has to close them. */
    public static final class Lines implements AutoCloseable {
        private final long lines;
        private final Feed feed;
        private final Watch watch;

        private Lines(long lines, Feed feed, Watch watch) {
            this.lines = lines;
            this.feed = feed;
            this.watch = watch;
        }

        /** Returns the next line, or null at the end. */
        public byte[] next() throws RegexFailure, IOException {
            return NativeRegex.nextLine(lines, feed, feed.buffer, watch.seconds, watch.poller);
        }

        @Override
        public void close() throws RegexFailure {
            NativeRegex.closeLines(lines);
        }
    }
}
