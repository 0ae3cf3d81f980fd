package dev.ketch.jruby;

import dev.ketch.CoreWords;
import dev.ketch.DuplicateKeyException;
import dev.ketch.EditException;
import dev.ketch.InternalException;
import dev.ketch.LimitException;
import dev.ketch.QueryException;
import dev.ketch.Nodes;
import dev.ketch.ValueException;
import dev.ketch.YamlException;
import dev.ketch.internal.EditSession.Refused;
import java.util.List;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyException;
import org.jruby.RubyHash;
import org.jruby.exceptions.RaiseException;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** Converts errors to {@code Ketch::Error} and its subclasses. */
final class Failures {
    private Failures() {}

    static RaiseException raised(ThreadContext context, YamlException error, LoadOptions options) {
        if (error instanceof InternalException panic) {
            return internal(context, panic);
        }
        if (error instanceof DuplicateKeyException && error.line() == 0) {
            return duplicate(context);
        }
        Ruby runtime = context.runtime;
        CoreWords words = CoreWords.of(error);
        String help = words.help();
        String message = words.message();
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
            symbol(runtime, facts, "name", error.name().replace('-', '_'));
        }
        symbol(runtime, facts, "setting", words.setting());
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

    /** Returns the exception for a panic. */
    static RaiseException internal(ThreadContext context, InternalException panic) {
        Ruby runtime = context.runtime;
        RubyHash facts = RubyHash.newHash(runtime);
        text(runtime, facts, "problem", panic.problem());
        text(runtime, facts, "help", panic.help());
        return raise(context, "InternalError", panic.getMessage(), facts);
    }

    private static RaiseException duplicate(ThreadContext context) {
        String message = "two keys of a mapping are equal in Ruby\n"
                + "Write keys that differ in value, not only in notation.";
        return raise(context, "DuplicateKeyError", message, RubyHash.newHash(context.runtime));
    }

    /** Returns the exception for an error of the operating system, by its number. */
    static RaiseException system(ThreadContext context, IRubyObject path, int number) {
        IRubyObject[] facts = {path, context.runtime.newFixnum(number)};
        RubyClass type = context.runtime.getSystemCallError();
        // `new` makes one of Errno's classes.
        return ((RubyException) type.callMethod(context, "new", facts)).toThrowable();
    }

    /** Returns the exception for an edit that failed. */
    static RaiseException refused(
            ThreadContext context, Refused refused, LoadOptions options, IRubyObject path) {
        Ruby runtime = context.runtime;
        return switch (refused.kind()) {
            case 'y' -> raised(context, Nodes.failure(refused), options);
            case 'e' -> edit(context, refused, options);
            case 's' -> raise(context, "StaleViewError", refused.message());
            case 'f' -> file(context, refused, options);
            case 'o' -> system(context, path.isNil() ? name(runtime, options) : path, refused.number());
            case 'i' -> runtime.newIOError(refused.message());
            default -> runtime.newArgumentError(refused.message());
        };
    }

    private static IRubyObject name(Ruby runtime, LoadOptions options) {
        return options.fileName() == null ? runtime.getNil() : runtime.newString(options.fileName());
    }

    /** The fields are in the order of failure.rs. */
    private static RaiseException edit(
            ThreadContext context, Refused refused, LoadOptions options) {
        Ruby runtime = context.runtime;
        RubyHash facts = RubyHash.newHash(runtime);
        // The kind of Java's exception.
        refused.text();
        String message = refused.text();
        text(runtime, facts, "file", options.fileName());
        text(runtime, facts, "problem", refused.text());
        symbol(runtime, facts, "name", refused.text().replace('-', '_'));
        text(runtime, facts, "help", refused.text());
        // There is no limit.
        refused.text();
        for (String name : List.of("line", "column", "offset", "length")) {
            String digits = refused.text();
            if (digits != null) {
                count(runtime, facts, name, digits);
            }
        }
        String line = refused.text();
        if (line != null) {
            text(runtime, facts, "line_text", line);
        }
        // There is no related location.
        refused.text();
        refused.text();
        String type = refused.text();
        count(runtime, facts, "operation", refused.text());
        return raise(context, type, message, facts);
    }

    private static RaiseException file(
            ThreadContext context, Refused refused, LoadOptions options) {
        Ruby runtime = context.runtime;
        RubyHash facts = RubyHash.newHash(runtime);
        symbol(runtime, facts, "name", refused.text());
        text(runtime, facts, "file", options.fileName());
        return raise(context, "FileError", refused.text(), facts);
    }

    private static void count(Ruby runtime, RubyHash facts, String name, String digits) {
        IRubyObject value = digits == null
                ? runtime.getNil() : runtime.newFixnum(Long.parseLong(digits));
        facts.fastASet(runtime.newSymbol(name), value);
    }

    private static RaiseException raise(ThreadContext context, String name, String message) {
        RubyClass type = context.runtime.getModule("Ketch").getClass(name);
        IRubyObject[] arguments = {context.runtime.newString(message)};
        return ((RubyException) type.newInstance(context, arguments, org.jruby.runtime.Block.NULL_BLOCK))
                .toThrowable();
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
        if (error instanceof QueryException) {
            return "QueryError";
        }
        if (error instanceof EditException) {
            return "EditError";
        }
        return error instanceof ValueException ? "ValueError" : "SyntaxError";
    }

    static void text(Ruby runtime, RubyHash facts, String name, String text) {
        IRubyObject value = text == null ? runtime.getNil() : runtime.newString(text);
        facts.fastASet(runtime.newSymbol(name), value);
    }

    static void symbol(Ruby runtime, RubyHash facts, String name, String symbol) {
        IRubyObject value = symbol == null ? runtime.getNil() : runtime.newSymbol(symbol);
        facts.fastASet(runtime.newSymbol(name), value);
    }

    static void number(Ruby runtime, RubyHash facts, String name, long number) {
        facts.fastASet(runtime.newSymbol(name), runtime.newFixnum(number));
    }
}
