package dev.ketch.jruby;

import dev.ketch.RubyQuery;
import dev.ketch.RubyResults;
import dev.ketch.YamlException;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyHash;
import org.jruby.RubyModule;
import org.jruby.RubyObject;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ObjectAllocator;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** {@code Ketch::QueryProgram}: a compiled program in jq's language. */
public final class QueryProgram extends RubyObject {
    private static final long serialVersionUID = 1;
    private static final Set<String> SETTINGS =
            Set.of(
            "strict", "floats", "format", "null_input", "slurp", "max_steps", "max_frames", "max_digits");

    private final transient RubyQuery query;

    private QueryProgram(Ruby runtime, RubyClass type, RubyQuery query) {
        super(runtime, type);
        this.query = query;
    }

    static void define(Ruby runtime, RubyModule ketch) {
        for (Class<?> each : new Class<?>[] {QueryProgram.class, QueryResults.class}) {
            RubyClass type = ketch.defineClassUnder(
                    each.getSimpleName(), runtime.getObject(), ObjectAllocator.NOT_ALLOCATABLE_ALLOCATOR);
            type.defineAnnotatedMethods(each);
            Guarded.replaceMethods(type);
            Guarded.replaceMethods(type.getSingletonClass());
        }
    }

    /** Implements {@code compile(program, variables, modules, messages)}: the middle ones are mappings in YAML. */
    @JRubyMethod(meta = true, required = 4)
    public static IRubyObject compile(ThreadContext context, IRubyObject type, IRubyObject[] given) {
        boolean isMessages = given[3].isTrue();
        RubyQuery query = raising(context, LoadOptions.of(context, new IRubyObject[0]),
                () -> RubyQuery.compile(text(given[0]), text(given[1]), text(given[2]), isMessages));
        return new QueryProgram(context.runtime, (RubyClass) type, query);
    }

    /** Implements {@code run(source, options)}: starts a run on a text. */
    @JRubyMethod
    public IRubyObject run(ThreadContext context, IRubyObject source, IRubyObject options) {
        LoadOptions reading = reading(context, options);
        RubyQuery set = with(context, options).with(reading.options());
        byte[] text = Source.text(context, source).bytes();
        RubyResults results =
                raising(context, reading, () -> Ketch.loader(context).run(set, text, reading.form()));
        return new QueryResults(context, results, reading);
    }

    /** Implements {@code edit(text, options)}: returns the text that the program makes of a text. */
    @JRubyMethod
    public IRubyObject edit(ThreadContext context, IRubyObject text, IRubyObject options) {
        LoadOptions reading = reading(context, options);
        RubyQuery set = with(context, options).with(reading.options());
        String edited = raising(context, reading, () -> set.edit(text(text), context::pollThreadEvents));
        return context.runtime.newString(edited);
    }

    /** Returns the program with the settings among the options. */
    private RubyQuery with(ThreadContext context, IRubyObject options) {
        RubyQuery set = query;
        for (Object entry : ((RubyHash) options).directEntrySet()) {
            var pair = (Map.Entry<?, ?>) entry;
            String name = LoadOptions.name((IRubyObject) pair.getKey());
            if (SETTINGS.contains(name)) {
                set = set.with(name, pair.getValue().toString());
            }
        }
        return set;
    }

    /** Returns the options that are not settings. */
    private static LoadOptions reading(ThreadContext context, IRubyObject options) {
        RubyHash reading = RubyHash.newHash(context.runtime);
        for (Object entry : ((RubyHash) options).directEntrySet()) {
            var pair = (Map.Entry<?, ?>) entry;
            if (!SETTINGS.contains(LoadOptions.name((IRubyObject) pair.getKey()))) {
                reading.fastASet((IRubyObject) pair.getKey(), (IRubyObject) pair.getValue());
            }
        }
        return LoadOptions.of(context, new IRubyObject[] {context.nil, reading});
    }

    private static String text(IRubyObject text) {
        return text.convertToString().decodeString();
    }

    /** Calls a function, and raises the exception of Ruby for its error. */
    static <T> T raising(ThreadContext context, LoadOptions options, Supplier<T> call) {
        try {
            return call.get();
        } catch (YamlException error) {
            throw Failures.raised(context, error, options);
        } catch (IllegalArgumentException wrong) {
            throw context.runtime.newArgumentError(wrong.getMessage());
        }
    }
}
