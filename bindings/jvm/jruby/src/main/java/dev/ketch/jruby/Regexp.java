package dev.ketch.jruby;

import dev.ketch.Regex;
import dev.ketch.Regex.How;
import dev.ketch.Regex.Name;
import dev.ketch.Regex.Watch;
import dev.ketch.RegexFailure;
import org.jcodings.Encoding;
import org.jcodings.specific.ASCIIEncoding;
import org.jcodings.specific.USASCIIEncoding;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyClass;
import org.jruby.RubyFloat;
import org.jruby.RubyModule;
import org.jruby.RubyNumeric;
import org.jruby.RubyObject;
import org.jruby.RubyString;
import org.jruby.RubySymbol;
import org.jruby.anno.FrameField;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.Block;
import org.jruby.runtime.ObjectAllocator;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.Visibility;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;
import org.jruby.util.StringSupport;

/** {@code Ketch::Regexp}: a compiled pattern, and the methods that search once. */
public final class Regexp extends RubyObject {
    private static final long serialVersionUID = 1;

    private static final String LAST_MATCH = "__ketch_last_match__";

    /** The time limit of patterns without their own, in seconds; 0 for none. */
    private static volatile double defaultLimit;

    final transient RubyClass matches;
    private final transient RubySymbol lastMatch;
    /** Null until {@code initialize} has run. */
    private transient Regex regex;
    private transient RubyString source;
    private transient RubyArray<?> names;
    private transient IRubyObject timeout;
    /** The time limit, or 0 for that of all patterns. */
    private transient double seconds;
    private transient Watch watch;

    private Regexp(Ruby runtime, RubyClass type) {
        super(runtime, type);
        matches = runtime.getModule("Ketch").getClass("MatchData");
        lastMatch = runtime.newSymbol(LAST_MATCH);
        watch = new Watch(0, () -> runtime.getCurrentContext().pollThreadEvents());
    }

    static void define(Ruby runtime, RubyModule ketch) {
        RubyClass type = ketch.defineClassUnder("Regexp", runtime.getObject(), Regexp::new);
        type.defineAnnotatedMethods(Regexp.class);
        type.defineAnnotatedMethods(RegexpScan.class);
        type.defineAnnotatedMethods(RegexpStrings.class);
        RubyClass matches = ketch.defineClassUnder(
                "MatchData", runtime.getObject(), ObjectAllocator.NOT_ALLOCATABLE_ALLOCATOR);
        matches.defineAnnotatedMethods(MatchData.class);
    }

    /** Returns the compiled pattern of an object, which is a {@code Ketch::Regexp}. */
    static Regexp of(ThreadContext context, IRubyObject self) {
        Regexp regexp = (Regexp) self;
        regexp.regex(context);
        return regexp;
    }

    /** Returns the compiled pattern. */
    Regex regex(ThreadContext context) {
        if (regex == null) {
            throw context.runtime.newTypeError("uninitialized Regexp");
        }
        return regex;
    }

    /** Returns the names of the groups. */
    RubyArray<?> names() {
        return names;
    }

    /** Returns the time limit of a search, and what it calls. */
    Watch watch() {
        double limit = seconds > 0 ? seconds : defaultLimit;
        Watch known = watch;
        if (known.seconds() != limit) {
            known = new Watch(limit, known.poller());
            watch = known;
        }
        return known;
    }

    /** Implements {@code compile(source, options, timeout)}: compiles, once. */
    @JRubyMethod(visibility = Visibility.PRIVATE)
    public IRubyObject compile(ThreadContext context, IRubyObject text, IRubyObject options,
            IRubyObject limit) {
        if (regex != null) {
            throw context.runtime.newTypeError("already initialized regexp");
        }
        RubyString given = text.convertToString();
        Encoding encoding = given.getEncoding();
        boolean isBroken = given.scanForCodeRange() == StringSupport.CR_BROKEN
                && encoding != USASCIIEncoding.INSTANCE;
        int number = number(encoding);
        byte[] copy = number == Regex.OTHER && !isBroken ? Source.inUtf8(context, given).getBytes() : null;
        double most = limit.isNil() ? 0 : RubyNumeric.num2dbl(limit);
        Regex made;
        try {
            made = Regex.compile(given.getBytes(), number, isBroken, copy,
                    copy == null || encoding.isAsciiCompatible(), RubyNumeric.num2int(options));
        } catch (RegexFailure failure) {
            throw RegexpFailures.raised(context, failure);
        }
        source = RubyString.newString(context.runtime,
                new ByteList(given.getBytes(), encoding(made, encoding), false));
        source.setFrozen(true);
        names = namesOf(context.runtime, made);
        timeout = limit;
        seconds = most;
        regex = made;
        return context.nil;
    }

