package dev.ketch.extprot;

import org.jspecify.annotations.Nullable;

/**
 * A field that is decoded on first use. Writing it copies the bytes that were read, including data
 * unknown to this schema.
 *
 * @param <T> the type of the value
 */
public final class Lazy<T> {
    private final byte @Nullable [] bytes;
    private final long offset;
    private final Limits limits;
    private Reader.@Nullable Decoder<T> decoder;
    private @Nullable T value;

    Lazy(byte @Nullable [] bytes, long offset, Limits limits, Reader.@Nullable Decoder<T> decoder) {
        this.bytes = bytes;
        this.offset = offset;
        this.limits = limits;
        this.decoder = decoder;
    }

    /**
     * Creates a field with a value.
     *
     * @param value the value
     * @param <T> its type
     * @return the field
     */
    public static <T> Lazy<T> of(T value) {
        Lazy<T> lazy = new Lazy<>(null, 0, Limits.DEFAULT, null);
        lazy.value = value;
        return lazy;
    }

    /**
     * Returns the value.
     *
     * @return the value
     * @throws ExtprotException if it is corrupt
     */
    public synchronized T get() {
        if (decoder != null) {
            try {
                value = decoder.read(new Reader(bytes, 0, bytes.length, limits));
            } catch (ExtprotException error) {
                throw error.shifted(offset);
            }
            decoder = null;
        }
        return value;
    }

    /** Returns the bytes that the field was read from; null if there are none. */
    byte @Nullable [] bytes() {
        return bytes;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Lazy<?> lazy && get().equals(lazy.get());
    }

    @Override
    public int hashCode() {
        return get().hashCode();
    }

    @Override
    public String toString() {
        return get().toString();
    }
}
