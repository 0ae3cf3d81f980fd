package dev.ketch.jruby;

import org.jruby.RubyClass;
import org.jruby.RubyModule;
import org.jruby.anno.JRubyMethod;
import org.jruby.internal.runtime.methods.JavaMethod.JavaMethodNBlock;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.Visibility;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * The methods of {@code Ketch::Regexp::Strings}, a refinement of String. They have no frame, so that
 * String's own methods, to which they pass all other patterns, set {@code $~} in the frame of the
 * caller.
 */
public final class RegexpStrings {
    /** The methods that {@code Ketch::Regexp} also has, with the string as their first argument. */
    private static final String[] SWAPPED = {
        "match", "match?", "scan", "gsub", "sub", "split", "index", "rindex"
    };
    /** The methods that the module {@code Ketch::Regexp::Calls} has. */
    private static final String[] CALLED = {
        "gsub!", "sub!", "[]", "slice", "[]=", "slice!", "start_with?", "partition", "rpartition"
    };

    private RegexpStrings() {}

    /** Implements {@code refine_strings(refinement)}: defines the methods there. */
    @JRubyMethod(name = "refine_strings", meta = true)
    public static IRubyObject define(ThreadContext context, IRubyObject self, IRubyObject refinement) {
        RubyModule module = (RubyModule) refinement;
        for (String name : SWAPPED) {
            module.addMethod(name, new Swapped(module, name));
        }
        for (String name : CALLED) {
            module.addMethod(name, new Called(module, name));
        }
        return context.nil;
    }

    private static IRubyObject[] withFirst(IRubyObject first, IRubyObject[] args, int skipped) {
        IRubyObject[] list = new IRubyObject[args.length - skipped + 1];
        list[0] = first;
        System.arraycopy(args, skipped, list, 1, args.length - skipped);
        return list;
    }

    /** Calls the method that a method refines. */
    private static IRubyObject original(
            ThreadContext context, IRubyObject self, String name, IRubyObject[] args, Block block) {
        RubyClass string = context.runtime.getString();
        return string.searchMethod(name).call(context, self, string, name, args, block);
    }

    /** Calls the method of the pattern, which is the first argument. */
    private static final class Swapped extends JavaMethodNBlock {
        Swapped(RubyModule module, String name) {
            super(module, Visibility.PUBLIC, name);
        }

        @Override
        public IRubyObject call(ThreadContext context, IRubyObject self, RubyModule module,
                String name, IRubyObject[] args, Block block) {
            if (args.length > 0 && args[0] instanceof Regexp pattern) {
                return pattern.callMethod(context, getName(), withFirst(self, args, 1), block);
            }
            return original(context, self, getName(), args, block);
        }
    }

    /** Calls the method of {@code Ketch::Regexp::Calls} if there is a pattern among the arguments. */
    private static final class Called extends JavaMethodNBlock {
        Called(RubyModule module, String name) {
            super(module, Visibility.PUBLIC, name);
        }

        @Override
        public IRubyObject call(ThreadContext context, IRubyObject self, RubyModule module,
                String name, IRubyObject[] args, Block block) {
            for (IRubyObject argument : args) {
                if (argument instanceof Regexp) {
                    IRubyObject calls = Regexp.type(context).getConstant("Calls");
                    return calls.callMethod(context, getName(), withFirst(self, args, 0), block);
                }
            }
            return original(context, self, getName(), args, block);
        }
    }
}
