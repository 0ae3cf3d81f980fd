package dev.ketch.jackson;

import com.fasterxml.jackson.core.Base64Variant;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.ObjectCodec;
import com.fasterxml.jackson.core.StreamReadCapability;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.core.base.ParserMinimalBase;
import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.core.json.DupDetector;
import com.fasterxml.jackson.core.json.JsonReadContext;
import com.fasterxml.jackson.core.util.JacksonFeatureSet;
import dev.ketch.DuplicateKeys;
import dev.ketch.EventKind;
import dev.ketch.Options;
import dev.ketch.YamlException;
import dev.ketch.YamlParser;
import dev.ketch.jackson.Nodes.Range;
import dev.ketch.jackson.Nodes.Recorded;
import dev.ketch.jackson.Nodes.Target;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * Reads YAML as Jackson's tokens. Created by {@link KetchYamlFactory}.
 *
 * <p>Anchors are object ids and tags type ids. An alias is read as a copy of its anchor's node, or,
 * if {@link KetchYamlFactory.Builder#aliasesAsIds} says so or the class has
 * {@link com.fasterxml.jackson.annotation.JsonIdentityInfo}, as the id.
 */
public final class KetchYamlParser extends ParserMinimalBase {
    private static final String YAML_TAGS = "tag:yaml.org,2002:";

    private final IOContext io;
    private final @Nullable Closeable source;
    private final Nodes nodes;
    private final Options options;
    private final boolean aliasesAsIds;
    private final StreamReadConstraints constraints;
    private final DuplicateKeys duplicateKeys;
    private final MergeKeys merging;
    private @Nullable ObjectCodec codec;
    private JsonReadContext context;
    private Frame frame = new Frame(null);
    /** Whether the keys of mappings must be tracked. */
    private final boolean needsKeys;
    private int depth;
    private boolean isClosed;

    // The current token.
    private @Nullable String text;
    private @Nullable String typeId;
    /** The anchor; at the copy of an alias' collection, its {@link AliasId}. */
    private @Nullable Object objectId;
    /** The name, if the token comes from an alias. */
    private @Nullable String alias;
    /** Whether the alias refers to a collection that is still open. */
    private boolean isOpenAlias;
    /** Whether the token is the name of the alias instead of its node. */
    private boolean isReference;
    private byte @Nullable [] binary;

    KetchYamlParser(IOContext io, int features, @Nullable ObjectCodec codec, YamlParser events,
            @Nullable Closeable source, Options options, boolean aliasesAsIds) {
        super(features, io.streamReadConstraints());
        this.io = io;
        this.codec = codec;
        this.nodes = new Nodes(events);
        this.source = source;
        this.options = options;
        this.aliasesAsIds = aliasesAsIds;
        constraints = io.streamReadConstraints();
        duplicateKeys = options.duplicateKeys();
        merging = new MergeKeys(nodes, this, duplicateKeys);
        needsKeys = duplicateKeys != DuplicateKeys.LAST || options.mergesKeys();
        boolean isStrict = Feature.STRICT_DUPLICATE_DETECTION.enabledIn(features);
        context = JsonReadContext.createRootContext(isStrict ? DupDetector.rootDetector(this) : null);
    }

    // Tokens.

    @Override
    public @Nullable JsonToken nextToken() throws IOException {
        if (isClosed) {
            return null;
        }
        boolean wasStart = _currToken == JsonToken.START_OBJECT;
        String ofObject = typeId;
        Object idOfObject = objectId instanceof AliasId ? null : objectId;
        text = null;
        typeId = null;
        objectId = null;
        alias = null;
        isOpenAlias = false;
        isReference = false;
        binary = null;
        try {
            _nullSafeUpdateToken(advance());
            if (wasStart && _currToken == JsonToken.FIELD_NAME) {
                // Some deserializers look at the first name before they ask for the ids.
                typeId = ofObject;
                objectId = objectId == null ? idOfObject : objectId;
            }
            return _currToken;
        } catch (YamlException error) {
            throw failure(error);
        } catch (UncheckedIOException error) {
            throw error.getCause();
        }
    }

    private @Nullable JsonToken advance() throws IOException {
        while (nodes.next()) {
            EventKind kind = nodes.kind();
            if (nodes.isReplayed()) {
                checkReplayed();
            }
            JsonToken token = null;
            if (kind == null || kind == EventKind.MAPPING_END) {
                token = endMapping();
            } else if (kind == EventKind.SEQUENCE_END) {
                token = end(JsonToken.END_ARRAY);
            } else if (frame.atKey) {
                token = key(kind);
            } else if (kind != EventKind.DOCUMENT_START && kind != EventKind.DOCUMENT_END) {
                token = value(kind);
            }
            if (token != null) {
                return token;
            }
        }
        _handleEOF();
        close();
        return null;
    }

    /** Returns the token for the name of the next entry; null if the entry is left out. */
    private @Nullable JsonToken key(EventKind kind) throws IOException {
        // Jackson's own generator gives an object's anchor to its first key.
        objectId = nodes.anchor();
        String name = keyText(kind);
        if (name == null) {
            return null;
        }
        constraints.validateNameLength(name.length());
        if (!isKept(name)) {
            nodes.skip();
            return null;
        }
        frame.atKey = false;
        context.setCurrentName(name);
        text = name;
        return JsonToken.FIELD_NAME;
    }

    private @Nullable String keyText(EventKind kind) throws IOException {
        if (kind.isScalar()) {
            if (nodes.type() == dev.ketch.ScalarType.MERGE) {
                frame.merge(merging.sources());
                return null;
            }
            return nodes.text();
        }
        Range target = kind == EventKind.ALIAS ? target() : null;
        if (target == null || !nodes.first(target).kind().isScalar()) {
            throw error("a collection cannot be a key: Jackson's keys are text");
        }
        return nodes.first(target).text();
    }

    /** Returns whether the entry with this key is kept. */
    private boolean isKept(String name) throws IOException {
        Frame.Key key = needsKeys ? frame.add(name) : Frame.Key.NEW;
        if (key == Frame.Key.NEW) {
            return true;
        }
        if (key == Frame.Key.OVERRIDDEN || duplicateKeys == DuplicateKeys.FIRST) {
            return false;
        }
        if (duplicateKeys == DuplicateKeys.LAST) {
            return true;
        }
        throw error("duplicate key `" + name + "`");
    }

    private JsonToken value(EventKind kind) throws IOException {
        if (frame.isMapping) {
            frame.atKey = true;
        } else if (context.inArray()) {
            // Moves to the next index.
            context.expectComma();
        }
        if (kind == EventKind.ALIAS) {
            return alias();
        }
        objectId = nodes.anchor();
        typeId = nodes.tag();
        return node(kind);
    }

    private JsonToken node(EventKind kind) throws IOException {
        return switch (kind) {
            case MAPPING_START -> {
                start(true);
                yield JsonToken.START_OBJECT;
            }
            case SEQUENCE_START -> {
                start(false);
                yield JsonToken.START_ARRAY;
            }
            default -> scalar();
        };
    }

    private JsonToken scalar() throws IOException {
        return switch (nodes.type()) {
            case NULL -> JsonToken.VALUE_NULL;
            case BOOL -> nodes.booleanValue() ? JsonToken.VALUE_TRUE : JsonToken.VALUE_FALSE;
            case INT -> JsonToken.VALUE_NUMBER_INT;
            case FLOAT -> JsonToken.VALUE_NUMBER_FLOAT;
            case BINARY -> {
                binary = (byte[]) nodes.value();
                yield JsonToken.VALUE_EMBEDDED_OBJECT;
            }
            case INVALID -> {
                String tag = nodes.tag();
                String of = tag == null
                        ? "a plain scalar of this schema"
                        : "a valid `" + tag.replace(YAML_TAGS, "!!") + "`";
                throw error("`" + nodes.text() + "` is not " + of);
            }
            default -> JsonToken.VALUE_STRING;
        };
    }

    private void start(boolean isMapping) throws IOException {
        depth++;
        constraints.validateNestingDepth(depth);
        frame = frame.open(isMapping, nodes.at());
        context = isMapping
                ? context.createChildObjectContext(-1, -1)
                : context.createChildArrayContext(-1, -1);
    }

    private JsonToken end(JsonToken token) {
        depth--;
        frame = frame.outer;
        context = context.getParent();
        return token;
    }

    /** Ends a mapping, unless other mappings remain to be merged. */
    private @Nullable JsonToken endMapping() throws IOException {
        Range merged = frame.nextMerge();
        if (merged == null) {
            return end(JsonToken.END_OBJECT);
        }
        nodes.replayEntries(merged);
        return null;
    }

    // Aliases.

    private Range target() throws IOException {
        Target target = nodes.target();
        if (target == null) {
            throw error(unknownAlias(nodes.text()));
        }
        return target.node();
    }

    static String unknownAlias(String name) {
        return "unknown alias `*" + name + "`: no anchor `&" + name + "` before it";
    }

    private JsonToken alias() throws IOException {
        String name = nodes.text();
        Range target = target();
        alias = name;
        if (aliasesAsIds || frame.isInside(target)) {
            isOpenAlias = !aliasesAsIds;
            isReference = true;
            text = name;
            return JsonToken.VALUE_STRING;
        }
        nodes.replay(target);
        nodes.next();
        checkReplayed();
        typeId = nodes.tag();
        if (!nodes.kind().isScalar()) {
            objectId = new AliasId(name);
        }
        return node(nodes.kind());
    }

    private void checkReplayed() throws IOException {
        long most = options.maxAliasNodes(nodes.documentBytes());
        if (nodes.replayed() > most) {
            throw error("the aliases stand for more than " + most
                    + " nodes; if you trust the input, raise `Limit.MAX_ALIAS_NODES` in its Options");
        }
    }

    /**
     * Returns the name of the alias that the current token comes from.
     *
     * @return the name; null if it does not come from an alias
     */
    public @Nullable String currentAlias() {
        return alias;
    }

    /** Makes the name of the alias the token, instead of its node. */
    void takeReference() {
        isOpenAlias = false;
        if (isReference) {
            return;
        }
        if (_currToken.isStructStart()) {
            end(null);
        }
        nodes.leave();
        isReference = true;
        text = alias;
        typeId = null;
        objectId = null;
        _currToken = JsonToken.VALUE_STRING;
    }

    @Override
    public boolean canReadObjectId() {
        return true;
    }

    @Override
    public boolean canReadTypeId() {
        return true;
    }

    /**
     * Returns the anchor. At the start of a collection that an alias stands for, returns an object
     * from which {@link KetchYamlModule} finds out that it is a copy, even in a buffer of Jackson's.
     */
    @Override
    public @Nullable Object getObjectId() {
        return objectId;
    }

    /** Returns the tag, without the {@code !} if it is local. YAML's own tags do not name a type. */
    @Override
    public @Nullable Object getTypeId() {
        if (typeId == null || typeId.startsWith(YAML_TAGS)) {
            return null;
        }
        int start = 0;
        while (start < typeId.length() && typeId.charAt(start) == '!') {
            start++;
        }
        return start == typeId.length() ? null : typeId.substring(start);
    }

    // Text.

    @Override
    public @Nullable String getText() throws IOException {
        if (isOpenAlias) {
            throw error("the alias `*" + alias + "` is inside the collection that it refers to: give"
                    + " its class @JsonIdentityInfo and use KetchYamlMapper; where Jackson buffers the"
                    + " object, set aliasesAsIds(true) in KetchYamlFactory.builder()");
        }
        if (text == null && _currToken != null) {
            if (_currToken == JsonToken.FIELD_NAME) {
                text = context.getCurrentName();
            } else if (_currToken.isScalarValue()) {
                text = nodes.text();
                constraints.validateStringLength(text.length());
            } else {
                text = _currToken.asString();
            }
        }
        return text;
    }

    @Override
    public char @Nullable [] getTextCharacters() throws IOException {
        String all = getText();
        return all == null ? null : all.toCharArray();
    }

    @Override
    public boolean hasTextCharacters() {
        return false;
    }

    @Override
    public int getTextLength() throws IOException {
        String all = getText();
        return all == null ? 0 : all.length();
    }

    @Override
    public int getTextOffset() {
        return 0;
    }

    @Override
    public @Nullable String currentName() {
        boolean isStart = _currToken == JsonToken.START_OBJECT || _currToken == JsonToken.START_ARRAY;
        return (isStart ? context.getParent() : context).getCurrentName();
    }

    @Deprecated
    @Override
    public @Nullable String getCurrentName() {
        return currentName();
    }

    @Deprecated
    @Override
    public void overrideCurrentName(@Nullable String name) {
        boolean isStart = _currToken == JsonToken.START_OBJECT || _currToken == JsonToken.START_ARRAY;
        try {
            (isStart ? context.getParent() : context).setCurrentName(name);
        } catch (IOException duplicate) {
            throw new IllegalStateException(duplicate);
        }
    }

    @Override
    public @Nullable Object getEmbeddedObject() {
        return binary;
    }

    @Override
    public byte[] getBinaryValue(Base64Variant variant) throws IOException {
        if (binary == null) {
            if (_currToken != JsonToken.VALUE_STRING) {
                throw error("expected Base64 text or `!!binary`, not " + _currToken);
            }
            try {
                binary = variant.decode(getText());
            } catch (IllegalArgumentException invalid) {
                throw error(invalid.getMessage());
            }
        }
        return binary;
    }

    @Override
    public int readBinaryValue(Base64Variant variant, OutputStream out) throws IOException {
        byte[] value = getBinaryValue(variant);
        out.write(value);
        return value.length;
    }

    // Numbers.

    private Number number() throws IOException {
        if (_currToken == JsonToken.VALUE_NUMBER_INT) {
            if (nodes.isLong()) {
                return nodes.longValue();
            }
            constraints.validateIntegerLength(getText().length());
            return (Number) nodes.value();
        }
        if (_currToken == JsonToken.VALUE_NUMBER_FLOAT) {
            return nodes.doubleValue();
        }
        throw error(_currToken + " is not a number");
    }

    @Override
    public Number getNumberValue() throws IOException {
        if (_currToken != JsonToken.VALUE_NUMBER_INT || !nodes.isLong()) {
            return number();
        }
        long value = nodes.longValue();
        return (int) value == value ? (Number) (int) value : (Number) value;
    }

    @Override
    public @Nullable NumberType getNumberType() throws IOException {
        if (_currToken == JsonToken.VALUE_NUMBER_FLOAT) {
            return NumberType.DOUBLE;
        }
        if (_currToken != JsonToken.VALUE_NUMBER_INT) {
            return null;
        }
        if (!nodes.isLong()) {
            return NumberType.BIG_INTEGER;
        }
        long value = nodes.longValue();
        return (int) value == value ? NumberType.INT : NumberType.LONG;
    }

    @Override
    public int getIntValue() throws IOException {
        long value = getLongValue();
        if ((int) value != value) {
            reportOverflowInt(getText());
        }
        return (int) value;
    }

    @Override
    public long getLongValue() throws IOException {
        if (_currToken == JsonToken.VALUE_NUMBER_INT && nodes.isLong()) {
            return nodes.longValue();
        }
        Number number = number();
        boolean isTooLarge = number instanceof Double value
                ? !(value >= Long.MIN_VALUE && value <= Long.MAX_VALUE)
                : number instanceof BigInteger;
        if (isTooLarge) {
            reportOverflowLong(getText());
        }
        return number.longValue();
    }

    @Override
    public BigInteger getBigIntegerValue() throws IOException {
        Number number = number();
        if (number instanceof Double) {
            BigDecimal decimal = getDecimalValue();
            constraints.validateBigIntegerScale(decimal.scale());
            return decimal.toBigInteger();
        }
        return number instanceof BigInteger big ? big : BigInteger.valueOf(number.longValue());
    }

    @Override
    public float getFloatValue() throws IOException {
        return number().floatValue();
    }

    @Override
    public double getDoubleValue() throws IOException {
        return number().doubleValue();
    }

    /** Returns all digits of a float, as written. */
    @Override
    public BigDecimal getDecimalValue() throws IOException {
        Number number = number();
        if (number instanceof Long value) {
            return BigDecimal.valueOf(value);
        }
        if (number instanceof BigInteger big) {
            return new BigDecimal(big);
        }
        constraints.validateFPLength(getText().length());
        try {
            return new BigDecimal(digits());
        } catch (NumberFormatException notDecimal) {
            if (Double.isFinite(number.doubleValue())) { // base 60
                return BigDecimal.valueOf(number.doubleValue());
            }
            throw error("`" + getText() + "` is not a decimal");
        }
    }

    private String digits() throws IOException {
        return getText().replace("_", "");
    }

    /** Returns the digits of a float, so that Jackson's buffers keep all of them. */
    @Override
    public Object getNumberValueDeferred() throws IOException {
        boolean isDecimal = _currToken == JsonToken.VALUE_NUMBER_FLOAT
                && getText().chars().allMatch(unit -> "+-.0123456789eE_".indexOf(unit) >= 0);
        return isDecimal ? digits() : getNumberValue();
    }

    /** Returns whether this is not a number, or infinite, by its text: {@code 1e400} is a decimal. */
    @Override
    public boolean isNaN() {
        return _currToken == JsonToken.VALUE_NUMBER_FLOAT && !Double.isFinite(nodes.doubleValue())
                && nodes.text().chars().noneMatch(Character::isDigit);
    }

    // The rest.

    @Override
    public JsonLocation currentTokenLocation() {
        return new JsonLocation(io.contentReference(), nodes.offset(), nodes.charOffset(),
                (int) nodes.line(), (int) nodes.column());
    }

    @Override
    public JsonLocation currentLocation() {
        return currentTokenLocation();
    }

    @Deprecated
    @Override
    public JsonLocation getTokenLocation() {
        return currentTokenLocation();
    }

    @Deprecated
    @Override
    public JsonLocation getCurrentLocation() {
        return currentLocation();
    }

    private JsonParseException error(String problem) {
        return new JsonParseException(this, problem, currentTokenLocation());
    }

    JsonParseException error(String problem, Recorded at) {
        JsonLocation location = new JsonLocation(io.contentReference(), at.offset(), at.charOffset(),
                (int) at.line(), (int) at.column());
        return new JsonParseException(this, problem, location);
    }

    /**
     * Returns an exception with Ketch's message but without its location, which Jackson adds in its
     * own form.
     */
    private JsonParseException failure(YamlException error) {
        int start = Math.max(0, error.getMessage().indexOf(error.problem()));
        JsonLocation location = new JsonLocation(io.contentReference(), error.offset(), -1L,
                (int) error.line(), (int) error.column());
        return new JsonParseException(this, error.getMessage().substring(start), location, error);
    }

    @Override
    protected void _handleEOF() throws JsonParseException {
        if (!context.inRoot()) {
            throw error("the stream ends in a collection");
        }
    }

    @Override
    public JsonStreamContext getParsingContext() {
        return context;
    }

    @Override
    public @Nullable ObjectCodec getCodec() {
        return codec;
    }

    @Override
    public void setCodec(@Nullable ObjectCodec codec) {
        this.codec = codec;
    }

    @Override
    public Version version() {
        return KetchYamlFactory.VERSION;
    }

    @Override
    public StreamReadConstraints streamReadConstraints() {
        return constraints;
    }

    @Override
    public JacksonFeatureSet<StreamReadCapability> getReadCapabilities() {
        return JsonParser.DEFAULT_READ_CAPABILITIES.with(StreamReadCapability.EXACT_FLOATS);
    }

    @Override
    public @Nullable Object getInputSource() {
        return io.contentReference().getRawContent();
    }

    @Override
    public boolean isClosed() {
        return isClosed;
    }

    @Override
    public void close() throws IOException {
        if (isClosed) {
            return;
        }
        isClosed = true;
        nodes.close();
        try {
            if (source != null && (io.isResourceManaged() || isEnabled(Feature.AUTO_CLOSE_SOURCE))) {
                source.close();
            }
        } finally {
            io.close();
        }
    }
}
