package dev.ketch.extprot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ketch.extprot.ExtprotException.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Buffers and streams. */
class BuffersAndStreamsTest {
    private static final List<Object> VALUES =
            Arrays.asList(1, "Grüße", null, List.of(1.5, Map.of("a", true)), null);

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static byte[] dumped(Iterable<?> values) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Extprot.dumpAll(values, out);
        return out.toByteArray();
    }

    /** Returns buffers of all kinds with these bytes between others. */
    private static List<ByteBuffer> buffers(byte[] bytes) {
        byte[] framed = new byte[bytes.length + 9];
        Arrays.fill(framed, (byte) 0xff);
        System.arraycopy(bytes, 0, framed, 5, bytes.length);
        ByteBuffer heap = ByteBuffer.wrap(framed, 5, bytes.length);
        ByteBuffer slice = ByteBuffer.wrap(framed, 2, bytes.length + 5).slice().position(3).limit(3 + bytes.length);
        ByteBuffer direct = ByteBuffer.allocateDirect(framed.length).put(framed).position(5).limit(5 + bytes.length);
        return List.of(heap, slice, direct, heap.asReadOnlyBuffer());
    }

    @Test
    void buffersAreReadFromPositionToLimit() throws IOException {
        byte[] one = Extprot.dump(VALUES);
        for (ByteBuffer buffer : buffers(one)) {
            int position = buffer.position();
            assertEquals(VALUES, Extprot.load(buffer));
            assertEquals(List.of(VALUES), Extprot.loadAll(buffer));
            assertEquals(Extprot.loadTagged(one), Extprot.loadTagged(buffer));
            assertEquals(Extprot.loadTagged(one), Extprot.decode(buffer, TaggedValue::read));
            assertEquals(position, buffer.position());
            assertEquals(one.length, buffer.remaining());
        }
        for (ByteBuffer buffer : buffers(dumped(VALUES))) {
            assertEquals(VALUES, Extprot.loadAll(buffer));
        }
    }

    @Test
    void errorsInBuffersCountFromThePosition() {
        Limits few = Limits.DEFAULT.withMaxElements(1);
        for (ByteBuffer buffer : buffers(bytes("05 05 02 00 00 00 02"))) {
            for (ByteBuffer part : List.of(buffer, buffer.duplicate().limit(buffer.limit() - 1))) {
                List<ExtprotException> errors = List.of(
                        assertThrows(ExtprotException.class, () -> Extprot.load(part, few)),
                        assertThrows(ExtprotException.class, () -> Extprot.loadAll(part, few)),
                        assertThrows(ExtprotException.class, () -> Extprot.loadTagged(part, few)),
                        assertThrows(ExtprotException.class, () -> Extprot.decode(part, TaggedValue::read, few)));
                for (ExtprotException error : errors) {
                    boolean isWhole = part == buffer;
                    assertEquals(isWhole ? Kind.LIMIT_EXCEEDED : Kind.EOF, error.kind());
                    assertEquals(isWhole ? 3 : 2, error.offset());
                }
            }
        }
    }

    @Test
    void valuesDoNotChangeWithTheirBuffer() {
        byte[] source = Extprot.dump(List.of(new byte[] {1, 2, 3}));
        ByteBuffer buffer = ByteBuffer.wrap(source);
        byte[] loaded = (byte[]) ((List<?>) Extprot.load(buffer)).get(0);
        TaggedValue tagged = Extprot.loadTagged(buffer);
        byte[] before = tagged.encode();
        Arrays.fill(source, (byte) 0);
        assertArrayEquals(new byte[] {1, 2, 3}, loaded);
        assertArrayEquals(before, tagged.encode());
    }

    @Test
    void aStreamHasItsValuesOneByOne() throws IOException {
        byte[] written = dumped(VALUES);
        assertEquals(VALUES, Extprot.loadAll(written));
        MessageStream<Object> values = Extprot.values(new ByteArrayInputStream(written));
        List<Object> read = new ArrayList<>();
        while (values.hasNext()) {
            assertTrue(values.hasNext());
            read.add(values.next());
        }
        assertEquals(VALUES, read);
        assertNull(values.next());
        assertFalse(values.hasNext());
    }

    @Test
    void readingGoesOnAfterAValueThatIsNotInTheModel() throws IOException {
        MessageStream<Object> values = Extprot.values(new ByteArrayInputStream(bytes("00 02 04 01 00 00 00 00 04")));
        assertEquals(1, values.next());
        ExtprotException error = assertThrows(ExtprotException.class, values::next);
        assertEquals(Kind.NOT_IN_MODEL, error.kind());
        assertEquals(3, error.offset());
        assertEquals(2, values.next());
        assertFalse(values.hasNext());
    }

    @Test
    void limitsApplyToTheValuesOfAStream() {
        byte[] list = bytes("05 05 02 00 00 00 02");
        for (Limits limits : List.of(Limits.DEFAULT.withMaxElements(1), Limits.DEFAULT.withMaxBlockBytes(4))) {
            ExtprotException error = assertThrows(ExtprotException.class,
                    () -> Extprot.values(new ByteArrayInputStream(list), limits).next());
            assertEquals(Kind.LIMIT_EXCEEDED, error.kind());
        }
    }

    @Test
    void aLongStreamTakesLittleMemory() throws IOException {
        byte[] row = Extprot.dump(Map.of("text", "a".repeat(100)));
        int count = 20_000;
        MessageStream<Object> values = Extprot.values(new InputStream() {
            private long at;

            @Override
            public int read() {
                return at == (long) row.length * count ? -1 : row[(int) (at++ % row.length)] & 0xff;
            }
        });
        for (int i = 0; i < count; i++) {
            assertEquals(Map.of("text", "a".repeat(100)), values.next());
        }
        assertFalse(values.hasNext());
        assertTrue(values.bufferBytes() < 1 << 15, values.bufferBytes() + " bytes");
    }

    /** Returns a stream that has these bytes, then fails once, and then is at its end. */
    private static InputStream failing(byte[] bytes, Throwable failure) {
        return new InputStream() {
            private int at;
            private boolean hasFailed;

            @Override
            public int read() throws IOException {
                if (at < bytes.length) {
                    return bytes[at++] & 0xff;
                }
                if (hasFailed) {
                    return -1;
                }
                hasFailed = true;
                if (failure instanceof IOException exception) {
                    throw exception;
                }
                throw (RuntimeException) failure;
            }

            @Override
            public int read(byte[] out, int start, int count) throws IOException {
                out[start] = (byte) read();
                return hasFailed ? -1 : 1;
            }
        };
    }

    @Test
    void aFailedStreamDoesNotSeemComplete() throws IOException {
        byte[] whole = bytes("00 02 05 05 02 00 00 00 02");
        for (Throwable failure : List.of(new IOException("cable"), new IllegalStateException("cable"))) {
            for (int size = 0; size < whole.length; size++) {
                MessageStream<Object> values = Extprot.values(failing(Arrays.copyOf(whole, size), failure));
                if (size >= 2) {
                    assertEquals(1, values.next());
                }
                assertSame(failure, assertThrows(failure.getClass(), values::next), "size " + size);
                for (int i = 0; i < 2; i++) {
                    assertSame(failure, assertThrows(IOException.class, values::next).getCause());
                }
                if (size == 0 || size == 2) {
                    assertSame(failure, assertThrows(IOException.class, values::hasNext).getCause());
                }
            }
        }
    }

    @Test
    void aStreamMayReturnZero() throws IOException {
        byte[] written = dumped(VALUES);
        MessageStream<Object> values = Extprot.values(new ByteArrayInputStream(written) {
            private int calls;

            @Override
            public int read(byte[] out, int start, int count) {
                return calls++ % 2 == 0 ? 0 : super.read(out, start, Math.min(count, 2));
            }
        });
        for (Object value : VALUES) {
            assertTrue(values.hasNext());
            assertEquals(value, values.next());
        }
        assertFalse(values.hasNext());
    }

    @Test
    void aStreamMayNotReturnMoreThanItWasAskedFor() {
        InputStream wrong = new ByteArrayInputStream(new byte[9]) {
            @Override
            public int read(byte[] out, int start, int count) {
                return count + 1;
            }
        };
        assertThrows(IOException.class, () -> Extprot.values(wrong).next());
    }

    @Test
    void aValueMayBeAsLongAsAnArray() {
        // 2^30+1 bytes, of which there are three; and 2^31-1.
        byte[] cut = bytes("03 81 80 80 80 04 61 61 61");
        byte[] tooLong = bytes("03 ff ff ff ff 07 61 61 61");
        ExtprotException error = error(cut, Limits.DEFAULT);
        assertEquals(Kind.EOF, error.kind());
        error = error(tooLong, Limits.DEFAULT);
        assertEquals(Kind.LIMIT_EXCEEDED, error.kind());
        assertNull(error.setting());
        assertEquals("offset 0: a value of 2147483647 bytes is longer than an array of Java", error.getMessage());
        Limits limits = Limits.DEFAULT.withMaxBlockBytes(1 << 20);
        assertEquals("maxBlockBytes", error(cut, limits).setting());
        assertEquals("maxBlockBytes", error(tooLong, limits).setting());
    }

    private static ExtprotException error(byte[] bytes, Limits limits) {
        MessageStream<Object> values = Extprot.values(new ByteArrayInputStream(bytes), limits);
        ExtprotException error = assertThrows(ExtprotException.class, values::next);
        assertTrue(values.bufferBytes() < 1 << 15, values.bufferBytes() + " bytes");
        return error;
    }

    @Test
    void messagesAreWrittenToStreams() throws IOException {
        TaggedValue message = Extprot.loadTagged(bytes("01 08 02 00 02 03 03 41 6e 6e"));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        message.encode(out);
        message.encode(out);
        MessageStream<TaggedValue> stream =
                Extprot.messages(new ByteArrayInputStream(out.toByteArray()), TaggedValue::read);
        assertEquals(message, stream.next());
        assertEquals(message, stream.next());
        assertFalse(stream.hasNext());
    }
}
