package dev.ketch;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.CodeSource;
import java.util.Locale;

/** The native functions; jni.rs documents them. */
final class Native {
    /** Results of {@link #next}. */
    static final long FAILED = -1;

    static final long DEAD = -2;

    static final long NO_MEMORY = -3;

    private static final String LIBRARY = "ketch_jvm";

    private static final UnsatisfiedLinkError FAILURE = find();

    private Native() {}

    static native long create();

    static native void destroy(long handle);

    static native long open(
            long handle, byte[] input, int offset, int length, long[] numbers, byte[] file);

    static native long openStream(
            long handle, Feed feed, byte[] buffer, long[] numbers, byte[] file, boolean isWhole)
            throws IOException;

    static native long next(
            long handle, long[] words, byte[] kept, Feed feed, byte[] buffer, Runnable poller)
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

    /**
     * Plants a panic, for tests: the call with this number from now on panics in this thread, or none
     * if it is 0; the number has no sign. Reading from a stream counts as well. Returns the number that was left.
     */
    static native int plantPanic(int count);

    /**
     * Checks that the library is loaded, before native methods are called.
     *
     * @throws UnsatisfiedLinkError at each call, if it cannot be loaded
     */
    static void load() {
        if (FAILURE != null) {
            UnsatisfiedLinkError error = new UnsatisfiedLinkError(FAILURE.getMessage());
            error.initCause(FAILURE);
            throw error;
        }
    }

    /** Fails if a native function has, for a reason other than its input. */
    static long checkIntact(long result) {
        if (result == DEAD) {
            throw new InternalException("the native library has rejected a call");
        }
        if (result == NO_MEMORY) {
            throw new OutOfMemoryError("Ketch: no native memory");
        }
        return result;
    }

    /** Loads the library. Returns the error if that fails; otherwise null. */
    private static UnsatisfiedLinkError find() {
        try {
            findIn(System.getProperty("ketch.library.path"));
            return null;
        } catch (UnsatisfiedLinkError error) {
            return error;
        }
    }

    /**
     * Loads the library from the folder or, without one, from the system's library path, the folder
     * beside the jar, or the jar.
     */
    private static void findIn(String folder) {
        if (folder != null) {
            System.load(Path.of(folder, System.mapLibraryName(LIBRARY)).toAbsolutePath().toString());
            return;
        }
        try {
            System.loadLibrary(LIBRARY);
        } catch (UnsatisfiedLinkError notOnThePath) {
            loadShipped();
        }
    }

    /** Loads the library that comes with the jar. */
    private static void loadShipped() {
        String platform = platform();
        Path beside = besideJar(platform);
        if (beside != null) {
            try {
                System.load(beside.toString());
                return;
            } catch (UnsatisfiedLinkError inUse) {
                // A library belongs to the class loader that has loaded it first, so this one needs a copy.
            }
        }
        String resource = "native/" + platform + "/" + System.mapLibraryName(LIBRARY);
        try (InputStream in = beside == null
                ? Native.class.getResourceAsStream(resource) : Files.newInputStream(beside)) {
            if (in == null) {
                throw new UnsatisfiedLinkError(
                        "Ketch has no library for " + platform + ": build it with"
                                + " bindings/jvm/build-native and name its folder with"
                                + " -Dketch.library.path");
            }
            Path file = temporaryFile();
            try {
                Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
                System.load(file.toString());
            } catch (UnsatisfiedLinkError refused) {
                throw unloadable(file, refused);
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException failure) {
            throw unwritable(failure);
        }
    }

    /** Returns the library in the folder {@code native} beside the jar of this class, or null. */
    private static Path besideJar(String platform) {
        CodeSource source = Native.class.getProtectionDomain().getCodeSource();
        // A class loader that defines classes from bytes need not say where they are from.
        URL location = source == null ? null : source.getLocation();
        if (location == null) {
            return null;
        }
        try {
            Path jar = Path.of(location.toURI());
            if (!Files.isRegularFile(jar)) {
                return null;
            }
            Path library = jar.resolveSibling("native").resolve(platform).resolve(System.mapLibraryName(LIBRARY));
            return Files.isRegularFile(library) ? library.toAbsolutePath() : null;
        } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException notAFile) {
            return null;
        }
    }

    private static Path temporaryFile() throws IOException {
        String folder = System.getProperty("ketch.tmpdir");
        String suffix = System.mapLibraryName("");
        return folder == null
                ? Files.createTempFile("ketch", suffix)
                : Files.createTempFile(Path.of(folder), "ketch", suffix).toAbsolutePath();
    }

    private static UnsatisfiedLinkError unloadable(Path file, UnsatisfiedLinkError refused) {
        UnsatisfiedLinkError error = new UnsatisfiedLinkError(
                "Ketch cannot load its library from " + file + " (" + refused.getMessage() + "): if "
                        + file.getParent() + " is mounted with noexec, name another folder with"
                        + " -Dketch.tmpdir, or the library's own with -Dketch.library.path");
        error.initCause(refused);
        return error;
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
        try {
            // A lambda would take longer than everything else here.
            return new String(Files.readAllBytes(maps), StandardCharsets.ISO_8859_1).contains("/ld-musl-");
        } catch (IOException notLinux) {
            return false;
        }
    }
}
