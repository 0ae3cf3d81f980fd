package dev.ketch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Passes tokens that native code would never write. They must cause an exception that says so, and
 * no allocation for the sizes that they claim. {@code -Dketch.corrupt=1000000} runs a million.
 */
class CorruptTest {
    private static final int COUNT = Integer.getInteger("ketch.corrupt", 50_000);
    private static final String YAML = """
            %TAG !s! tag:sea,2026:
            ---
            name: &n ketch
            größe: 世界 😀
            masts: [main, "miz\\tzen", *n, 0x1f, 1e3, 123456789012345678901234567890]
            rig: !s!rig {gaff: !!binary aGVsbG8=, since: 1902-05-04, at: 2026-01-01 10:00:00 +19:30}
            ? [complex, &s [*n]]
            : *s
            <<: {null: ~, yes: true, no: false, long: 1234567890123456}
            """;

    private record Chunk(long[] words, byte[] kept, char[] wide, byte[] input) {}

    private static List<Chunk> chunks() throws IOException {
        Options tree = Options.builder().schema(Schema.YAML11).build();
        List<Chunk> chunks = new ArrayList<>();
        for (String yaml : List.of(YAML, "a: [1, two, *x]\n".replace("*x", "null").repeat(20))) {
            for (Options options : List.of(tree, Options.builder().duplicateKeys(DuplicateKeys.LAST).build())) {
                Session session = Session.take();
                byte[] input = yaml.getBytes(StandardCharsets.UTF_8);
                session.open(input, 0, input.length, options);
                while (session.next()) {
                    chunks.add(new Chunk(Arrays.copyOf(session.words, session.wordCount()),
                            session.kept.clone(), session.wide.clone(), input));
                }
                session.close();
            }
        }
        return chunks;
    }

    private static long[] corrupted(long[] words, Random random) {
        long[] changed = words.clone();
        for (int i = random.nextInt(4); i >= 0; i--) {
            int at = random.nextInt(changed.length);
            switch (random.nextInt(4)) {
                case 0 -> changed[at] ^= 1L << random.nextInt(64);
                case 1 -> changed[at] = random.nextLong();
                case 2 -> changed[at] = changed[random.nextInt(changed.length)];
                default -> changed[at] = changed[at] & ~0xff | random.nextInt(29);
            }
        }
        return changed;
    }

    @Test
    void corruptTokensAreReadOrRejected() throws IOException {
        List<Chunk> chunks = chunks();
        Random random = new Random(16);
        int refused = 0;
        for (int i = 0; i < COUNT; i++) {
            Chunk chunk = chunks.get(random.nextInt(chunks.size()));
            long[] words = corrupted(chunk.words, random);
            Builder builder = new JavaBuilder();
            builder.start(chunk.input, 0, DuplicateKeys.values()[i % 3]);
            try {
                builder.chunk(words, words.length, chunk.kept, chunk.wide);
            } catch (InternalException expected) {
                refused++;
            } catch (StackOverflowError recursion) {
                // A collection is its own key. Session reports it.
                refused++;
            }
        }
        assertTrue(refused > COUNT / 4 && refused < COUNT, refused + " of " + COUNT);
    }

    /** Corrupt text results in values, or in an exception with a line. */
    @Test
    void corruptYamlIsReadOrRejected() throws IOException {
        byte[] yaml = YAML.getBytes(StandardCharsets.UTF_8);
        Loader loader = Yaml.with(Options.builder().schema(Schema.YAML11).build());
        Random random = new Random(16);
        int refused = 0;
        for (int i = 0; i < COUNT; i++) {
            byte[] changed = yaml.clone();
            for (int j = random.nextInt(4); j >= 0; j--) {
                int at = random.nextInt(changed.length);
                changed[at] = random.nextInt(4) == 0 ? (byte) random.nextInt() : yaml[random.nextInt(yaml.length)];
            }
            try {
                loader.loadAll(changed);
            } catch (YamlException expected) {
                refused++;
            }
        }
        assertTrue(refused > COUNT / 10 && refused < COUNT, refused + " of " + COUNT);
    }
}
