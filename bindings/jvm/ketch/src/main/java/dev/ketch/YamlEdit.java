package dev.ketch;

import dev.ketch.internal.EditSession;
import dev.ketch.internal.EditSession.Argument;
import dev.ketch.internal.EditSession.Call;
import dev.ketch.internal.EditSession.Reading;
import dev.ketch.internal.EditSession.Refused;
import dev.ketch.internal.EditSession.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A YAML text that is edited. Every byte that no edit concerns stays as it is: comments, quotes,
 * alignment and line breaks. Created by {@link Yaml#edit(Path)} and {@link Yaml#edit(String)}.
 *
 * <pre>{@code
 * YamlEdit edit = Yaml.edit("image:\n  tag: '1.9'   # pinned\nhosts:\n- a.example\n");
 * edit.at("image", "tag").set("1.10");
 * edit.at("hosts").list().add("b.example");
 * edit.text(); // "image:\n  tag: '1.10'   # pinned\nhosts:\n- a.example\n- b.example\n"
 * }</pre>
 *
 * <p>An edit that is refused throws an {@link EditException}, and changes nothing. Any number of
 * threads may use the text, one at a time. Closing frees native memory, which otherwise happens in
 * garbage collection, and does not save.
 */
public final class YamlEdit implements AutoCloseable {
    private static final int ENOENT = 2;
    private final EditSession session;
    private final @Nullable Path path;
    /** The last values of collections that were replaced, by the numbers of their views. */
    final Map<Integer, Object> replaced = new ConcurrentHashMap<>();

    /** Starts to edit a text or, if there is a path, the file whose name in bytes this is. */
    YamlEdit(byte[] text, @Nullable Path path, Options options) {
        Native.load();
        this.path = path;
        try {
            session = new EditSession(text, path != null, options.numbers, options.fileNameUtf8());
        } catch (Refused refused) {
            throw new UncheckedIOException(failure(refused));
        }
    }

    /**
     * Edits a text.
     *
     * @param <X> what the edits may throw
     */
    public interface Action<X extends Exception> {
        /**
         * Edits a text.
         *
         * @param edit the text
         * @throws X if the file is not to be saved
         */
        void edit(YamlEdit edit) throws X;
    }

    /** Throws a refusal that is unchecked; returns that of a file. */
    private IOException failure(Refused refused) {
        char kind = refused.kind();
        if (kind == 'e' || kind == 'y') {
            throw Failure.read(refused.rest());
        }
        if (kind == 's') {
            throw EditException.stale(refused.message());
        }
        if (kind == 'f') {
            boolean isChanged = "file_changed".equals(refused.text());
            String message = Words.help(refused.text());
            return isChanged ? new FileChangedException(message) : new IOException(message);
        }
        boolean isAbsent = kind == 'o' && refused.number() == ENOENT;
        String file = String.valueOf(path);
        return isAbsent ? new NoSuchFileException(file) : new FileSystemException(file, null, refused.message());
    }

    Reply call(Call call, Argument argument) {
        try {
            return session.call(call, argument.bytes());
        } catch (Refused refused) {
            throw new UncheckedIOException(failure(refused));
        }
    }

    private String text(Call call, Argument argument) {
        return new String(call(call, argument).rest(), StandardCharsets.UTF_8);
    }

    /** Reads a scalar, a view of a collection, or {@link EditView#MISSING}. */
    @Nullable Object answer(Reply reply) {
        return switch (reply.next()) {
            case 0 -> EditView.MISSING;
            case 1 -> new EditMap(new EditView(this, reply.number()));
            case 2 -> new EditList(new EditView(this, reply.number()));
            default -> value(reply.reading());
        };
    }

    static @Nullable Object value(@Nullable Reading reading) {
        if (reading == null) {
            return null;
        }
        try {
            // No other value of the document is read, so the builder may have keys of its own.
            return new NodeValues(reading.document()).value(reading.node(), keys -> new JavaBuilder());
        } finally {
            NativeNodes.free(reading.document());
        }
    }

    /**
     * Returns what a path leads to in the first document. There need not be such a node yet.
     *
     * @param path keys, and indices from 0; none for the root
     * @return the node
     */
    public EditNode at(@Nullable Object... path) {
        return new EditNode(rootView(0), path);
    }

    private EditView rootView(int document) {
        return new EditView(this, call(Call.ROOT, new Argument().number(document)).number());
    }

    /**
     * Returns a view of the root of the first document. An empty document is an empty mapping.
     *
     * @return the view
     * @throws ClassCastException if the root is not a mapping
     */
    public EditMap map() {
        return at().map();
    }

    /**
     * Returns a view of the root of the first document.
     *
     * @return the view
     * @throws ClassCastException if the root is not a sequence
     */
    public EditList list() {
        return at().list();
    }

    /**
     * Returns the roots of all documents.
     *
     * @return the roots in order
     */
    public List<EditNode> documents() {
        int count = call(Call.DOCUMENT_COUNT, new Argument()).number();
        return IntStream.range(0, count).mapToObj(document -> new EditNode(rootView(document))).toList();
    }

    /**
     * Applies operations in order: all of them or, if one is refused, none.
     *
     * @param operations a list of operations as docs/editing.md describes them, or a JSON Patch (RFC
     *     6902), in YAML or JSON
     * @throws EditException if an operation is refused
     */
    public void apply(String operations) {
        call(Call.OPERATE_SOURCE, new Argument().text(operations));
    }

    /**
     * Renames an anchor, and all aliases that refer to it.
     *
     * @param from the old name
     * @param to the new name
     * @throws EditException if the edit is refused
     */
    public void renameAnchor(String from, String to) {
        rootView(0).run("rename_anchor", List.of(), new EditOption("from", from), new EditOption("to", to));
    }

    /**
     * Returns the new text.
     *
     * @return the text
     */
    public String text() {
        return text(Call.TEXT, new Argument());
    }

    /**
     * Returns the new text in the encoding of the input.
     *
     * @return the bytes
     */
    public byte[] toBytes() {
        return call(Call.BYTES, new Argument()).rest();
    }

    /**
     * Returns whether the text is no longer the original.
     *
     * @return whether it has changed
     */
    public boolean isChanged() {
        return call(Call.IS_CHANGED, new Argument()).next() != 0;
    }

    /**
     * A change of the text. Offsets are in bytes of the UTF-8 form of the text before it.
     *
     * @param start the first byte that is replaced
     * @param end the byte after the last one
     * @param text the new text
     */
    public record Patch(int start, int end, String text) {}

    /**
     * Returns the changes of the original.
     *
     * @return the patches in the order of their positions
     */
    public List<Patch> patches() {
        return patches(0);
    }

    /**
     * Returns the changes of the new text that restore the original.
     *
     * @return the patches in the order of their positions
     */
    public List<Patch> inverse() {
        return patches(1);
    }

    private List<Patch> patches(int isInverse) {
        Reply reply = call(Call.PATCHES, new Argument().put(isInverse));
        List<Patch> patches = new ArrayList<>();
        while (reply.hasMore()) {
            patches.add(new Patch(reply.number(), reply.number(), reply.text()));
        }
        return patches;
    }

    /**
     * Returns the changes as a unified diff.
     *
     * @param oldName the name of the original
     * @param newName the name of the new text
     * @return the diff; empty if nothing has changed
     */
    public String diff(String oldName, String newName) {
        return text(Call.DIFF, new Argument().text(oldName).text(newName));
    }

    /**
     * Returns the changes as edits of the Language Server Protocol.
     *
     * @return a JSON array of {@code TextEdit}
     */
    public String lspEdits() {
        return text(Call.LSP, new Argument());
    }

    /**
     * Replaces the file, unless nothing has changed. The new file is put in place once it is
     * complete, with the old one's owner, mode, ACL and attributes.
     *
     * @return whether the text has changed
     * @throws FileChangedException if another program has changed the file since it was read
     * @throws IOException if the file cannot be replaced; it is left as it is
     * @throws IllegalStateException if the text is not from a file
     */
    public boolean save() throws IOException {
        return save(0);
    }

    /**
     * Does the same as {@link #save}, but overwrites the content of a file that cannot be replaced,
     * such as one with several hard links.
     *
     * @return whether the text has changed
     * @throws FileChangedException if another program has changed the file since it was read
     * @throws IOException if the file cannot be written
     * @throws IllegalStateException if the text is not from a file
     */
    public boolean saveInPlace() throws IOException {
        return save(1);
    }

    private boolean save(int isInPlace) throws IOException {
        if (path == null) {
            throw new IllegalStateException("the text is not from a file: use Yaml.edit(path)");
        }
        try {
            return call(Call.SAVE, new Argument().put(isInPlace)).next() != 0;
        } catch (UncheckedIOException failed) {
            throw failed.getCause();
        }
    }

    @Override
    public void close() {
        session.close();
    }
}
