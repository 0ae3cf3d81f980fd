package dev.ketch;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Loads and writes YAML 1.2.
 *
 * <pre>{@code
 * Yaml.load("masts: [main, mizzen]\nlaunched: 1902\n"); // {masts=[main, mizzen], launched=1902}
 * }</pre>
 *
 * <p>A mapping becomes a {@link java.util.LinkedHashMap}, a sequence an {@link
 * java.util.ArrayList}, an integer the narrowest of {@link Integer}, {@link Long} and {@link
 * java.math.BigInteger}; a float is a {@link Double}, {@code !!binary} a {@code byte[]}, a
 * timestamp a {@link java.time.LocalDate}, {@link java.time.LocalDateTime} or {@link
 * java.time.OffsetDateTime}, and a value with a tag that YAML does not know a {@link Tagged}. An
 * alias is the same object as its anchor's, so a collection can contain itself. No objects of
 * classes that the text names are created.
 */
public final class Yaml {
    private static final Loader LOADER = new Loader(Options.DEFAULT);
    private static final Dumper DUMPER = new Dumper(DumpOptions.DEFAULT);

    private Yaml() {}

    /**
     * Loads with options.
     *
     * @param options the options
     * @return a loader
     */
    public static Loader with(Options options) {
        return new Loader(options);
    }

    /**
     * Loads the value of the only document.
     *
     * @param text YAML
     * @return the value; null for an empty stream
     * @throws YamlException if the text is not one document of valid YAML
     */
    public static @Nullable Object load(String text) {
        return LOADER.load(text);
    }

    /**
     * Loads the value of the only document.
     *
     * @param bytes YAML in UTF-8, UTF-16 or UTF-32; not changed during the call
     * @return the value; null for an empty stream
     * @throws YamlException if the bytes are not one document of valid YAML
     */
    public static @Nullable Object load(byte[] bytes) {
        return LOADER.load(bytes);
    }

    /**
     * Loads the value of the only document, in what remains of a buffer. Its position does not
     * change.
     *
     * @param buffer YAML in UTF-8, UTF-16 or UTF-32
     * @return the value; null for an empty stream
     * @throws YamlException if the bytes are not one document of valid YAML
     */
    public static @Nullable Object load(ByteBuffer buffer) {
        return LOADER.load(buffer);
    }

    /**
     * Loads the value of the only document of a file, whose name appears in errors.
     *
     * @param path the file
     * @return the value; null for an empty file
     * @throws IOException if the file cannot be read
     * @throws YamlException if it is not one document of valid YAML
     */
    public static @Nullable Object load(Path path) throws IOException {
        return LOADER.load(path);
    }

    /**
     * Loads the value of the only document of a stream, which is read to its end and not closed.
     *
     * @param in YAML in UTF-8, UTF-16 or UTF-32
     * @return the value; null for an empty stream
     * @throws IOException if the stream fails
     * @throws YamlException if it is not one document of valid YAML
     */
    public static @Nullable Object load(InputStream in) throws IOException {
        return LOADER.load(in);
    }

    /**
     * Loads the value of the only document of a reader, which is read to its end and not closed.
     *
     * @param in YAML
     * @return the value; null for an empty stream
     * @throws IOException if the reader fails
     * @throws YamlException if it is not one document of valid YAML
     */
    public static @Nullable Object load(Reader in) throws IOException {
        return LOADER.load(in);
    }

    /**
     * Loads the only document as an object of a class, as {@link
     * Located#as(Class)} does.
     *
     * @param <T> the class
     * @param text YAML
     * @param type the class
     * @return the object
     * @throws YamlException if this is not one document of valid YAML, or its value does not have the type
     */
    public static <T> T load(String text, Class<T> type) {
        return LOADER.load(text, type);
    }

