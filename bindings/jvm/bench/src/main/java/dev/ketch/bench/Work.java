package dev.ketch.bench;

/**
 * An operation of an engine on an input. What is not timed has been done.
 *
 * @param call does the work once
 * @param reduction makes a value that is compared of a result; see {@link Canonical}
 */
record Work(Call call, Reduction reduction) {
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
}
