package dev.ketch;

/** A duplicate key in a mapping. */
public final class DuplicateKeyException extends ValueException {
    private static final long serialVersionUID = 1;

    DuplicateKeyException(Failure failure) {
        super(failure);
    }
}
