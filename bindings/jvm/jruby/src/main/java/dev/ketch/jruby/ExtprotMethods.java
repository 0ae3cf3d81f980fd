package dev.ketch.jruby;

import dev.ketch.Schemas;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyException;
import org.jruby.RubyHash;
import org.jruby.RubyModule;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.exceptions.RaiseException;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/** The method of {@code Ketch::Extprot} that pure Ruby does not have. */
public final class ExtprotMethods {
    private ExtprotMethods() {}

    /** Defines the methods. */
    static void define(Ruby runtime, RubyModule ketch) {
        RubyModule extprot = ketch.defineModuleUnder("Extprot");
        extprot.defineAnnotatedMethods(ExtprotMethods.class);
        Guarded.replaceMethods(extprot.getSingletonClass());
    }

    /**
     * Implements {@code Extprot.schema_source(name, text)}: returns the source of the Ruby module
     * for a schema.
     */
    @JRubyMethod(name = "schema_source", meta = true)
    public static IRubyObject schemaSource(
            ThreadContext context, IRubyObject self, IRubyObject name, IRubyObject text) {
        byte[] schema = text.isNil() ? null : Source.utf8(context, text.convertToString()).getBytes();
        try {
            byte[] source = Schemas.rubySource(name.convertToString().getBytes(), schema);
            ByteList bytes = new ByteList(source, UTF8Encoding.INSTANCE, false);
            return RubyString.newString(context.runtime, bytes);
        } catch (Schemas.Wrong wrong) {
            throw raised(context, wrong);
        }
    }

    private static RaiseException raised(ThreadContext context, Schemas.Wrong wrong) {
        Ruby runtime = context.runtime;
        RubyHash facts = RubyHash.newHash(runtime);
        if (wrong.file() != null) {
            Failures.text(runtime, facts, "file", wrong.file());
            Failures.number(runtime, facts, "offset", wrong.offset());
            Failures.number(runtime, facts, "line", wrong.line());
            Failures.number(runtime, facts, "column", wrong.column());
            Failures.text(runtime, facts, "line_text", wrong.lineText());
            Failures.text(runtime, facts, "problem", wrong.problem());
            Failures.text(runtime, facts, "help", wrong.help());
        }
        RubyClass type = ((RubyModule) runtime.getModule("Ketch").getConstant("Extprot"))
                .getClass("SchemaError");
        IRubyObject[] arguments = {runtime.newString(wrong.getMessage()), facts};
        return ((RubyException) type.newInstance(context, arguments, Block.NULL_BLOCK)).toThrowable();
    }
}
