package dev.ketch.jruby;

import dev.ketch.DuplicateKeyException;
import dev.ketch.LimitException;
import dev.ketch.ValueException;
import dev.ketch.YamlException;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyException;
import org.jruby.RubyHash;
import org.jruby.exceptions.RaiseException;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** Errors as {@code Ketch::Error} and its kinds. */
final class Failures {
    private Failures() {}

    static RaiseException raised(ThreadContext context, YamlException error, LoadOptions options) {
        Ruby runtime = context.runtime;
        String help = error.help();
        String message = error.getMessage();
        if (error.name().equals("SeveralDocuments")) {
            String ours = "Read all of them with Ketch.load_stream or Ketch.each_document.";
            message = message.replace(help, ours);
            help = ours;
        }
        RubyHash facts = RubyHash.newHash(runtime);
        text(runtime, facts, "file", options.fileName());
        text(runtime, facts, "problem", error.problem());
        text(runtime, facts, "help", help);
        if (!error.name().equals("SeveralDocuments")) {
            symbol(runtime, facts, "name", error.name());
        }
        symbol(runtime, facts, "setting", error.setting());
        number(runtime, facts, "line", error.line());
        number(runtime, facts, "column", error.column());
        number(runtime, facts, "offset", error.offset());
        number(runtime, facts, "length", error.length());
        text(runtime, facts, "line_text", error.lineText());
        if (error.relatedLine() > 0) {
            number(runtime, facts, "related_line", error.relatedLine());
            number(runtime, facts, "related_column", error.relatedColumn());
        }
        return raise(context, className(error), message, facts);
    }

    static RaiseException duplicate(ThreadContext context) {
        String message = "two keys of a mapping are equal in Ruby\n"
                + "Write keys that differ by more than how they are written.";
        return raise(context, "DuplicateKeyError", message, RubyHash.newHash(context.runtime));
    }

    private static RaiseException raise(
            ThreadContext context, String name, String message, RubyHash facts) {
        Ruby runtime = context.runtime;
        RubyClass type = runtime.getModule("Ketch").getClass(name);
        IRubyObject[] arguments = {runtime.newString(message), facts};
        return ((RubyException) type.newInstance(context, arguments, org.jruby.runtime.Block.NULL_BLOCK))
                .toThrowable();
    }

    private static String className(YamlException error) {
        if (error instanceof DuplicateKeyException) {
            return "DuplicateKeyError";
        }
        if (error instanceof LimitException) {
            return "LimitError";
        }
        return error instanceof ValueException ? "ValueError" : "SyntaxError";
    }

    static void text(Ruby runtime, RubyHash facts, String name, String text) {
        IRubyObject value = text == null ? runtime.getNil() : runtime.newString(text);
        facts.fastASet(runtime.newSymbol(name), value);
    }

    private static void symbol(Ruby runtime, RubyHash facts, String name, String symbol) {
        IRubyObject value = symbol == null ? runtime.getNil() : runtime.newSymbol(symbol);
        facts.fastASet(runtime.newSymbol(name), value);
    }

    static void number(Ruby runtime, RubyHash facts, String name, long number) {
        facts.fastASet(runtime.newSymbol(name), runtime.newFixnum(number));
    }
}
