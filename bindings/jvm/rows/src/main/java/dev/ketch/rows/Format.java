package dev.ketch.rows;

/** How {@link Rows#write} writes rows. */
public enum Format {
    /** A sequence of mappings. A decimal has all its digits. */
    YAML,
    /**
     * An array of objects, a line each. A decimal is a number with all its digits, a time is text
     * as in ISO 8601, and binary data are text in Base64.
     */
    JSON,
    /**
     * A value for each row, one after the other, which {@code Extprot.loadAll} reads. A decimal is
     * text, since extprot has no decimals.
     */
    EXTPROT
}
