package dev.ketch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The values of the documents of a stream, each of which is read when it is asked for. */
final class DocumentStream implements Spliterator<Object> {
    private final Session session;
    private final Guard guard;
    private volatile boolean isEnded;

    private Iterator<Object> ready = Collections.emptyIterator();

    private DocumentStream(Session session) {
        this.session = session;
        guard = new Guard(session::close);
    }

    static Stream<Object> of(Feed feed, Options options) {
        return of(SessionPool.JAVA, session -> session.openDocuments(feed, options));
    }

    /** Opens a session. */
    interface Open {
        void open(Session session) throws IOException;
    }

    static Stream<Object> of(SessionPool pool, Open open) {
        DocumentStream documents = new DocumentStream(opened(pool, open));
        return StreamSupport.stream(documents, false).onClose(documents::close);
    }

    private static Session opened(SessionPool pool, Open open) {
        Session session = pool.take();
        boolean isOpen = false;
        try {
            open.open(session);
            isOpen = true;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } finally {
            if (!isOpen) {
                session.close();
            }
        }
        return session;
    }

    @Override
    public boolean tryAdvance(Consumer<? super Object> action) {
        Iterator<Object> documents = ready;
        while (!documents.hasNext()) {
            if (isEnded || !read()) {
                return false;
            }
            documents = ready;
        }
        action.accept(documents.next());
        return true;
    }

    /** Reads the next documents. Returns false at the end. */
    private boolean read() {
        boolean hasMore = false;
        boolean isIntact = false;
        boolean isOpen = false;
        guard.enter();
        try {
            hasMore = session.nextDocuments();
            isIntact = true;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } finally {
            isOpen = guard.exit();
            isEnded = !hasMore;
            if (!isIntact) {
                guard.close();
            } else if (!hasMore && guard.release()) {
                session.giveBack();
            }
        }
        if (!isOpen) {
            throw new IllegalStateException("the stream was closed while it was reading");
        }
        if (hasMore) {
            ready = session.documents().iterator();
        }
        return hasMore;
    }

    /** Frees the session; values that are not asked for yet are dropped. */
    private void close() {
        ready = Collections.emptyIterator();
        guard.close();
    }

    @Override
    public Spliterator<Object> trySplit() {
        return null;
    }

    @Override
    public long estimateSize() {
        return Long.MAX_VALUE;
    }

    @Override
    public int characteristics() {
        return ORDERED;
    }
}
