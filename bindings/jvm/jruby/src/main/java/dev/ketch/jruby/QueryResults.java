package dev.ketch.jruby;

import dev.ketch.RubyResults;
import org.jruby.RubyObject;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** {@code Ketch::QueryResults}: the results of a run, one by one. */
public final class QueryResults extends RubyObject {
    private static final long serialVersionUID = 1;

    private final transient RubyResults results;
    private final transient LoadOptions options;

    QueryResults(ThreadContext context, RubyResults results, LoadOptions options) {
        super(context.runtime, context.runtime.getModule("Ketch").getClass("QueryResults"));
        this.results = results;
        this.options = options;
    }

    /** Implements {@code next}: returns an array of the next result, or {@code nil} at the end. */
    @JRubyMethod
    public IRubyObject next(ThreadContext context) {
        Object value = QueryProgram.raising(context, options, () -> results.next(context));
        return value == null ? context.nil : context.runtime.newArray((IRubyObject) value);
    }

    /** Implements {@code close}: ends the run, and frees what it holds. */
    @JRubyMethod
    public IRubyObject close(ThreadContext context) {
        results.close();
        return context.nil;
    }
}
