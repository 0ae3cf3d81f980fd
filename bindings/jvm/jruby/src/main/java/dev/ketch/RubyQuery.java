package dev.ketch;

/** A compiled program for JRuby. */
public final class RubyQuery {
    final Query query;

    private RubyQuery(Query query) {
        this.query = query;
    }

    /** Compiles a program, or messages. Variables and modules are mappings in YAML. */
    public static RubyQuery compile(String program, String variables, String modules, boolean isMessages) {
        return new RubyQuery(Query.compile(program, variables, modules, isMessages));
    }

    /** Returns the program with options of reading. */
    public RubyQuery with(Options options) {
        return new RubyQuery(query.with(options.forUtf8()));
    }

    /** Returns the program with a setting. */
    public RubyQuery with(String name, String value) {
        return new RubyQuery(query.with(name, value));
    }

    /** Returns the text that the program makes of a text. What {@code poller} throws ends the run. */
    public String edit(String text, Runnable poller) {
        return query.edit(text, poller);
    }
}
