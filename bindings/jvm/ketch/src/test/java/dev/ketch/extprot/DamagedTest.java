package dev.ketch.extprot;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ketch.Json;
import dev.ketch.Repository;
import dev.ketch.Tagged;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Damaged extprot, by a schema, as values of the data model, and as trees: a value or an {@link ExtprotException}, and memory
 * linear in the data. {@code -Dketch.corrupt=1000000} tries a million.
 */
class DamagedTest {
    private static final int COUNT = Integer.getInteger("ketch.corrupt", 10_000);
    /** Bytes allocated per byte of input, and for any input. */
    private static final long MAX_PER_BYTE = 2_000;

    private static final long MAX = 1 << 20;

    /** Data and how they are read. */
    private record Sample(byte[] bytes, Reader.Decoder<?> decoder) {}

    private static List<Sample> samples() {
        List<Sample> samples = new ArrayList<>();
        Map<Object, Object> map = new LinkedHashMap<>();
        map.put("größe", Arrays.asList(1, 1L << 40, BigInteger.TWO.pow(80), 1.5, null, true));
        map.put(List.of("key"), new Tagged("!rig", "gaff"));
        map.put(7, Arrays.asList(LocalDate.of(2026, 11, 25), OffsetDateTime.parse("2026-11-25T10:00+05:30")));
        map.put("bytes", new byte[] {1, 2, 3});
        for (Object value : List.of(map, List.of(map, map), "text".repeat(100))) {
            samples.add(new Sample(Extprot.dump(value), null));
        }
        for (Object entry : (List<?>) Json.read(Repository.read("conformance/extprot/evolution.json"))) {
            Map<?, ?> vector = (Map<?, ?>) entry;
            Class<?> type = Generated.type((String) vector.get("schema"), (String) vector.get("reader"));
            byte[] bytes = HexFormat.of().parseHex((String) vector.get("hex"));
            if (bytes.length > 0) {
                samples.add(new Sample(bytes, Generated.decoder(type, "read")));
            }
        }
        return samples;
    }

    private static byte[] damaged(byte[] bytes, Random random) {
        byte[] changed = random.nextInt(8) == 0
                ? Arrays.copyOf(bytes, random.nextInt(bytes.length) + 1) : bytes.clone();
        for (int i = random.nextInt(4); i >= 0; i--) {
            int at = random.nextInt(changed.length);
            switch (random.nextInt(4)) {
                case 0 -> changed[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> changed[at] = (byte) random.nextInt();
                case 2 -> changed[at] = -1;
                default -> changed[at] = changed[random.nextInt(changed.length)];
            }
        }
        return changed;
    }

    private static void read(byte[] bytes, Sample sample, boolean isTagged) throws IOException {
        if (isTagged) {
            tagged(bytes);
            return;
        }
        if (sample.decoder == null) {
            Extprot.loadAll(bytes);
        } else {
            // Printing decodes lazy fields.
            Extprot.pretty((Printable) Extprot.decode(bytes, sample.decoder));
            // In a stream, the bytes after a message are read as the next message.
            var messages = Extprot.messages(new ByteArrayInputStream(bytes), sample.decoder);
            while (messages.next() != null) {
                messages.toString();
            }
        }
    }

    /** Reads a tree. What is read can be written, and the result read again as the same tree. */
    private static void tagged(byte[] bytes) {
        TaggedValue value = Extprot.loadTagged(bytes);
        byte[] written = value.encode();
        TaggedValue again = Extprot.loadTagged(written);
        if (!again.equals(value) || again.hashCode() != value.hashCode() || written.length > bytes.length) {
            throw new IllegalStateException(again + ", not " + value);
        }
    }

    private static final Method ALLOCATED;
    private static final Object THREADS;

    static {
        // Reflection is needed, because the module of the library does not require java.management.
        try {
            THREADS = Class.forName("java.lang.management.ManagementFactory")
                    .getMethod("getThreadMXBean").invoke(null);
            ALLOCATED = Class.forName("com.sun.management.ThreadMXBean")
                    .getMethod("getCurrentThreadAllocatedBytes");
        } catch (ReflectiveOperationException missing) {
            throw new ExceptionInInitializerError(missing);
        }
    }

    /** Returns the number of bytes that this thread has allocated so far. */
    private static long allocated() {
        try {
            return (long) ALLOCATED.invoke(THREADS);
        } catch (ReflectiveOperationException failure) {
            throw new AssertionError(failure);
        }
    }

    private static boolean isRefused(byte[] bytes, Sample sample, boolean isTagged) throws IOException {
        try {
            read(bytes, sample, isTagged);
            return false;
        } catch (ExtprotException expected) {
            return true;
        } catch (RuntimeException | Error other) {
            throw new AssertionError(HexFormat.of().formatHex(bytes) + " by " + sample.decoder, other);
        }
    }

    @Test
    @Tag("fetched")
    void corruptDataIsReadOrRejectedInLittleMemory() throws IOException {
        List<Sample> samples = samples();
        Random random = new Random(16);
        int refused = 0;
        for (int i = 0; i < COUNT; i++) {
            Sample sample = samples.get(i % 4 == 0 ? random.nextInt(3) : random.nextInt(samples.size()));
            byte[] bytes = damaged(sample.bytes, random);
            long start = allocated();
            boolean isRefused = isRefused(bytes, sample, i % 3 == 0);
            long taken = allocated() - start;
            if (taken >= MAX) {
                // The first use of a class allocates, too.
                start = allocated();
                isRefused(bytes, sample, i % 3 == 0);
                taken = allocated() - start;
            }
            refused += isRefused ? 1 : 0;
            assertTrue(taken < MAX + MAX_PER_BYTE * bytes.length,
                    taken + " bytes for " + HexFormat.of().formatHex(bytes));
        }
        assertTrue(refused > COUNT / 10 && refused < COUNT, refused + " of " + COUNT);
    }
}
