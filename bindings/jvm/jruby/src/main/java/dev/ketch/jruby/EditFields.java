package dev.ketch.jruby;

import dev.ketch.internal.EditSession.Argument;
import java.util.ArrayList;
import java.util.List;
import org.jruby.RubyHash;
import org.jruby.RubyNumeric;
import org.jruby.RubyString;
import org.jruby.RubySymbol;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** The fields of an operation, which Ruby gives as keyword arguments. */
final class EditFields {
    private EditFields() {}

    /** Adds the number of fields that are there, and their names and values as text. */
    static void put(ThreadContext context, Argument out, RubyHash fields) {
        List<String> texts = new ArrayList<>();
        for (Object entry : fields.directEntrySet()) {
            var pair = (java.util.Map.Entry<?, ?>) entry;
            String name = LoadOptions.name((IRubyObject) pair.getKey());
            String text = text(context, name, (IRubyObject) pair.getValue());
            if (text != null) {
                texts.add(name);
                texts.add(text);
            }
        }
        out.number(texts.size() / 2);
        texts.forEach(out::text);
    }

    /** Returns the value of a field as text, or null for an absent option. */
    private static String text(ThreadContext context, String name, IRubyObject value) {
        if (name.equals("value")) {
            return EditSource.of(context, value);
        }
        if (value.isNil()) {
            return null;
        }
        return switch (name) {
            case "key" -> EditSource.of(context, value);
            case "before", "after" -> neighbor(context, value);
            case "index", "into" -> Long.toString(RubyNumeric.num2long(value));
            case "first", "if_exists", "keep_tag" -> Boolean.toString(value.isTrue());
            case "to", "where", "text", "from", "tag" -> EditSource.text(context, value);
            case "alias" -> word(context, name, value, "through", "detach");
            case "anchors" -> word(context, name, value, "promote", "expand");
            default -> throw context.runtime.newArgumentError("unknown keyword: :" + name);
        };
    }

    /** Returns the key or the index of a neighbor. */
    private static String neighbor(ThreadContext context, IRubyObject value) {
        boolean isText = value instanceof RubyString || value instanceof RubySymbol;
        return isText ? EditSource.text(context, value) : EditSource.of(context, value);
    }

    private static String word(
            ThreadContext context, String name, IRubyObject value, String one, String other) {
        String text = EditSource.text(context, value);
        if (!text.equals(one) && !text.equals(other)) {
            throw context.runtime.newArgumentError(name + ": expected :" + one + " or :" + other);
        }
        return text;
    }
}
