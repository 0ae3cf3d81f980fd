package dev.ketch;

/** The languages that are read. */
public enum Dialect {
    // The constants are in the order of options.rs.
    /** YAML 1.2. */
    YAML,
    /**
     * The YAML of Syck, for files that were written for Ruby 1.8 (docs/syck.md). Unless other ones are
     * chosen, the schema is {@link Schema#SYCK}, and the last of several equal keys wins.
     */
    SYCK
}
