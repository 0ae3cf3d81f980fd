package dev.ketch.jruby;

import dev.ketch.PsychText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyFloat;
import org.jruby.RubyHash;
import org.jruby.RubyNumeric;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/** The methods of {@code Ketch} that {@code Ketch::Psych} uses. */
public final class PsychMethods {
    private static final int STRICT_INTEGER = 1 << 2;

    private PsychMethods() {}

    /**
     * Implements {@code Ketch.psych_document(source, bits, permissions) { otherwise }}: always
     * calls the block.
     */
    @JRubyMethod(name = "psych_document", meta = true)
    public static IRubyObject document(ThreadContext context, IRubyObject self, IRubyObject source,
            IRubyObject bits, IRubyObject permissions, Block block) {
        return block.yieldSpecific(context);
    }

    /**
     * Implements {@code Ketch.psych_documents(source, bits, permissions) { otherwise }}: always
     * calls the block.
     */
    @JRubyMethod(name = "psych_documents", meta = true)
    public static IRubyObject documents(ThreadContext context, IRubyObject self, IRubyObject source,
            IRubyObject bits, IRubyObject permissions, Block block) {
        return block.yieldSpecific(context);
    }

    /**
     * Implements {@code Ketch.psych_scan(text, bits) { |text| }}: returns the value, or that of the
     * block for a rare form.
     */
    @JRubyMethod(name = "psych_scan", meta = true)
    public static IRubyObject scan(
            ThreadContext context, IRubyObject self, IRubyObject source, IRubyObject bits, Block block) {
        Ruby runtime = context.runtime;
        byte[] text = source.convertToString().getBytes();
        long[] out = new long[2];
        boolean isStrict = (RubyNumeric.num2long(bits) & STRICT_INTEGER) != 0;
        return switch (PsychText.scan(text, isStrict, out)) {
            case NULL -> context.nil;
            case BOOL -> runtime.newBoolean(out[0] != 0);
            case INT -> runtime.newFixnum(out[0]);
            case FLOAT -> RubyFloat.newFloat(runtime, Double.longBitsToDouble(out[0]));
            case SYMBOL -> string(runtime,
                    Arrays.copyOfRange(text, (int) out[0], (int) (out[0] + out[1]))).intern();
            case TEXT -> source;
            case RARE -> block.yield(context, source);
        };
    }

    private static RubyString string(Ruby runtime, byte[] text) {
        return RubyString.newString(runtime, new ByteList(text, UTF8Encoding.INSTANCE, false));
    }

    /**
     * Implements {@code Ketch.psych_breaks(text)}: returns the text with the breaks of YAML 1.2,
     * and contents by offset.
     */
    @JRubyMethod(name = "psych_breaks", meta = true)
    public static IRubyObject breaks(ThreadContext context, IRubyObject self, IRubyObject source) {
        Ruby runtime = context.runtime;
        RubyString text = Source.utf8(context, source.convertToString());
        RubyHash contents = RubyHash.newHash(runtime);
        byte[] packed = PsychText.breaks(text.getBytes());
        if (packed == null) {
            return runtime.newArray(text, contents);
        }
        ByteBuffer in = ByteBuffer.wrap(packed);
        RubyString converted = string(runtime, part(in));
        while (in.hasRemaining()) {
            long start = in.getInt();
            contents.fastASet(runtime.newFixnum(start), string(runtime, part(in)));
        }
        return runtime.newArray(converted, contents);
    }

    private static byte[] part(ByteBuffer in) {
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        return bytes;
    }

    /**
     * Implements {@code Ketch.psych_present(events, options)}: returns the text of an emitter's
     * events.
     */
    @JRubyMethod(name = "psych_present", meta = true)
    public static IRubyObject present(
            ThreadContext context, IRubyObject self, IRubyObject events, IRubyObject options) {
        IRubyObject[] args = {events, options};
        try (PsychText.Writer out = new PsychText.Writer(new WriteOptions(context, args).options())) {
            for (IRubyObject event : events.convertToArray().toJavaArray()) {
                write(out, event.convertToArray());
            }
            return string(context.runtime, out.finish());
        } catch (IllegalArgumentException refused) {
            throw context.runtime.newRuntimeError(refused.getMessage());
        } catch (IOException impossible) {
            throw context.runtime.newIOErrorFromException(impossible);
        }
    }

    private static void write(PsychText.Writer out, RubyArray<?> event) throws IOException {
        switch (event.eltOk(0).asJavaString()) {
            case "start_document" -> {
                for (IRubyObject line : event.eltOk(2).convertToArray().toJavaArray()) {
                    out.directive(text(line));
                }
                out.startDocument(event.eltOk(1).isTrue());
            }
            case "end_document" -> out.endDocument(event.eltOk(1).isTrue());
            case "alias" -> out.alias(text(event.eltOk(1)));
            case "scalar" -> out.scalar(text(event.eltOk(1)), text(event.eltOk(2)),
                    text(event.eltOk(3)), RubyNumeric.num2long(event.eltOk(4)));
            case "start_mapping" -> out.startMapping(
                    text(event.eltOk(1)), text(event.eltOk(2)), RubyNumeric.num2long(event.eltOk(3)));
            case "start_sequence" -> out.startSequence(
                    text(event.eltOk(1)), text(event.eltOk(2)), RubyNumeric.num2long(event.eltOk(3)));
            case "end_mapping" -> out.endMapping();
            default -> out.endSequence();
        }
    }

    private static String text(IRubyObject text) {
        return text.isNil() ? null : text.convertToString().decodeString();
    }
}
