package dev.ketch;

/** The handling of duplicate keys in a mapping. */
public enum DuplicateKeys {
    /** A {@link DuplicateKeyException}, the default. */
    ERROR,
    /** The first one wins. */
    FIRST,
    /** The last one wins. */
    LAST
}