    /**
     * Loads the only document as an object of a class, as {@link
     * Located#as(Class)} does.
     *
     * @param <T> the class
     * @param bytes YAML in UTF-8, UTF-16 or UTF-32
     * @param type the class
     * @return the object
     * @throws YamlException if this is not one document of valid YAML, or its value does not have the type
     */
    public static <T> T load(byte[] bytes, Class<T> type) {
        return LOADER.load(bytes, type);
    }

    /**
     * Loads the only document of a file, whose name appears in errors, as an object of a class, as {@link
     * Located#as(Class)} does.
     *
     * @param <T> the class
     * @param path the file
     * @param type the class
     * @return the object
     * @throws IOException if the file cannot be read
     * @throws YamlException if this is not one document of valid YAML, or its value does not have the type
     */
    public static <T> T load(Path path, Class<T> type) throws IOException {
        return LOADER.load(path, type);
    }

    /**
     * Loads the only document as an object of a class, as {@link
     * Located#as(Class)} does.
     *
     * @param <T> the class
     * @param in YAML in UTF-8, UTF-16 or UTF-32, which is read to its end and not closed
     * @param type the class
     * @return the object
     * @throws IOException if the stream fails
     * @throws YamlException if this is not one document of valid YAML, or its value does not have the type
     */
    public static <T> T load(InputStream in, Class<T> type) throws IOException {
        return LOADER.load(in, type);
    }

    /**
     * Loads the only document as an object of a class, as {@link
     * Located#as(Class)} does.
     *
     * @param <T> the class
     * @param in YAML, which is read to its end and not closed
     * @param type the class
     * @return the object
     * @throws IOException if the reader fails
     * @throws YamlException if this is not one document of valid YAML, or its value does not have the type
     */
    public static <T> T load(Reader in, Class<T> type) throws IOException {
        return LOADER.load(in, type);
    }

    /**
     * Loads the values of all documents.
     *
     * @param text YAML
     * @return a new list
     * @throws YamlException if the text is not valid YAML
     */
    public static List<@Nullable Object> loadAll(String text) {
        return LOADER.loadAll(text);
    }

    /**
     * Loads the values of all documents.
     *
     * @param bytes YAML in UTF-8, UTF-16 or UTF-32; not changed during the call
     * @return a new list
     * @throws YamlException if the bytes are not valid YAML
     */
    public static List<@Nullable Object> loadAll(byte[] bytes) {
        return LOADER.loadAll(bytes);
    }

    /**
     * Loads the values of all documents of a file, whose name appears in errors.
     *
     * @param path the file
     * @return a new list
     * @throws IOException if the file cannot be read
     * @throws YamlException if it is not valid YAML
     */
    public static List<@Nullable Object> loadAll(Path path) throws IOException {
        return LOADER.loadAll(path);
    }

    /**
     * Loads the values of all documents of a stream, which is read to its end and not closed.
     *
     * @param in YAML in UTF-8, UTF-16 or UTF-32
     * @return a new list
     * @throws IOException if the stream fails
     * @throws YamlException if it is not valid YAML
     */
    public static List<@Nullable Object> loadAll(InputStream in) throws IOException {
        return LOADER.loadAll(in);
    }

    /**
     * Loads the values of all documents of a reader, which is read to its end and not closed.
     *
     * @param in YAML
     * @return a new list
     * @throws IOException if the reader fails
     * @throws YamlException if it is not valid YAML
     */
    public static List<@Nullable Object> loadAll(Reader in) throws IOException {
        return LOADER.loadAll(in);
    }

    /**
     * Passes the values of all documents of a stream to a consumer, one after another, in memory
     * bounded by the longest document. The stream is not closed.
     *
     * @param in YAML in UTF-8, UTF-16 or UTF-32
     * @param consumer what to do with each value, as soon as its document is complete
     * @throws IOException if the stream fails
     * @throws YamlException if it is not valid YAML; documents before the error have been passed
     */
    public static void forEach(InputStream in, Consumer<@Nullable Object> consumer) throws IOException {
        LOADER.forEach(in, consumer);
    }

