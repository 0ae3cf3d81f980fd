package dev.ketch.jruby;

import dev.ketch.Nodes;
import dev.ketch.YamlException;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyClass;
import org.jruby.RubyModule;
import org.jruby.RubyNumeric;
import org.jruby.RubyObject;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ObjectAllocator;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** {@code Ketch::Document}: its methods take the numbers of nodes. */
public final class Document extends RubyObject {
    private static final long serialVersionUID = 1;

    private final transient Nodes nodes;
    private final transient LoadOptions options;

    private Document(Ruby runtime, RubyClass type, Nodes nodes, LoadOptions options) {
        super(runtime, type);
        this.nodes = nodes;
        this.options = options;
    }

    static void define(Ruby runtime, RubyModule ketch) {
        RubyClass type = ketch.defineClassUnder(
                "Document", runtime.getObject(), ObjectAllocator.NOT_ALLOCATABLE_ALLOCATOR);
        type.defineAnnotatedMethods(Document.class);
        Guarded.replaceMethods(type);
    }

    static Document of(ThreadContext context, Nodes nodes, LoadOptions options) {
        RubyClass type = context.runtime.getModule("Ketch").getClass("Document");
        return new Document(context.runtime, type, nodes, options);
    }

    /** Returns the number of a node, which has to be one of the document. */
    private int number(ThreadContext context, IRubyObject number) {
        long node = RubyNumeric.num2long(number);
        if (node < 0 || node >= nodes.count()) {
            throw context.runtime.newIndexError("the document has no such node");
        }
        return (int) node;
    }

    private static IRubyObject text(ThreadContext context, String text) {
        return text == null ? context.nil : context.runtime.newString(text);
    }

    private static RubyArray<?> array(ThreadContext context, long[] numbers) {
        RubyArray<?> array = context.runtime.newArray(numbers.length);
        for (long number : numbers) {
            array.append(context.runtime.newFixnum(number));
        }
        return array;
    }

    @JRubyMethod(name = "explicit_start?")
    public IRubyObject isStartExplicit(ThreadContext context) {
        return context.runtime.newBoolean(nodes.isStartExplicit());
    }

    @JRubyMethod(name = "explicit_end?")
    public IRubyObject isEndExplicit(ThreadContext context) {
        return context.runtime.newBoolean(nodes.isEndExplicit());
    }

    @JRubyMethod(name = "node_count")
    public IRubyObject count(ThreadContext context) {
        return context.runtime.newFixnum(nodes.count());
    }

    @JRubyMethod(name = "kind_of_node")
    public IRubyObject kind(ThreadContext context, IRubyObject number) {
        return context.runtime.newSymbol(nodes.kind(number(context, number)));
    }

    @JRubyMethod(name = "style_of_node")
    public IRubyObject style(ThreadContext context, IRubyObject number) {
        return context.runtime.newSymbol(nodes.style(number(context, number)));
    }

    @JRubyMethod(name = "tag_of_node")
    public IRubyObject tag(ThreadContext context, IRubyObject number) {
        return text(context, nodes.tag(number(context, number)));
    }

    @JRubyMethod(name = "anchor_of_node")
    public IRubyObject anchor(ThreadContext context, IRubyObject number) {
        return text(context, nodes.anchor(number(context, number)));
    }

    @JRubyMethod(name = "target_of_node")
    public IRubyObject target(ThreadContext context, IRubyObject number) {
        int target = nodes.target(number(context, number));
        return target < 0 ? context.nil : context.runtime.newFixnum(target);
    }

    @JRubyMethod(name = "text_of_node")
    public IRubyObject text(ThreadContext context, IRubyObject number) {
        return text(context, nodes.text(number(context, number)));
    }

    @JRubyMethod(name = "children_of_node")
    public IRubyObject children(ThreadContext context, IRubyObject number) {
        return array(context, nodes.children(number(context, number)));
    }

    @JRubyMethod(name = "place_of_node")
    public IRubyObject place(ThreadContext context, IRubyObject number) {
        return array(context, nodes.place(number(context, number)));
    }

