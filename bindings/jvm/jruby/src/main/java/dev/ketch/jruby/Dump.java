package dev.ketch.jruby;

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
import org.jruby.RubyBoolean;
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

/** Writes Ruby objects as YAML, with its own stack. */
final class Dump {
    /** Marks of collections: seen once, seen again, or the number of an anchor. */
    private static final Integer ONCE = 0;

    private static final Integer SHARED = -1;

    private final ThreadContext context;
    private final YamlWriter yaml;
    private final WriteOptions options;
    private final Deque<Open> open = new ArrayDeque<>();
    private IdentityHashMap<IRubyObject, Integer> met;
    private int lastAnchor;
    /** Whether a collection has occurred again. */
    private boolean hasShared;

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

    private Dump(ThreadContext context, YamlWriter yaml, WriteOptions options) {
        this.context = context;
        this.yaml = yaml;
        this.options = options;
    }

    /** Returns the text of documents; the options are the second argument. */
    static IRubyObject text(ThreadContext context, IRubyObject[] documents, IRubyObject[] args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        WriteOptions options = new WriteOptions(context, args);
        try (YamlWriter yaml = YamlWriter.of(out, options.options())) {
            Dump dump = new Dump(context, yaml, options);
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

    private void countOne(IRubyObject object) {
        IRubyObject value = represented(object);
        IRubyObject collection = isTagged(value) ? ((RubyStruct) value).get(1) : value;
        boolean isStandIn = value != object && value instanceof RubyStruct && !isSpecial(object);
        if (!isCollection(collection) && !isStandIn) {
            return;
        }
        if (met.putIfAbsent(value, ONCE) == null) {
            if (isCollection(collection)) {
                open.push(opened(collection));
            }
            return;
        }
        if (options.representer() != null && !hasShared) {
            options.representer().callMethod(context, "permit_aliases!");
        }
        hasShared = true;
        met.put(value, SHARED);
    }

    /**
     * Returns whether the value is a symbol or a hash, whose representations have no identity
     * unless they are collections.
     */
    private static boolean isSpecial(IRubyObject object) {
        return object instanceof RubySymbol || object instanceof RubyHash;
    }

    /** Returns the representation of an object in Psych. Values of YAML represent themselves. */
    private IRubyObject represented(IRubyObject object) {
        if (options.representer() == null || isValue(object)) {
            return object;
        }
        return options.representer().callMethod(context, "represent", object);
    }

    private boolean isValue(IRubyObject object) {
        if (object instanceof RubyHash) {
            return object.getMetaClass().getRealClass() == context.runtime.getHash();
        }
        if (object instanceof RubySymbol symbol) {
            return options.hasPlainSymbols() && isName(symbol.idString());
        }
        return object.isNil() || object instanceof RubyArray || object instanceof RubyString
                || object instanceof RubyBoolean || object instanceof RubyFixnum
                || object instanceof RubyBignum || object instanceof RubyFloat || isTagged(object);
    }

    /**
     * Returns whether the name is a word of ASCII letters, digits and {@code _}, perhaps with a final ?
     * or !.
     */
    private static boolean isName(String name) {
        boolean hasMark = name.endsWith("?") || name.endsWith("!");
        int length = name.length() - (hasMark ? 1 : 0);
        for (int i = 0; i < length; i++) {
            char unit = name.charAt(i);
            boolean isLetter = unit >= 'a' && unit <= 'z' || unit >= 'A' && unit <= 'Z' || unit == '_';
            if (!isLetter && (i == 0 || unit < '0' || unit > '9')) {
                return false;
            }
        }
        return length > 0;
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

    private Open opened(IRubyObject collection) {
        if (collection instanceof RubyArray<?> array) {
            return new Open(array.toJavaArray(), false);
        }
        if (options.sortsKeys()) {
            IRubyObject pairs = ketch().callMethod(context, "sorted", collection);
            return new Open(pairs.convertToArray().toJavaArray(), true);
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

    private void value(IRubyObject object) throws IOException {
        IRubyObject value = represented(object);
        if (isCollection(value)) {
            collection(value, value, null);
        } else if (isTagged(value)) {
            RubyStruct tagged = (RubyStruct) value;
            if (isCollection(tagged.get(1))) {
                collection(value, tagged.get(1), tag(tagged.get(0)));
            } else if (value == object || isSpecial(object)) {
                tagged(tag(tagged.get(0)), tagged.get(1));
            } else {
                standIn(tagged);
            }
        } else if (value != object && value instanceof RubyString text) {
            plain(text);
        } else if (options.representer() != null && value instanceof RubySymbol symbol) {
            yaml.plain(":" + symbol.idString());
        } else {
            scalar(value);
        }
    }

    /** Writes a string of the representer. */
    private void plain(RubyString text) throws IOException {
        if (isUtf8(text) && !isBroken(text)) {
            yaml.plain(utf8(text));
        } else {
            text(text);
        }
    }

    /** Writes the representation of an object, and an alias if it occurs again. */
    private void standIn(RubyStruct tagged) throws IOException {
        Integer mark = met.getOrDefault(tagged, ONCE);
        if (mark > 0) {
            yaml.alias(mark.toString());
            return;
        }
        if (mark.equals(SHARED)) {
            met.put(tagged, ++lastAnchor);
            yaml.anchor(String.valueOf(lastAnchor));
        }
        if (tagged.get(0).isNil()) {
            yaml.plain(content(tagged.get(1)));
        } else {
            tagged(tag(tagged.get(0)), tagged.get(1));
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
        yaml.tag(tag).text(content(value));
    }

    /** Returns the content of a scalar with a tag, regardless of its class. */
    private String content(IRubyObject value) {
        if (value.isNil()) {
            return "";
        }
        RubyString text = value instanceof RubyString string
                ? string
                : (RubyString) value.callMethod(context, "to_s");
        if (!isUtf8(text) || isBroken(text)) {
            throw context.runtime.newRaiseException(context.runtime.getEncodingError(),
                    "the content of a tagged scalar has to be text in UTF-8");
        }
        return utf8(text);
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

    /** Returns the text; raises if it is not valid in its encoding. */
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
