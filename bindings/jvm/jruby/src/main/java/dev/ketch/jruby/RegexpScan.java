package dev.ketch.jruby;

import dev.ketch.Regex;
import dev.ketch.Regex.Walk;
import dev.ketch.Regex.Which;
import dev.ketch.RegexFailure;
import java.io.IOException;
import java.io.InputStream;
import org.jcodings.Encoding;
import org.jcodings.specific.ASCIIEncoding;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyHash;
import org.jruby.RubyNumeric;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.Visibility;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;
import org.jruby.util.StringSupport;

/** The methods of {@code Ketch::Regexp} that search for all matches. */
public final class RegexpScan {
    private RegexpScan() {}

    /** Returns the frozen subject of a method, whose string must not be nil. */
    private static Subject subject(ThreadContext context, Regexp regexp, RubyString string) {
        return regexp.subject(context, string).frozen();
    }

    private static RubyString string(ThreadContext context, IRubyObject of) {
        RubyString string = Regexp.operand(context, of);
        if (string == null) {
            throw context.runtime.newTypeError("no implicit conversion of nil into String");
        }
        return string;
    }

    private static Walk walk(ThreadContext context, Regexp regexp, Subject subject, Which which, long limit)
            throws RegexFailure {
        return regexp.regex(context).walk(which, subject.text(), limit, regexp.watch());
    }

    /** The bytes of a string, to see whether a block changes them. */
    private record Place(byte[] bytes, int begin, int size) {
        static Place of(RubyString string) {
            ByteList list = string.getByteList();
            return new Place(list.unsafeBytes(), list.begin(), list.realSize());
        }

        void check(ThreadContext context, RubyString string) {
            ByteList list = string.getByteList();
            if (list.unsafeBytes() != bytes || list.begin() != begin || list.realSize() != size) {
                throw context.runtime.newRuntimeError("string modified");
            }
        }
    }

    /** Returns what {@code scan} returns for a match: its text, or those of its groups. */
    private static IRubyObject entry(Ruby runtime, Walk walk, Subject subject, int slots) {
        if (slots == 2) {
            return subject.part(runtime, walk.get(0), walk.get(1));
        }
        RubyArray<?> groups = runtime.newArray(slots / 2 - 1);
        for (int slot = 2; slot < slots; slot += 2) {
            int start = walk.get(slot);
            groups.append(start < 0
                    ? runtime.getNil() : subject.part(runtime, start, walk.get(slot + 1)));
        }
        return groups;
    }

    /** Implements {@code scan(string)}: an array of all matches, or the string after each was yielded. */
    @JRubyMethod
    public static IRubyObject scan(ThreadContext context, IRubyObject self, IRubyObject of, Block block) {
        Regexp regexp = Regexp.of(context, self);
        RubyString string = string(context, of);
        Subject subject = subject(context, regexp, string);
        int slots = regexp.regex(context).slots();
        RubyArray<?> result = block.isGiven() ? null : context.runtime.newArray();
        int[] lastSlots = null;
        IRubyObject last = context.nil;
        try (Walk walk = walk(context, regexp, subject, Which.MATCHES, 0)) {
            while (walk.next()) {
                if (result != null) {
                    lastSlots = walk.numbers();
                    result.append(entry(context.runtime, walk, subject, slots));
                    continue;
                }
                last = new MatchData(context.runtime, regexp, subject, walk.numbers());
                regexp.remember(context, last);
                Place before = Place.of(string);
                block.yield(context, entry(context.runtime, walk, subject, slots));
                before.check(context, string);
            }
        } catch (RegexFailure failure) {
            throw RegexpFailures.raised(context, failure);
        }
        if (lastSlots != null) {
            last = new MatchData(context.runtime, regexp, subject, lastSlots);
        }
        regexp.remember(context, last);
        return result == null ? string : result;
    }

    /**
     * Implements {@code substitute(string, replacement, all)}: the string with matches replaced, or
     * nil if there are none. The replacement is a template, a hash, or nil for a block.
     */
    @JRubyMethod
    public static IRubyObject substitute(ThreadContext context, IRubyObject self, IRubyObject of,
            IRubyObject replacement, IRubyObject all, Block block) {
        Regexp regexp = Regexp.of(context, self);
        RubyString string = string(context, of);
        Subject subject = subject(context, regexp, string);
        int most = all.isTrue() ? Integer.MAX_VALUE : 1;
        try {
            return replacement instanceof RubyString template
                    ? byTemplate(context, regexp, subject, template, most)
                    : byValue(context, regexp, subject, string, replacement, most, block);
        } catch (RegexFailure failure) {
            throw RegexpFailures.raised(context, failure);
        }
    }

    /** Replaces matches by a template. */
    private static IRubyObject byTemplate(ThreadContext context, Regexp regexp, Subject subject,
            RubyString template, int most) throws RegexFailure {
        Regex regex = regexp.regex(context);
        int[] slots = new int[regex.slots()];
        boolean isConverted = subject.copy() != null;
        RubyString inUtf8 = isConverted ? Source.inUtf8(context, template) : template;
        byte[] replaced =
                regex.substitute(subject.text(), inUtf8.getBytes(), most, regexp.watch(), slots);
        if (replaced == null) {
            regexp.remember(context, context.nil);
            return context.nil;
        }
        Encoding encoding = subject.string().checkEncoding(template);
        regexp.remember(context, new MatchData(context.runtime, regexp, subject, slots));
        if (!isConverted) {
            return RubyString.newString(context.runtime, new ByteList(replaced, encoding, false));
        }
        RubyString text = RubyString.newString(
                context.runtime, new ByteList(replaced, UTF8Encoding.INSTANCE, false));
        return text.callMethod(context, "encode",
                context.runtime.getEncodingService().convertEncodingToRubyEncoding(encoding));
    }

