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
    /** Null after the end, an error, or {@link #close}. */
    private Session session;

    private Iterator<Object> ready = Collections.emptyIterator();

    private DocumentStream(Session session) {
        this.session = session;
    }

    static Stream<Object> of(Feed feed, Options options) {
        DocumentStream documents = new DocumentStream(opened(feed, options));
        return StreamSupport.stream(documents, false).onClose(documents::close);
    }

    private static Session opened(Feed feed, Options options) {
        Session session = Session.take();
        boolean isOpen = false;
        try {
            session.openDocuments(feed, options);
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
        while (!ready.hasNext()) {
            if (session == null || !read()) {
                return false;
            }
        }
        action.accept(ready.next());
        return true;
    }

    /** Reads the next documents. Returns false at the end. */
    private boolean read() {
        Session current = session;
        boolean hasMore = false;
        boolean isIntact = false;
        try {
            hasMore = current.nextDocuments();
            isIntact = true;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } finally {
            if (!isIntact) {
                current.close();
                session = null;
            }
        }
        if (hasMore) {
            ready = current.documents().iterator();
        } else {
            close();
        }
        return hasMore;
    }

    /** Frees the session; values that are not asked for yet are dropped. */
    private void close() {
        ready = Collections.emptyIterator();
        if (session != null) {
            Session ended = session;
            session = null;
            ended.giveBack();
        }
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
