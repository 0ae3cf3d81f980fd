package dev.ketch;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The loading options. Immutable; created by {@link #builder()}.
 *
 * <pre>{@code
 * Options options = Options.builder().schema(Schema.YAML11).fileName("fleet.yml").build();
 * Yaml.with(options).load("fast: yes"); // {fast=true}
 * }</pre>
 */
public final class Options implements Serializable {
    private static final long serialVersionUID = 1;

    /** The defaults: YAML 1.2, duplicate keys are errors, {@code <<} is text. */
    public static final Options DEFAULT = builder().build();

    private static final int HEAD = 7;
    private static final int DUPLICATE_KEYS = 1;
    /**
     * 1 for events, 2 for values with positions, 3 and 4 for nodes of Syck's dialect, 5 to check only
     * the syntax, 6 for values whose texts are all in UTF-8.
     */
    private static final int FORM = 4;
    private static final int DIALECT = 5;
    /** -1 for the default. */
    private static final int FINAL_BREAK = 6;
    private static final int MERGE = 2;
    /** The default of the composer (docs/limits.md). */
    private static final long ALIAS_NODES = 1_000_000;
    private static final long ALIAS_NODES_PER_KIB = 4_096;

    /** The options as numbers that options.rs reads. */
    final long[] numbers;

    final @Nullable String fileName;

    private Options(long[] numbers, @Nullable String fileName) {
        this.numbers = numbers;
        this.fileName = fileName;
    }

    /**
     * Creates a builder with the defaults.
     *
     * @return the builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns these options with the name of another file, unless a name was chosen. */
    Options forFile(String name) {
        return fileName != null ? this : new Options(numbers, name);
    }

    /** Returns the name of the input in UTF-8, or null if it has none. */
    byte @Nullable [] fileNameUtf8() {
        return fileName == null ? null : fileName.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Returns what to do with duplicate keys.
     *
     * @return the choice
     */
    public DuplicateKeys duplicateKeys() {
        return DuplicateKeys.values()[(int) numbers[DUPLICATE_KEYS]];
    }

    /**
     * Returns whether {@code <<} merges.
     *
     * @return whether it does, by choice or by the schema
     */
    public boolean mergesKeys() {
        return numbers[MERGE] < 0 ? numbers[0] >= Schema.YAML11.ordinal() : numbers[MERGE] != 0;
    }

    /**
     * Returns the number of nodes that the aliases of a document may expand to.
     *
     * @param documentBytes its length
     * @return {@link Limit#MAX_ALIAS_NODES} at that length
     */
    public long maxAliasNodes(long documentBytes) {
        int at = HEAD + 2 * Limit.MAX_ALIAS_NODES.ordinal();
        boolean isDefault = numbers[at] < 0;
        long base = isDefault ? ALIAS_NODES : numbers[at];
        long perKib = isDefault ? ALIAS_NODES_PER_KIB : numbers[at + 1];
        long more = perKib == 0 ? 0 : perKib * (documentBytes >> 10);
        return base > Long.MAX_VALUE - more ? Long.MAX_VALUE : base + more;
    }

    /**
     * Returns these options with {@link Builder#finalBreak}, unless it was set.
     *
     * @param finalBreak whether such a scalar ends with a line break
     * @return the options
     */
    public Options finalBreakUnlessSet(boolean finalBreak) {
        if (numbers[FINAL_BREAK] >= 0) {
            return this;
        }
        long[] changed = numbers.clone();
        changed[FINAL_BREAK] = finalBreak ? 1 : 0;
        return new Options(changed, fileName);
    }

    /** Returns these options for reading events. */
    Options forEvents() {
        return withForm(1);
    }

    Options forPositions() {
        return withForm(2);
    }

    /** Returns these options for checking the syntax. */
    Options forSyntax() {
        return withForm(5);
    }

    /** Returns these options for reading nodes of Syck's dialect. */
    Options forNodes(boolean implicitTyping) {
        return withForm(implicitTyping ? 3 : 4);
    }

    /** Returns these options for values whose texts are all in UTF-8. */
    Options forUtf8() {
        return withForm(6);
    }

    private Options withForm(int form) {
        long[] changed = numbers.clone();
        changed[FORM] = form;
        return new Options(changed, fileName);
    }

    /** Builds {@link Options}. */
    public static final class Builder {
        private final long[] numbers = new long[HEAD + 2 * Limit.values().length];
        private @Nullable String fileName;
        /** Null for the dialect's default. */
        private @Nullable Schema schema;

        private @Nullable DuplicateKeys duplicateKeys;

        private Builder() {
            Arrays.fill(numbers, -1);
            numbers[3] = 0;
            numbers[FORM] = 0;
            numbers[DIALECT] = 0;
        }

        /**
         * Sets the language of the text. In the dialect of Syck, bytes without a byte order mark
         * are UTF-8.
         *
         * @param dialect the dialect; {@link Dialect#YAML} by default
         * @return this builder
         */
        public Builder dialect(Dialect dialect) {
            numbers[DIALECT] = dialect.ordinal();
            return this;
        }

        /**
         * Sets what plain scalars mean. The default is that of the dialect.
         *
         * @param schema the schema
         * @return this builder
         */
        public Builder schema(Schema schema) {
            this.schema = Objects.requireNonNull(schema);
            return this;
        }

        /**
         * Sets what to do with duplicate keys. The default is that of the dialect.
         *
         * @param duplicateKeys the choice
         * @return this builder
         */
        public Builder duplicateKeys(DuplicateKeys duplicateKeys) {
            this.duplicateKeys = Objects.requireNonNull(duplicateKeys);
            return this;
        }

        /**
         * Sets whether {@code <<} merges other mappings into its own. The default is the schema's.
         *
         * @param merge whether it does
         * @return this builder
         */
        public Builder merge(boolean merge) {
            numbers[MERGE] = merge ? 1 : 0;
            return this;
        }

        /**
         * Sets whether to accept brackets and quoted text that are not indented enough, as libyaml
         * does.
         *
         * @param lenient whether to do so
         * @return this builder
         */
        public Builder lenient(boolean lenient) {
            numbers[3] = lenient ? 1 : 0;
            return this;
        }

        /**
         * Sets whether a block scalar that ends the input without a line break ends with one all the
         * same, as yaml-test-suite expects. If not, it ends as the input does, as in SnakeYAML and
         * Jackson: {@code "a: |\n  x"} is {@code x} without a line break. Default: true; false in
         * {@code ketch-jackson}.
         *
         * @param finalBreak whether it does
         * @return this builder
         */
        public Builder finalBreak(boolean finalBreak) {
            numbers[FINAL_BREAK] = finalBreak ? 1 : 0;
            return this;
        }

        /**
         * Sets the name of the input in errors. By default, the name of a file is its path.
         *
         * @param fileName the name
         * @return this builder
         */
        public Builder fileName(String fileName) {
            this.fileName = Objects.requireNonNull(fileName);
            return this;
        }

        /**
         * Sets a limit that does not grow with the input.
         *
         * @param limit the limit
         * @param value its value; {@code Long.MAX_VALUE} for none
         * @return this builder
         */
        public Builder limit(Limit limit, long value) {
            return set(limit, value, 0);
        }

        /**
         * Sets a limit that grows with the input.
         *
         * @param limit one of those that can grow: all but the last four
         * @param base the value for an empty input
         * @param perKib what each 1,024 bytes of input add
         * @return this builder
         */
        public Builder limit(Limit limit, long base, long perKib) {
            if (!limit.grows) {
                throw new IllegalArgumentException(limit + " does not grow with the input");
            }
            return set(limit, base, perKib);
        }

        private Builder set(Limit limit, long base, long perKib) {
            if (base < 0 || perKib < 0) {
                throw new IllegalArgumentException(limit + ": expected a number that is not negative");
            }
            int at = HEAD + 2 * limit.ordinal();
            numbers[at] = base;
            numbers[at + 1] = perKib;
            return this;
        }

        /**
         * Returns the options.
         *
         * @return the options
         */
        public Options build() {
            boolean isSyck = numbers[DIALECT] == Dialect.SYCK.ordinal();
            long[] built = numbers.clone();
            built[0] = schemaOr(isSyck ? Schema.SYCK : Schema.CORE).ordinal();
            built[DUPLICATE_KEYS] =
                    duplicateKeysOr(isSyck ? DuplicateKeys.LAST : DuplicateKeys.ERROR).ordinal();
            return new Options(built, fileName);
        }

        private Schema schemaOr(Schema otherwise) {
            return schema == null ? otherwise : schema;
        }

        private DuplicateKeys duplicateKeysOr(DuplicateKeys otherwise) {
            return duplicateKeys == null ? otherwise : duplicateKeys;
        }
    }
}
