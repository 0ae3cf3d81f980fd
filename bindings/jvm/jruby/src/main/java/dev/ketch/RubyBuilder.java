package dev.ketch;

import java.util.Arrays;
import org.jcodings.specific.ASCIIEncoding;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyBignum;
import org.jruby.RubyClass;
import org.jruby.RubyHash;
import org.jruby.RubyModule;
import org.jruby.RubyString;
import org.jruby.exceptions.CatchThrow;
import org.jruby.exceptions.RaiseException;
import org.jruby.exceptions.Unrescuable;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;
import org.jruby.util.StringSupport;

/** Builds Ruby objects from tokens. Texts are copied byte by byte, without Java strings. */
final class RubyBuilder extends Builder {
    private static final int DAY = 2;
    private static final int WITHOUT_ZONE = 1;

    private ThreadContext context;
    private Ruby runtime;
    private RubyModule ketch;
    private RubyClass string;
    private boolean isSymbolized;
    private boolean isFrozen;

    RubyBuilder() {
        this(new Object[Token.KEY_SLOTS]);
    }

    RubyBuilder(Object[] keys) {
        super(keys);
    }

    /** Sets what the next values are built for. */
    void prepare(ThreadContext current, RubyForm form) {
        context = current;
        runtime = current.runtime;
        ketch = runtime.getModule("Ketch");
        string = runtime.getString();
        isSymbolized = form.isSymbolized();
        isFrozen = form.isFrozen();
    }

    @Override
    void clear() {
        super.clear();
        context = null;
    }

    @Override
    Object ascii(byte[] bytes, int start, int length) {
        return text(bytes, start, length, StringSupport.CR_7BIT);
    }

    @Override
    Object utf8(byte[] bytes, int start, int length) {
        return text(bytes, start, length, StringSupport.CR_VALID);
    }

    private RubyString text(byte[] bytes, int start, int length, int codeRange) {
        java.util.Objects.checkFromIndexSize(start, length, bytes.length);
        byte[] copy = Arrays.copyOfRange(bytes, start, start + length);
        RubyString text = new RubyString(runtime, string, new ByteList(copy, UTF8Encoding.INSTANCE, false), false);
        text.setCodeRange(codeRange);
        return isFrozen ? runtime.freezeAndDedupString(text) : text;
    }

    @Override
    Object wide(char[] units, int start, int length) {
        RubyString text = RubyString.newUTF8String(runtime, new String(units, start, length));
        return isFrozen ? runtime.freezeAndDedupString(text) : text;
    }

    @Override
    Object key(Object text) {
        return RubyKey.of(text);
    }

    @Override
    Object none() {
        return context.nil;
    }

    @Override
    Object bool(boolean value) {
        return value ? context.tru : context.fals;
    }

    @Override
    Object integer(long value) {
        return runtime.newFixnum(value);
    }

    @Override
    Object bigInteger(Object digits, long word) {
        if ((word >>> 8 & 0xff) == 0) {
            return ketch.callMethod(context, "decimal", (IRubyObject) digits);
        }
        return RubyBignum.bignorm(runtime, JavaBuilder.bigInteger(digits.toString(), word));
    }

    @Override
    Object floating(double value) {
        return runtime.newFloat(value);
    }

    @Override
    Object binary(byte[] bytes) {
        return frozen(RubyString.newString(runtime, new ByteList(bytes, ASCIIEncoding.INSTANCE, false)));
    }

    @Override
    Object timestamp(int form, long seconds, long rest) {
        IRubyObject offset = switch (form) {
            case DAY -> context.tru;
            case WITHOUT_ZONE -> context.nil;
            default -> runtime.newFixnum((int) (rest >> 32));
        };
        IRubyObject[] parts = {runtime.newFixnum(seconds), runtime.newFixnum((int) rest), offset};
        return frozen(ketch.callMethod(context, "time_of", parts));
    }

    @Override
    Object tagged(Object tag, Object value) {
        IRubyObject[] members = {RubyKey.of(tag), (IRubyObject) value};
        return frozen(ketch.getClass("Tagged").newInstance(context, members, Block.NULL_BLOCK));
    }

    @Override
    Object untagged(Object value) {
        boolean isCollection = value instanceof RubyArray || value instanceof RubyHash;
        return isCollection ? value : ((IRubyObject) value).callMethod(context, "value");
    }

    @Override
    Object sequence(Object[] items, int start, int count) {
        return frozen(RubyArray.newArrayNoCopy(runtime, objects(items, start, count)));
    }

    private static IRubyObject[] objects(Object[] items, int start, int count) {
        IRubyObject[] objects = new IRubyObject[count];
        for (int i = 0; i < count; i++) {
            objects[i] = (IRubyObject) items[start + i];
        }
        return objects;
    }

    @Override
    Object newSequence() {
        return runtime.newArray();
    }

    @Override
    void fillSequence(Object sequence, Object[] items, int start, int count) {
        RubyArray<?> array = (RubyArray<?>) sequence;
        for (int i = 0; i < count; i++) {
            array.append((IRubyObject) items[start + i]);
        }
        frozen(array);
    }

    @Override
    Object newMapping(int count) {
        return new RubyHash(runtime, Math.max(1, count));
    }

    @Override
    boolean fillMapping(Object mapping, Object[] pairs, int start, int count) {
        RubyHash hash = (RubyHash) mapping;
        for (int i = start; i < start + 2 * count; i += 2) {
            hash.fastASet(asKey(pairs[i]), (IRubyObject) pairs[i + 1]);
        }
        boolean isFilled = hash.size() == count || choose(hash, pairs, start, count);
        frozen(hash);
        return isFilled;
    }

    /** Does the same as the method of {@link JavaBuilder}. */
    private boolean choose(RubyHash hash, Object[] pairs, int start, int count) {
        if (isWhole() || duplicateKeys() == DuplicateKeys.ERROR) {
            return false;
        }
        hash.rb_clear(context);
        for (int i = start; i < start + 2 * count; i += 2) {
            IRubyObject key = asKey(pairs[i]);
            if (duplicateKeys() == DuplicateKeys.LAST) {
                hash.fastDelete(key);
            }
            if (hash.fastARef(key) == null) {
                hash.fastASet(key, (IRubyObject) pairs[i + 1]);
            }
        }
        return true;
    }

    private IRubyObject asKey(Object object) {
        if (object instanceof RubyKey key) {
            return isSymbolized ? key.symbol() : key;
        }
        return object instanceof RubyString text ? otherText(text) : (IRubyObject) object;
    }

    /** Returns the key for text that is in no slot, which may also be a value elsewhere. */
    private IRubyObject otherText(RubyString text) {
        boolean isBinary = text.getEncoding() == ASCIIEncoding.INSTANCE;
        return isSymbolized && !isBinary ? text.intern() : RubyKey.of(text);
    }

    private IRubyObject frozen(IRubyObject object) {
        if (isFrozen) {
            object.setFrozen(true);
        }
        return object;
    }

    @Override
    void poll() {
        context.pollThreadEvents();
    }

    @Override
    void pollRun() {
        poll();
    }

    @Override
    boolean isForeign(RuntimeException error) {
        return error instanceof RaiseException || error instanceof CatchThrow
                || error instanceof Unrescuable;
    }
}
