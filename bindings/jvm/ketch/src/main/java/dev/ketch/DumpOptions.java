package dev.ketch;

import java.io.Serializable;

/**
 * The writing options. Immutable; created by {@link #builder()}.
 *
 * <pre>{@code
 * DumpOptions options = DumpOptions.builder().header(true).build();
 * Yaml.with(options).dump(Map.of("masts", List.of("main", "mizzen"))); // "---\nmasts:\n- main\n- mizzen\n"
 * }</pre>
 */
public final class DumpOptions implements Serializable {
    private static final long serialVersionUID = 1;

    /** The defaults. */
    public static final DumpOptions DEFAULT = builder().build();

    /** The options as numbers that dump.rs reads. */
    final long[] numbers;

    final boolean hasHeader;

    /** Whether a collection that occurs again is written again. */
    final boolean isExpanded;

    private DumpOptions(long[] numbers, boolean hasHeader, boolean isExpanded) {
        this.numbers = numbers;
        this.hasHeader = hasHeader;
        this.isExpanded = isExpanded;
    }

    /** Returns these options for values of edits, which have no anchors. */
    DumpOptions expanded() {
        return new DumpOptions(numbers, hasHeader, true);
    }

    /**
     * Creates a builder with the defaults.
     *
     * @return the builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link DumpOptions}. */
    public static final class Builder {
        private final long[] numbers = {2, 0, 0, 0, 0};
        private boolean hasHeader;

        private Builder() {}

        /**
         * Sets the indentation of blocks.
         *
         * @param columns 1 to 9; the default is 2
         * @return this builder
         */
        public Builder indent(int columns) {
            if (columns < 1 || columns > 9) {
                throw new IllegalArgumentException("indent: expected 1 to 9, not " + columns);
            }
            numbers[0] = columns;
            return this;
        }

        /**
         * Sets the width at which text and brackets are broken, where possible. By default there is
         * none.
         *
         * @param columns the width
         * @return this builder
         */
        public Builder width(int columns) {
            if (columns < 1) {
                throw new IllegalArgumentException("width: expected more than 0, not " + columns);
            }
            numbers[1] = columns;
            return this;
        }

        /**
         * Sets whether sequences in a mapping are indented. By default they are not.
         *
         * @param indented whether they are
         * @return this builder
         */
        public Builder indentSequences(boolean indented) {
            numbers[2] = indented ? 1 : 0;
            return this;
        }

        /**
         * Sets whether to write collections in brackets.
         *
         * @param flow whether to do so
         * @return this builder
         */
        public Builder flow(boolean flow) {
            numbers[3] = flow ? 1 : 0;
            return this;
        }

        /**
         * Sets whether to write text beyond ASCII as escapes.
         *
         * @param ascii whether to do so
         * @return this builder
         */
        public Builder ascii(boolean ascii) {
            numbers[4] = ascii ? 1 : 0;
            return this;
        }

        /**
         * Sets whether each document starts with {@code ---}.
         *
         * @param header whether it does
         * @return this builder
         */
        public Builder header(boolean header) {
            hasHeader = header;
            return this;
        }

        /**
         * Returns the options.
         *
         * @return the options
         */
        public DumpOptions build() {
            return new DumpOptions(numbers.clone(), hasHeader, false);
        }
    }
}
