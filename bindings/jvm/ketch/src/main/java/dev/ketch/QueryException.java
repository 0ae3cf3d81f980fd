package dev.ketch;

/**
 * A program in jq's language that is not valid, or that has failed. {@link #name()} is the kind of error. Its line,
 * column and text are those in the program; the related line and column are those of the value that the error is
 * about, if there is one.
 */
public final class QueryException extends YamlException {
    private static final long serialVersionUID = 1;

    QueryException(Failure failure) {
        super(failure);
    }
}
