package dev.ketch.jruby;

import dev.ketch.Nodes;
import dev.ketch.internal.EditSession;
import dev.ketch.internal.EditSession.Argument;
import dev.ketch.internal.EditSession.Call;
import dev.ketch.internal.EditSession.Reading;
import dev.ketch.internal.EditSession.Refused;
import dev.ketch.internal.EditSession.Reply;
import org.jcodings.Encoding;
import org.jcodings.specific.ASCIIEncoding;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyClass;
import org.jruby.RubyHash;
import org.jruby.RubyModule;
import org.jruby.RubyNumeric;
import org.jruby.RubyObject;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ObjectAllocator;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/** {@code Ketch::Edit}: its methods take the numbers of views. */
public final class Edit extends RubyObject {
    private static final long serialVersionUID = 1;

    /** The kinds of entries, as in edit.rs. */
    private static final String[] KINDS = {null, "mapping", "sequence", "scalar"};
    private static final int MISSING = 0;
    private static final int MAPPING = 1;
    private static final int SCALAR = 3;

    private static final byte[] NOTHING = {};

    private final transient EditSession session;
    private final transient LoadOptions options;

    private Edit(Ruby runtime, RubyClass type, EditSession session, LoadOptions options) {
        super(runtime, type);
        this.session = session;
        this.options = options;
    }

    static void define(Ruby runtime, RubyModule ketch) {
        RubyClass type = ketch.defineClassUnder(
                "Edit", runtime.getObject(), ObjectAllocator.NOT_ALLOCATABLE_ALLOCATOR);
        type.defineAnnotatedMethods(Edit.class);
        Guarded.replaceMethods(type);
        Guarded.replaceMethods(type.getSingletonClass());
    }

    /** Implements {@code Ketch::Edit.of_text(source, **options)}: starts to edit a text. */
    @JRubyMethod(name = "of_text", meta = true, required = 1, optional = 1)
    public static IRubyObject ofText(ThreadContext context, IRubyObject self, IRubyObject[] args) {
        LoadOptions options = LoadOptions.of(context, args);
        return open(context, Source.text(context, args[0]).bytes(), false, options, context.nil);
    }

    /** Implements {@code Ketch::Edit.of_file(path, options)}: starts to edit a file. */
    @JRubyMethod(name = "of_file", meta = true, required = 1, optional = 1)
    public static IRubyObject ofFile(ThreadContext context, IRubyObject self, IRubyObject[] args) {
        LoadOptions options = LoadOptions.of(context, args);
        byte[] path = args[0].convertToString().getBytes();
        return open(context, path, true, options, args[0]);
    }

    /** Starts to edit a text, or the file of this path. */
    private static Edit open(ThreadContext context, byte[] text, boolean isPath, LoadOptions options,
            IRubyObject path) {
        RubyClass type = context.runtime.getModule("Ketch").getClass("Edit");
        try {
            EditSession session = Nodes.edit(text, isPath, options.options());
            return new Edit(context.runtime, type, session, options);
        } catch (Refused refused) {
            throw Failures.refused(context, refused, options, path);
        }
    }

    private Reply call(ThreadContext context, Call call, byte[] argument) {
        try {
            return session.call(call, argument);
        } catch (Refused refused) {
            throw Failures.refused(context, refused, options, context.nil);
        }
    }

    private static Argument view(IRubyObject view) {
        return new Argument().number(RubyNumeric.num2int(view));
    }

    /** Encodes a view, and the key if {@code keys} has one. */
    private static byte[] entry(ThreadContext context, IRubyObject view, IRubyObject keys) {
        Argument argument = view(view);
        for (IRubyObject key : keys.convertToArray().toJavaArray()) {
            EditSource.putKey(context, argument, key);
        }
        return argument.bytes();
    }

    private static RubyString string(ThreadContext context, byte[] bytes, Encoding encoding) {
        return RubyString.newString(context.runtime, new ByteList(bytes, encoding, false));
    }