    /** Replaces matches by what a hash or the block has for their texts. */
    private static IRubyObject byValue(ThreadContext context, Regexp regexp, Subject subject,
            RubyString string, IRubyObject hash, int most, Block block) throws RegexFailure {
        Ruby runtime = context.runtime;
        RubyString out = null;
        IRubyObject last = context.nil;
        int copied = 0;
        try (Walk walk = walk(context, regexp, subject, Which.MATCHES, 0)) {
            for (int count = 0; count < most && walk.next(); count++) {
                if (out == null) {
                    out = RubyString.newStringLight(runtime, subject.string().size(), subject.string().getEncoding());
                }
                last = new MatchData(runtime, regexp, subject, walk.numbers());
                regexp.remember(context, last);
                int start = subject.offset(walk.get(0));
                int end = subject.offset(walk.get(1));
                RubyString text = Subject.part(runtime, subject.string(), start, end);
                Place before = Place.of(string);
                IRubyObject value = hash instanceof RubyHash known
                        ? known.op_aref(context, text) : block.yield(context, text);
                before.check(context, string);
                // `\K` may put the start of a match before the end of the last one.
                out.catWithCodeRange(Subject.part(runtime, subject.string(), Math.min(copied, start), start));
                out.catWithCodeRange(value.asString());
                copied = end;
            }
        }
        regexp.remember(context, last);
        return out == null
                ? context.nil
                : out.catWithCodeRange(Subject.part(runtime, subject.string(), copied, subject.string().size()));
    }

    /** Implements {@code split(string, limit = 0)}: the parts between matches. */
    @JRubyMethod(required = 1, optional = 1)
    public static IRubyObject split(
            ThreadContext context, IRubyObject self, IRubyObject[] args, Block block) {
        long limit = args.length > 1 ? RubyNumeric.num2long(args[1]) : 0;
        Regexp regexp = Regexp.of(context, self);
        RubyString string = string(context, args[0]);
        Subject subject = subject(context, regexp, string);
        RubyArray<?> result = block.isGiven() ? null : context.runtime.newArray();
        try (Walk walk = walk(context, regexp, subject, Which.PARTS, limit)) {
            while (walk.next()) {
                RubyString part = subject.part(context.runtime, walk.get(0), walk.get(1));
                if (result == null) {
                    block.yield(context, part);
                } else {
                    result.append(part);
                }
            }
        } catch (RegexFailure failure) {
            throw RegexpFailures.raised(context, failure);
        }
        return result == null ? string : result;
    }

    /** Implements {@code each_record(string, chomp)}: yields the lines of a string. */
    @JRubyMethod(name = "each_record", visibility = Visibility.PRIVATE)
    public static IRubyObject eachRecord(ThreadContext context, IRubyObject self, IRubyObject of,
            IRubyObject chomp, Block block) {
        Regexp regexp = Regexp.of(context, self);
        Subject subject = subject(context, regexp, string(context, of));
        int end = chomp.isTrue() ? 2 : 1;
        try (Walk walk = walk(context, regexp, subject, Which.LINES, 0)) {
            while (walk.next()) {
                block.yield(context, subject.part(context.runtime, walk.get(0), walk.get(end)));
            }
        } catch (RegexFailure failure) {
            throw RegexpFailures.raised(context, failure);
        }
        return context.nil;
    }

    /**
     * Implements {@code each_record_of(source, chomp, max_line_bytes)}: yields the lines of what
     * {@code read} returns.
     */
    @JRubyMethod(name = "each_record_of", visibility = Visibility.PRIVATE)
    public static IRubyObject eachRecordOf(ThreadContext context, IRubyObject self, IRubyObject source,
            IRubyObject chomp, IRubyObject most, Block block) {
        Regexp regexp = Regexp.of(context, self);
        InputStream in = Source.stream(context, source);
        IRubyObject encoding = source.respondsTo("external_encoding")
                ? source.callMethod(context, "external_encoding") : context.nil;
        long maxLineBytes = most.isNil() ? Long.MAX_VALUE : RubyNumeric.num2long(most);
        try (Regex.Lines lines =
                regexp.regex(context).lines(in, maxLineBytes, chomp.isTrue(), regexp.watch())) {
            for (byte[] line = lines.next(); line != null; line = lines.next()) {
                block.yield(context, line(context, line, encoding));
                context.pollThreadEvents();
            }
        } catch (RegexFailure failure) {
            throw RegexpFailures.raised(context, failure);
        } catch (IOException failure) {
            throw context.runtime.newIOErrorFromException(failure);
        }
        return context.nil;
    }

    /** Returns a line as a string in the encoding of an IO, or in UTF-8. */
    private static RubyString line(ThreadContext context, byte[] bytes, IRubyObject encoding) {
        RubyString line = RubyString.newString(
                context.runtime, new ByteList(bytes, UTF8Encoding.INSTANCE, false));
        if (!encoding.isNil()) {
            line.setEncodingAndCodeRange(
                    context.runtime.getEncodingService().getEncodingFromObject(encoding),
                    StringSupport.CR_UNKNOWN);
        } else if (line.scanForCodeRange() == StringSupport.CR_BROKEN) {
            line.setEncodingAndCodeRange(ASCIIEncoding.INSTANCE, StringSupport.CR_UNKNOWN);
        }
        return line;
    }
}
