package dev.ketch.rows;

/** How {@link Rows#write} writes rows. */
public enum Format {
    /** A sequence of mappings. A decimal has all its digits. */
    YAML,
    /**
     * An array of objects, one per line. A decimal is a number with all its digits, a time is text
     * as in ISO 8601, and binary data is Base64 text.
     */
    JSON,
    /**
     * One value per row; {@code Extprot.values} reads them one at a time. A decimal is text, since
     * extprot has no decimals.
     */
    EXTPROT
}
