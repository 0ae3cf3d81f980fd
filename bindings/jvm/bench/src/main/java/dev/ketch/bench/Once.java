package dev.ketch.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.ketch.Yaml;
import dev.ketch.extprot.Extprot;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Loads a file and keeps the result until the process ends: for the smallest heap. Each engine loads only its own
 * classes.
 */
final class Once {
    private Once() {}

    /** Takes the name of an engine and a file. With a third argument, prints the digest of the value. */
    public static void main(String[] arguments) throws Exception {
        Object value = load(arguments[0], Path.of(arguments[1]));
        if (arguments.length > 2) {
            byte[] data = Extprot.dump(Canonical.data(value));
            System.out.println(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(data)));
        }
        Reference.reachabilityFence(value);
    }

    private static Object load(String engine, Path file) throws IOException {
        switch (engine) {
            case "ketch":
                return Yaml.load(file);
            case "SnakeYAML":
                return new org.yaml.snakeyaml.Yaml(new SafeConstructor(options())).load(Files.newInputStream(file));
            case "Jackson YAML":
                return new ObjectMapper(YAMLFactory.builder().loaderOptions(options()).build())
                        .readValue(file.toFile(), Object.class);
            default:
                throw new IllegalArgumentException(engine);
        }
    }

    private static LoaderOptions options() {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(Integer.MAX_VALUE);
        return options;
    }
}
