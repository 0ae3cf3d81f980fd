package dev.ketch.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The command {@code Bench load|extprot|events|jackson|rows|old [--rounds N] FILE...}. */
public final class Bench {
    private Bench() {}

    /** Measures one part on each file. */
    public static void main(String[] args) throws IOException {
        List<String> files = new ArrayList<>(Arrays.asList(args));
        String part = files.remove(0);
        int rounds = 9;
        int at = files.indexOf("--rounds");
        if (at >= 0) {
            rounds = Integer.parseInt(files.remove(at + 1));
            files.remove(at);
        }
        System.out.printf("%s, JDK %s, %d rounds, times as fast as the peer: median, quartiles%n", part,
                System.getProperty("java.version"), rounds);
        List<Race> races = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            races.add(new Race(rounds));
        }
        if (part.equals("rows")) {
            new Select(races.get(0)).measure();
            files.clear();
        } else if (part.equals("old")) {
            new Old(races.get(0)).measure();
            files.clear();
        }
        for (String file : files) {
            switch (part) {
                case "load" -> new Load(races.get(0)).measure(Path.of(file));
                case "extprot" -> new Binary(races.get(0), races.get(1)).measure(Path.of(file));
                case "events" -> new Events(races.get(0)).measure(Path.of(file));
                case "jackson" -> new Databind(races.get(0), races.get(1)).measure(Path.of(file));
                default -> throw new IllegalArgumentException(
                        "load, extprot, events, jackson, rows or old, not " + part);
            }
        }
        races.forEach(Race::summarize);
    }
}
