import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Scanner;
import java.lang.management.ManagementFactory;
import org.jcodings.specific.UTF8Encoding;
import org.joni.Matcher;
import org.joni.Option;
import org.joni.Regex;

/** A worker of bench/regex/run that times joni. The commands are those of src/main.rs. */
final class Time {
    private record Case(int options, byte[] pattern, byte[] text) {
        Regex compile() {
            return new Regex(pattern, 0, pattern.length, options, UTF8Encoding.INSTANCE);
        }
    }

    private static long answer(String operation, Case one, Regex regex) {
        if (operation.equals("compile")) {
            regex = one.compile();
        }
        Matcher matcher = regex.matcher(one.text);
        int length = one.text.length;
        if (operation.equals("count")) {
            long count = 0;
            int from = 0;
            while (from <= length && matcher.search(from, length, Option.NONE) >= 0) {
                count++;
                from = matcher.getEnd() > matcher.getBegin() ? matcher.getEnd() : matcher.getEnd() + 1;
            }
            return count;
        }
        if (matcher.search(0, length, Option.NONE) < 0) {
            return 0;
        }
        return switch (operation) {
            case "is_match" -> 1;
            default -> 1 + matcher.getBegin() + matcher.getEnd() * 1000L;
        };
    }

    public static void main(String[] args) throws Exception {
        var threads = ManagementFactory.getThreadMXBean();
        List<Case> cases = new ArrayList<>();
        List<Regex> compiled = new ArrayList<>();
        String operation = "";
        long sum = 0;
        var input = new Scanner(System.in, StandardCharsets.UTF_8);
        while (input.hasNextLine()) {
            String[] words = input.nextLine().split(" ");
            if (words[0].equals("load")) {
                operation = words[2];
                cases.clear();
                compiled.clear();
                for (String line : Files.readAllLines(Path.of(words[1]))) {
                    String[] fields = line.split("\t", -1);
                    int options = (fields[0].contains("i") ? Option.IGNORECASE : 0)
                            | (fields[0].contains("m") ? Option.MULTILINE : 0);
                    byte[] text = fields[2].startsWith("@")
                            ? Files.readAllBytes(Path.of(fields[2].substring(1)))
                            : HexFormat.of().parseHex(fields[2]);
                    cases.add(new Case(options, HexFormat.of().parseHex(fields[1]), text));
                    compiled.add(cases.get(cases.size() - 1).compile());
                }
                var answers = new StringBuilder();
                for (int at = 0; at < cases.size(); at++) {
                    answers.append(answer(operation, cases.get(at), compiled.get(at))).append(' ');
                }
                System.out.println(answers.toString().trim());
            } else {
                long start = threads.getCurrentThreadCpuTime();
                for (int left = Integer.parseInt(words[1]); left > 0; left--) {
                    for (int at = 0; at < cases.size(); at++) {
                        sum += answer(operation, cases.get(at), compiled.get(at));
                    }
                }
                System.out.println(threads.getCurrentThreadCpuTime() - start);
            }
        }
        System.err.print(sum == 0 ? "" : "");
    }
}
