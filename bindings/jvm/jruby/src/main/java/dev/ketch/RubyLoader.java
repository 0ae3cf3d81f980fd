package dev.ketch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;
import org.jruby.runtime.ThreadContext;
import org.jruby.util.ByteList;

/** Loads YAML as the objects of one Ruby runtime, whose keys are kept for later loads. */
public final class RubyLoader {
    private final SessionPool pool = new SessionPool(RubyBuilder::new);

    /**
     * Creates a loader, and loads the native library.
     *
     * @throws LinkageError if there is no library for this platform
     */
    public RubyLoader() {
        Native.load();
    }

    /**
     * Returns the objects of all documents.
     *
     * @param onlyOne whether more than one document is an error
     */
    public List<Object> load(
            ThreadContext context, ByteList text, Options options, RubyForm form, boolean onlyOne) {
        Options inUtf8 = options.forUtf8();
        byte[] bytes = text.unsafeBytes();
        try {
            return Session.use(pool, session -> {
                ((RubyBuilder) session.builder).prepare(context, form);
                session.open(bytes, text.begin(), text.realSize(), inUtf8);
                return session.values(bytes, text.begin(), inUtf8, onlyOne);
            });
        } catch (IOException noStream) {
            throw new UncheckedIOException(noStream);
        }
    }

    /** Starts a run of a program. */
    public RubyResults run(RubyQuery query, byte[] text, RubyForm form) {
        return new RubyResults(pool, query, text, form);
    }

    /** Passes the objects of all documents of a stream to a consumer, one after another. */
    public void forEach(ThreadContext context, InputStream in, Options options, RubyForm form,
            Consumer<Object> consumer) throws IOException {
        Session.use(pool, session -> {
            ((RubyBuilder) session.builder).prepare(context, form);
            session.openDocuments(Feed.of(in), options.forUtf8());
            while (session.nextDocuments()) {
                session.documents().forEach(consumer);
            }
            return null;
        });
    }
}
