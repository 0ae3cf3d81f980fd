package dev.ketch;

import java.nio.ByteBuffer;

/** The reason why a pattern cannot be compiled, or a search has failed. */
public final class RegexFailure extends Exception {
    private static final long serialVersionUID = 1;

    /** The kinds of failures. */
    public enum Kind {
        /** The pattern is invalid; all fields are present. */
        SYNTAX,
        /** The pattern is invalid as a whole; it has a message and a problem. */
        WHOLE,
        /** A limit was exceeded; all fields but the location are present. */
        LIMIT,
        /** A line is longer than allowed; it has only a message, like all that follow. */
        LONG,
        /** The time limit was exceeded. */
        TIMEOUT,
        /** A template refers to no group. */
        INDEX,
        /** A template is invalid. */
        RUNTIME,
        /** A stream cannot be read. */
        IO,
        /** The engine has panicked, which is a bug. */
        INTERNAL
    }

    /** The kind. */
    public final Kind kind;

    /** What went wrong. */
    public final String problem;

    /** A name for the problem. */
    public final String name;

    /** How to fix it. */
    public final String help;

    /** The limit that was exceeded. */
    public final String setting;

    /** The column in characters, counted from 1; 0 without a location. */
    public final long column;

    /** The offset in bytes. */
    public final long offset;

    private RegexFailure(Kind kind, String message, String problem, ByteBuffer in) {
        super(message, null, false, false);
        this.kind = kind;
        this.problem = problem;
        boolean isLong = in.hasRemaining();
        name = isLong ? Failure.text(in) : null;
        help = isLong ? Failure.text(in) : null;
        setting = isLong ? Failure.text(in) : null;
        column = isLong ? Failure.number(in) : 0;
        offset = isLong ? Failure.number(in) : 0;
    }

    /** Returns the exception for a panic, whose message this failure has. */
    public InternalException panic() {
        return new InternalException(problem);
    }

    /** Reads the fields from failure.rs. */
    static RegexFailure read(byte[] fields) {
        ByteBuffer in = ByteBuffer.wrap(fields);
        String kind = Failure.text(in);
        String message = Failure.text(in);
        String problem = in.hasRemaining() ? Failure.text(in) : message;
        return switch (kind) {
            case "memory" -> throw new OutOfMemoryError("Ketch: no native memory");
            default -> new RegexFailure(
                    Kind.valueOf(kind.toUpperCase(java.util.Locale.ROOT)), message, problem, in);
        };
    }
}
