package dev.ketch.jackson;

import com.fasterxml.jackson.core.Base64Variant;
import com.fasterxml.jackson.core.JsonGenerationException;
import com.fasterxml.jackson.core.ObjectCodec;
import com.fasterxml.jackson.core.StreamWriteCapability;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.core.base.GeneratorBase;
import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.core.json.JsonWriteContext;
import com.fasterxml.jackson.core.util.JacksonFeatureSet;
import dev.ketch.DumpOptions;
import dev.ketch.YamlWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes Jackson's tokens as YAML, one document per value. Created by {@link KetchYamlFactory}. */
public final class KetchYamlGenerator extends GeneratorBase {
    private static final String WRITE_VALUE = "write a value";

    private final OutputStream out;
    private final YamlWriter yaml;
    private final boolean nativeTypeIds;
    private final boolean nativeObjectIds;
    /** Whether the id of the object that has started may still follow. */
    private boolean isStartPending;

    KetchYamlGenerator(IOContext io, int features, @Nullable ObjectCodec codec, OutputStream out,
            DumpOptions options, boolean nativeTypeIds, boolean nativeObjectIds) {
        super(features, codec, io);
        this.out = out;
        this.yaml = YamlWriter.of(out, options);
        this.nativeTypeIds = nativeTypeIds;
        this.nativeObjectIds = nativeObjectIds;
    }

    private interface Step {
        void run() throws IOException;
    }

    /** Writes a scalar, or an alias. */
    private void scalar(Step step) throws IOException {
        _verifyValueWrite(WRITE_VALUE);
        run(step);
        endRoot();
    }

    private void run(Step step) throws IOException {
        try {
            if (isStartPending) {
                isStartPending = false;
                yaml.startMapping();
            }
            step.run();
        } catch (IllegalArgumentException error) {
            throw new JsonGenerationException(error.getMessage(), error, this);
        }
    }

    private void endRoot() throws IOException {
        if (_writeContext.inRoot()) {
            run(yaml::endDocument);
        }
    }

    @Override
    protected void _verifyValueWrite(String what) throws IOException {
        if (_writeContext.writeValue() == JsonWriteContext.STATUS_EXPECT_NAME) {
            _reportError("Can not " + what + ", expecting field name");
        }
        if (_writeContext.inRoot()) {
            run(yaml::startDocument);
        }
    }

    @Override
    public StreamWriteConstraints streamWriteConstraints() {
        return _ioContext.streamWriteConstraints();
    }

    // Collections.

    @Override
    public void writeStartArray() throws IOException {
        _verifyValueWrite("start an array");
        _writeContext = _writeContext.createChildArrayContext();
        streamWriteConstraints().validateNestingDepth(_writeContext.getNestingDepth());
        run(yaml::startSequence);
    }

    @Override
    public void writeEndArray() throws IOException {
        if (!_writeContext.inArray()) {
            _reportError("Current context not Array but " + _writeContext.typeDesc());
        }
        _writeContext = _writeContext.getParent();
        run(yaml::endSequence);
        endRoot();
    }

    @Override
    public void writeStartObject() throws IOException {
        _verifyValueWrite("start an object");
        _writeContext = _writeContext.createChildObjectContext();
        streamWriteConstraints().validateNestingDepth(_writeContext.getNestingDepth());
        isStartPending = true;
    }

    @Override
    public void writeEndObject() throws IOException {
        if (!_writeContext.inObject()) {
            _reportError("Current context not Object but " + _writeContext.typeDesc());
        }
        _writeContext = _writeContext.getParent();
        run(yaml::endMapping);
        endRoot();
    }

    @Override
    public void writeFieldName(String name) throws IOException {
        if (_writeContext.writeFieldName(name) == JsonWriteContext.STATUS_EXPECT_VALUE) {
            _reportError("Can not write a field name, expecting a value");
        }
        run(() -> yaml.text(name));
    }

    // Ids.

    @Override
    public boolean canWriteTypeId() {
        return nativeTypeIds;
    }

    @Override
    public boolean canWriteObjectId() {
        return nativeObjectIds;
    }

    @Override
    public void writeTypeId(Object id) throws IOException {
        String name = String.valueOf(id);
        // Names such as `tag:example.com,2026:ship` are tags already.
        run(() -> yaml.tag(name.startsWith("tag:") || name.startsWith("!") ? name : "!" + name));
    }

    @Override
    public void writeObjectId(Object id) throws IOException {
        if (id instanceof AliasId) { // a copy, from a buffer
            return;
        }
        boolean ofStarted = isStartPending;
        isStartPending = false;
        run(() -> yaml.anchor(String.valueOf(id)));
        isStartPending = ofStarted;
    }

    @Override
    public void writeObjectRef(Object id) throws IOException {
        scalar(() -> yaml.alias(String.valueOf(id)));
    }

    // Scalars.

    @Override
    public void writeString(@Nullable String text) throws IOException {
        if (text == null) {
            writeNull();
        } else {
            scalar(() -> yaml.text(text));
        }
    }

