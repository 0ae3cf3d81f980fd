import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.yecht.NodeHandler;
import org.yecht.NullNodeHandler;
import org.yecht.Parser;
import org.yecht.Pointer;
import org.yecht.TokenScanner;

/**
 * Parses and scans a file with Yecht as its classes {@code TimeParsing} and {@code TimeScanning} do: with implicit
 * typing, expanded tags and a handler that builds nothing. Reads lines {@code TASK TIMES}, where the task is
 * {@code parse} or {@code scan}, and answers each with the nanoseconds of CPU time that its thread took. The answer to
 * {@code count 1} is the number of calls of a handler.
 */
public final class Time {
    private Time() {}

    public static void main(String[] args) throws IOException {
        byte[] text = Files.readAllBytes(Path.of(args[0]));
        var in = new BufferedReader(new InputStreamReader(System.in));
        String line;
        while ((line = in.readLine()) != null) {
            String[] words = line.split(" ");
            int times = Integer.parseInt(words[1]);
            System.out.println(words[0].equals("count") ? count(text) : time(text, words[0], times));
        }
    }

    private static long time(byte[] text, String task, int times) throws IOException {
        var threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime();
        if (task.equals("parse")) {
            for (int i = 0; i < times; i++) {
                parser(text, new NullNodeHandler()).parse();
            }
        } else {
            for (int i = 0; i < times; i++) {
                scan(text);
            }
        }
        return threads.getCurrentThreadCpuTime() - start;
    }

    private static long count(byte[] text) {
        long[] calls = {0};
        parser(text, (parser, node) -> {
            calls[0]++;
            return null;
        }).parse();
        return calls[0];
    }

    private static void scan(byte[] text) throws IOException {
        var scanner = TokenScanner.createScanner(parser(text, new NullNodeHandler()));
        do {
            scanner.advance();
        } while (scanner.token() != 0);
    }

    private static Parser parser(byte[] text, NodeHandler handler) {
        Parser parser = Parser.newParser();
        parser.str(Pointer.create(text, 0), text.length, null);
        parser.handler(handler);
        parser.errorHandler(null);
        parser.implicitTyping(true);
        parser.taguriExpansion(true);
        return parser;
    }
}
