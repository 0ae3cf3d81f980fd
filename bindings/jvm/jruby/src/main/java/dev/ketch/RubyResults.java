package dev.ketch;

import java.util.Iterator;
import java.util.stream.Stream;
import org.jruby.runtime.ThreadContext;

/** The results of a program, as objects of one Ruby runtime. */
public final class RubyResults {
    private final Stream<Object> stream;
    private final Iterator<Object> iterator;
    private final RubyForm form;
    /** Null after the end, when another load may use it. */
    private Session session;

    RubyResults(SessionPool pool, RubyQuery query, byte[] text, RubyForm form) {
        this.form = form;
        stream = DocumentStream.of(pool, opened -> {
            session = opened;
            query.query.open(opened, text);
        });
        iterator = stream.iterator();
    }

    /** Returns the next result; null at the end. */
    public synchronized Object next(ThreadContext context) {
        if (session == null) {
            return null;
        }
        ((RubyBuilder) session.builder).prepare(context, form);
        boolean hasNext = false;
        try {
            hasNext = iterator.hasNext();
            return hasNext ? iterator.next() : null;
        } finally {
            if (!hasNext) {
                session = null;
            }
        }
    }

    /** Ends the run, and frees what it holds. */
    public synchronized void close() {
        session = null;
        stream.close();
    }
}
