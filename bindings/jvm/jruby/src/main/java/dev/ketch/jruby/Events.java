package dev.ketch.jruby;

import dev.ketch.EventKind;
import dev.ketch.YamlParser;
import java.util.Locale;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** Parser events as {@code Ketch::Event}. */
final class Events {
    private Events() {}

    static void give(ThreadContext context, byte[] text, LoadOptions options, Block block) {
        Ruby runtime = context.runtime;
        RubyClass event = runtime.getModule("Ketch").getClass("Event");
        String anchor = null;
        String tag = null;
        long start = -1;
        YamlParser parser = YamlParser.of(text, options.options());
        try {
            while (parser.next()) {
                EventKind kind = parser.kind();
                if (kind == EventKind.ANCHOR || kind == EventKind.TAG) {
                    anchor = kind == EventKind.ANCHOR ? parser.text() : anchor;
                    tag = kind == EventKind.TAG ? parser.text() : tag;
                    start = start < 0 ? parser.offset() : start;
                    continue;
                }
                IRubyObject[] members = {
                    runtime.newSymbol(name(kind)), text(runtime, parser.text()),
                    text(runtime, anchor), text(runtime, tag), style(runtime, parser),
                    runtime.newBoolean(parser.isExplicit()), runtime.newFixnum(parser.offset()),
                    runtime.newFixnum(parser.length()),
                    runtime.newFixnum(start < 0 ? parser.offset() : start)
                };
                anchor = null;
                tag = null;
                start = -1;
                block.yield(context, event.newInstance(context, members, Block.NULL_BLOCK));
            }
        } finally {
            // If the block has been left, a panic here would otherwise be suppressed.
            parser.close();
        }
    }

    private static String name(EventKind kind) {
        return kind.isScalar() ? "scalar" : kind.name().toLowerCase(Locale.ROOT);
    }

    private static IRubyObject style(Ruby runtime, YamlParser parser) {
        EventKind kind = parser.kind();
        if (kind.isScalar()) {
            return runtime.newSymbol(kind.name().toLowerCase(Locale.ROOT));
        }
        boolean isStart = kind == EventKind.MAPPING_START || kind == EventKind.SEQUENCE_START;
        return isStart ? runtime.newSymbol(parser.isFlow() ? "flow" : "block") : runtime.getNil();
    }

    private static IRubyObject text(Ruby runtime, String text) {
        return text == null ? runtime.getNil() : runtime.newString(text);
    }
}
