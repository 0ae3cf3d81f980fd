package dev.ketch;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A compiled program in jq's language. Immutable; any number of runs and threads may use it.
 *
 * <pre>{@code
 * Query cheap = Query.compile(".[] | select(.price < $max) | .name", Map.of("max", 10));
 * try (Stream<Object> names = cheap.run("[{name: rope, price: 9.5}, {name: sail, price: 120}]")) {
 *     names.toList(); // [rope]
 * }
 * }</pre>
 */
public final class Query {
    /** The settings that are limits. */
    static final Set<String> LIMITS = Set.of("max_steps", "max_frames", "max_digits");

    private static final Cleaner CLEANER = Cleaner.create();
    private static final Pattern MISSING = Pattern.compile("there is no module `(.*)`");

    private final Program program;
    private final Options options;
    /** The settings, each with its name in a line. */
    private final String settings;

    /** The native program, which is freed when no query needs it. */
    private static final class Program {
        final long address;

        Program(long address) {
            this.address = address;
            CLEANER.register(this, () -> NativeQuery.free(address));
        }
    }

    private Query(Program program, Options options, String settings) {
        this.program = program;
        this.options = options;
        this.settings = settings;
    }

    /**
     * Compiles a program.
     *
     * @param program the program
     * @return the compiled program
     * @throws QueryException if it is not valid
     */
    public static Query compile(String program) {
        return compile(program, Map.of());
    }

    /**
     * Compiles a program with variables.
     *
     * @param program the program
     * @param variables the values of its variables, without {@code $} in their names
     * @return the compiled program
     * @throws QueryException if it is not valid
     */
    public static Query compile(String program, Map<String, ?> variables) {
        return compile(program, variables, name -> null);
    }

    /**
     * Compiles a program with variables and modules.
     *
     * @param program the program
     * @param variables the values of its variables, without {@code $} in their names
     * @param modules returns the text of the module with a name, or null
     * @return the compiled program
     * @throws QueryException if it is not valid
     */
    public static Query compile(
            String program, Map<String, ?> variables, Function<String, @Nullable String> modules) {
        Map<String, String> texts = new HashMap<>();
        String values = Yaml.dump(variables);
        while (true) {
            try {
                return compile(program, values, Yaml.dump(texts), false);
            } catch (QueryException error) {
                Matcher missing = MISSING.matcher(error.problem());
                String name = missing.find() ? missing.group(1) : null;
                String text = name == null || texts.containsKey(name) ? null : modules.apply(name);
                if (text == null) {
                    throw error;
                }
                texts.put(name, text);
            }
        }
    }

    /**
     * Compiles a program that is written as messages, such as {@code items map(price * qty) sum}.
     *
     * @param messages the messages
     * @param variables the values of the names that are bound
     * @return the compiled program
     * @throws QueryException if it is not valid
     */
    public static Query compileMessages(String messages, Map<String, ?> variables) {
        return compile(messages, Yaml.dump(variables), "", true);
    }

    /** Compiles a program, or messages. Variables and modules are mappings in YAML. */
    static Query compile(String program, String variables, String modules, boolean isMessages) {
        byte[] parts = bytes(String.join("\0", isMessages ? "messages" : "jq", variables, modules, program));
        long address = Session.call(session -> session.compile(parts));
        return new Query(new Program(address), Options.DEFAULT, "");
    }

    /**
     * Returns this query with other options of reading.
     *
     * @param options how texts are read
     * @return a query that shares the compiled program
     */
    public Query with(Options options) {
        return new Query(program, options, settings);
    }

    /**
     * Returns this query with a setting: {@code strict} and {@code floats} are true or false, {@code format} is
     * {@code json} or {@code yaml}, and {@code max_steps} (1,000,000,000 by default), {@code max_frames} and {@code
     * max_digits} are limits. With {@code strict}, a missing key or index is an error; with {@code floats}, numbers
     * that are not integers are of the class Double. With {@code null_input}, the program runs once, with null, and
     * asks for the documents by {@code input} and {@code inputs}; with {@code slurp}, the documents are one list.
     *
     * @param name the name of the setting
     * @param value its value
     * @return a query that shares the compiled program
     */
    public Query with(String name, Object value) {
        return new Query(program, options, settings + name + "=" + value + "\n");
    }

    /**
     * Runs the program on a text. The results are computed as far as they are used; closing the stream frees the run.
     * Each document is an input. Numbers that are not integers are of the class {@link BigDecimal}.
     *
     * <p>If the program fails, the result throws a {@link QueryException} or a {@link LimitException}, and if the text
     * is not valid, another {@link YamlException}, after the results before it. If the thread is interrupted during a
     * run, it throws a {@link CancellationException}, and the thread stays interrupted.
     *
     * @param text YAML or JSON
     * @return the results; not for use by several threads at once
     * @throws IllegalArgumentException if a setting is not valid
     */
    public Stream<@Nullable Object> run(String text) {
        return run(bytes(text));
    }

    /**
     * Runs the program on a text, like {@link #run(String)}.
     *
     * @param text YAML or JSON in UTF-8, UTF-16 or UTF-32
     * @return the results; not for use by several threads at once
     * @throws IllegalArgumentException if a setting is not valid
     */
    public Stream<@Nullable Object> run(byte[] text) {
        return DocumentStream.of(SessionPool.JAVA, session -> open(session, text));
    }

    /** Starts a run with a session. */
    void open(Session session, byte[] text) {
        session.run(program.address, text, options, bytes(settings));
        Reference.reachabilityFence(program);
    }

    /**
     * Returns the text that the program makes of a text: it gets each document, and returns the new one. All bytes that
     * it does not change stay as they are.
     *
     * @param text YAML
     * @return the new text
     * @throws CancellationException if the thread is interrupted
     * @throws EditException if the editor refuses the change
     * @throws QueryException if the program fails, or does not have exactly one result for a document
     * @throws YamlException if the text is not valid YAML
     * @throws IllegalArgumentException if a setting is not valid
     */
    public String edit(String text) {
        return edit(text, Query::checkThread);
    }

    /** Edits a text. Native code calls {@code poller} from time to time; what it throws ends the run. */
    String edit(String text, Runnable poller) {
        byte[] edited = Session.call(
                session -> session.edit(program.address, bytes(text), options, bytes(settings), poller));
        Reference.reachabilityFence(program);
        return new String(edited, StandardCharsets.UTF_8);
    }

    /** Throws if this thread is interrupted. */
    static void checkThread() {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("the thread was interrupted");
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
