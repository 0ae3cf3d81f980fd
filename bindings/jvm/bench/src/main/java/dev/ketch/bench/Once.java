package dev.ketch.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.ketch.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Loads a file and keeps the result until the process ends: for the smallest heap, and for the first
 * document. Each engine loads only its own classes.
 */
final class Once {
    private Once() {}

    /** Takes the name of an engine and a file. Without arguments, nothing is loaded. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length == 0) {
            return;
        }
        Object value = load(arguments[0], Path.of(arguments[1]));
        if (value == null) {
            throw new IOException("the file is empty");
        }
        Reference.reachabilityFence(value);
    }

    private static Object load(String engine, Path file) throws IOException {
        switch (engine) {
            case "ketch":
                return Yaml.load(file);
            case "snakeyaml":
                try (InputStream in = Files.newInputStream(file)) {
                    return new org.yaml.snakeyaml.Yaml(new SafeConstructor(options())).load(in);
                }
            case "jackson":
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