    private IRubyObject text(ThreadContext context, Call call, byte[] argument) {
        return string(context, call(context, call, argument).rest(), UTF8Encoding.INSTANCE);
    }

    private static IRubyObject text(ThreadContext context, String text) {
        return text == null ? context.nil : context.runtime.newString(text);
    }

    @JRubyMethod(name = "document_count")
    public IRubyObject documentCount(ThreadContext context) {
        return context.runtime.newFixnum(call(context, Call.DOCUMENT_COUNT, NOTHING).number());
    }

    @JRubyMethod
    public IRubyObject text(ThreadContext context) {
        return text(context, Call.TEXT, NOTHING);
    }

    @JRubyMethod
    public IRubyObject original(ThreadContext context) {
        return text(context, Call.ORIGINAL, NOTHING);
    }

    @JRubyMethod
    public IRubyObject bytes(ThreadContext context) {
        return string(context, call(context, Call.BYTES, NOTHING).rest(), ASCIIEncoding.INSTANCE);
    }

    @JRubyMethod(name = "changed?")
    public IRubyObject isChanged(ThreadContext context) {
        return context.runtime.newBoolean(call(context, Call.IS_CHANGED, NOTHING).next() != 0);
    }

    @JRubyMethod(name = "replace_file")
    public IRubyObject save(ThreadContext context, IRubyObject isInPlace) {
        byte[] argument = new Argument().put(isInPlace.isTrue() ? 1 : 0).bytes();
        return context.runtime.newBoolean(call(context, Call.SAVE, argument).next() != 0);
    }

    /** Returns the patches, or those that reverse them, as arrays of start, end and new text. */
    @JRubyMethod(name = "patch_list")
    public IRubyObject patches(ThreadContext context, IRubyObject isInverse) {
        Reply reply = call(context, Call.PATCHES,
                new Argument().put(isInverse.isTrue() ? 1 : 0).bytes());
        RubyArray<?> patches = context.runtime.newArray();
        while (reply.hasMore()) {
            patches.append(context.runtime.newArray(context.runtime.newFixnum(reply.number()),
                    context.runtime.newFixnum(reply.number()), text(context, reply.text())));
        }
        return patches;
    }

    @JRubyMethod(name = "lsp_text")
    public IRubyObject lsp(ThreadContext context) {
        return text(context, Call.LSP, NOTHING);
    }

    @JRubyMethod(name = "diff_text")
    public IRubyObject diff(ThreadContext context, IRubyObject oldName, IRubyObject newName) {
        Argument names = new Argument().text(EditSource.text(context, oldName))
                .text(EditSource.text(context, newName));
        return text(context, Call.DIFF, names.bytes());
    }

    @JRubyMethod(name = "root_view")
    public IRubyObject root(ThreadContext context, IRubyObject document) {
        return context.runtime.newFixnum(call(context, Call.ROOT, view(document).bytes()).number());
    }

    /** Returns the value of a scalar, or for a collection whether it is a mapping, and its view. */
    @JRubyMethod(name = "view_child")
    public IRubyObject child(ThreadContext context, IRubyObject view, IRubyObject key,
            IRubyObject missing) {
        Argument argument = view(view);
        EditSource.putKey(context, argument, key);
        return answer(context, call(context, Call.CHILD, argument.bytes()), missing);
    }

    private IRubyObject answer(ThreadContext context, Reply reply, IRubyObject missing) {
        int kind = reply.next();
        return switch (kind) {
            case MISSING -> missing;
            case SCALAR -> value(context, reply.reading());
            default -> context.runtime.newArray(context.runtime.newBoolean(kind == MAPPING),
                    context.runtime.newFixnum(reply.number()));
        };
    }

    private IRubyObject value(ThreadContext context, Reading reading) {
        return reading == null
                ? context.nil
                : Document.of(context, new Nodes(reading.document()), options).value(context, reading.node());
    }

