package dev.ketch.bench;

/**
 * An operation of an engine on an input. What is not timed has been done.
 *
 * @param call does the work once
 * @param reduction makes a value that is compared of a result; see {@link Canonical}
 * @param resource what it uses, which is closed at its end
 */
record Work(Call call, Reduction reduction, AutoCloseable resource) {
    /** The work that is timed. */
    interface Call {
        /** Does the work once. */
        Object run() throws Exception;
    }

    /** Makes a value of a result. */
    interface Reduction {
        /** Returns the value. */
        Object apply(Object result) throws Exception;
    }

    /** Makes the work ready for an input. */
    interface Factory<T> {
        /** Returns the work for an input. */
        Work prepare(T input) throws Exception;
    }

    /** Work whose results are compared as they are. */
    Work(Call call) {
        this(call, result -> result);
    }

    /** Work that uses nothing that has to be closed. */
    Work(Call call, Reduction reduction) {
        this(call, reduction, () -> {});
    }
}
