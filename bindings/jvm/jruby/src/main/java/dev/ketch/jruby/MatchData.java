package dev.ketch.jruby;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyFixnum;
import org.jruby.RubyNumeric;
import org.jruby.RubyObject;
import org.jruby.RubyString;
import org.jruby.RubySymbol;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/**
 * {@code Ketch::MatchData}: a match, as byte offsets in a frozen string. Character offsets are
 * computed on demand.
 */
public final class MatchData extends RubyObject {
    private static final long serialVersionUID = 1;

    /** The number of a group that cannot be. */
    private static final int NO_GROUP = -1;

    private final transient Regexp regexp;
    private final transient RubyString string;
    /** The start and end of each group in bytes; -1 if it is not set. */
    private final transient int[] slots;
    /** The same in characters, or null. */
    private transient int[] chars;

    /** Creates a match. The subject is frozen, and the slots are offsets in the searched bytes. */
    MatchData(Ruby runtime, Regexp regexp, Subject subject, int[] slots) {
        super(runtime, regexp.matches);
        this.regexp = regexp;
        string = subject.string();
        this.slots = subject.offsets(slots);
    }

    private int count() {
        return slots.length / 2;
    }

    private boolean isSet(int group) {
        return slots[2 * group] >= 0;
    }

    private IRubyObject text(ThreadContext context, int group) {
        return isSet(group)
                ? Subject.part(context.runtime, string, slots[2 * group], slots[2 * group + 1])
                : context.nil;
    }

    private int[] chars() {
        if (chars == null) {
            chars = countChars();
        }
        return chars;
    }

    /** Converts all offsets, from the first to the last, so that the string is read once. */
    private int[] countChars() {
        if (string.strLength() == string.size()) {
            return slots;
        }
        int[] counts = new int[slots.length];
        int[] order = IntStream.range(0, slots.length).boxed()
                .sorted((a, b) -> Integer.compare(slots[a], slots[b])).mapToInt(slot -> slot).toArray();
        boolean isUtf8 = string.getEncoding() == UTF8Encoding.INSTANCE;
        ByteList bytes = string.getByteList();
        int at = 0;
        int count = 0;
        for (int slot : order) {
            int offset = slots[slot];
            if (offset < 0) {
                counts[slot] = offset;
                continue;
            }
            if (isUtf8) {
                while (at < offset) {
                    count += (bytes.get(at++) & 0xc0) == 0x80 ? 0 : 1;
                }
            } else {
                count = Subject.charIndex(string, offset);
            }
            counts[slot] = count;
        }
        return counts;
    }

    /**
     * Returns the group of a number or a name, or a negative number. Raises if there is no group of
     * the name.
     */
    private int group(ThreadContext context, IRubyObject of) {
        if (!(of instanceof RubySymbol) && !(of instanceof RubyString)) {
            long number = RubyNumeric.num2long(of);
            return number < 0 || number > Integer.MAX_VALUE ? NO_GROUP : (int) number;
        }
        String name = of.asJavaString();
        int[] groups = regexp.regex(context).groupsOf(name);
        if (groups == null) {
            throw context.runtime.newIndexError("undefined group name reference: " + name);
        }
        for (int i = groups.length - 1; i >= 0; i--) {
            if (isSet(groups[i])) {
                return groups[i];
            }
        }
        return groups[groups.length - 1];
    }

    /** Returns the group of a number or a name. Raises if there is none. */
    private int groupNumber(ThreadContext context, IRubyObject of) {
        int group = group(context, of);
        if (group < 0 || group >= count()) {
            throw context.runtime.newIndexError("index " + of.asString() + " out of matches");
        }
        return group;
    }

    private static IRubyObject number(ThreadContext context, int number) {
        return number < 0 ? context.nil : context.runtime.newFixnum(number);
    }

    private static IRubyObject pair(ThreadContext context, int[] numbers, int group) {
        return context.runtime.newArray(
                number(context, numbers[2 * group]), number(context, numbers[2 * group + 1]));
    }

    /** Implements {@code entry(group)}: the text of a group by number or name. */
    @JRubyMethod
    public IRubyObject entry(ThreadContext context, IRubyObject of) {
        long group = group(context, of);
        if (group < 0) {
            // As in Ruby, no negative index stands for the whole match.
            group = of instanceof RubyFixnum number ? number.getLongValue() + count() : NO_GROUP;
            if (group <= 0) {
                return context.nil;
            }
        }
        return group < count() ? text(context, (int) group) : context.nil;
    }

    @JRubyMethod
    public IRubyObject byteoffset(ThreadContext context, IRubyObject of) {
        return pair(context, slots, groupNumber(context, of));
    }

    @JRubyMethod
    public IRubyObject offset(ThreadContext context, IRubyObject of) {
        return pair(context, chars(), groupNumber(context, of));
    }

    @JRubyMethod
    public IRubyObject begin(ThreadContext context, IRubyObject of) {
        int group = groupNumber(context, of);
        return number(context, chars()[2 * group]);
    }

    @JRubyMethod
    public IRubyObject end(ThreadContext context, IRubyObject of) {
        int group = groupNumber(context, of);
        return number(context, chars()[2 * group + 1]);
    }

    @JRubyMethod(name = "pre_match")
    public IRubyObject preMatch(ThreadContext context) {
        return Subject.part(context.runtime, string, 0, slots[0]);
    }

    @JRubyMethod(name = "post_match")
    public IRubyObject postMatch(ThreadContext context) {
        return Subject.part(context.runtime, string, slots[1], string.size());
    }

    @JRubyMethod(name = "to_a")
    public IRubyObject toArray(ThreadContext context) {
        return texts(context, 0);
    }

    @JRubyMethod
    public IRubyObject captures(ThreadContext context) {
        return texts(context, 1);
    }

    /** Returns an array of the texts of all groups from {@code first} on. */
    private RubyArray<?> texts(ThreadContext context, int first) {
        RubyArray<?> texts = context.runtime.newArray(count() - first);
        for (int group = first; group < count(); group++) {
            texts.append(text(context, group));
        }
        return texts;
    }

    @JRubyMethod
    public IRubyObject size(ThreadContext context) {
        return context.runtime.newFixnum(count());
    }

    @JRubyMethod
    public IRubyObject string(ThreadContext context) {
        return string;
    }

    @JRubyMethod
    public IRubyObject regexp(ThreadContext context) {
        return regexp;
    }

    @JRubyMethod
    public IRubyObject names(ThreadContext context) {
        return regexp.names();
    }

    @Override
    public String toString() {
        return "MatchData" + Arrays.toString(slots);
    }
}