    @Override
    public void writeString(char[] text, int offset, int length) throws IOException {
        writeString(new String(text, offset, length));
    }

    @Override
    public void writeString(Reader reader, int length) throws IOException {
        StringBuilder text = new StringBuilder();
        char[] buffer = new char[1024];
        int left = length < 0 ? Integer.MAX_VALUE : length;
        int count;
        while (left > 0 && (count = reader.read(buffer, 0, Math.min(left, buffer.length))) > 0) {
            text.append(buffer, 0, count);
            left -= count;
        }
        if (left > 0 && length >= 0) {
            _reportError("the reader ended before " + length + " characters");
        }
        writeString(text.toString());
    }

    @Override
    public void writeUTF8String(byte[] text, int offset, int length) throws IOException {
        writeString(new String(text, offset, length, StandardCharsets.UTF_8));
    }

    @Override
    public void writeRawUTF8String(byte[] text, int offset, int length) {
        _reportUnsupportedOperation();
    }

    @Override
    public void writeRaw(String text) {
        _reportUnsupportedOperation();
    }

    @Override
    public void writeRaw(String text, int offset, int length) {
        _reportUnsupportedOperation();
    }

    @Override
    public void writeRaw(char[] text, int offset, int length) {
        _reportUnsupportedOperation();
    }

    @Override
    public void writeRaw(char unit) {
        _reportUnsupportedOperation();
    }

    @Override
    public void writeRawValue(String text) {
        _reportUnsupportedOperation();
    }

    @Override
    public void writeBinary(Base64Variant variant, byte[] data, int offset, int length)
            throws IOException {
        byte[] bytes = Arrays.copyOfRange(data, offset, offset + length);
        scalar(() -> yaml.binary(bytes));
    }

    @Override
    public void writeBoolean(boolean value) throws IOException {
        scalar(() -> yaml.bool(value));
    }

    @Override
    public void writeNull() throws IOException {
        scalar(yaml::nullValue);
    }

    @Override
    public void writeNumber(int value) throws IOException {
        scalar(() -> yaml.integer(value));
    }

    @Override
    public void writeNumber(long value) throws IOException {
        scalar(() -> yaml.integer(value));
    }

    @Override
    public void writeNumber(@Nullable BigInteger value) throws IOException {
        if (value == null) {
            writeNull();
        } else {
            scalar(() -> yaml.integer(value));
        }
    }

    @Override
    public void writeNumber(double value) throws IOException {
        scalar(() -> yaml.floating(value));
    }

    @Override
    public void writeNumber(float value) throws IOException {
        if (Float.isFinite(value)) {
            scalar(() -> yaml.floating(value));
        } else {
            writeNumber((double) value);
        }
    }

    @Override
    public void writeNumber(@Nullable BigDecimal value) throws IOException {
        if (value == null) {
            writeNull();
        } else if (isEnabled(Feature.WRITE_BIGDECIMAL_AS_PLAIN)) {
            String text = _asString(value);
            scalar(() -> yaml.plain(text));
        } else {
            scalar(() -> yaml.decimal(value));
        }
    }

    @Override
    public void writeNumber(@Nullable String text) throws IOException {
        if (text == null) {
            writeNull();
        } else {
            scalar(() -> yaml.plain(text));
        }
    }

    // The rest.

    @Override
    public Version version() {
        return KetchYamlFactory.VERSION;
    }

    @Override
    public JacksonFeatureSet<StreamWriteCapability> getWriteCapabilities() {
        return DEFAULT_WRITE_CAPABILITIES.with(StreamWriteCapability.CAN_WRITE_BINARY_NATIVELY);
    }

    @Override
    public Object getOutputTarget() {
        return out;
    }

    @Override
    public void flush() throws IOException {
        if (isClosed()) {
            return;
        }
        run(yaml::flush);
        if (isEnabled(Feature.FLUSH_PASSED_TO_STREAM)) {
            out.flush();
        }
    }

    @Override
    public void close() throws IOException {
        if (isClosed()) {
            return;
        }
        try {
            closeCollections();
            if (_writeContext.inRoot()) {
                run(yaml::close);
            } else {
                closeIncomplete();
            }
        } finally {
            super.close();
            yaml.close();
            if (_ioContext.isResourceManaged() || isEnabled(Feature.AUTO_CLOSE_TARGET)) {
                out.close();
            } else if (isEnabled(Feature.FLUSH_PASSED_TO_STREAM)) {
                out.flush();
            }
            _ioContext.close();
        }
    }

    /** Closes the writer inside a document, so that the beginning of the document is written. */
    private void closeIncomplete() throws IOException {
        try {
            yaml.close();
        } catch (IllegalArgumentException incomplete) {
            // Expected, because the document is not complete.
        }
    }

    private void closeCollections() throws IOException {
        if (!isEnabled(Feature.AUTO_CLOSE_JSON_CONTENT)) {
            return;
        }
        while (!_writeContext.inRoot()) {
            if (_writeContext.inArray()) {
                writeEndArray();
            } else {
                writeEndObject();
            }
        }
    }

    @Override
    protected void _releaseBuffers() {}
}