    @JRubyMethod(name = "view_kind")
    public IRubyObject kind(ThreadContext context, IRubyObject view) {
        String kind = KINDS[call(context, Call.KIND, view(view).bytes()).next()];
        return kind == null ? context.nil : context.runtime.newSymbol(kind);
    }

    @JRubyMethod(name = "view_count")
    public IRubyObject count(ThreadContext context, IRubyObject view) {
        return context.runtime.newFixnum(call(context, Call.COUNT, view(view).bytes()).number());
    }

    @JRubyMethod(name = "view_value")
    public IRubyObject value(ThreadContext context, IRubyObject view, IRubyObject keys) {
        return value(context, call(context, Call.READ, entry(context, view, keys)).reading());
    }

    /** Returns the keys and entries of a mapping in turn, or the items of a sequence. */
    @JRubyMethod(name = "view_entries")
    public IRubyObject entries(ThreadContext context, IRubyObject view) {
        Reply reply = call(context, Call.ENTRIES, view(view).bytes());
        RubyArray<?> entries = context.runtime.newArray();
        while (reply.hasMore()) {
            if (reply.next() != 0) {
                entries.append(value(context, reply.reading()));
            }
            entries.append(answer(context, reply, context.nil));
        }
        return entries;
    }

    @JRubyMethod(name = "view_path")
    public IRubyObject path(ThreadContext context, IRubyObject view) {
        return text(context, Call.PATH, view(view).bytes());
    }

    /**
     * Returns the kind, style, tag and anchor of a node as it is written, or nil if there is no
     * such node.
     */
    @JRubyMethod(name = "node_facts")
    public IRubyObject facts(ThreadContext context, IRubyObject view, IRubyObject keys) {
        Reply reply = call(context, Call.FACTS, entry(context, view, keys));
        if (!reply.hasMore()) {
            return context.nil;
        }
        Ruby runtime = context.runtime;
        RubyHash facts = RubyHash.newHash(runtime);
        facts.fastASet(runtime.newSymbol("kind"), runtime.newSymbol(reply.text()));
        facts.fastASet(runtime.newSymbol("style"), runtime.newSymbol(reply.text()));
        facts.fastASet(runtime.newSymbol("tag"), text(context, reply.text()));
        facts.fastASet(runtime.newSymbol("anchor"), text(context, reply.text()));
        return facts;
    }

    /** Returns the comments above an entry and after it. */
    @JRubyMethod(name = "node_comments")
    public IRubyObject comments(ThreadContext context, IRubyObject view, IRubyObject keys) {
        Reply reply = call(context, Call.COMMENTS, entry(context, view, keys));
        return context.runtime.newArray(text(context, reply.text()), text(context, reply.text()));
    }

    /** Applies operations: name, view, keys and fields of each. */
    @JRubyMethod
    public IRubyObject operate(ThreadContext context, IRubyObject list) {
        Argument argument = new Argument();
        for (IRubyObject item : list.convertToArray().toJavaArray()) {
            RubyArray<?> parts = item.convertToArray();
            argument.text(parts.eltOk(0).asJavaString());
            argument.number(RubyNumeric.num2int(parts.eltOk(1)));
            IRubyObject[] keys = parts.eltOk(2).convertToArray().toJavaArray();
            argument.number(keys.length);
            for (IRubyObject key : keys) {
                EditSource.putKey(context, argument, key);
            }
            EditFields.put(context, argument, parts.eltOk(3).convertToHash());
        }
        call(context, Call.OPERATE, argument.bytes());
        return context.nil;
    }

    /** Applies the operations of a text of YAML or JSON, or of values. */
    @JRubyMethod(name = "operate_source")
    public IRubyObject operateSource(ThreadContext context, IRubyObject source) {
        String text = source instanceof RubyString
                ? EditSource.text(context, source) : EditSource.of(context, source);
        call(context, Call.OPERATE_SOURCE, new Argument().text(text).bytes());
        return context.nil;
    }
}