    /**
     * Passes the values of all documents of a reader to a consumer, one after another, in memory
     * bounded by the longest document. The reader is not closed.
     *
     * @param in YAML
     * @param consumer what to do with each value, as soon as its document is complete
     * @throws IOException if the reader fails
     * @throws YamlException if it is not valid YAML; documents before the error have been passed
     */
    public static void forEach(Reader in, Consumer<@Nullable Object> consumer) throws IOException {
        LOADER.forEach(in, consumer);
    }

    /**
     * Passes the values of all documents of a file to a consumer, one after another, in memory
     * bounded by the longest document.
     *
     * @param path the file, whose name appears in errors
     * @param consumer what to do with each value, as soon as its document is complete
     * @throws IOException if the file cannot be read
     * @throws YamlException if it is not valid YAML; documents before the error have been passed
     */
    public static void forEach(Path path, Consumer<@Nullable Object> consumer) throws IOException {
        LOADER.forEach(path, consumer);
    }

    /**
     * Returns the values of the documents of a stream, each of which is read when the result is
     * asked for it. Memory is bounded by the longest document. The stream is not closed; closing the
     * result frees native memory, which otherwise happens at the end or in garbage collection.
     *
     * <p>If the stream fails, the result throws an {@link java.io.UncheckedIOException}, and if a
     * document is not valid YAML, a {@link YamlException}, after the values before it.
     *
     * @param in YAML in UTF-8, UTF-16 or UTF-32
     * @return the values; not for use by several threads at once
     */
    public static Stream<@Nullable Object> stream(InputStream in) {
        return LOADER.stream(in);
    }

    /**
     * Returns the values of the documents of a reader, each of which is read when the result is
     * asked for it. Memory is bounded by the longest document. The reader is not closed; closing the
     * result frees native memory, which otherwise happens at the end or in garbage collection.
     *
     * <p>If the reader fails, the result throws an {@link java.io.UncheckedIOException}, and if a
     * document is not valid YAML, a {@link YamlException}, after the values before it.
     *
     * <pre>{@code
     * Yaml.stream(new StringReader("main\n--- mizzen\n--- jib")).limit(2).toList(); // [main, mizzen]
     * }</pre>
     *
     * @param in YAML
     * @return the values; not for use by several threads at once
     */
    public static Stream<@Nullable Object> stream(Reader in) {
        return LOADER.stream(in);
    }

    /**
     * Loads the value of the only document, with the positions of its parts. {@link
     * Loader#allLocated(String)} loads several documents.
     *
     * @param text YAML
     * @return the value and positions; the value is null for an empty stream
     * @throws YamlException if the text is not one document of valid YAML
     */
    public static Located located(String text) {
        return LOADER.located(text);
    }

    /**
     * Loads the value of the only document, with the positions of its parts.
     *
     * @param bytes YAML in UTF-8, UTF-16 or UTF-32
     * @return the value and positions; the value is null for an empty stream
     * @throws YamlException if the bytes are not one document of valid YAML
     */
    public static Located located(byte[] bytes) {
        return LOADER.located(bytes);
    }

    /**
     * Loads the value of the only document of a file, with the positions of its parts.
     *
     * @param path the file, whose name appears in positions and errors
     * @return the value and positions; the value is null for an empty file
     * @throws IOException if the file cannot be read
     * @throws YamlException if it is not one document of valid YAML
     */
    public static Located located(Path path) throws IOException {
        return LOADER.located(path);
    }

    /**
     * Starts to edit a text.
     *
     * @param text YAML
     * @return the text as it is edited
     * @throws YamlException if the text is not valid YAML
     */
    public static YamlEdit edit(String text) {
        return LOADER.edit(text);
    }

