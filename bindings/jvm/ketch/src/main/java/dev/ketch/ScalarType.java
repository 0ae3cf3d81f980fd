package dev.ketch;

/** The type of a scalar. docs/data-model.md describes the values. */
public enum ScalarType {
    /** Null. */
    NULL,
    /** A boolean. */
    BOOL,
    /** An integer of any size. */
    INT,
    /** A float. */
    FLOAT,
    /** Text. */
    STR,
    /** A point in time or a day. */
    TIMESTAMP,
    /** Bytes: from the tag {@code !!binary}. */
    BINARY,
    /** The merge key {@code <<}, where the options merge. */
    MERGE,
    /** Text that the tag or the schema does not allow, such as {@code !!int x}. */
    INVALID
}
