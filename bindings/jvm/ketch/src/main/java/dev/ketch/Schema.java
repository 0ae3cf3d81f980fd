package dev.ketch;

/** The rules that give plain scalars their types. */
public enum Schema {
    // The constants are in the engine's order.
    /** All scalars are text. */
    FAILSAFE,
    /** The scalars of JSON. Other plain text is an error. */
    JSON,
    /** YAML 1.2, the default. */
    CORE,
    /** YAML 1.1: {@code yes}, {@code 0777}, dates, {@code <<}. */
    YAML11,
    /** Syck, the YAML of early Ruby. */
    SYCK
}
