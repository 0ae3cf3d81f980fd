package dev.ketch.jruby;

import dev.ketch.internal.EditSession;
import org.jcodings.Encoding;
import org.jcodings.specific.ASCIIEncoding;
import org.jcodings.specific.USASCIIEncoding;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.RubyArray;
import org.jruby.RubyBoolean;
import org.jruby.RubyClass;
import org.jruby.RubyFixnum;
import org.jruby.RubyFloat;
import org.jruby.RubyHash;
import org.jruby.RubyInteger;
import org.jruby.RubyModule;
import org.jruby.RubyString;
import org.jruby.RubySymbol;
import org.jruby.RubyTime;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.StringSupport;

/** Ruby values as keys, and as the source of new values: YAML in flow style. */
final class EditSource {
    /** The maximum number of levels of a value. */
    private static final int MOST_LEVELS = 100;

    private final ThreadContext context;
    private final StringBuilder out = new StringBuilder();

    private EditSource(ThreadContext context) {
        this.context = context;
    }

    /** Returns the source of a value. */
    static String of(ThreadContext context, IRubyObject value) {
        EditSource source = new EditSource(context);
        source.push(value, 0);
        return source.out.toString();
    }

    /** Adds a key or an index as edit.rs reads it. */
    static void putKey(ThreadContext context, EditSession.Argument out, IRubyObject key) {
        if (key instanceof RubyString || key instanceof RubySymbol) {
            out.put('t').text(text(context, key));
        } else if (key instanceof RubyFixnum index) {
            out.put('i').wide(index.getLongValue());
        } else if (isPlain(key)) {
            out.put('p').text(of(context, key));
        } else {
            throw context.runtime.newTypeError(
                    "a key must be text, a number, true, false or nil, not " + className(key));
        }
    }

    private static boolean isPlain(IRubyObject value) {
        return value.isNil() || value instanceof RubyBoolean || value instanceof RubyInteger
                || value instanceof RubyFloat;
    }

    static String className(IRubyObject value) {
        return value.getMetaClass().getRealClass().getName();
    }

    /** Returns the text of a string or a symbol. */
    static String text(ThreadContext context, IRubyObject value) {
        if (value instanceof RubySymbol symbol) {
            return text(context, symbol.to_s(context));
        }
        if (!(value instanceof RubyString string)) {
            throw context.runtime.newTypeError("expected text, not " + className(value));
        }
        Encoding encoding = string.getEncoding();
        if (encoding == ASCIIEncoding.INSTANCE && !string.isAsciiOnly()) {
            throw encodingError(
                    context,
                    "binary data is not text: encode it, for example with [data].pack(\"m0\")");
        }
        boolean isKnown = encoding == UTF8Encoding.INSTANCE || encoding == USASCIIEncoding.INSTANCE
                || encoding == ASCIIEncoding.INSTANCE;
        if (isKnown && string.scanForCodeRange() != StringSupport.CR_BROKEN) {
            return string.decodeString();
        }
        RubyString converted = Source.inUtf8(context, string);
        if (converted.scanForCodeRange() == StringSupport.CR_BROKEN) {
            throw encodingError(context, "a string is not valid UTF-8: force its encoding to BINARY, or"
                    + " repair it with String#scrub");
        }
        return converted.decodeString();
    }

    private static RuntimeException encodingError(ThreadContext context, String message) {
        return context.runtime.newRaiseException(
                context.runtime.getClass("EncodingError"), message);
    }

    /** Adds the source of a value. */
    private void push(IRubyObject value, int depth) {
        if (value.isNil()) {
            out.append("null");
        } else if (value instanceof RubyString || value instanceof RubySymbol) {
            out.append(EditSession.quoted(text(context, value)));
        } else if (value instanceof RubyBoolean) {
            out.append(value.isTrue());
        } else if (value instanceof RubyInteger) {
            out.append(value.callMethod(context, "to_s").asJavaString());
        } else if (value instanceof RubyFloat number) {
            out.append(EditSession.floating(number.getValue()));
        } else if (value instanceof RubyArray<?> array) {
            pushArray(array, depth);
        } else if (value instanceof RubyHash hash) {
            pushHash(hash, depth);
        } else if (isTime(value)) {
            // The generated text includes the tag.
            IRubyObject text = context.runtime.getModule("Ketch").callMethod(context, "generate", value);
            out.append(text.asJavaString().strip());
        } else {
            push(plain(value), depth);
        }
    }

    private void pushArray(RubyArray<?> array, int depth) {
        checkDepth(depth);
        out.append('[');
        String separator = "";
        for (IRubyObject item : array.toJavaArray()) {
            out.append(separator);
            separator = ", ";
            push(item, depth + 1);
        }
        out.append(']');
    }

    private void pushHash(RubyHash hash, int depth) {
        checkDepth(depth);
        out.append('{');
        String separator = "";
        for (Object entry : hash.directEntrySet()) {
            var pair = (java.util.Map.Entry<?, ?>) entry;
            IRubyObject key = (IRubyObject) pair.getKey();
            out.append(separator);
            separator = ", ";
            if (key instanceof RubyArray || key instanceof RubyHash) {
                out.append("? ");
            }
            push(key, depth + 1);
            out.append(": ");
            push((IRubyObject) pair.getValue(), depth + 1);
        }
        out.append('}');
    }

    private void checkDepth(int depth) {
        if (depth >= MOST_LEVELS) {
            throw context.runtime.newArgumentError(
                    "a new value can be at most 100 levels deep, and cannot contain itself");
        }
    }

    /** Returns whether a value is a Time or a Date. */
    private boolean isTime(IRubyObject value) {
        if (value instanceof RubyTime) {
            return true;
        }
        // Before `require "date"`, there is no such class.
        RubyClass date = context.runtime.getClass("Date");
        return date != null && date.isInstance(value);
    }

    /** Returns the plain value of a view or an edit, or raises a TypeError for other values. */
    private IRubyObject plain(IRubyObject value) {
        RubyModule edit = context.runtime.getModule("Ketch").getClass("Edit");
        RubyModule view = (RubyModule) edit.getConstant("View");
        if (view.isInstance(value) || edit.isInstance(value)) {
            return value.callMethod(context, "value");
        }
        throw context.runtime.newTypeError("a new value must be nil, a boolean, a number, text, a symbol,"
                + " a time, an array or a hash, not " + className(value));
    }
}
