package dev.ketch.extprot;

import org.jspecify.annotations.Nullable;

/** Corrupt or unexpected data, with its offset. */
public final class ExtprotException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The kind of a problem. */
    public enum Kind {
        /** The data ends too early, or a length or count runs past its end. */
        EOF,
        /** The wire type is not one that the reader accepts here. */
        BAD_WIRE_TYPE,
        /** A tag without meaning for the type; {@link #number} is the tag. */
        UNKNOWN_TAG,
        /** A field without a default is absent. */
        MISSING_FIELD,
        /** A tuple element or constructor argument is absent; {@link #number} is its index. */
        MISSING_TUPLE_ELEMENT,
        /** A limit is exceeded; {@link #setting} names it if it can be raised. {@link #number} is what was found. */
        LIMIT_EXCEEDED,
        /** A version that the reader does not know; {@link #number} is the version, or -1. */
        WRONG_PROTOCOL_VERSION,
        /** A vint of more than 64 bits. */
        VINT_TOO_LONG,
        /** An {@code int} of more than 63 bits, which other readers do not support. */
        INT_RANGE,
        /** Text that is not UTF-8. */
        NOT_UTF8,
        /** Data that is not in the table of the data model. */
        NOT_IN_MODEL,
        /** A mapping with two equal keys. */
        DUPLICATE_KEY,
        /** More data after the only value. */
        TRAILING_BYTES
    }

    private final Kind kind;
    private final String problem;
    private final @Nullable String setting;
    private final long number;
    private final long offset;
    private final String path;

    private ExtprotException(
            Kind kind, String problem, @Nullable String setting, long number, long offset, String path) {
        super(message(problem, offset, path));
        this.kind = kind;
        this.problem = problem;
        this.setting = setting;
        this.number = number;
        this.offset = offset;
        this.path = path;
    }

    ExtprotException(Kind kind, String problem, long number, long offset) {
        this(kind, problem, null, number, offset, "");
    }

    static ExtprotException limit(String setting, long found, long most, long offset) {
        String problem = excess(setting, Long.toUnsignedString(found)) + " " + setting + " ("
                + Long.toUnsignedString(most) + "); raise it in Limits";
        return new ExtprotException(Kind.LIMIT_EXCEEDED, problem, setting, found, offset, "");
    }

    private static String excess(String setting, String found) {
        return switch (setting) {
            case "maxStringBytes" -> "a string of " + found + " bytes exceeds";
            case "maxElements" -> found + " elements exceed";
            case "maxBlockBytes" -> "a block of " + found + " bytes exceeds";
            case "maxDepth" -> "nesting of " + found + " levels exceeds";
            default -> found + " default values exceed";
        };
    }

    private static String message(String problem, long offset, String path) {
        String place = path.isEmpty() ? "" : " in " + path;
        return offset < 0 ? problem + place : "offset " + offset + place + ": " + problem;
    }

    /**
     * Returns this exception with a message and field added to its path. Generated code calls it.
     *
     * @param message the message or constructor
     * @param field the field
     * @return a new exception
     */
    public ExtprotException within(String message, String field) {
        String own = message + "." + field;
        return changed(offset, path.isEmpty() ? own : own + " > " + path);
    }

    /** Returns this exception with its offset increased by {@code bytes}. */
    ExtprotException shifted(long bytes) {
        return changed(offset < 0 ? offset : offset + bytes, path);
    }

    private ExtprotException changed(long newOffset, String newPath) {
        ExtprotException changed =
                new ExtprotException(kind, problem, setting, number, newOffset, newPath);
        changed.setStackTrace(getStackTrace());
        return changed;
    }

    /**
     * Returns the kind of the problem.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }

    /**
     * Returns a description of the problem.
     *
     * @return the description, without the location
     */
    public String problem() {
        return problem;
    }

    /**
     * Returns the component of {@link Limits} that was exceeded, such as {@code maxDepth}, which
     * {@link Limits#withMaxDepth} raises.
     *
     * @return its name; null if no limit was exceeded, or if it cannot be raised
     */
    public @Nullable String setting() {
        return setting;
    }

    /**
     * Returns the number that the problem is about.
     *
     * @return the number, or 0
     */
    public long number() {
        return number;
    }

    /**
     * Returns the offset of the problem, in bytes.
     *
     * @return the offset, or -1 if it is not known
     */
    public long offset() {
        return offset;
    }

    /**
     * Returns the path of messages and fields to the problem.
     *
     * @return the outermost first, such as {@code user.email > address.domain}
     */
    public String path() {
        return path;
    }
}
