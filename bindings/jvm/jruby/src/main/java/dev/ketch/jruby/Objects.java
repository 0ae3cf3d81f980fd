package dev.ketch.jruby;

import dev.ketch.Tagged;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jcodings.specific.ASCIIEncoding;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyBignum;
import org.jruby.RubyBoolean;
import org.jruby.RubyFloat;
import org.jruby.RubyHash;
import org.jruby.RubyModule;
import org.jruby.RubyString;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/** Converts Java values to Ruby objects, with its own stack. */
final class Objects {
    private static final int SECONDS_A_DAY = 86_400;

    private final ThreadContext context;
    private final Ruby runtime;
    private final boolean isSymbolized;
    private final boolean isFrozen;
    /** The objects of collections, which may occur again or contain themselves. */
    private final IdentityHashMap<Object, IRubyObject> met = new IdentityHashMap<>();
    /** Keys are shared and frozen; so is all text if values are frozen. */
    private final Map<String, IRubyObject> keys = new HashMap<>();
    private final Map<String, IRubyObject> texts = new HashMap<>();
    private final Deque<Open> open = new ArrayDeque<>();

    /** A collection or a tagged value that is not complete. */
    private static final class Open {
        final IRubyObject object;
        /** The number of pairs of a mapping, or -1. */
        final int pairs;
        final Iterator<?> children;
        /** A key that waits for its value, and whether its value is next. */
        IRubyObject key;
        Object value;
        boolean hasValue;

        Open(IRubyObject object, int pairs, Iterator<?> children) {
            this.object = object;
            this.pairs = pairs;
            this.children = children;
        }
    }

    Objects(ThreadContext context, LoadOptions options) {
        this.context = context;
        this.runtime = context.runtime;
        isSymbolized = options.isSymbolized();
        isFrozen = options.isFrozen();
    }

    /** Returns the object of a value. */
    IRubyObject ruby(Object root) {
        IRubyObject done = started(root, false);
        while (!open.isEmpty()) {
            Open last = open.peek();
            if (done != null) {
                put(last, done);
                done = null;
            } else if (last.hasValue) {
                last.hasValue = false;
                done = started(last.value, false);
            } else if (last.children.hasNext()) {
                done = next(last);
            } else {
                open.pop();
                done = ended(last);
            }
        }
        return done;
    }

    private IRubyObject next(Open last) {
        Object child = last.children.next();
        if (last.pairs < 0) {
            return started(child, false);
        }
        Map.Entry<?, ?> entry = (Map.Entry<?, ?>) child;
        last.value = entry.getValue();
        return started(entry.getKey(), true);
    }

    private void put(Open last, IRubyObject child) {
        if (last.object instanceof RubyArray<?> array) {
            array.append(child);
        } else if (!(last.object instanceof RubyHash hash)) {
            last.object.callMethod(context, "value=", child);
        } else if (last.key == null) {
            last.key = child;
            last.hasValue = true;
        } else {
            hash.fastASet(last.key, child);
            last.key = null;
        }
    }

    private IRubyObject ended(Open last) {
        if (last.object instanceof RubyHash hash && hash.size() < last.pairs) {
            throw Failures.duplicate(context);
        }
        return frozen(last.object);
    }

    private IRubyObject frozen(IRubyObject object) {
        if (isFrozen) {
            object.setFrozen(true);
        }
        return object;
    }

    /**
     * Returns the object of a scalar or of a known collection. Otherwise, opens the collection and
     * returns null.
     */
    private IRubyObject started(Object value, boolean isKey) {
        if (value instanceof String text) {
            return isKey ? key(text) : text(text);
        }
        if (value instanceof Map || value instanceof List || value instanceof Tagged) {
            IRubyObject known = met.get(value);
            if (known == null) {
                start(value);
            }
            return known;
        }
        return scalar(value);
    }

    private void start(Object value) {
        Open opened;
        if (value instanceof Map<?, ?> map) {
            opened = new Open(RubyHash.newHash(runtime), map.size(), map.entrySet().iterator());
        } else if (value instanceof List<?> list) {
            opened = new Open(runtime.newArray(list.size()), -1, list.iterator());
        } else {
            Tagged tagged = (Tagged) value;
            RubyModule ketch = runtime.getModule("Ketch");
            IRubyObject[] members = {key(tagged.tag(), false), context.nil};
            IRubyObject struct = ketch.getClass("Tagged").newInstance(context, members, Block.NULL_BLOCK);
            List<Object> only = java.util.Collections.singletonList(tagged.value());
            opened = new Open(struct, -1, only.iterator());
        }
        met.put(value, opened.object);
        open.push(opened);
    }

    private IRubyObject key(String text) {
        return key(text, isSymbolized);
    }

    private IRubyObject key(String text, boolean asSymbol) {
        if (asSymbol) {
            return runtime.newString(text).intern();
        }
        return keys.computeIfAbsent(text, name -> {
            RubyString string = runtime.newString(name);
            string.setFrozen(true);
            return string;
        });
    }

    private IRubyObject text(String text) {
        if (!isFrozen) {
            return runtime.newString(text);
        }
        return texts.computeIfAbsent(text, content -> frozen(runtime.newString(content)));
    }

    private IRubyObject scalar(Object value) {
        if (value == null) {
            return context.nil;
        }
        if (value instanceof Boolean bool) {
            return RubyBoolean.newBoolean(runtime, bool);
        }
        if (value instanceof Integer || value instanceof Long) {
            return runtime.newFixnum(((Number) value).longValue());
        }
        if (value instanceof BigInteger big) {
            return RubyBignum.newBignum(runtime, big);
        }
        if (value instanceof Double number) {
            return RubyFloat.newFloat(runtime, number);
        }
        if (value instanceof byte[] bytes) {
            ByteList list = new ByteList(bytes, ASCIIEncoding.INSTANCE, false);
            return frozen(RubyString.newString(runtime, list));
        }
        return frozen(time(value));
    }

    private IRubyObject time(Object value) {
        if (value instanceof LocalDate day) {
            return time(day.toEpochDay() * SECONDS_A_DAY, 0, context.tru);
        }
        if (value instanceof LocalDateTime time) {
            return time(time.toEpochSecond(ZoneOffset.UTC), time.getNano(), context.nil);
        }
        OffsetDateTime time = (OffsetDateTime) value;
        int minutes = time.getOffset().getTotalSeconds() / 60;
        return time(time.toEpochSecond(), time.getNano(), runtime.newFixnum(minutes));
    }

    private IRubyObject time(long seconds, int nanoseconds, IRubyObject offset) {
        IRubyObject[] parts = {runtime.newFixnum(seconds), runtime.newFixnum(nanoseconds), offset};
        return runtime.getModule("Ketch").callMethod(context, "time_of", parts);
    }
}
