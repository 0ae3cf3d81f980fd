package dev.ketch.jruby;

import dev.ketch.RegexFailure;
import dev.ketch.RegexFailure.Kind;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyException;
import org.jruby.RubyHash;
import org.jruby.exceptions.RaiseException;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** Converts errors of patterns and searches to exceptions. */
final class RegexpFailures {
    private RegexpFailures() {}

    static RaiseException raised(ThreadContext context, RegexFailure failure) {
        Ruby runtime = context.runtime;
        String message = failure.getMessage();
        return switch (failure.kind) {
            case SYNTAX, WHOLE -> raised(context, "SyntaxError", message, facts(runtime, failure));
            case LIMIT -> raised(context, "LimitError", message, facts(runtime, failure));
            case LONG -> raised(context, "LimitError", message, RubyHash.newHash(runtime));
            case TIMEOUT -> raised(context, "TimeoutError", message);
            case INDEX -> runtime.newIndexError(message);
            case RUNTIME -> runtime.newRuntimeError(message);
            case IO -> runtime.newIOError(message);
            case INTERNAL -> Failures.internal(context, failure.panic());
        };
    }

    private static RubyHash facts(Ruby runtime, RegexFailure failure) {
        RubyHash facts = RubyHash.newHash(runtime);
        Failures.text(runtime, facts, "problem", failure.problem);
        if (failure.kind == Kind.WHOLE) {
            return facts;
        }
        Failures.symbol(runtime, facts, "name", failure.name);
        Failures.text(runtime, facts, "help", failure.help);
        Failures.symbol(runtime, facts, "setting", failure.setting);
        if (failure.kind == Kind.SYNTAX) {
            Failures.number(runtime, facts, "column", failure.column);
            Failures.number(runtime, facts, "offset", failure.offset);
        }
        return facts;
    }

    private static RaiseException raised(
            ThreadContext context, String name, String message, IRubyObject... facts) {
        RubyClass type = Regexp.type(context).getClass(name);
        IRubyObject[] arguments = new IRubyObject[facts.length + 1];
        arguments[0] = context.runtime.newString(message);
        System.arraycopy(facts, 0, arguments, 1, facts.length);
        return ((RubyException) type.newInstance(context, arguments, Block.NULL_BLOCK)).toThrowable();
    }
}
