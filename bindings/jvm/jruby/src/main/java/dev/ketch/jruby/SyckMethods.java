package dev.ketch.jruby;

import dev.ketch.SyckHandler;
import dev.ketch.SyckNode;
import dev.ketch.SyckParser;
import dev.ketch.SyckSearch;
import dev.ketch.SyckText;
import dev.ketch.YamlException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyBignum;
import org.jruby.RubyClass;
import org.jruby.RubyException;
import org.jruby.RubyFixnum;
import org.jruby.RubyFloat;
import org.jruby.RubyModule;
import org.jruby.RubyNumeric;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/** The methods of {@code Ketch} that {@code Ketch::Syck} uses. */
public final class SyckMethods {
    private SyckMethods() {}

    /**
     * Implements {@code Ketch.syck_nodes(parser, source, options) { |root| }}: passes the nodes of a
     * text to the handler of a {@code Ketch::Syck::Parser}, and yields the id of each root.
     */
    @JRubyMethod(name = "syck_nodes", meta = true)
    public static IRubyObject nodes(ThreadContext context, IRubyObject self, IRubyObject parser,
            IRubyObject source, IRubyObject options, Block block) {
        LoadOptions read = LoadOptions.of(context, new IRubyObject[] {source, options});
        byte[] text = Source.text(context, source).bytes();
        boolean hasTypes = parser.callMethod(context, "implicit_typing").isTrue();
        Passing passing = new Passing(context, parser);
        try {
            SyckParser<IRubyObject> nodes = SyckParser.of(text, passing, read.options(), hasTypes);
            try {
                while (nodes.next()) {
                    block.yield(context, nodes.root());
                }
            } finally {
                // If the block has been left, a panic here would otherwise be suppressed.
                nodes.close();
            }
        } catch (YamlException error) {
            throw Failures.raised(context, error, read);
        }
        return context.nil;
    }

    /** Passes nodes to a handler in Ruby. */
    private static final class Passing implements SyckHandler<IRubyObject> {
        private final ThreadContext context;
        private final IRubyObject parser;
        private final IRubyObject handler;
        private final RubyClass handled;

        Passing(ThreadContext context, IRubyObject parser) {
            this.context = context;
            this.parser = parser;
            handler = parser.callMethod(context, "handler");
            handled = syck(context).getClass("HandledNode");
        }

        @Override
        public IRubyObject handle(SyckParser<IRubyObject> nodes, SyckNode<IRubyObject> node) {
            Ruby runtime = context.runtime;
            IRubyObject value = node.kind() == SyckNode.Kind.SCALAR
                    ? runtime.newString(node.text())
                    : runtime.newArray(node.children().toArray(new IRubyObject[0]));
            IRubyObject[] members = {
                runtime.newSymbol(name(node.kind())), text(runtime, node.tag()),
                text(runtime, node.anchor()), runtime.newSymbol(name(node.style())), value,
                runtime.newFixnum(node.offset()), runtime.newFixnum(node.length()),
                node.inside() == null ? context.nil : node.inside()
            };
            IRubyObject object = handled.newInstance(context, members, Block.NULL_BLOCK);
            return handler.callMethod(context, "handle", new IRubyObject[] {parser, object});
        }

        @Override
        public IRubyObject badAnchor(SyckParser<IRubyObject> nodes, String name) {
            return parser.callMethod(context, "bad_anchor", context.runtime.newString(name));
        }
    }

