package dev.ketch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Passes the nodes of a text in Syck's dialect to a handler, as Syck and Yecht did: children before
 * their parents, and each node once. An alias gives the id of the node that it refers to. Nothing is
 * built unless the handler builds it.
 *
 * <pre>{@code
 * SyckHandler<Integer> depth = (parser, node) ->
 *         node.children().stream().mapToInt(child -> child + 1).max().orElse(0);
 * try (SyckParser<Integer> parser = SyckParser.of("- [a, [b]]\n--- c\n", depth)) {
 *     parser.next();
 *     parser.root(); // 3
 *     parser.next();
 *     parser.root(); // 0
 *     parser.next(); // false
 * }
 * }</pre>
 *
 * <p>For one thread at a time.
 *
 * @param <I> what the handler calls a node: its id
 */
public final class SyckParser<I> implements AutoCloseable {
    private static final SyckNode.Kind[] KINDS = SyckNode.Kind.values();
    private static final SyckNode.Style[] STYLES = SyckNode.Style.values();

    // The constants of syck.rs.
    private static final int BAD_ANCHOR = 3;
    private static final int ROOT = 4;
    private static final int TAG = 1 << 16;
    private static final int ANCHOR = 1 << 17;
    private static final int INSIDE = 1 << 18;
    private static final int DEFINED = 1 << 19;

    private final byte[] input;
    private final SyckHandler<I> handler;
    private final Session session;
    private final Guard guard;
    private volatile boolean isEnded;
    private int at;
    /** The ids of the document's nodes. An id is dropped once no parent or alias can need it. */
    private final List<@Nullable I> ids = new ArrayList<>();

    /** The ids that aliases may need. */
    private final BitSet anchored = new BitSet();

    private @Nullable I root;
    /** The error that ended the stream, until the handler gets it. */
    private @Nullable YamlException failure;

    private SyckParser(byte[] input, SyckHandler<I> handler, Options options) {
        this.input = input;
        this.handler = handler;
        session = Session.take();
        boolean isOpen = false;
        try {
            session.open(input, 0, input.length, options);
            isOpen = true;
        } finally {
            if (!isOpen) {
                session.close();
            }
        }
        guard = new Guard(session::close);
    }

    /**
     * Creates a parser of a text.
     *
     * @param text the text
     * @param handler receives the nodes
     * @param <I> the type of ids
     * @return the parser
     */
    public static <I> SyckParser<I> of(String text, SyckHandler<I> handler) {
        return of(Source.bytes(text), handler);
    }

    /**
     * Creates a parser of bytes.
     *
     * @param bytes a text in UTF-8, or in UTF-16 or UTF-32 with a byte order mark; not to be
     *     changed while it is read
     * @param handler receives the nodes
     * @param <I> the type of ids
     * @return the parser
     */
    public static <I> SyckParser<I> of(byte[] bytes, SyckHandler<I> handler) {
        return of(bytes, handler, Options.DEFAULT, true);
    }

    /**
     * Creates a parser of bytes with options. Only the limits and the name of the file have an effect.
     *
     * @param bytes a text in UTF-8, or in UTF-16 or UTF-32 with a byte order mark; not to be
     *     changed while it is read
     * @param handler receives the nodes
     * @param options the options
     * @param implicitTyping whether scalars without a tag have the tags of their implicit types
     * @param <I> the type of ids
     * @return the parser
     */
    public static <I> SyckParser<I> of(
            byte[] bytes, SyckHandler<I> handler, Options options, boolean implicitTyping) {
        return new SyckParser<>(bytes, handler, options.forNodes(implicitTyping));
    }

    /**
     * Reads the next document, and passes its nodes to the handler. An exception of the handler
     * closes the parser and reaches the caller.
     *
     * @return false at the end of the stream
     * @throws YamlException if what follows is not valid in Syck's dialect, and {@link
     *     SyckHandler#error} returns an exception; the parser is closed then
     */
    public boolean next() {
        root = null;
        if (isEnded) {
            return false;
        }
        boolean hasMore = false;
        boolean isIntact = false;
        guard.enter();
        try {
            hasMore = readWords();
            if (hasMore) {
                passNodes();
            }
            isIntact = true;
        } finally {
            ids.clear();
            anchored.clear();
            isEnded = !hasMore || !isIntact;
            guard.exit();
            if (!isIntact) {
                // The table of keys lacks those of the nodes that were not read.
                guard.close();
            } else if (!hasMore) {
                close();
            }
        }
        YamlException error = failure;
        failure = null;
        YamlException thrown = error == null ? null : handler.error(this, error);
        if (thrown != null) {
            throw thrown;
        }
        return hasMore;
    }

