package dev.ketch;

/** Panics that tests plant. */
public final class Panics {
    private Panics() {}

    /**
     * Plants a panic: the {@code count}-th point that this thread passes panics, or none if it is 0.
     * Returns the number of points that were left until an earlier plant.
     */
    public static long plant(long count) {
        return Integer.toUnsignedLong(Native.plantPanic((int) count));
    }
}
