package dev.ketch;

/** A limit was exceeded; {@link #setting()} names it. */
public final class LimitException extends YamlException {
    private static final long serialVersionUID = 1;

    LimitException(Failure failure) {
        super(failure);
    }
}