    /**
     * Returns the id of the root of the last document that was read.
     *
     * @return the id; null before the first and after the last document
     */
    public @Nullable I root() {
        return root;
    }

    /** Reads the words of the next document. Returns false at the end and after an error. */
    private boolean readWords() {
        try {
            return session.next();
        } catch (InternalException panic) {
            throw panic;
        } catch (YamlException error) {
            failure = error;
            return false;
        } catch (IOException noStream) {
            throw new UncheckedIOException(noStream);
        }
    }

    /** Passes the nodes that syck.rs has written to the handler. */
    private void passNodes() {
        long[] words = session.words;
        int end = session.wordCount();
        at = 0;
        while (at < end) {
            long first = words[at++];
            switch (Token.kind(first)) {
                case ROOT -> root = ids.get((int) (first >>> 32));
                case BAD_ANCHOR -> {
                    I id = handler.badAnchor(this, text(words));
                    anchored.set(ids.size());
                    ids.add(id);
                }
                default -> {
                    SyckNode<I> node = node(first, words);
                    I id = handler.handle(this, node);
                    anchored.set(ids.size(), node.anchor() != null);
                    ids.add(id);
                }
            }
        }
    }

    private SyckNode<I> node(long first, long[] words) {
        int flags = (int) first;
        SyckNode.Kind kind = KINDS[Token.kind(first)];
        long offset = words[at++];
        long length = words[at++];
        I inside = (flags & INSIDE) == 0 ? null : ids.get((int) words[at++]);
        String tag = (flags & TAG) == 0 ? null : text(words);
        if ((flags & DEFINED) != 0) {
            session.builder.keys()[Token.offset(words[at++])] = tag;
        }
        String anchor = (flags & ANCHOR) == 0 ? null : text(words);
        String text = kind == SyckNode.Kind.SCALAR ? text(words) : null;
        List<@Nullable I> children = children((int) (first >>> 32), words);
        SyckNode.Style style = STYLES[flags >>> 8 & 0xff];
        return new SyckNode<>(kind, tag, anchor, style, text, children, offset, length, inside);
    }

    @SuppressWarnings("unchecked")
    private List<@Nullable I> children(int count, long[] words) {
        if (count == 0) {
            return List.of();
        }
        Object[] children = new Object[count];
        for (int i = 0; i < count; i++) {
            int id = (int) (i % 2 == 0 ? words[at] : words[at++] >>> 32);
            children[i] = ids.get(id);
            if (!anchored.get(id)) {
                ids.set(id, null);
            }
        }
        at += count % 2;
        return (List<@Nullable I>) Collections.unmodifiableList(Arrays.asList(children));
    }

    private String text(long[] words) {
        long token = words[at++];
        int start = Token.offset(token);
        int length = Token.length(token);
        if (length == Token.LONG_LENGTH) {
            length = (int) words[at++];
        }
        return switch (Token.kind(token)) {
            case Token.KEY -> (String) session.builder.keys()[start];
            case Token.ASCII -> JavaBuilder.latin1(input, start, length);
            case Token.WIDE -> new String(session.wide, start, length);
            case Token.UTF8 -> new String(input, start, length, StandardCharsets.UTF_8);
            default -> new String(session.kept, start, length, StandardCharsets.UTF_8);
        };
    }

    /**
     * Frees the parser's native memory. Otherwise this happens when the parser is
     * garbage-collected. If the handler calls this, the rest of its document is still read, and the
     * next call of {@link #next} throws an {@link IllegalStateException}.
     */
    @Override
    public void close() {
        if (guard.release()) {
            session.give();
        } else {
            guard.close();
        }
    }
}
