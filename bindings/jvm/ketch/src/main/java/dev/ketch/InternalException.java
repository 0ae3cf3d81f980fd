package dev.ketch;

/**
 * A bug in Ketch: a panic of the native library, or results of it that contradict each other. The
 * process goes on, and other calls work. A parser, writer or stream whose method throws this
 * exception is closed.
 */
public final class InternalException extends YamlException {
    private static final long serialVersionUID = 1;

    private static final String HELP =
            "This is a bug in Ketch. Please report it, with the input if you can.";

    /** Native code calls this constructor for a panic. */
    InternalException(String problem) {
        super(new Failure("internal", problem + "\n" + HELP, problem, "Internal", HELP, null,
                0, 0, 0, 0, "", 0, 0));
    }

    InternalException(String problem, Throwable cause) {
        this(problem);
        initCause(cause);
    }
}
