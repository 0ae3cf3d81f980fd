package dev.ketch;

/** The text is YAML, but has no value. */
public class ValueException extends YamlException {
    private static final long serialVersionUID = 1;

    ValueException(Failure failure) {
        super(failure);
    }
}
