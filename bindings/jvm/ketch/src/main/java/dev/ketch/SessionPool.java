package dev.ketch;

import java.lang.ref.SoftReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;

/**
 * Unused sessions with builders of one kind. The references are soft, because a session keeps its
 * class from being unloaded: its cleaner needs the class.
 */
final class SessionPool {
    /** The sessions that build values of Java. */
    static final SessionPool JAVA = new SessionPool(JavaBuilder::new);

    private final AtomicReferenceArray<SoftReference<Session>> unused = new AtomicReferenceArray<>(16);
    private final Supplier<? extends Builder> builders;

    SessionPool(Supplier<? extends Builder> builders) {
        this.builders = builders;
    }

    /** Takes a session from the pool, or creates one. */
    Session take() {
        int start = (int) Thread.currentThread().getId() & unused.length() - 1;
        for (int i = 0; i < unused.length(); i++) {
            int at = start + i & unused.length() - 1;
            SoftReference<Session> taken = unused.get(at) == null ? null : unused.getAndSet(at, null);
            Session session = taken == null ? null : taken.get();
            if (session != null) {
                return session;
            }
        }
        return new Session(this, builders.get());
    }

    /** Adds a session. Returns false if the pool is full. */
    boolean give(SoftReference<Session> session) {
        int start = (int) Thread.currentThread().getId() & unused.length() - 1;
        for (int i = 0; i < unused.length(); i++) {
            if (unused.compareAndSet(start + i & unused.length() - 1, null, session)) {
                return true;
            }
        }
        return false;
    }
}
