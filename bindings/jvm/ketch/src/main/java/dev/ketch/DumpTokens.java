package dev.ketch;

import static dev.ketch.DumpToken.*;

import dev.ketch.internal.Times;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ref.Cleaner;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.function.Supplier;

/** Passes tokens to native code, some thousands at a time, and the text that it returns to a stream. */
final class DumpTokens implements AutoCloseable {
    /** Tokens that are not held are passed on once there are this many words, or bytes of texts. */
    private static final int MAX_WORDS = 1 << 13;

    private static final int MAX_BYTES = 1 << 16;
    /** The maximum for tokens that are held. */
    private static final int MAX_HELD_WORDS = 1 << 18;

    private static final int MAX_HELD_BYTES = 1 << 22;
    private static final int MAX_WORDS_PER_VALUE = 4;
    private static final int FEW_WORDS = 1 << 7;
    private static final int FEW_BYTES = 1 << 10;
    private static final int SHORT_CHARS = 32;
    private static final int ANCHOR_BITS = 32;
    private static final int SECONDS_PER_MINUTE = 60;

    private static final Cleaner CLEANER = Cleaner.create();

    private final DumpOptions options;
    private final Guard guard = new Guard(this::free);
    /** The file to replace, or null. */
    private final Path path;
    private final OutputStream out;
    /** The native writer; 0 until the first tokens are passed on. */
    private long handle;

    private Cleaner.Cleanable cleanable;
    private long[] words = new long[FEW_WORDS];
    private int wordCount;
    private byte[] bytes = new byte[FEW_BYTES];
    private int byteCount;
    private boolean isHeld;
    private int heldWords;
    private int heldBytes;

    /** Writes to a stream, or to a file if the stream is null. */
    DumpTokens(DumpOptions options, Path path, OutputStream out) {
        Native.load();
        this.options = options;
        this.path = path;
        this.out = out;
    }

    private void open() {
        handle = NativeDump.create(options.numbers, path == null ? null : nameOf(path));
        if (handle == 0) {
            throw new OutOfMemoryError("Ketch: no native memory");
        }
        cleanable = CLEANER.register(this, new Destroy(handle));
    }

    private void free() {
        if (cleanable != null) {
            cleanable.clean();
        }
    }

    private record Destroy(long handle) implements Runnable {
        @Override
        public void run() {
            NativeDump.destroy(handle);
        }
    }

    /**
     * Returns the absolute name of a file as the system has it, which is not always valid in the
     * encoding of the locale.
     */
    static byte[] nameOf(Path path) {
        String encoded = path.toAbsolutePath().toUri().getRawPath();
        ByteArrayOutputStream name = new ByteArrayOutputStream();
        for (int i = 0; i < encoded.length(); i++) {
            char unit = encoded.charAt(i);
            if (unit == '%') {
                unit = (char) Integer.parseInt(encoded, i + 1, i + 3, 16);
                i += 2;
            }
            name.write(unit);
        }
        return name.toByteArray();
    }

    void word(int kind, long number) throws IOException {
        if (wordCount > words.length - MAX_WORDS_PER_VALUE) {
            makeSpace();
        }
        words[wordCount++] = kind | number << 8;
    }

    private void makeSpace() throws IOException {
        if (!isHeld && wordCount >= MAX_WORDS) {
            flush();
        } else {
            words = Arrays.copyOf(words, 2 * words.length);
        }
    }

    // Tokens that are held.

    /** Holds the next tokens, which may then be changed, until they are released or dropped. */
    void hold() throws IOException {
        if (wordCount >= MAX_WORDS || byteCount >= MAX_BYTES) {
            flush();
        }
        isHeld = true;
        heldWords = wordCount;
        heldBytes = byteCount;
    }

    boolean isOverfull() {
        return isHeld && (wordCount >= MAX_HELD_WORDS || byteCount >= MAX_HELD_BYTES);
    }

    void release() {
        isHeld = false;
    }

    /** Drops the tokens that are held. */
    void drop() {
        isHeld = false;
        wordCount = heldWords;
        byteCount = heldBytes;
    }

    /** Returns the place of the next token. */
    int place() {
        return wordCount;
    }

    /** Starts a collection with a numbered anchor, or 0 for none. */
    void start(int kind, int anchor) throws IOException {
        word(kind, (long) anchor << ANCHOR_BITS - 8);
    }

    /** Gives an anchor to the collection that starts at this place. */
    void setAnchor(int place, int anchor) {
        words[place] |= (long) anchor << ANCHOR_BITS;
    }

    /** Sets the number of the alias at this place. */
    void setAlias(int place, int anchor) {
        words[place] = DumpToken.ALIAS | (long) anchor << 8;
    }

    // Scalars.

    void integer(long value) throws IOException {
        word(INT, 0);
        words[wordCount++] = value;
    }

    void floating(double value) throws IOException {
        word(FLOAT, 0);
        words[wordCount++] = Double.doubleToRawLongBits(value);
    }

    /** Writes the digits of the float, which are fewer than those of the equal double. */
    void floating(float value) throws IOException {
        floating(Double.parseDouble(Float.toString(value)));
    }

    void decimal(BigDecimal value) throws IOException {
        String digits = value.toString();
        // YAML 1.1 needs the point. A zero after it would change the scale.
        boolean needsPoint = digits.indexOf('E') >= 0 && digits.indexOf('.') < 0;
        text(PLAIN, needsPoint ? digits.replace("E", ".E") : digits);
    }

