package dev.ketch;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Loads with given {@link Options}. Created by {@link Yaml#with}; any number of threads may use it.
 */
public final class Loader {
    private static final int SMALL_BYTES = 1 << 22;

    private final Options options;

    Loader(Options options) {
        this.options = Objects.requireNonNull(options);
    }

    /**
     * Loads the value of the only document.
     *
     * @param text YAML
     * @return the value; null for an empty stream
     * @throws YamlException if the text is not one document of valid YAML
     */
    public @Nullable Object load(String text) {
        return only(Source.bytes(text));
    }

    /**
     * Loads the value of the only document.
     *
     * @param bytes YAML in UTF-8, UTF-16 or UTF-32; not changed during the call
     * @return the value; null for an empty stream
     * @throws YamlException if the bytes are not one document of valid YAML
     */
    public @Nullable Object load(byte[] bytes) {
        return only(bytes);
    }

    /**
     * Loads the value of the only document, in what remains of a buffer. Its position does not
     * change.
     *
     * @param buffer YAML in UTF-8, UTF-16 or UTF-32
     * @return the value; null for an empty stream
     * @throws YamlException if the bytes are not one document of valid YAML
     */
    public @Nullable Object load(ByteBuffer buffer) {
        if (buffer.hasArray()) {
            int offset = buffer.arrayOffset() + buffer.position();
            return first(Session.load(buffer.array(), offset, buffer.remaining(), options, true));
        }
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return only(bytes);
    }

    /**
     * Loads the value of the only document of a file, whose name appears in errors.
     *
     * @param path the file
     * @return the value; null for an empty file
     * @throws IOException if the file cannot be read
     * @throws YamlException if it is not one document of valid YAML
     */
    public @Nullable Object load(Path path) throws IOException {
        return first(file(path, true));
    }

    /**
     * Loads the value of the only document of a stream, which is read to its end and not closed.
     *
     * @param in YAML in UTF-8, UTF-16 or UTF-32
     * @return the value; null for an empty stream
     * @throws IOException if the stream fails
     * @throws YamlException if it is not one document of valid YAML
     */
    public @Nullable Object load(InputStream in) throws IOException {
        return first(Session.load(Feed.of(in), options, true));
    }

    /**
     * Loads the value of the only document of a reader, which is read to its end and not closed.
     *
     * @param in YAML
     * @return the value; null for an empty stream
     * @throws IOException if the reader fails
     * @throws YamlException if it is not one document of valid YAML
     */
    public @Nullable Object load(Reader in) throws IOException {
        return first(Session.load(Feed.of(in), options, true));
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
    public <T> T load(String text, Class<T> type) {
        return located(text).as(type);
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
    public <T> T load(byte[] bytes, Class<T> type) {
        return located(bytes).as(type);
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
    public <T> T load(Path path, Class<T> type) throws IOException {
        return located(path).as(type);
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
    public <T> T load(InputStream in, Class<T> type) throws IOException {
        return located(in.readAllBytes()).as(type);
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
    public <T> T load(Reader in, Class<T> type) throws IOException {
        StringWriter text = new StringWriter();
        in.transferTo(text);
        return located(text.toString()).as(type);
    }

    /**
     * Loads the value of the only document, with the positions of its parts.
     *
     * @param text YAML
     * @return the value and positions; the value is null for an empty stream
     * @throws YamlException if the text is not one document of valid YAML
     */
    public Located located(String text) {
        return oneLocated(Source.bytes(text), options);
    }

    /**
     * Loads the value of the only document, with the positions of its parts.
     *
     * @param bytes YAML in UTF-8, UTF-16 or UTF-32
     * @return the value and positions; the value is null for an empty stream
     * @throws YamlException if the bytes are not one document of valid YAML
     */
    public Located located(byte[] bytes) {
        return oneLocated(Source.utf8(bytes.clone(), options), options);
    }

    /**
     * Loads the value of the only document of a file, with the positions of its parts.
     *
     * @param path the file, whose name appears in positions and errors
     * @return the value and positions; the value is null for an empty file
     * @throws IOException if the file cannot be read
     * @throws YamlException if it is not one document of valid YAML
     */
    public Located located(Path path) throws IOException {
        Options named = options.forFile(path.toString());
        return oneLocated(Source.utf8(Source.read(path), named), named);
    }

    private static Located oneLocated(byte[] utf8, Options options) {
        List<Located> documents = Session.located(utf8, options, true);
        return documents.isEmpty() ? new Located(null, null, new Text(utf8, options.fileName)) : documents.get(0);
    }

    /**
     * Loads the values of all documents, with the positions of their parts.
     *
     * @param text YAML
     * @return a new list
     * @throws YamlException if the text is not valid YAML
     */
    public List<Located> allLocated(String text) {
        return Session.located(Source.bytes(text), options, false);
    }

    /**
     * Loads the values of all documents, with the positions of their parts.
     *
     * @param bytes YAML in UTF-8, UTF-16 or UTF-32
     * @return a new list
     * @throws YamlException if the bytes are not valid YAML
     */
    public List<Located> allLocated(byte[] bytes) {
        return Session.located(Source.utf8(bytes.clone(), options), options, false);
    }

    /**
     * Loads the values of all documents of a file, with the positions of their parts.
     *
     * @param path the file, whose name appears in positions and errors
     * @return a new list
     * @throws IOException if the file cannot be read
     * @throws YamlException if it is not valid YAML
     */
    public List<Located> allLocated(Path path) throws IOException {
        Options named = options.forFile(path.toString());
        return Session.located(Source.utf8(Source.read(path), named), named, false);
    }

    /**
     * Loads the values of all documents.
     *
     * @param text YAML
     * @return a new list
     * @throws YamlException if the text is not valid YAML
     */
    public List<@Nullable Object> loadAll(String text) {
        return all(Source.bytes(text));
    }

    /**
     * Loads the values of all documents.
     *
     * @param bytes YAML in UTF-8, UTF-16 or UTF-32; not changed during the call
     * @return a new list
     * @throws YamlException if the bytes are not valid YAML
     */
    public List<@Nullable Object> loadAll(byte[] bytes) {
        return all(bytes);
    }

    /**
     * Loads the values of all documents of a file, whose name appears in errors.
     *
     * @param path the file
     * @return a new list
     * @throws IOException if the file cannot be read
     * @throws YamlException if it is not valid YAML
     */
    public List<@Nullable Object> loadAll(Path path) throws IOException {
        return file(path, false);
    }

    /**
     * Loads the values of all documents of a stream, which is read to its end and not closed.
     *
     * @param in YAML in UTF-8, UTF-16 or UTF-32
     * @return a new list
     * @throws IOException if the stream fails
     * @throws YamlException if it is not valid YAML
     */
    public List<@Nullable Object> loadAll(InputStream in) throws IOException {
        return Session.load(Feed.of(in), options, false);
    }

    /**
     * Loads the values of all documents of a reader, which is read to its end and not closed.
     *
     * @param in YAML
     * @return a new list
     * @throws IOException if the reader fails
     * @throws YamlException if it is not valid YAML
     */
    public List<@Nullable Object> loadAll(Reader in) throws IOException {
        return Session.load(Feed.of(in), options, false);
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
    public void forEach(InputStream in, Consumer<@Nullable Object> consumer) throws IOException {
        Session.forEach(Feed.of(in), options, consumer);
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
    public void forEach(Reader in, Consumer<@Nullable Object> consumer) throws IOException {
        Session.forEach(Feed.of(in), options, consumer);
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
    public void forEach(Path path, Consumer<@Nullable Object> consumer) throws IOException {
        try (InputStream in = Source.open(path)) {
            Session.forEach(Feed.of(in), options.forFile(path.toString()), consumer);
        }
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
    public Stream<@Nullable Object> stream(InputStream in) {
        return DocumentStream.of(Feed.of(in), options);
    }

    /**
     * Returns the values of the documents of a reader, each of which is read when the result is
     * asked for it. Memory is bounded by the longest document. The reader is not closed; closing the
     * result frees native memory, which otherwise happens at the end or in garbage collection.
     *
     * <p>If the reader fails, the result throws an {@link java.io.UncheckedIOException}, and if a
     * document is not valid YAML, a {@link YamlException}, after the values before it.
     *
     * @param in YAML
     * @return the values; not for use by several threads at once
     */
    public Stream<@Nullable Object> stream(Reader in) {
        return DocumentStream.of(Feed.of(in), options);
    }

    /**
     * Starts to edit a text.
     *
     * @param text YAML
     * @return the text as it is edited
     * @throws YamlException if the text is not valid YAML
     */
    public YamlEdit edit(String text) {
        return new YamlEdit(Source.bytes(text), null, options);
    }

    /**
     * Starts to edit a text.
     *
     * @param bytes YAML in UTF-8, UTF-16 or UTF-32
     * @return the text as it is edited
     * @throws YamlException if the bytes are not valid YAML
     */
    public YamlEdit edit(byte[] bytes) {
        return new YamlEdit(bytes, null, options);
    }

    /**
     * Starts to edit a file. Only {@link YamlEdit#save} writes it.
     *
     * @param path the file, whose name appears in errors
     * @return the text as it is edited, which is to be closed
     * @throws IOException if the file cannot be read
     * @throws YamlException if it is not valid YAML
     */
    public YamlEdit edit(Path path) throws IOException {
        try {
            return new YamlEdit(DumpTokens.nameOf(path), path, options.forFile(path.toString()));
        } catch (UncheckedIOException failed) {
            throw failed.getCause();
        }
    }

    /**
     * Edits a file, and saves it unless an exception is thrown.
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
    public <X extends Exception> boolean edit(Path path, YamlEdit.Action<X> action) throws X, IOException {
        try (YamlEdit edit = edit(path)) {
            action.edit(edit);
            return edit.save();
        }
    }

    /**
     * Checks that a text is well-formed, without building values. This takes a fraction of the time
     * of {@link #loadAll(String)}, but only loading finds duplicate keys, unknown aliases and
     * values that do not fit their tags.
     *
     * @param text YAML
     * @throws YamlException if the syntax is not valid
     */
    public void checkSyntax(String text) {
        Session.checkSyntax(Source.bytes(text), options);
    }

    /**
     * Checks that bytes are well-formed, like {@link #checkSyntax(String)}.
     *
     * @param bytes YAML in UTF-8, UTF-16 or UTF-32; not changed during the call
     * @throws YamlException if the syntax is not valid
     */
    public void checkSyntax(byte[] bytes) {
        Session.checkSyntax(bytes, options);
    }

    /**
     * Checks that a file is well-formed, like {@link #checkSyntax(String)}, in bounded memory.
     *
     * @param path the file, whose name appears in errors
     * @throws IOException if the file cannot be read
     * @throws YamlException if the syntax is not valid
     */
    public void checkSyntax(Path path) throws IOException {
        try (InputStream in = Source.open(path)) {
            Session.checkSyntax(Feed.of(in), options.forFile(path.toString()));
        }
    }

    /**
     * Checks that a stream is well-formed, like {@link #checkSyntax(String)}, in bounded memory. The
     * stream is read to its end and not closed.
     *
     * @param in YAML in UTF-8, UTF-16 or UTF-32
     * @throws IOException if the stream fails
     * @throws YamlException if the syntax is not valid
     */
    public void checkSyntax(InputStream in) throws IOException {
        Session.checkSyntax(Feed.of(in), options);
    }

    /**
     * Checks that a reader's text is well-formed, like {@link #checkSyntax(String)}, in bounded
     * memory. The reader is read to its end and not closed.
     *
     * @param in YAML
     * @throws IOException if the reader fails
     * @throws YamlException if the syntax is not valid
     */
    public void checkSyntax(Reader in) throws IOException {
        Session.checkSyntax(Feed.of(in), options);
    }

    /**
     * Passes the events of a text to a handler, one after another. The choice for duplicate keys has
     * no effect.
     *
     * @param text YAML
     * @param handler called with the parser at each event
     * @throws YamlException if the text is not valid YAML; events before the error have been passed
     */
    public void events(String text, Consumer<YamlParser> handler) {
        pass(YamlParser.of(text, options), handler);
    }

    /**
     * Passes the events of bytes to a handler, like {@link #events(String, Consumer)}.
     *
     * @param bytes YAML in UTF-8, UTF-16 or UTF-32; not changed during the call
     * @param handler called with the parser at each event
     * @throws YamlException if the bytes are not valid YAML; events before the error have been passed
     */
    public void events(byte[] bytes, Consumer<YamlParser> handler) {
        pass(YamlParser.of(bytes, options), handler);
    }

    /**
     * Passes the events of a file to a handler, like {@link #events(String, Consumer)}, in bounded
     * memory.
     *
     * @param path the file, whose name appears in errors
     * @param handler called with the parser at each event
     * @throws IOException if the file cannot be opened
     * @throws java.io.UncheckedIOException if the file cannot be read
     * @throws YamlException if it is not valid YAML; events before the error have been passed
     */
    public void events(Path path, Consumer<YamlParser> handler) throws IOException {
        pass(YamlParser.of(path, options), handler);
    }

    /**
     * Passes the events of a stream to a handler, like {@link #events(String, Consumer)}, in bounded
     * memory. The stream is not closed.
     *
     * @param in YAML in UTF-8, UTF-16 or UTF-32
     * @param handler called with the parser at each event
     * @throws java.io.UncheckedIOException if the stream fails
     * @throws YamlException if it is not valid YAML; events before the error have been passed
     */
    public void events(InputStream in, Consumer<YamlParser> handler) {
        pass(YamlParser.of(in, options), handler);
    }

    /**
     * Passes the events of a reader to a handler, like {@link #events(String, Consumer)}, in bounded
     * memory. The reader is not closed.
     *
     * @param in YAML
     * @param handler called with the parser at each event
     * @throws java.io.UncheckedIOException if the reader fails
     * @throws YamlException if it is not valid YAML; events before the error have been passed
     */
    public void events(Reader in, Consumer<YamlParser> handler) {
        pass(YamlParser.of(in, options), handler);
    }

    private static void pass(YamlParser events, Consumer<YamlParser> handler) {
        try (YamlParser parser = events) {
            parser.forEachRemaining(handler);
        }
    }

    private Object only(byte[] bytes) {
        return first(Session.load(bytes, 0, bytes.length, options, true));
    }

    private List<Object> all(byte[] bytes) {
        return Session.load(bytes, 0, bytes.length, options, false);
    }

    private static @Nullable Object first(List<@Nullable Object> documents) {
        return documents.isEmpty() ? null : documents.get(0);
    }

    /**
     * Loads a file. A small one is read at once; the text of a larger one is only in native memory.
     */
    private List<@Nullable Object> file(Path path, boolean onlyOne) throws IOException {
        Options named = options.forFile(path.toString());
        if (Files.size(path) < SMALL_BYTES) {
            byte[] bytes = Source.read(path);
            return Session.load(bytes, 0, bytes.length, named, onlyOne);
        }
        try (InputStream in = Source.open(path)) {
            return Session.load(Feed.of(in), named, onlyOne);
        }
    }
}