    private static int number(Encoding encoding) {
        if (encoding == UTF8Encoding.INSTANCE) {
            return Regex.UTF8;
        }
        if (encoding == USASCIIEncoding.INSTANCE) {
            return Regex.ASCII;
        }
        return encoding == ASCIIEncoding.INSTANCE ? Regex.BINARY : Regex.OTHER;
    }

    private static Encoding encoding(Regex made, Encoding given) {
        return switch (made.encoding()) {
            case Regex.BINARY -> ASCIIEncoding.INSTANCE;
            case Regex.UTF8 -> UTF8Encoding.INSTANCE;
            case Regex.ASCII -> USASCIIEncoding.INSTANCE;
            default -> given;
        };
    }

    private static RubyArray<?> namesOf(Ruby runtime, Regex made) {
        RubyArray<?> names = runtime.newArray(made.names().size());
        for (Name name : made.names()) {
            RubyString text = runtime.newString(name.name());
            text.setFrozen(true);
            names.append(text);
        }
        names.setFrozen(true);
        return names;
    }

    /** Prepares a search in a string. Rejects the same strings as Ruby. */
    Subject subject(ThreadContext context, RubyString string) {
        Regex.Kind kind = regex(context).kind();
        Encoding encoding = string.getEncoding();
        int range = string.scanForCodeRange();
        boolean isUtf8 = encoding == UTF8Encoding.INSTANCE;
        boolean isBinary = encoding == ASCIIEncoding.INSTANCE;
        if (range == StringSupport.CR_7BIT && kind != Regex.Kind.WIDE
                && (isUtf8 || isBinary || encoding == USASCIIEncoding.INSTANCE)) {
            return new Subject(string, null, false);
        }
        if (range == StringSupport.CR_VALID && isUtf8
                && (kind == Regex.Kind.ANY || kind == Regex.Kind.UTF8)) {
            return new Subject(string, null, false);
        }
        if (range == StringSupport.CR_VALID && isBinary && (kind == Regex.Kind.BINARY
                || kind == Regex.Kind.ANY || kind == Regex.Kind.HISTORICAL)) {
            return new Subject(string, null, true);
        }
        return unusual(context, kind, string, range);
    }

    /** Prepares a search in a string that is invalid, or whose encoding the engine does not know. */
    private Subject unusual(
            ThreadContext context, Regex.Kind kind, RubyString string, int range) {
        Encoding encoding = string.getEncoding();
        if (range == StringSupport.CR_BROKEN) {
            throw context.runtime.newArgumentError("invalid byte sequence in " + encoding);
        }
        boolean extendsAscii = encoding.isAsciiCompatible();
        boolean isSame = encoding == source.getEncoding();
        boolean isAscii = range == StringSupport.CR_7BIT;
        boolean fits = (extendsAscii || isSame) && switch (kind) {
            case ANY, HISTORICAL -> true;
            case WIDE -> isSame;
            default -> isAscii || isSame;
        };
        if (!fits) {
            IRubyObject message =
                    type(context).callMethod(context, "incompatible", new IRubyObject[] {source, string});
            throw context.runtime.newEncodingCompatibilityError(message.asJavaString());
        }
        if (isAscii && extendsAscii) {
            return new Subject(string, null, false);
        }
        if (kind == Regex.Kind.HISTORICAL) {
            type(context).callMethod(context, "warn_historical", new IRubyObject[] {source, string});
            if (encoding == UTF8Encoding.INSTANCE) {
                return new Subject(string, null, false);
            }
        }
        return new Subject(string, Source.inUtf8(context, string), false);
    }

    static RubyClass type(ThreadContext context) {
        return context.runtime.getModule("Ketch").getClass("Regexp");
    }

    /** Returns the string that is searched: a symbol's name, or what {@code to_str} returns; null for nil. */
    static RubyString operand(ThreadContext context, IRubyObject of) {
        if (of instanceof RubyString string) {
            return string;
        }
        if (of instanceof RubySymbol symbol) {
            return (RubyString) symbol.name(context);
        }
        return of.isNil() ? null : of.convertToString();
    }

    /** Stores the last match of this fiber, or nil. */
    void remember(ThreadContext context, IRubyObject found) {
        context.getThread().op_aset(context, lastMatch, found);
    }

