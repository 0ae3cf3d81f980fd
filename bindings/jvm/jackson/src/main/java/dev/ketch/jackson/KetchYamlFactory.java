package dev.ketch.jackson;

import com.fasterxml.jackson.core.FormatSchema;
import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.ObjectCodec;
import com.fasterxml.jackson.core.TSFBuilder;
import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.core.format.InputAccessor;
import com.fasterxml.jackson.core.format.MatchStrength;
import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.core.json.PackageVersion;
import com.fasterxml.jackson.core.util.VersionUtil;
import dev.ketch.DumpOptions;
import dev.ketch.Options;
import dev.ketch.YamlException;
import dev.ketch.YamlParser;
import java.io.CharArrayReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Creates parsers and generators of YAML.
 *
 * <pre>{@code
 * ObjectMapper mapper = new ObjectMapper(new KetchYamlFactory());
 * mapper.readTree("masts: [main, mizzen]").at("/masts/1").asText(); // mizzen
 * }</pre>
 *
 * <p>{@link KetchYamlMapper} is the shorter way, and resolves aliases to objects with ids.
 */
public class KetchYamlFactory extends JsonFactory {
    private static final long serialVersionUID = 1;

    static final Version VERSION =
            VersionUtil.parseVersion("0.1.0", "dev.ketch", "ketch-jackson");

    /** The first supported version is 2.18. */
    private static final int FIRST_MINOR = 18;

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
    private static final int START_DASHES = 3;

    /** The reading options. */
    protected final Options options;

    /** The writing options. */
    protected final DumpOptions dumpOptions;

    /** Whether aliases are always read as ids. */
    protected final boolean aliasesAsIds;

    /** Whether types are written as tags. */
    protected final boolean nativeTypeIds;

    /** Whether object ids are written as anchors. */
    protected final boolean nativeObjectIds;

    /** Creates a factory with the defaults. */
    public KetchYamlFactory() {
        this(new Builder());
    }

    private KetchYamlFactory(Builder builder) {
        super(builder, false);
        requireSupported(PackageVersion.VERSION);
        options = builder.options.finalBreakUnlessSet(false);
        dumpOptions = builder.dumpOptions;
        aliasesAsIds = builder.aliasesAsIds;
        nativeTypeIds = builder.nativeTypeIds;
        nativeObjectIds = builder.nativeObjectIds;
    }

    private KetchYamlFactory(KetchYamlFactory source, @Nullable ObjectCodec codec) {
        super(source, codec);
        options = source.options;
        dumpOptions = source.dumpOptions;
        aliasesAsIds = source.aliasesAsIds;
        nativeTypeIds = source.nativeTypeIds;
        nativeObjectIds = source.nativeObjectIds;
    }

    /** Fails for a version of Jackson that lacks what this module calls. */
    static void requireSupported(Version jackson) {
        if (jackson.getMajorVersion() == 2 && jackson.getMinorVersion() < FIRST_MINOR) {
            throw new IllegalStateException("ketch-jackson needs Jackson 2." + FIRST_MINOR
                    + " or newer, but jackson-core is " + jackson
                    + ": use a newer jackson-core and jackson-databind");
        }
    }

    /**
     * Creates a builder with the defaults.
     *
     * @return the builder
     */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public Builder rebuild() {
        return new Builder(this);
    }

    /** Builds a {@link KetchYamlFactory}. */
    public static class Builder extends TSFBuilder<KetchYamlFactory, Builder> {
        private Options options = Options.DEFAULT;
        private DumpOptions dumpOptions = DumpOptions.DEFAULT;
        private boolean aliasesAsIds;
        private boolean nativeTypeIds = true;
        private boolean nativeObjectIds = true;

        private Builder() {}

        private Builder(KetchYamlFactory factory) {
            super(factory);
            options = factory.options;
            dumpOptions = factory.dumpOptions;
            aliasesAsIds = factory.aliasesAsIds;
            nativeTypeIds = factory.nativeTypeIds;
            nativeObjectIds = factory.nativeObjectIds;
        }

        /**
         * Sets the reading options: schema, duplicate keys, merge keys, limits. Unless {@link
         * Options.Builder#finalBreak} is set, a block scalar that ends the input without a line break
         * has none, as in Jackson's own {@code YAMLFactory}.
         *
         * @param options the options
         * @return this builder
         */
        public Builder options(Options options) {
            this.options = Objects.requireNonNull(options);
            return this;
        }

        /**
         * Sets the writing options.
         *
         * @param dumpOptions the options
         * @return this builder
         */
        public Builder dumpOptions(DumpOptions dumpOptions) {
            this.dumpOptions = Objects.requireNonNull(dumpOptions);
            return this;
        }

        /**
         * Sets whether all aliases are read as the id of an object. By default, an alias is read as
         * a copy of its node, except for classes with an identity. Set this if a property has the
         * identity and not its class, or if aliases form a cycle in an object that Jackson buffers:
         * one whose type is in a property that is not the first, or with
         * {@link com.fasterxml.jackson.annotation.JsonUnwrapped}.
         *
         * @param aliasesAsIds whether they are
         * @return this builder
         */
        public Builder aliasesAsIds(boolean aliasesAsIds) {
            this.aliasesAsIds = aliasesAsIds;
            return this;
        }

