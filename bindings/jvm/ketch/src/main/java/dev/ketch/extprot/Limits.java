package dev.ketch.extprot;

/**
 * The limits of a reader. Even with the defaults, memory is linear in the length of the data:
 * lengths never exceed their block, and blocks never have more elements than bytes.
 *
 * @param maxStringBytes the longest string
 * @param maxElements the maximum number of elements of a list, array, message or record
 * @param maxBlockBytes the longest block of a list, array, message or record; in a stream also the
 *     longest message
 * @param maxDepth the deepest nesting when reading without a schema
 * @param maxDefaultValues the maximum number of values that defaults may add to a message, beyond
 *     one for each of its bytes
 * @param wideInts whether an {@code int} may have 64 bits; other readers support 63
 */
public record Limits(
        long maxStringBytes,
        long maxElements,
        long maxBlockBytes,
        long maxDepth,
        long maxDefaultValues,
        boolean wideInts) {
    /** The defaults. */
    public static final Limits DEFAULT =
            new Limits(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, 10_000, 1_000_000, false);

    /**
     * Returns these limits with a different limit for strings.
     *
     * @param bytes the longest string
     * @return new limits
     */
    public Limits withMaxStringBytes(long bytes) {
        return new Limits(bytes, maxElements, maxBlockBytes, maxDepth, maxDefaultValues, wideInts);
    }

    /**
     * Returns these limits with a different limit for elements.
     *
     * @param elements the maximum number of elements of a list, array, message or record
     * @return new limits
     */
    public Limits withMaxElements(long elements) {
        return new Limits(
                maxStringBytes, elements, maxBlockBytes, maxDepth, maxDefaultValues, wideInts);
    }

    /**
     * Returns these limits with a different limit for blocks.
     *
     * @param bytes the longest block of a list, array, message or record
     * @return new limits
     */
    public Limits withMaxBlockBytes(long bytes) {
        return new Limits(maxStringBytes, maxElements, bytes, maxDepth, maxDefaultValues, wideInts);
    }

    /**
     * Returns these limits with a different depth.
     *
     * @param depth the deepest nesting
     * @return new limits
     */
    public Limits withMaxDepth(long depth) {
        return new Limits(
                maxStringBytes, maxElements, maxBlockBytes, depth, maxDefaultValues, wideInts);
    }

    /**
     * Returns these limits with a different limit for the values of defaults.
     *
     * @param values the maximum number of values that defaults may add to a message
     * @return new limits
     */
    public Limits withMaxDefaultValues(long values) {
        return new Limits(maxStringBytes, maxElements, maxBlockBytes, maxDepth, values, wideInts);
    }

    /**
     * Returns these limits with a different choice for wide integers.
     *
     * @param wide whether an {@code int} may have 64 bits
     * @return new limits
     */
    public Limits withWideInts(boolean wide) {
        return new Limits(
                maxStringBytes, maxElements, maxBlockBytes, maxDepth, maxDefaultValues, wide);
    }
}