    @JRubyMethod(name = "line_of_node")
    public IRubyObject line(ThreadContext context, IRubyObject number) {
        int node = number(context, number);
        return context.runtime.newArray(text(context, nodes.line(node)),
                context.runtime.newFixnum(nodes.lineColumn(node)));
    }

    @JRubyMethod(name = "pairs_of_node")
    public IRubyObject pairs(ThreadContext context, IRubyObject number) {
        long[] numbers = nodes.pairs(number(context, number));
        RubyArray<?> pairs = context.runtime.newArray(numbers.length / 3);
        for (int i = 0; i < numbers.length; i += 3) {
            pairs.append(context.runtime.newArray(context.runtime.newFixnum(numbers[i]),
                    context.runtime.newFixnum(numbers[i + 1]),
                    context.runtime.newBoolean(numbers[i + 2] != 0)));
        }
        return pairs;
    }

    @JRubyMethod(name = "value_of_node")
    public IRubyObject value(ThreadContext context, IRubyObject number) {
        return value(context, number(context, number));
    }

    IRubyObject value(ThreadContext context, int node) {
        try {
            return nodes.value(node, context, options.form());
        } catch (YamlException error) {
            throw Failures.raised(context, error, options);
        }
    }

    /**
     * Returns the numbers of the key and the node at the end of a path, or nil if there is no such
     * node.
     */
    @JRubyMethod(name = "find_node")
    public IRubyObject find(ThreadContext context, IRubyObject path) {
        int key = -1;
        int node = 0;
        for (IRubyObject step : path.convertToArray().toJavaArray()) {
            int[] next = step(context, resolved(node), step);
            if (next == null) {
                return context.nil;
            }
            key = next[0];
            node = next[1];
        }
        IRubyObject first = key < 0 ? context.nil : context.runtime.newFixnum(key);
        return context.runtime.newArray(first, context.runtime.newFixnum(node));
    }

    private int resolved(int node) {
        int target = nodes.target(node);
        return target < 0 ? node : target;
    }

    private int[] step(ThreadContext context, int node, IRubyObject step) {
        return switch (nodes.kind(node)) {
            case "sequence" -> entry(nodes.children(node), step);
            case "mapping" -> pair(context, nodes.pairs(node), step);
            default -> null;
        };
    }

    /** Returns the entry with an index, which counts from the end if it is negative. */
    private static int[] entry(long[] entries, IRubyObject step) {
        if (!(step instanceof org.jruby.RubyFixnum number)) {
            return null;
        }
        long index = number.getLongValue();
        long at = index < 0 ? index + entries.length : index;
        return at < 0 || at >= entries.length ? null : new int[] {-1, (int) entries[(int) at]};
    }

    private int[] pair(ThreadContext context, long[] pairs, IRubyObject step) {
        Wanted wanted = Wanted.of(step, options.form().isSymbolized());
        for (int i = 0; i < pairs.length; i += 3) {
            int key = (int) pairs[i];
            if (isWanted(context, key, wanted)) {
                return new int[] {key, (int) pairs[i + 1]};
            }
        }
        return null;
    }

    private boolean isWanted(ThreadContext context, int key, Wanted wanted) {
        if (wanted.text() != null) {
            return wanted.text().equals(nodes.key(key));
        }
        return wanted.other() != null
                && ((RubyObject) wanted.other()).eql(value(context, resolved(key)));
    }

    /** A key to find: text, or another value; if both are null, no key matches it. */
    private record Wanted(String text, IRubyObject other) {
        static Wanted of(IRubyObject step, boolean isSymbolized) {
            if (step instanceof org.jruby.RubySymbol symbol) {
                return new Wanted(isSymbolized ? symbol.asJavaString() : null, null);
            }
            if (step instanceof org.jruby.RubyString string) {
                return isSymbolized ? new Wanted(null, null) : new Wanted(string.decodeString(), null);
            }
            return new Wanted(null, step);
        }
    }
}
