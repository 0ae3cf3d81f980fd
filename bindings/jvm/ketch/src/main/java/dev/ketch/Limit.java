package dev.ketch;

/**
 * Limits on the resources that an input may use. docs/limits.md lists the defaults, most of which
 * grow with the input.
 */
public enum Limit {
    // The constants are in the order of options.rs.
    /** The maximum depth of nested collections. */
    MAX_DEPTH(true),
    /**
     * The maximum number of nodes in the keys of a document, with aliases expanded; also the maximum
     * number of pairs that merge keys copy. Other aliases become shared objects and are not limited,
     * except with Jackson, which gets a copy of the node for each alias.
     */
    MAX_ALIAS_NODES(true),
    /** The maximum number of nodes in a document. */
    MAX_NODES(true),
    /** The maximum total length of the different tags of a document in bytes. */
    MAX_TAG_BYTES(true),
    /** The maximum number of {@code %TAG} directives of a document. */
    MAX_TAG_HANDLES(false),
    /** The maximum length of an implicit key in characters. */
    MAX_IMPLICIT_KEY_CHARS(false),
    /** The maximum length of a scalar in bytes. */
    MAX_SCALAR_BYTES(false),
    /** The maximum number of bytes that a reader holds at once. */
    MAX_BUFFER_BYTES(false);

    final boolean grows;

    Limit(boolean grows) {
        this.grows = grows;
    }
}