    /** Writes a day or a time. Returns false for other objects. */
    boolean timestamp(Object value) throws IOException {
        if (value instanceof LocalDate day) {
            timestamp(2, Times.seconds(day), 0, 0);
        } else if (value instanceof LocalDateTime time) {
            timestamp(1, time.toEpochSecond(ZoneOffset.UTC), time.getNano(), 0);
        } else if (value instanceof OffsetDateTime time) {
            int seconds = time.getOffset().getTotalSeconds();
            // YAML only has offsets of whole minutes. The instant is the same.
            int minutes = seconds % 60 == 0 ? seconds / 60 : 0;
            timestamp(0, time.toEpochSecond(), time.getNano(), minutes);
        } else if (value instanceof Instant time) {
            timestamp(0, time.getEpochSecond(), time.getNano(), 0);
        } else {
            return false;
        }
        return true;
    }

    void timestamp(int form, long seconds, int nanoseconds, int minutes) throws IOException {
        if (!Times.hasValidYear(seconds + SECONDS_PER_MINUTE * minutes)) {
            throw new IllegalArgumentException("YAML timestamps support only the years 0 to 9999");
        }
        if (!Times.areNanosAndOffset(nanoseconds, minutes)) {
            throw new IllegalArgumentException("expected 0 to 999,999,999 nanoseconds and an offset of"
                    + " less than a day, not " + nanoseconds + " and " + minutes + " minutes");
        }
        word(TIMESTAMP, form);
        words[wordCount++] = seconds;
        words[wordCount++] = nanoseconds & 0xffff_ffffL | (long) minutes << 32;
    }

    void text(int kind, String text) throws IOException {
        int length = text.length();
        if (length <= SHORT_CHARS && isAscii(text, length)) {
            shortText(kind, text, length);
            return;
        }
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        // Java writes `?` for half of a surrogate pair.
        if (contains(encoded, (byte) '?') && Source.loneSurrogate(text) >= 0) {
            throw new IllegalArgumentException(
                    "half of a surrogate pair is not a character: check how the text was cut");
        }
        bytes(kind, encoded);
    }

    private static boolean isAscii(String text, int length) {
        int all = 0;
        for (int i = 0; i < length; i++) {
            all |= text.charAt(i);
        }
        return all < 0x80;
    }

    /** Writes a text in ASCII, without an array of its own. */
    @SuppressWarnings("deprecation")
    private void shortText(int kind, String text, int length) throws IOException {
        startBytes(kind, length);
        text.getBytes(0, length, bytes, byteCount);
        byteCount += length;
    }

    private static boolean contains(byte[] bytes, byte wanted) {
        for (byte unit : bytes) {
            if (unit == wanted) {
                return true;
            }
        }
        return false;
    }

    void bytes(int kind, byte[] value) throws IOException {
        startBytes(kind, value.length);
        System.arraycopy(value, 0, bytes, byteCount, value.length);
        byteCount += value.length;
    }

    /** Starts a token with this number of bytes, for which there is space afterwards. */
    private void startBytes(int kind, int length) throws IOException {
        if (byteCount >= MAX_BYTES && !isHeld) {
            flush();
        }
        word(kind, length);
        if (bytes.length - byteCount < length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, byteCount + length));
        }
    }

    /** Writes the tokens so far, except for text that depends on later ones. */
    void flush() throws IOException {
        emit(call(() -> NativeDump.write(handle, words, wordCount, bytes, byteCount)));
        wordCount = 0;
        byteCount = 0;
        if (bytes.length > MAX_BYTES * 4) {
            bytes = new byte[MAX_BYTES];
        }
        if (words.length > MAX_WORDS * 4) {
            words = new long[MAX_WORDS];
        }
    }

    /** Writes the remaining text, or puts the file in place. */
    void finish() throws IOException {
        byte[] text = handle == 0 && path == null ? once() : null;
        if (text != null) {
            emit(text);
            return;
        }
        flush();
        emit(call(() -> NativeDump.finish(handle)));
    }

    /** Returns the whole text; null if that fails, and the native writer has to report why. */
    private byte[] once() {
        guard.enter();
        try {
            return NativeDump.once(options.numbers, words, wordCount, bytes, byteCount);
        } finally {
            guard.exit();
        }
    }

    private byte[] call(Supplier<byte[]> writing) throws IOException {
        guard.enter();
        try {
            if (handle == 0) {
                open();
            }
            return checked(writing.get());
        } catch (InternalException panic) {
            // What was written may be incomplete.
            guard.close();
            throw panic;
        } finally {
            guard.exit();
        }
    }

    /** Frees the native part. A file that is not finished is left as it was. */
    @Override
    public void close() {
        guard.close();
    }

    private void emit(byte[] text) throws IOException {
        if (text.length > 0) {
            out.write(text);
        }
    }

    /** Returns the text. If there is none, throws the exception that explains why. */
    private byte[] checked(byte[] text) throws IOException {
        if (text != null) {
            return text;
        }
        byte[] error = NativeDump.error(handle);
        if (error.length == 0) {
            throw new InternalException("there is neither a text nor an error");
        }
        String problem = new String(error, 1, error.length - 1, StandardCharsets.UTF_8);
        if (error[0] == 'f') {
            throw new FileSystemException(String.valueOf(path), null, problem);
        }
        if (error[0] == 'm') {
            throw new OutOfMemoryError("Ketch: no native memory");
        }
        throw new IllegalArgumentException(problem);
    }
}
