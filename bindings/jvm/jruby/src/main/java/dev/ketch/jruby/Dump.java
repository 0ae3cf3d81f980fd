package dev.ketch.jruby;

import dev.ketch.DumpOptions;
import dev.ketch.YamlWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jcodings.Encoding;
import org.jcodings.specific.ASCIIEncoding;
import org.jcodings.specific.USASCIIEncoding;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.RubyArray;
import org.jruby.RubyBignum;
import org.jruby.RubyFixnum;
import org.jruby.RubyFloat;
import org.jruby.RubyHash;
import org.jruby.RubyModule;
import org.jruby.RubyNumeric;
import org.jruby.RubyString;
import org.jruby.RubyStruct;
import org.jruby.RubySymbol;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;
import org.jruby.util.StringSupport;

/** Writes Ruby objects as YAML, with a stack of its own. */
final class Dump {
    /** Marks of collections: seen once, seen again, or the number of an anchor. */
    private static final Integer ONCE = 0;

    private static final Integer SHARED = -1;

    private final ThreadContext context;
    private final YamlWriter yaml;
    private final Deque<Open> open = new ArrayDeque<>();
    private IdentityHashMap<IRubyObject, Integer> met;
    private int lastAnchor;

    /** An open collection: keys and values in turn, as they were when it started. */
    private static final class Open {
        final IRubyObject[] children;
        final boolean isMapping;
        int at;

        Open(IRubyObject[] children, boolean isMapping) {
            this.children = children;
            this.isMapping = isMapping;
        }
    }

    private Dump(ThreadContext context, YamlWriter yaml) {
        this.context = context;
        this.yaml = yaml;
    }

    /** The text of documents; the options are the second argument. */
    static IRubyObject text(ThreadContext context, IRubyObject[] documents, IRubyObject[] args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (YamlWriter yaml = YamlWriter.of(out, options(context, args))) {
            Dump dump = new Dump(context, yaml);
            for (IRubyObject document : documents) {
                dump.document(document);
            }
        } catch (IllegalArgumentException misplaced) {
            throw context.runtime.newRuntimeError(misplaced.getMessage());
        } catch (IOException impossible) {
            throw context.runtime.newIOErrorFromException(impossible);
        }
        ByteList bytes = new ByteList(out.toByteArray(), UTF8Encoding.INSTANCE, false);
        return RubyString.newString(context.runtime, bytes);
    }

    private static DumpOptions options(ThreadContext context, IRubyObject[] args) {
        DumpOptions.Builder options = DumpOptions.builder();
        if (args.length > 1) {
            for (Object entry : args[1].convertToHash().directEntrySet()) {
                Map.Entry<?, ?> pair = (Map.Entry<?, ?>) entry;
                set(context, options, LoadOptions.name((IRubyObject) pair.getKey()),
                        (IRubyObject) pair.getValue());
            }
        }
        return options.build();
    }

    private static void set(
            ThreadContext context, DumpOptions.Builder options, String name, IRubyObject value) {
        switch (name) {
            case "indent" -> {
                long columns = RubyNumeric.num2long(value);
                if (columns < 1 || columns > 9) {
                    throw context.runtime.newArgumentError("indent: expected 1 to 9");
                }
                options.indent((int) columns);
            }
            case "width" -> {
                if (!value.isNil() && RubyNumeric.num2int(value) > 0) {
                    options.width(RubyNumeric.num2int(value));
                }
            }
            case "sequences" -> options.indentSequences(sequences(context, value));
            case "flow" -> options.flow(value.isTrue());
            case "ascii" -> options.ascii(value.isTrue());
            case "header" -> options.header(value.isTrue());
            default -> throw context.runtime.newArgumentError("unknown keyword: :" + name);
        }
    }

    private static boolean sequences(ThreadContext context, IRubyObject value) {
        return switch (LoadOptions.word(context, "sequences", value)) {
            case "flush" -> false;
            case "indented" -> true;
            default -> throw context.runtime.newArgumentError(
                    "sequences: expected flush or indented");
        };
    }

    private void document(IRubyObject root) throws IOException {
        met = new IdentityHashMap<>();
        lastAnchor = 0;
        count(root);
        yaml.startDocument();
        value(root);
        while (!open.isEmpty()) {
            Open last = open.peek();
            if (last.at < last.children.length) {
                value(last.children[last.at++]);
            } else {
                open.pop();
                if (last.isMapping) {
                    yaml.endMapping();
                } else {
                    yaml.endSequence();
                }
            }
        }
        yaml.endDocument();
    }

    private void count(IRubyObject root) {
        countOne(root);
        while (!open.isEmpty()) {
            Open last = open.peek();
            if (last.at < last.children.length) {
                countOne(last.children[last.at++]);
            } else {
                open.pop();
            }
        }
    }

    private void countOne(IRubyObject value) {
        IRubyObject collection = isTagged(value) ? ((RubyStruct) value).get(1) : value;
        if (!isCollection(collection)) {
            return;
        }
        if (met.putIfAbsent(value, ONCE) == null) {
            open.push(opened(collection));
        } else {
            met.put(value, SHARED);
        }
    }

    private static boolean isCollection(IRubyObject value) {
        return value instanceof RubyArray || value instanceof RubyHash;
    }

