package dev.ketch;

/** An error in the words of the core, which Ruby shares. Those of a {@link YamlException} are Java's. */
public record CoreWords(String message, String help, String setting) {
    /** Returns the words of an error. */
    public static CoreWords of(YamlException error) {
        Failure failure = error.failure();
        return new CoreWords(failure.message(), failure.help(), failure.setting());
    }
}
