package dev.ketch;

/** The text is valid YAML, but its value cannot be loaded. */
public class ValueException extends YamlException {
    private static final long serialVersionUID = 1;

    ValueException(Failure failure) {
        super(failure);
    }
}