    private static RubyModule syck(ThreadContext context) {
        return (RubyModule) context.runtime.getModule("Ketch").getConstant("Syck");
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static IRubyObject text(Ruby runtime, String text) {
        return text == null ? runtime.getNil() : runtime.newString(text);
    }

    private static RubyString string(Ruby runtime, byte[] text) {
        return RubyString.newString(runtime, new ByteList(text, UTF8Encoding.INSTANCE, false));
    }

    /**
     * Implements {@code Ketch.syck_tag(text)}: returns the tag that Syck gives to plain text, with
     * its refinement.
     */
    @JRubyMethod(name = "syck_tag", meta = true)
    public static IRubyObject tag(ThreadContext context, IRubyObject self, IRubyObject text) {
        byte[] utf8 = Source.utf8(context, text.convertToString()).getBytes();
        return string(context.runtime, SyckText.tag(utf8));
    }

    /**
     * Implements {@code Ketch.syck_write(tokens, is_indented)}: returns a document in the form of
     * Syck. The tokens are those of {@code Ketch::Syck::Emitter}.
     */
    @JRubyMethod(name = "syck_write", meta = true)
    public static IRubyObject write(
            ThreadContext context, IRubyObject self, IRubyObject tokens, IRubyObject isIndented) {
        SyckText.Writer out = new SyckText.Writer();
        RubyArray<?> all = tokens.convertToArray();
        int at = 0;
        while (at < all.size()) {
            int kind = RubyNumeric.num2int(all.eltOk(at++));
            switch (kind) {
                case 0 -> scalar(context, out, bytes(all.eltOk(at++)), all.eltOk(at++));
                case 1 -> out.plain(bytes(all.eltOk(at++)), bytes(all.eltOk(at++)));
                case 2, 3 -> out.start(kind == 3, bytes(all.eltOk(at++)), bytes(all.eltOk(at++)));
                case 4 -> out.alias(bytes(all.eltOk(at++)));
                default -> out.end(kind == 6);
            }
        }
        try {
            return string(context.runtime, out.document(isIndented.isTrue()));
        } catch (SyckText.Wrong wrong) {
            throw wrong.isTag()
                    ? context.runtime.newArgumentError(wrong.getMessage())
                    : context.runtime.newRuntimeError(wrong.getMessage());
        }
    }

    /** Returns the bytes of a string, or null. */
    private static byte[] bytes(IRubyObject text) {
        return text.isNil() ? null : text.convertToString().getBytes();
    }

    private static void scalar(
            ThreadContext context, SyckText.Writer out, byte[] tag, IRubyObject value) {
        if (value instanceof RubyString string) {
            out.bytes(tag, string.getBytes());
        } else if (value instanceof RubyFixnum number) {
            out.integer(tag, number.getLongValue());
        } else if (value instanceof RubyBignum number) {
            out.integer(tag, number.getValue().toString());
        } else if (value instanceof RubyFloat number) {
            out.floating(tag, number.getValue());
        } else if (value.isNil()) {
            out.nullValue(tag);
        } else if (value == context.tru || value == context.fals) {
            out.bool(tag, value.isTrue());
        } else {
            throw context.runtime.newTypeError(
                    "cannot write " + value.callMethod(context, "to_s") + " in Syck's dialect");
        }
    }

    /**
     * Implements {@code Ketch.syck_search(path, tree, visits)}: returns what a path leads to from
     * node 0 of a tree, or nil if the search visits more than {@code visits} nodes. Each result is an
     * array of the steps, and of the node, the text of a line, or nil.
     */
    @JRubyMethod(name = "syck_search", meta = true)
    public static IRubyObject search(ThreadContext context, IRubyObject self, IRubyObject path,
            IRubyObject tree, IRubyObject visits) {
        Ruby runtime = context.runtime;
        byte[] utf8 = Source.utf8(context, path.convertToString()).getBytes();
        try {
            List<SyckSearch.Match> matches = SyckSearch.search(
                    utf8, new Searched(context, tree), RubyNumeric.num2long(visits));
            if (matches == null) {
                return context.nil;
            }
            RubyArray<?> results = runtime.newArray(matches.size());
            for (SyckSearch.Match match : matches) {
                RubyArray<?> steps = runtime.newArray(match.steps().size());
                match.steps().forEach(step -> steps.append(text(runtime, step)));
                IRubyObject target = match.node() >= 0
                        ? runtime.newFixnum(match.node()) : text(runtime, match.line());
                results.append(runtime.newArray(steps, target));
            }
            return results;
        } catch (SyckSearch.WrongPath wrong) {
            IRubyObject[] facts = {
                runtime.newString(wrong.getMessage()), runtime.newFixnum(wrong.offset())
            };
            RubyClass type = syck(context).getClass("PathError");
            throw ((RubyException) type.newInstance(context, facts, Block.NULL_BLOCK)).toThrowable();
        }
    }

    /** A tree that Ruby code implements. */
    private record Searched(ThreadContext context, IRubyObject tree) implements SyckSearch.Tree {
        @Override
        public SyckNode.Kind kind(int node) {
            String name = tree.callMethod(context, "kind", number(node)).asJavaString();
            return SyckNode.Kind.valueOf(name.toUpperCase(Locale.ROOT));
        }

        private IRubyObject number(int node) {
            return context.runtime.newFixnum(node);
        }

        @Override
        public List<SyckSearch.Entry> entries(int node) {
            boolean isSequence = kind(node) == SyckNode.Kind.SEQUENCE;
            List<SyckSearch.Entry> entries = new ArrayList<>();
            IRubyObject all = tree.callMethod(context, "entries", number(node));
            for (IRubyObject entry : all.convertToArray().toJavaArray()) {
                RubyArray<?> parts = entry.convertToArray();
                SyckSearch.Key key = isSequence ? SyckSearch.Key.INDEX
                        : parts.eltOk(0).isTrue() ? SyckSearch.Key.TEXT : SyckSearch.Key.OTHER;
                String shown = parts.eltOk(1).isNil() ? null : parts.eltOk(1).asJavaString();
                entries.add(new SyckSearch.Entry(key, shown, RubyNumeric.num2int(parts.eltOk(2))));
            }
            return entries;
        }

        @Override
        public int child(int node, String name) {
            IRubyObject[] arguments = {number(node), context.runtime.newString(name)};
            IRubyObject child = tree.callMethod(context, "child", arguments);
            return child.isNil() ? -1 : RubyNumeric.num2int(child);
        }

        @Override
        public String text(int node) {
            return tree.callMethod(context, "text", number(node)).asJavaString();
        }
    }
}
