package dev.ketch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.stream.Stream;

/** The native functions; jni.rs documents them. */
final class Native {
    /** Results of {@link #next}. */
    static final long FAILED = -1;

    static final long DEAD = -2;

    static final long NO_MEMORY = -3;

    private static final String LIBRARY = "ketch_jvm";

    static {
        find();
    }

    private Native() {}

    static native long create();

    static native void destroy(long handle);

    static native long open(
            long handle, byte[] input, int offset, int length, long[] numbers, byte[] file);

    static native long openStream(
            long handle, Feed feed, byte[] buffer, long[] numbers, byte[] file, boolean isWhole)
            throws IOException;

    static native long next(long handle, long[] words, byte[] kept, Feed feed, byte[] buffer)
            throws IOException;

    /** Native code calls this to read a stream. */
    static int fill(Feed feed, int most) throws IOException {
        return feed.fill(most);
    }

    static native long again(long handle, long[] words, byte[] kept);

    static native long wide(long handle, char[] units);

    static native long restart(long handle);

    static native byte[] error(long handle);

    static native byte[] severalDocuments(long handle);

    static native long end(long handle);

    /** Loads the library, unless another class already has. */
    static void load() {
        // The static initializer of this class loads it.
    }

    /**
     * Loads the library from the property {@code ketch.library.path}, the system's library path, or
     * the jar.
     */
    private static void find() {
        String folder = System.getProperty("ketch.library.path");
        if (folder != null) {
            System.load(Path.of(folder, System.mapLibraryName(LIBRARY)).toAbsolutePath().toString());
            return;
        }
        try {
            System.loadLibrary(LIBRARY);
        } catch (UnsatisfiedLinkError notOnThePath) {
            loadFromJar();
        }
    }

    private static void loadFromJar() {
        String platform = platform();
        String resource = "native/" + platform + "/" + System.mapLibraryName(LIBRARY);
        try (InputStream in = Native.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new UnsatisfiedLinkError(
                        "Ketch has no library for " + platform + ": build it with"
                                + " bindings/jvm/build-native and name its folder with"
                                + " -Dketch.library.path");
            }
            // Each class loader needs its own file, because a library belongs to the loader that
            // loads it.
            Path file = temporaryFile();
            try {
                Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
                System.load(file.toString());
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException failure) {
            throw unwritable(failure);
        }
    }

    private static Path temporaryFile() throws IOException {
        String folder = System.getProperty("ketch.tmpdir");
        String suffix = System.mapLibraryName("");
        return folder == null
                ? Files.createTempFile("ketch", suffix)
                : Files.createTempFile(Path.of(folder), "ketch", suffix).toAbsolutePath();
    }

    private static UnsatisfiedLinkError unwritable(IOException failure) {
        UnsatisfiedLinkError error = new UnsatisfiedLinkError(
                "Ketch cannot write its library to the temporary folder: name another one with"
                        + " -Dketch.tmpdir, or the library's own with -Dketch.library.path");
        error.initCause(failure);
        return error;
    }

    private static String platform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).replace(' ', '-');
        String arch = System.getProperty("os.arch");
        String libc = usesMusl(Path.of("/proc/self/maps")) ? "-musl" : "";
        return system + "-" + (arch.equals("amd64") ? "x86_64" : arch) + libc;
    }

    /**
     * Returns whether the JVM runs with musl, as on Alpine Linux, and not with glibc.
     *
     * @param maps the files that are mapped into the process, as Linux lists them
     */
    static boolean usesMusl(Path maps) {
        try (Stream<String> lines = Files.lines(maps)) {
            return lines.anyMatch(line -> line.contains("/ld-musl-"));
        } catch (IOException | UncheckedIOException notLinux) {
            return false;
        }
    }
}