    /**
     * Starts to edit a text.
     *
     * @param bytes YAML in UTF-8, UTF-16 or UTF-32
     * @return the text as it is edited
     * @throws YamlException if the bytes are not valid YAML
     */
    public static YamlEdit edit(byte[] bytes) {
        return LOADER.edit(bytes);
    }

    /**
     * Starts to edit a file. Only {@link YamlEdit#save} writes it.
     *
     * @param path the file, whose name appears in errors
     * @return the text as it is edited, which is to be closed
     * @throws IOException if the file cannot be read
     * @throws YamlException if it is not valid YAML
     */
    public static YamlEdit edit(Path path) throws IOException {
        return LOADER.edit(path);
    }

    /**
     * Edits a file, and saves it unless an exception is thrown, as in {@code Yaml.edit(path, edit ->
     * edit.at("image", "tag").set("1.10"))}.
     *
     * @param <X> what the edits may throw
     * @param path the file, whose name appears in errors
     * @param action the edits
     * @return whether the text has changed
     * @throws X if the edits throw it; the file is left as it is
     * @throws IOException if the file cannot be read or replaced, or another program has changed it: see {@link
     *     YamlEdit#save}
     * @throws YamlException if the file is not valid YAML, or an edit is refused
     */
    public static <X extends Exception> boolean edit(Path path, YamlEdit.Action<X> action) throws X, IOException {
        return LOADER.edit(path, action);
    }

    /**
     * Writes with options.
     *
     * @param options the options
     * @return a dumper
     */
    public static Dumper with(DumpOptions options) {
        return new Dumper(options);
    }

    /**
     * Returns the text of a value.
     *
     * @param value null, Boolean, an integer, Float, Double, {@link java.math.BigDecimal}, String,
     *     {@code byte[]}, an enum, a time, Collection, array, Map, record or {@link Tagged}; a decimal
     *     keeps all its digits, and a collection that occurs twice gets an anchor
     * @return YAML
     * @throws IllegalArgumentException for an object of any other class
     */
    public static String dump(@Nullable Object value) {
        return DUMPER.dump(value);
    }

    /**
     * Writes a value to a stream as UTF-8. The stream is not closed.
     *
     * @param value as for {@link #dump(Object)}
     * @param out the stream
     * @throws IOException if the stream fails
     * @throws IllegalArgumentException for an object of any other class
     */
    public static void dump(@Nullable Object value, OutputStream out) throws IOException {
        DUMPER.dump(value, out);
    }

    /**
     * Replaces a file by the text of a value. On any error the old file is left unchanged.
     *
     * @param value as for {@link #dump(Object)}
     * @param path the file
     * @throws IOException if the file cannot be replaced
     * @throws IllegalArgumentException for an object of any other class
     */
    public static void dump(@Nullable Object value, Path path) throws IOException {
        DUMPER.dump(value, path);
    }

    /**
     * Returns the text of values, one document per value.
     *
     * @param values as for {@link #dump(Object)}
     * @return YAML
     * @throws IllegalArgumentException for an object of any other class
     */
    public static String dumpAll(Iterable<?> values) {
        return DUMPER.dumpAll(values);
    }

    /**
     * Writes values to a stream as UTF-8, one document per value. The stream is not closed.
     *
     * @param values as for {@link #dump(Object)}
     * @param out the stream
     * @throws IOException if the stream fails
     * @throws IllegalArgumentException for an object of any other class
     */
    public static void dumpAll(Iterable<?> values, OutputStream out) throws IOException {
        DUMPER.dumpAll(values, out);
    }

    /**
     * Checks that a text is well-formed, without building values. This takes a fraction of the time
     * of {@link #loadAll(String)}, but only loading finds duplicate keys, unknown aliases and
     * values that do not fit their tags.
     *
     * <pre>{@code
     * Yaml.checkSyntax("masts: [main, mizzen]\n");
     * try {
     *     Yaml.checkSyntax("masts: [main, mizzen\n");
     * } catch (YamlSyntaxException error) {
     *     error.problem(); // "a `[` is never closed"
     * }
     * }</pre>
     *
     * @param text YAML
     * @throws YamlException if the syntax is not valid
     */
    public static void checkSyntax(String text) {
        LOADER.checkSyntax(text);
    }

