package dev.ketch.jruby;

import dev.ketch.InternalException;
import java.util.Map;
import org.jruby.RubyModule;
import org.jruby.internal.runtime.methods.DynamicMethod;
import org.jruby.runtime.Block;
import org.jruby.runtime.Signature;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** A method in Java that raises {@code Ketch::InternalError} for a panic in native code. */
final class Guarded extends DynamicMethod {
    private final DynamicMethod method;

    private Guarded(DynamicMethod method) {
        super(method.getImplementationClass(), method.getVisibility(), method.getName());
        this.method = method;
    }

    /** Replaces all methods that a module itself has. */
    static void replaceMethods(RubyModule module) {
        for (Map.Entry<String, DynamicMethod> entry : Map.copyOf(module.getMethods()).entrySet()) {
            if (!entry.getValue().isUndefined()) {
                module.addMethod(entry.getKey(), new Guarded(entry.getValue()));
            }
        }
    }

    @Override
    public IRubyObject call(ThreadContext context, IRubyObject self, RubyModule type, String name,
            IRubyObject[] args, Block block) {
        try {
            return method.call(context, self, type, name, args, block);
        } catch (InternalException panic) {
            throw Failures.internal(context, panic);
        }
    }

    @Override
    public IRubyObject call(ThreadContext context, IRubyObject self, RubyModule type, String name) {
        try {
            return method.call(context, self, type, name);
        } catch (InternalException panic) {
            throw Failures.internal(context, panic);
        }
    }

    @Override
    public IRubyObject call(
            ThreadContext context, IRubyObject self, RubyModule type, String name, IRubyObject only) {
        try {
            return method.call(context, self, type, name, only);
        } catch (InternalException panic) {
            throw Failures.internal(context, panic);
        }
    }

    @Override
    public DynamicMethod dup() {
        return new Guarded(method.dup());
    }

    @Override
    public Signature getSignature() {
        return method.getSignature();
    }
}
