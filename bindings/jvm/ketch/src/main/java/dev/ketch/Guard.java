package dev.ketch;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Protects native memory that one call at a time may use, and frees it. A program may close its
 * parser or writer from the stream that it reads or writes, or from another thread, while a call is
 * in progress. The memory is then freed when that call returns.
 */
final class Guard {
    private static final Cleaner CLEANER = Cleaner.create();

    private static final int IDLE = 0;
    private static final int BUSY = 1;
    /** Closed during a call, which still has to free the memory. */
    private static final int DOOMED = 2;

    private static final int CLOSED = 3;

    private final AtomicInteger state = new AtomicInteger();
    private final Cleaner.Cleanable cleanable;
    /** The thread of the last call. */
    private Thread user;

    /**
     * Creates a guard.
     *
     * @param owner the object whose end frees the memory at the latest
     * @param free frees the memory; must not refer to the owner
     */
    Guard(Object owner, Runnable free) {
        cleanable = CLEANER.register(owner, free);
    }

    /** Starts a call. */
    void enter() {
        if (!state.compareAndSet(IDLE, BUSY)) {
            throw new IllegalStateException(state.get() == CLOSED
                    ? "this parser or writer is closed"
                    : "this parser or writer is in use by another thread, or by the call that calls it");
        }
        user = Thread.currentThread();
    }

    /** Ends a call. */
    void exit() {
        if (!state.compareAndSet(BUSY, IDLE)) {
            state.set(CLOSED);
            cleanable.clean();
        }
    }

    /** Frees the memory, now or at the end of the call that uses it. */
    void close() {
        if (state.compareAndSet(IDLE, CLOSED)) {
            cleanable.clean();
        } else {
            state.compareAndSet(BUSY, DOOMED);
        }
    }

    boolean isClosed() {
        return state.get() == CLOSED;
    }

    /** Returns whether this thread may go on with what the last call has returned. */
    boolean isOfThisThread() {
        return state.get() == IDLE && (user == null || user == Thread.currentThread());
    }
}