    /**
     * Checks that bytes are well-formed, like {@link #checkSyntax(String)}.
     *
     * @param bytes YAML in UTF-8, UTF-16 or UTF-32; not changed during the call
     * @throws YamlException if the syntax is not valid
     */
    public static void checkSyntax(byte[] bytes) {
        LOADER.checkSyntax(bytes);
    }

    /**
     * Checks that a file is well-formed, like {@link #checkSyntax(String)}, in bounded memory.
     *
     * @param path the file, whose name appears in errors
     * @throws IOException if the file cannot be read
     * @throws YamlException if the syntax is not valid
     */
    public static void checkSyntax(Path path) throws IOException {
        LOADER.checkSyntax(path);
    }

    /**
     * Checks that a stream is well-formed, like {@link #checkSyntax(String)}, in bounded memory. The
     * stream is read to its end and not closed.
     *
     * @param in YAML in UTF-8, UTF-16 or UTF-32
     * @throws IOException if the stream fails
     * @throws YamlException if the syntax is not valid
     */
    public static void checkSyntax(InputStream in) throws IOException {
        LOADER.checkSyntax(in);
    }

    /**
     * Checks that a reader's text is well-formed, like {@link #checkSyntax(String)}, in bounded
     * memory. The reader is read to its end and not closed.
     *
     * @param in YAML
     * @throws IOException if the reader fails
     * @throws YamlException if the syntax is not valid
     */
    public static void checkSyntax(Reader in) throws IOException {
        LOADER.checkSyntax(in);
    }

    /**
     * Passes the events of a text to a handler, one after another.
     *
     * @param text YAML
     * @param handler called with the parser at each event
     * @throws YamlException if the text is not valid YAML; events before the error have been passed
     */
    public static void events(String text, Consumer<YamlParser> handler) {
        LOADER.events(text, handler);
    }

    /**
     * Passes the events of bytes to a handler, one after another.
     *
     * @param bytes YAML in UTF-8, UTF-16 or UTF-32; not changed during the call
     * @param handler called with the parser at each event
     * @throws YamlException if the bytes are not valid YAML; events before the error have been passed
     */
    public static void events(byte[] bytes, Consumer<YamlParser> handler) {
        LOADER.events(bytes, handler);
    }

    /**
     * Passes the events of a file to a handler, one after another, in bounded memory.
     *
     * @param path the file, whose name appears in errors
     * @param handler called with the parser at each event
     * @throws IOException if the file cannot be opened
     * @throws java.io.UncheckedIOException if the file cannot be read
     * @throws YamlException if it is not valid YAML; events before the error have been passed
     */
    public static void events(Path path, Consumer<YamlParser> handler) throws IOException {
        LOADER.events(path, handler);
    }

    /**
     * Passes the events of a stream to a handler, one after another, in bounded memory. The stream
     * is not closed.
     *
     * @param in YAML in UTF-8, UTF-16 or UTF-32
     * @param handler called with the parser at each event
     * @throws java.io.UncheckedIOException if the stream fails
     * @throws YamlException if it is not valid YAML; events before the error have been passed
     */
    public static void events(InputStream in, Consumer<YamlParser> handler) {
        LOADER.events(in, handler);
    }

    /**
     * Passes the events of a reader to a handler, one after another, in bounded memory. The reader
     * is not closed.
     *
     * @param in YAML
     * @param handler called with the parser at each event
     * @throws java.io.UncheckedIOException if the reader fails
     * @throws YamlException if it is not valid YAML; events before the error have been passed
     */
    public static void events(Reader in, Consumer<YamlParser> handler) {
        LOADER.events(in, handler);
    }
}