    private boolean search(ThreadContext context, Subject subject, int from, How how, int[] slots) {
        try {
            return regex.search(subject.text(), subject.searched(from), how, watch(), slots);
        } catch (RegexFailure failure) {
            throw RegexpFailures.raised(context, failure);
        }
    }

    /** Searches, and returns the match or null, which is then the last match of the fiber. */
    private MatchData find(ThreadContext context, RubyString string, int from, How how) {
        Subject subject = subject(context, string);
        int[] slots = new int[regex.slots()];
        MatchData found = search(context, subject, from, how, slots)
                ? new MatchData(context.runtime, this, subject.frozen(), slots) : null;
        remember(context, orNil(context, found));
        return found;
    }

    private static IRubyObject orNil(ThreadContext context, MatchData found) {
        return found == null ? context.nil : found;
    }

    /** Sets the last match to nil, and returns nil. */
    private IRubyObject none(ThreadContext context) {
        remember(context, context.nil);
        return context.nil;
    }

    /**
     * Returns the byte at which a search from a character starts, or -1 if there is none. Negative
     * numbers count from the end.
     */
    private static int start(RubyString string, IRubyObject at, boolean isClamped) {
        long index = RubyNumeric.num2long(at);
        if (index == 0) {
            return 0;
        }
        int length = string.strLength();
        if (index < 0) {
            index += length;
        }
        if (isClamped) {
            index = Math.min(index, length);
        }
        return index < 0 || index > length ? -1 : Subject.byteOffset(string, (int) index);
    }

    /** Implements {@code match(string, position = 0)}, which yields the match to a block. */
    @JRubyMethod
    public IRubyObject match(ThreadContext context, IRubyObject of, Block block) {
        return match(context, of, context.runtime.newFixnum(0), block);
    }

    @JRubyMethod
    public IRubyObject match(ThreadContext context, IRubyObject of, IRubyObject at, Block block) {
        regex(context);
        RubyString string = operand(context, of);
        int from = string == null ? -1 : start(string, at, true);
        if (from < 0) {
            return none(context);
        }
        MatchData found = find(context, string, from, How.FORWARD);
        return found != null && block.isGiven() ? block.yield(context, found) : orNil(context, found);
    }

    /** Implements {@code match_here(string, position)}: a match that starts exactly there. */
    @JRubyMethod(name = "match_here")
    public IRubyObject matchHere(ThreadContext context, IRubyObject of, IRubyObject at) {
        regex(context);
        RubyString string = operand(context, of);
        int from = string == null ? -1 : start(string, at, false);
        return from < 0 ? none(context) : orNil(context, find(context, string, from, How.HERE));
    }

    /** Implements {@code match?(string, position = 0)}. */
    @JRubyMethod(name = "match?")
    public IRubyObject isMatch(ThreadContext context, IRubyObject of) {
        regex(context);
        RubyString string = operand(context, of);
        return string == null ? context.fals : isMatch(context, string, 0);
    }

    @JRubyMethod(name = "match?")
    public IRubyObject isMatch(ThreadContext context, IRubyObject of, IRubyObject at) {
        regex(context);
        RubyString string = operand(context, of);
        int from = string == null ? -1 : start(string, at, false);
        return from < 0 ? context.fals : isMatch(context, string, from);
    }

    private IRubyObject isMatch(ThreadContext context, RubyString string, int from) {
        return context.runtime.newBoolean(
                search(context, subject(context, string), from, How.TEST, null));
    }

    /** Implements {@code self =~ string}. */
    @JRubyMethod(name = "=~")
    public IRubyObject indexOperator(ThreadContext context, IRubyObject of) {
        return index(context, of, context.runtime.newFixnum(0));
    }

    /** Implements {@code index(string, position = 0)}. */
    @JRubyMethod
    public IRubyObject index(ThreadContext context, IRubyObject of) {
        return index(context, of, context.runtime.newFixnum(0));
    }

    @JRubyMethod
    public IRubyObject index(ThreadContext context, IRubyObject of, IRubyObject at) {
        regex(context);
        RubyString string = operand(context, of);
        int from = string == null ? -1 : start(string, at, false);
        return from < 0 ? none(context) : position(context, find(context, string, from, How.FORWARD));
    }

    private static IRubyObject position(ThreadContext context, MatchData found) {
        return found == null ? context.nil : found.begin(context, context.runtime.newFixnum(0));
    }

