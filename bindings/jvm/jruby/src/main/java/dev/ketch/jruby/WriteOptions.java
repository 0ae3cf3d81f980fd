package dev.ketch.jruby;

import dev.ketch.DumpOptions;
import java.util.Map;
import org.jruby.RubyNumeric;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** Keyword arguments of writing, which are the second argument of a call. */
final class WriteOptions {
    private final ThreadContext context;
    private final DumpOptions.Builder options = DumpOptions.builder();
    /** The {@code Ketch::Psych::Representer} of objects, or null. */
    private IRubyObject representer;
    private boolean hasPlainSymbols;
    private boolean sortsKeys;

    WriteOptions(ThreadContext context, IRubyObject[] args) {
        this.context = context;
        if (args.length > 1) {
            for (Object entry : args[1].convertToHash().directEntrySet()) {
                Map.Entry<?, ?> pair = (Map.Entry<?, ?>) entry;
                set(LoadOptions.name((IRubyObject) pair.getKey()), (IRubyObject) pair.getValue());
            }
        }
    }

    private void set(String name, IRubyObject value) {
        switch (name) {
            case "indent" -> {
                long columns = RubyNumeric.num2long(value);
                if (columns < 1 || columns > 9) {
                    throw context.runtime.newArgumentError("indent: expected 1 to 9");
                }
                options.indent((int) columns);
            }
            case "width" -> {
                if (!value.isNil() && RubyNumeric.num2int(value) > 0) {
                    options.width(RubyNumeric.num2int(value));
                }
            }
            case "sequences" -> options.indentSequences(sequences(value));
            case "flow" -> options.flow(value.isTrue());
            case "ascii" -> options.ascii(value.isTrue());
            case "header" -> options.header(value.isTrue());
            case "sort_keys" -> sortsKeys = value.isTrue();
            case "plain_symbols" -> hasPlainSymbols = value.isTrue();
            case "representer" -> representer = value;
            default -> throw LoadOptions.unknown(context, "dump", name);
        }
    }

    private boolean sequences(IRubyObject value) {
        return switch (LoadOptions.word(context, "sequences", value)) {
            case "flush" -> false;
            case "indented" -> true;
            default -> throw context.runtime.newArgumentError(
                    "sequences: expected :flush or :indented");
        };
    }

    DumpOptions options() {
        return options.build();
    }

    IRubyObject representer() {
        return representer;
    }

    /** Returns whether the entries of hashes are sorted by key. */
    boolean sortsKeys() {
        return sortsKeys;
    }

    /** Returns whether symbols that are words are written without the representer. */
    boolean hasPlainSymbols() {
        return hasPlainSymbols;
    }
}
