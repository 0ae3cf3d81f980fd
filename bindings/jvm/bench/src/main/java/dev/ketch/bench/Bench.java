package dev.ketch.bench;

import java.io.IOException;
import java.nio.file.Path;

/** One pass of the command {@code bench/run load|extprot|events|jackson|rows|old FILE...}. */
public final class Bench {
    private Bench() {}

    /** Measures one part, on each file if it reads files. */
    public static void main(String[] args) throws IOException {
        switch (args[0]) {
            case "rows" -> Select.measure();
            case "old" -> Old.measure();
            default -> {
                for (int i = 1; i < args.length; i++) {
                    measure(args[0], Path.of(args[i]));
                }
            }
        }
    }

    private static void measure(String part, Path file) throws IOException {
        switch (part) {
            case "load" -> Load.measure(file);
            case "extprot" -> Binary.measure(file);
            case "events" -> Events.measure(file);
            case "jackson" -> Databind.measure(file);
            default -> throw new IllegalArgumentException(part);
        }
    }
}