        /**
         * Sets whether to write the ids of types as tags, which is the default, instead of as a
         * property.
         *
         * @param nativeTypeIds whether to do so
         * @return this builder
         */
        public Builder nativeTypeIds(boolean nativeTypeIds) {
            this.nativeTypeIds = nativeTypeIds;
            return this;
        }

        /**
         * Sets whether to write the ids of objects as anchors, which is the default, instead of as
         * a property.
         *
         * @param nativeObjectIds whether to do so
         * @return this builder
         */
        public Builder nativeObjectIds(boolean nativeObjectIds) {
            this.nativeObjectIds = nativeObjectIds;
            return this;
        }

        @Override
        public KetchYamlFactory build() {
            return new KetchYamlFactory(this);
        }
    }

    @Override
    public KetchYamlFactory copy() {
        _checkInvalidCopy(KetchYamlFactory.class);
        return new KetchYamlFactory(this, null);
    }

    @Override
    protected Object readResolve() {
        return new KetchYamlFactory(this, _objectCodec);
    }

    @Override
    public Version version() {
        return VERSION;
    }

    @Override
    public String getFormatName() {
        return "YAML";
    }

    @Override
    public boolean canUseCharArrays() {
        return false;
    }

    @Override
    public boolean canUseSchema(@Nullable FormatSchema schema) {
        return false;
    }

    @Override
    public boolean canHandleBinaryNatively() {
        return true;
    }

    /**
     * Recognizes the start of a document, {@code ---}, perhaps after a byte order mark, as Jackson's own
     * {@code YAMLFactory} does.
     */
    @Override
    public MatchStrength hasFormat(InputAccessor input) throws IOException {
        int dashes = 0;
        for (int at = 0; dashes < START_DASHES; at++) {
            if (!input.hasMoreBytes()) {
                return MatchStrength.INCONCLUSIVE;
            }
            byte unit = input.nextByte();
            boolean isInMark = at < BYTE_ORDER_MARK.length && dashes == 0;
            if (isInMark && unit == BYTE_ORDER_MARK[at]) {
                continue;
            }
            if (isInMark && at > 0) {
                return MatchStrength.NO_MATCH;
            }
            if (unit != '-') {
                return MatchStrength.INCONCLUSIVE;
            }
            dashes++;
        }
        return MatchStrength.FULL_MATCH;
    }

    // Parsers.

    @Override
    public JsonParser createParser(String content) throws IOException {
        if (_inputDecorator != null) {
            return super.createParser(content);
        }
        IOContext io = _createContext(_createContentReference(content), true);
        return parser(io, null, () -> YamlParser.of(content, options));
    }

    @Override
    protected JsonParser _createParser(InputStream in, IOContext io) throws IOException {
        return parser(io, in, () -> YamlParser.of(in, options));
    }

    @Override
    protected JsonParser _createParser(Reader in, IOContext io) throws IOException {
        return parser(io, in, () -> YamlParser.of(in, options));
    }

    @Override
    protected JsonParser _createParser(byte[] data, int offset, int length, IOContext io)
            throws IOException {
        boolean isWhole = offset == 0 && length == data.length;
        byte[] bytes = isWhole ? data : Arrays.copyOfRange(data, offset, offset + length);
        return parser(io, null, () -> YamlParser.of(bytes, options));
    }

    @Override
    protected JsonParser _createParser(char[] data, int offset, int length, IOContext io,
            boolean isRecyclable) throws IOException {
        return _createParser(new CharArrayReader(data, offset, length), io);
    }

    private interface Open {
        YamlParser run() throws IOException;
    }

    private KetchYamlParser parser(IOContext io, @Nullable Closeable source, Open open) throws IOException {
        YamlParser events;
        try {
            events = open.run();
        } catch (YamlException error) {
            JsonLocation location = new JsonLocation(io.contentReference(), error.offset(), -1L,
                    (int) error.line(), (int) error.column());
            throw new JsonParseException(null, error.problem(), location, error);
        }
        return new KetchYamlParser(
                io, _parserFeatures, _objectCodec, events, source, options, aliasesAsIds);
    }

    // Generators.

    @Override
    protected JsonGenerator _createUTF8Generator(OutputStream out, IOContext io) throws IOException {
        return generator(io, out);
    }

    @Override
    protected JsonGenerator _createGenerator(Writer out, IOContext io) throws IOException {
        return generator(io, new WriterStream(out));
    }

    @Override
    public JsonGenerator createGenerator(OutputStream out, JsonEncoding encoding) throws IOException {
        // Bytes are always UTF-8.
        return super.createGenerator(out, JsonEncoding.UTF8);
    }

    private KetchYamlGenerator generator(IOContext io, OutputStream out) {
        return new KetchYamlGenerator(io, _generatorFeatures, _objectCodec, out, dumpOptions,
                nativeTypeIds, nativeObjectIds);
    }
}
