package dev.ketch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.WeakReference;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks how the native library is found, in separate processes. */
class LibraryTest {
    /** The code that the processes run. */
    static final class Program {
        private Program() {}

        /** Loads on both paths, with an error and with streams that fail, and dumps. */
        public static void main(String[] arguments) throws IOException {
            streams();
            Object value = Yaml.load("? [a]\n: &x {key: 1, other: [*x]}\n");
            for (int i = 0; i < 100; i++) {
                value = Yaml.load("masts: [main, \"mizzen\\t\"]\nlaunched: 1902\n");
            }
            try {
                Yaml.load("[");
            } catch (YamlSyntaxException expected) {
                System.out.println(value);
            }
        }

        private static void streams() throws IOException {
            byte[] yaml = "- größe: 1\n".repeat(20_000).getBytes(StandardCharsets.UTF_8);
            Object value = Yaml.load(new ByteArrayInputStream(yaml));
            Yaml.forEach(new ByteArrayInputStream(yaml), document -> { });
            Yaml.dump(value, OutputStream.nullOutputStream());
            Yaml.events(new ByteArrayInputStream(yaml), parser -> parser.text());
            InputStream closed = InputStream.nullInputStream();
            closed.close();
            for (Call call : List.<Call>of(() -> Yaml.load(closed), () -> Yaml.forEach(closed, one -> { }))) {
                try {
                    call.run();
                    throw new AssertionError("a closed stream was read");
                } catch (IOException expected) {
                    // The exception of the closed stream.
                }
            }
        }

        private interface Call {
            void run() throws IOException;
        }
    }

    private static final String OUTPUT = "{masts=[main, mizzen\t], launched=1902}\n";

    private static String run(String... options) throws Exception {
        return run(Program.class, options);
    }

    /** Returns the output of a process that runs a class. */
    static String run(Class<?> program, String... options) throws Exception {
        return output(command(program, Arrays.asList(options)));
    }

    private static String output(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    /** Returns the command that runs a class. */
    static List<String> command(Class<?> program, List<String> options, String... arguments)
            throws URISyntaxException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        String classes = place(Yaml.class) + ":" + place(LibraryTest.class);
        command.addAll(List.of("-cp", classes, program.getName()));
        command.addAll(Arrays.asList(arguments));
        return command;
    }

    private static Path place(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    /**
     * Returns the option that permits native libraries, on versions of Java that warn without it.
     */
    static String access() {
        boolean warns = Runtime.version().feature() >= 22;
        return warns ? "--enable-native-access=ALL-UNNAMED" : "-Dketch.unused=1";
    }

    @Test
    void muslIsRecognizedByTheMappedFiles(@TempDir Path folder) throws IOException {
        Path maps = folder.resolve("maps");
        Files.writeString(maps, "7f1c00 r-xp 0000 08:01 42 /lib/ld-musl-x86_64.so.1\n");
        assertTrue(Native.usesMusl(maps));
        Files.writeString(maps, "7f1c00 r-xp 0000 08:01 42 /lib/x86_64-linux-gnu/libc.so.6\n");
        assertFalse(Native.usesMusl(maps));
        assertFalse(Native.usesMusl(folder.resolve("missing")));
    }

    @Test
    void theLibraryOfTheJarLeavesNoFile(@TempDir Path folder) throws Exception {
        assertEquals(OUTPUT, run(access(), "-Dketch.tmpdir=" + folder));
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(List.of(), files.toList());
        }
    }

    /** Loads in class loaders that come and go. */
    static final class Reloader {
        private Reloader() {}

        public static void main(String[] arguments) throws Exception {
            List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                loaders.add(new WeakReference<>(load()));
            }
            for (int i = 0; i < 100 && loaders.stream().anyMatch(loader -> loader.get() != null); i++) {
                System.gc();
                Thread.sleep(50);
            }
            System.out.println(loaders.stream().filter(loader -> loader.get() != null).count());
        }

