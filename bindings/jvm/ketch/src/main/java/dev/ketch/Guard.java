package dev.ketch;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Protects native memory that a parser or writer uses. A program may close this from the stream that
 * it reads or writes, or from another thread, while a call is in progress. The memory is then freed
 * when that call returns.
 */
final class Guard {
    private static final int IDLE = 0;
    private static final int BUSY = 1;
    /** Closed during a call, which still has to free the memory. */
    private static final int DOOMED = 2;
    private static final int CLOSED = 3;

    private final AtomicInteger state = new AtomicInteger();
    private final Runnable free;

    /**
     * Creates a guard.
     *
     * @param free frees the memory; is run at most once
     */
    Guard(Runnable free) {
        this.free = free;
    }

    /** Starts a call. */
    void enter() {
        if (!state.compareAndSet(IDLE, BUSY)) {
            throw new IllegalStateException(state.get() == BUSY
                    ? "this parser or writer is in use by another thread, or by the call that calls it"
                    : "this parser or writer is closed");
        }
    }

    /** Ends a call. Returns false if the memory was closed during the call, and frees it then. */
    boolean exit() {
        if (state.compareAndSet(BUSY, IDLE)) {
            return true;
        }
        state.set(CLOSED);
        free.run();
        return false;
    }

    /** Frees the memory, now or at the end of the call that uses it. */
    void close() {
        while (state.get() < DOOMED) {
            if (release()) {
                free.run();
            } else {
                state.compareAndSet(BUSY, DOOMED);
            }
        }
    }

    /**
     * Gives up the memory without freeing it, so that the caller alone may use it: no call can start
     * any more. Returns false if it is closed, or a call is in progress.
     */
    boolean release() {
        return state.compareAndSet(IDLE, CLOSED);
    }
}
