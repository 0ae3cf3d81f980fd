package dev.ketch;

import org.jspecify.annotations.Nullable;

/**
 * An error in an input. The message has the location, the line with a caret, and help; the methods
 * are for programs.
 */
public class YamlException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Failure failure;

    YamlException(Failure failure) {
        super(Words.message(failure));
        this.failure = failure;
    }

    /**
     * Returns the line, counted from 1; 0 if it is not known.
     *
     * @return the line
     */
    public long line() {
        return failure.line();
    }

    /**
     * Returns the column in characters (Unicode scalar values), counted from 1.
     *
     * @return the column
     */
    public long column() {
        return failure.column();
    }

    /**
     * Returns the offset from the start of the input's UTF-8 form, in bytes.
     *
     * @return the offset
     */
    public long offset() {
        return failure.offset();
    }

    /**
     * Returns the length of the invalid part, in bytes.
     *
     * @return the length
     */
    public long length() {
        return failure.length();
    }

    /**
     * Returns the text of the line.
     *
     * @return its text
     */
    public String lineText() {
        return failure.lineText();
    }

    /**
     * Returns a description of the problem, without the location.
     *
     * @return the description
     */
    public String problem() {
        return failure.problem();
    }

    /**
     * Returns the name of the rule that the input breaks, such as {@code DuplicateKey}.
     *
     * @return the name
     */
    public String name() {
        return failure.name();
    }

    /**
     * Returns advice on how to fix the problem.
     *
     * @return the advice
     */
    public String help() {
        return Words.help(failure.help());
    }

    /**
     * Returns the limit that was exceeded, such as {@code MAX_DEPTH}.
     *
     * @return the name of the {@link Limit}, or of the setting of a {@link Query}; null if the error is not about
     *     a limit that can be raised
     */
    public @Nullable String setting() {
        return Words.limit(failure.setting());
    }

    /** Returns the error in the words of the core. */
    Failure failure() {
        return failure;
    }

    /**
     * Returns the line of the related location, such as that of the first of two equal keys, or the
     * line on which it becomes apparent that a quote above is never closed.
     *
     * @return the line, or 0 if there is none
     */
    public long relatedLine() {
        return failure.relatedLine();
    }

    /**
     * Returns the column of the related location.
     *
     * @return the column, or 0 if there is none
     */
    public long relatedColumn() {
        return failure.relatedColumn();
    }
}
