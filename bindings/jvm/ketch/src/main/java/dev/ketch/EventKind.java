package dev.ketch;

/** The kinds of events of a {@link YamlParser}. Anchor and tag come before their node. */
public enum EventKind {
    // The constants are in the engine's order.
    /** A document starts. */
    DOCUMENT_START,
    /** A document ends. */
    DOCUMENT_END,
    /** A sequence starts. */
    SEQUENCE_START,
    /** A sequence ends. */
    SEQUENCE_END,
    /** A mapping starts. */
    MAPPING_START,
    /** A mapping ends. */
    MAPPING_END,
    /** An alias; its text is the name. */
    ALIAS,
    /** The anchor of the next node; its text is the name. */
    ANCHOR,
    /** The tag of the next node; its text is the tag, with its handle replaced. */
    TAG,
    /** A plain scalar; an empty one is an empty node. */
    PLAIN,
    /** A single-quoted scalar. */
    SINGLE_QUOTED,
    /** A double-quoted scalar. */
    DOUBLE_QUOTED,
    /** A literal block scalar. */
    LITERAL,
    /** A folded block scalar. */
    FOLDED,
    /** A directive; its text is the line. */
    DIRECTIVE;

    private static final EventKind[] ALL = values();

    static EventKind of(int number) {
        return ALL[number - 1];
    }

    /**
     * Returns whether the event is a scalar.
     *
     * @return whether it is
     */
    public boolean isScalar() {
        return compareTo(PLAIN) >= 0 && this != DIRECTIVE;
    }
}