    /** Implements {@code ~self}: matches the last line that the caller has read with {@code gets}. */
    @JRubyMethod(name = "~", reads = FrameField.LASTLINE)
    public IRubyObject lastLine(ThreadContext context) {
        IRubyObject line = context.getLastLine();
        return line instanceof RubyString ? index(context, line) : none(context);
    }

    /** Implements {@code rindex(string, position = -1)}. */
    @JRubyMethod
    public IRubyObject rindex(ThreadContext context, IRubyObject of) {
        regex(context);
        RubyString string = operand(context, of);
        return string == null ? none(context) : rindex(context, string, string.strLength());
    }

    @JRubyMethod
    public IRubyObject rindex(ThreadContext context, IRubyObject of, IRubyObject at) {
        regex(context);
        RubyString string = operand(context, of);
        if (string == null) {
            return none(context);
        }
        int length = string.strLength();
        long last = RubyNumeric.num2long(at);
        return rindex(context, string, last < 0 ? last + length : Math.min(last, length));
    }

    private IRubyObject rindex(ThreadContext context, RubyString string, long last) {
        if (last < 0) {
            return none(context);
        }
        int from = Subject.byteOffset(string, (int) last);
        return position(context, find(context, string, from, How.BACKWARD));
    }

    /** Implements {@code self === string}: false for what is not a string. */
    @JRubyMethod(name = "===")
    public IRubyObject caseEquality(ThreadContext context, IRubyObject of) {
        regex(context);
        IRubyObject string = of instanceof RubySymbol symbol ? symbol.name(context) : of.checkStringType();
        if (!(string instanceof RubyString text)) {
            remember(context, context.nil);
            return context.fals;
        }
        return context.runtime.newBoolean(find(context, text, 0, How.FORWARD) != null);
    }

    @JRubyMethod
    public IRubyObject source(ThreadContext context) {
        regex(context);
        return source;
    }

    @JRubyMethod
    public IRubyObject options(ThreadContext context) {
        return context.runtime.newFixnum(regex(context).options());
    }

    @JRubyMethod
    public IRubyObject names(ThreadContext context) {
        regex(context);
        return names;
    }

    @JRubyMethod
    public IRubyObject timeout(ThreadContext context) {
        regex(context);
        return timeout;
    }

    /** Implements {@code groups_of(name)}: returns the numbers of the groups with a name, or nil. */
    @JRubyMethod(name = "groups_of")
    public IRubyObject groupsOf(ThreadContext context, IRubyObject name) {
        int[] groups = regex(context).groupsOf(name.asJavaString());
        if (groups == null) {
            return context.nil;
        }
        RubyArray<?> numbers = context.runtime.newArray(groups.length);
        for (int group : groups) {
            numbers.append(context.runtime.newFixnum(group));
        }
        return numbers;
    }

    /**
     * Implements {@code not_linear}: the reason why a search may take more than linear time, and its
     * column, or nil.
     */
    @JRubyMethod(name = "not_linear")
    public IRubyObject notLinear(ThreadContext context) {
        Regex made = regex(context);
        return made.notLinear() == null
                ? context.nil
                : context.runtime.newArray(context.runtime.newString(made.notLinear()),
                        context.runtime.newFixnum(made.notLinearColumn()));
    }

    /** Returns the last match of this fiber. */
    @JRubyMethod(meta = true)
    public static IRubyObject last(ThreadContext context, IRubyObject self) {
        return context.getThread().op_aref(context, context.runtime.newSymbol(LAST_MATCH));
    }

    /** Sets the last match of this fiber. */
    @JRubyMethod(name = "last=", meta = true)
    public static IRubyObject setLast(ThreadContext context, IRubyObject self, IRubyObject found) {
        return context.getThread().op_aset(context, context.runtime.newSymbol(LAST_MATCH), found);
    }

    /** Returns the time limit of patterns without their own. */
    @JRubyMethod(name = "default_limit", meta = true)
    public static IRubyObject defaultLimit(ThreadContext context, IRubyObject self) {
        double limit = defaultLimit;
        return limit > 0 ? RubyFloat.newFloat(context.runtime, limit) : context.nil;
    }

    /** Sets the time limit of patterns without their own. */
    @JRubyMethod(name = "default_limit=", meta = true)
    public static IRubyObject setDefaultLimit(
            ThreadContext context, IRubyObject self, IRubyObject limit) {
        defaultLimit = limit.isNil() ? 0 : RubyNumeric.num2dbl(limit);
        return limit;
    }
}
