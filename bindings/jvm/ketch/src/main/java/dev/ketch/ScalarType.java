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
    INVALID;

    /** The types by the numbers of pull.rs. */
    private static final ScalarType[] BY_NUMBER = {
        STR, NULL, BOOL, BOOL, INT, FLOAT, INT, TIMESTAMP, BINARY, MERGE, INVALID,
    };

    static ScalarType ofNumber(int number) {
        return BY_NUMBER[number];
    }
}
