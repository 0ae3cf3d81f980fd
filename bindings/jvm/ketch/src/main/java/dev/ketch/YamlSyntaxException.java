package dev.ketch;

/** Invalid YAML. */
public final class YamlSyntaxException extends YamlException {
    private static final long serialVersionUID = 1;

    YamlSyntaxException(Failure failure) {
        super(failure);
    }
}