        private static ClassLoader load() throws Exception {
            URL[] classes = {place(Yaml.class).toUri().toURL()};
            ClassLoader parent = ClassLoader.getPlatformClassLoader();
            try (URLClassLoader loader = new URLClassLoader(classes, parent)) {
                Class<?> yaml = loader.loadClass("dev.ketch.Yaml");
                Object value = yaml.getMethod("load", String.class).invoke(null, "[1, 2]");
                if (!value.equals(List.of(1, 2))) {
                    throw new AssertionError(value);
                }
                return loader;
            }
        }
    }

    @Test
    void unloadedClassLoadersFreeTheLibrary() throws Exception {
        assertEquals("0\n", run(Reloader.class, access(), "-XX:SoftRefLRUPolicyMSPerMB=0"));
    }

    /** Loads in two class loaders from a jar. */
    static final class Twice {
        private Twice() {}

        public static void main(String[] arguments) throws Exception {
            URL[] jar = {Path.of(arguments[0]).toUri().toURL()};
            for (int i = 0; i < 2; i++) {
                ClassLoader loader = new URLClassLoader(jar, ClassLoader.getPlatformClassLoader());
                Class<?> yaml = loader.loadClass("dev.ketch.Yaml");
                System.out.println(yaml.getMethod("load", String.class).invoke(null, "[1, 2]"));
            }
        }
    }

    @Test
    void theLibraryBesideTheJarIsLoadedInPlace(@TempDir Path folder) throws Exception {
        Path classes = place(Yaml.class);
        Path jar = folder.resolve("ketch.jar");
        try (Stream<Path> files = Files.walk(classes);
                JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = classes.relativize(file).toString();
                if (name.startsWith("dev/ketch/native/")) {
                    Path beside = folder.resolve(name.substring("dev/ketch/".length()));
                    Files.createDirectories(beside.getParent());
                    Files.copy(file, beside);
                } else {
                    out.putNextEntry(new JarEntry(name));
                    Files.copy(file, out);
                }
            }
        }
        List<String> options = List.of(access(), "-Dketch.tmpdir=" + folder.resolve("missing"));
        // The first class loader needs no temporary folder; the second one, which needs a copy, does.
        String output = output(command(Twice.class, options, jar.toString()));
        assertTrue(output.startsWith("[1, 2]\n") && output.contains("name another one with -Dketch.tmpdir"), output);
        options = List.of(access(), "-Dketch.tmpdir=" + folder);
        assertEquals("[1, 2]\n[1, 2]\n", output(command(Twice.class, options, jar.toString())));
    }

    /** Loads in a class loader that defines classes from bytes, and does not say where they are from. */
    static final class FromBytes extends ClassLoader {
        private final CodeSource source;

        private FromBytes(CodeSource source) {
            this.source = source;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("dev.ketch.") || findLoadedClass(name) != null) {
                return super.loadClass(name, resolve);
            }
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length, new ProtectionDomain(source, null));
            } catch (IOException unreadable) {
                throw new ClassNotFoundException(name, unreadable);
            }
        }

        public static void main(String[] arguments) throws Exception {
            for (CodeSource source : new CodeSource[] {null, new CodeSource(null, (Certificate[]) null)}) {
                Class<?> yaml = new FromBytes(source).loadClass("dev.ketch.Yaml");
                System.out.println(yaml.getMethod("load", String.class).invoke(null, "[1, 2]"));
            }
        }
    }

    @Test
    void classesNeedNoLocation() throws Exception {
        assertEquals("[1, 2]\n[1, 2]\n", run(FromBytes.class, access()));
    }

    @Test
    void nothingButTheJvmPrintsWarnings() throws Exception {
        String warnings = run().replace(OUTPUT, "");
        boolean warns = Runtime.version().feature() >= 24;
        assertTrue(warns ? warnings.contains("--enable-native-access=ALL-UNNAMED") : warnings.isEmpty(),
                warnings);
        assertEquals(warns ? 4 : 0, warnings.lines().filter(line -> !line.isEmpty()).count(), warnings);
    }

    @Test
    void checkJniReportsNoProblem() throws Exception {
        assertEquals(OUTPUT, run(access(), "-Xcheck:jni"));
    }

    @Test
    void theLibraryWorksWithEachGarbageCollector() throws Exception {
        for (String collector : List.of("Serial", "Parallel", "G1", "Z")) {
            // There is little memory, so that garbage is collected.
            assertEquals(OUTPUT, run(access(), "-XX:+Use" + collector + "GC", "-Xmx64m"), collector);
        }
    }

    @Test
    void thePropertyNamesTheFolderOfTheLibrary(@TempDir Path folder) throws Exception {
        String name = System.mapLibraryName("ketch_jvm");
        Path resource = place(Yaml.class).resolve("dev/ketch/native");
        try (Stream<Path> files = Files.walk(resource)) {
            Path library = files.filter(file -> file.endsWith(name) && !file.toString().contains("-musl/"))
                    .findFirst().orElseThrow();
            Files.copy(library, folder.resolve(name));
        }
        // Nothing is written to the temporary folder, which does not exist.
        String missing = "-Dketch.tmpdir=" + folder.resolve("missing");
        assertEquals(OUTPUT, run(access(), missing, "-Dketch.library.path=" + folder));
        assertEquals(OUTPUT, run(access(), missing, "-Djava.library.path=" + folder));
    }

    /** Calls the library three times although it cannot be loaded. */
    static final class Again {
        private Again() {}

        public static void main(String[] arguments) {
            for (Runnable call : List.<Runnable>of(
                    () -> Yaml.load("1"), () -> Yaml.dump(1), () -> Schema.CORE.typeOf("1"))) {
                try {
                    call.run();
                } catch (UnsatisfiedLinkError expected) {
                    System.out.println(expected.getMessage());
                }
            }
        }
    }

    @Test
    void eachCallWithoutALibraryExplainsWhy() throws Exception {
        String help = "Ketch has no library for linux-pdp11: build it with bindings/jvm/build-native"
                + " and name its folder with -Dketch.library.path\n";
        assertEquals(help.repeat(3), run(Again.class, access(), "-Dos.arch=pdp11"));
    }

    @Test
    void errorsIncludeHelp(@TempDir Path folder) throws IOException, Exception {
        String platform = run(access(), "-Dos.arch=pdp11");
        assertTrue(platform.contains("UnsatisfiedLinkError: Ketch has no library for linux-pdp11"), platform);
        String unwritable = run(access(), "-Dketch.tmpdir=" + folder.resolve("missing"));
        assertTrue(unwritable.contains("name another one with -Dketch.tmpdir"), unwritable);
        // No user can write there, not even root.
        String readOnly = run(access(), "-Djava.io.tmpdir=/proc/self");
        assertTrue(readOnly.contains("name another one with -Dketch.tmpdir"), readOnly);
        String empty = run(access(), "-Dketch.library.path=" + folder);
        assertTrue(empty.contains("Can't load library: " + folder), empty);
    }

    /** A file that is no library fails as a folder that is mounted with {@code noexec} does. */
    @Test
    void aLibraryThatCannotBeLoadedIsAnErrorWithHelp(@TempDir Path folder) throws Exception {
        Path classes = place(Yaml.class);
        Path copied = Files.createDirectories(folder.resolve("classes"));
        Path temporary = Files.createDirectories(folder.resolve("temporary"));
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = copied.resolve(classes.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                if (file.endsWith(System.mapLibraryName("ketch_jvm"))) {
                    Files.writeString(copy, "no library");
                } else {
                    Files.copy(file, copy);
                }
            }
        }
        List<String> command = command(Program.class, List.of(access(), "-Dketch.tmpdir=" + temporary));
        command.replaceAll(argument -> argument.replace(classes + ":", copied + ":"));
        String output = output(command);
        Pattern message = Pattern.compile("UnsatisfiedLinkError: Ketch cannot load its library from " + temporary
                + "/ketch\\w+\\.so \\(.*\\): if " + temporary + " is mounted with noexec, name another folder with"
                + " -Dketch.tmpdir, or the library's own with -Dketch.library.path");
        assertTrue(message.matcher(output).find(), output);
        try (Stream<Path> files = Files.list(temporary)) {
            assertEquals(List.of(), files.toList());
        }
    }

    /**
     * GraalVM must know what native code looks up by name, and the resources that hold the library.
     */
    @Test
    void graalvmsMetadataNamesTheClassesThatNativeCodeFinds() throws Exception {
        String file = "META-INF/native-image/dev.ketch/ketch/reachability-metadata.json";
        Map<?, ?> metadata = (Map<?, ?>) Json.read(Files.readString(place(Yaml.class).resolve(file)));
        Map<?, ?> entry = (Map<?, ?>) ((List<?>) metadata.get("reflection")).get(0);
        Map<?, ?> method = (Map<?, ?>) ((List<?>) entry.get("methods")).get(0);
        assertEquals(List.of("dev.ketch.Feed", "int"), method.get("parameterTypes"));
        Class.forName((String) entry.get("type"))
                .getDeclaredMethod((String) method.get("name"), Feed.class, int.class);
        String code = Repository.read("bindings/jvm/native/src/env.rs");
        // The other methods that are looked up belong to JRuby's part, which has no native image.
        List<Object> expected = List.of(method.get("name"), "ask", "fail");
        Pattern name = Pattern.compile("(?:NAME: &CStr = |call_int\\(env, class, )c\"(\\w+)\"");
        assertEquals(expected, name.matcher(code).results().map(found -> (Object) found.group(1)).toList());
        assertEquals(2, code.split("function\\(env, GET_STATIC_METHOD\\)", -1).length - 1, "look-ups");
        Map<?, ?> thrown = (Map<?, ?>) ((List<?>) metadata.get("reflection")).get(1);
        Class.forName((String) thrown.get("type")).getDeclaredConstructor(String.class);
        String path = ((String) thrown.get("type")).replace('.', '/');
        assertTrue(code.contains("c\"" + path + "\""), path);
        Map<?, ?> polled = (Map<?, ?>) ((List<?>) metadata.get("reflection")).get(2);
        assertEquals("java.lang.Runnable", polled.get("type"));
        assertTrue(code.contains("c\"java/lang/Runnable\""));
        assertEquals(2, code.split("\\(env, FIND_CLASS\\)", -1).length - 1, "classes");
        Map<?, ?> resource = (Map<?, ?>) ((List<?>) metadata.get("resources")).get(0);
        assertEquals("dev/ketch/native/**", resource.get("glob"));
    }
}