    private boolean isTagged(IRubyObject value) {
        return value instanceof RubyStruct
                && ketch().getClass("Tagged").isInstance(value);
    }

    private RubyModule ketch() {
        return context.runtime.getModule("Ketch");
    }

    private static Open opened(IRubyObject collection) {
        if (collection instanceof RubyArray<?> array) {
            return new Open(array.toJavaArray(), false);
        }
        RubyHash hash = (RubyHash) collection;
        IRubyObject[] children = new IRubyObject[2 * hash.size()];
        int at = 0;
        for (Object entry : hash.directEntrySet()) {
            Map.Entry<?, ?> pair = (Map.Entry<?, ?>) entry;
            children[at++] = (IRubyObject) pair.getKey();
            children[at++] = (IRubyObject) pair.getValue();
        }
        return new Open(children, true);
    }

    private void value(IRubyObject value) throws IOException {
        if (isCollection(value)) {
            collection(value, value, null);
        } else if (isTagged(value)) {
            RubyStruct tagged = (RubyStruct) value;
            String tag = tag(tagged.get(0));
            if (isCollection(tagged.get(1))) {
                collection(value, tagged.get(1), tag);
            } else {
                tagged(tag, tagged.get(1));
            }
        } else {
            scalar(value);
        }
    }

    private String tag(IRubyObject tag) {
        boolean isText = tag instanceof RubyString text && isUtf8(text) && !isBroken(text);
        if (!isText || ((RubyString) tag).isEmpty()) {
            throw context.runtime.newTypeError(
                    "the tag of a Ketch::Tagged has to be text that is not empty");
        }
        return utf8((RubyString) tag);
    }

    /** Starts a collection, or writes an alias. Its identity is that of the tag around it. */
    private void collection(IRubyObject identity, IRubyObject collection, String tag)
            throws IOException {
        Integer mark = met.getOrDefault(identity, ONCE);
        if (mark > 0) {
            yaml.alias(mark.toString());
            return;
        }
        if (mark.equals(SHARED)) {
            met.put(identity, ++lastAnchor);
            yaml.anchor(String.valueOf(lastAnchor));
        }
        if (tag != null) {
            yaml.tag(tag);
        }
        if (collection instanceof RubyHash) {
            yaml.startMapping();
        } else {
            yaml.startSequence();
        }
        open.push(opened(collection));
    }

    private void tagged(String tag, IRubyObject value) throws IOException {
        RubyString text = value.isNil() || value instanceof RubyString
                ? null
                : (RubyString) value.callMethod(context, "to_s");
        if (value instanceof RubyString string) {
            text = string;
        }
        if (text != null && (!isUtf8(text) || isBroken(text))) {
            throw context.runtime.newRaiseException(context.runtime.getEncodingError(),
                    "the content of a tagged scalar has to be text in UTF-8");
        }
        yaml.tag(tag).text(text == null ? "" : utf8(text));
    }

    private void scalar(IRubyObject value) throws IOException {
        if (value instanceof RubyString string) {
            text(string);
        } else if (value.isNil()) {
            yaml.nullValue();
        } else if (value instanceof RubyFixnum number) {
            yaml.integer(number.getLongValue());
        } else if (value instanceof RubyFloat number) {
            yaml.floating(number.getValue());
        } else if (value == context.tru || value == context.fals) {
            yaml.bool(value.isTrue());
        } else if (value instanceof RubySymbol symbol) {
            yaml.text(utf8((RubyString) symbol.to_s(context)));
        } else if (value instanceof RubyBignum big) {
            yaml.integer(big.getValue());
        } else {
            time(value);
        }
    }

    private void text(RubyString string) throws IOException {
        if (string.getEncoding() != ASCIIEncoding.INSTANCE) {
            yaml.text(utf8(string));
        } else if (string.isAsciiOnly()) {
            yaml.text(string.decodeString());
        } else {
            yaml.binary(string.getBytes());
        }
    }

    private static boolean isUtf8(RubyString string) {
        Encoding encoding = string.getEncoding();
        return encoding == UTF8Encoding.INSTANCE || encoding == USASCIIEncoding.INSTANCE;
    }

    private static boolean isBroken(RubyString string) {
        return string.scanForCodeRange() == StringSupport.CR_BROKEN;
    }

    /** The text; raises if it is not valid in its encoding. */
    private String utf8(RubyString string) {
        RubyString text = isUtf8(string) ? string : Source.inUtf8(context, string);
        if (isBroken(text)) {
            throw context.runtime.newRaiseException(context.runtime.getEncodingError(),
                    "a string is not valid UTF-8: force its encoding to BINARY, or repair it with"
                            + " String#scrub");
        }
        ByteList bytes = text.getByteList();
        return new String(bytes.unsafeBytes(), bytes.begin(), bytes.realSize(), StandardCharsets.UTF_8);
    }

    private void time(IRubyObject value) throws IOException {
        RubyArray<?> parts =
                (RubyArray<?>) ketch().callMethod(context, "timestamp_of", value);
        long seconds = RubyNumeric.num2long(parts.eltOk(0));
        int nanoseconds = RubyNumeric.num2int(parts.eltOk(1));
        IRubyObject minutes = parts.eltOk(2);
        yaml.timestamp(seconds, nanoseconds,
                minutes.isNil() ? null : RubyNumeric.num2int(minutes), parts.eltOk(3).isTrue());
    }
}
