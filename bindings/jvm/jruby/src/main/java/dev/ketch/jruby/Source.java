package dev.ketch.jruby;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jcodings.Encoding;
import org.jcodings.specific.ASCIIEncoding;
import org.jcodings.specific.USASCIIEncoding;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.RubyIO;
import org.jruby.RubyString;
import org.jruby.exceptions.RaiseException;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/** The source of the bytes: a string, or the content of an IO. */
final class Source {
    private Source() {}

    /** Returns the whole text, in an encoding that the engine reads. */
    static ByteList text(ThreadContext context, IRubyObject source) {
        if (source instanceof RubyString string) {
            return utf8(context, string).getByteList();
        }
        if (source.respondsTo("read")) {
            IRubyObject read = source.callMethod(context, "read");
            if (read.isNil()) {
                return new ByteList();
            }
            if (read instanceof RubyString string) {
                return utf8(context, string).getByteList();
            }
            throw context.runtime.newTypeError(
                    "expected `read` to return a String, not " + className(read));
        }
        IRubyObject string = source.checkStringType();
        if (string instanceof RubyString text) {
            return utf8(context, text).getByteList();
        }
        throw context.runtime.newTypeError("expected a String or an IO, not " + className(source));
    }

    private static String className(IRubyObject object) {
        return object.getMetaClass().getRealClass().getName();
    }

    /** Returns a string whose bytes are UTF-8, or of an encoding that the engine detects. */
    static RubyString utf8(ThreadContext context, RubyString string) {
        Encoding encoding = string.getEncoding();
        boolean isKnown = encoding == UTF8Encoding.INSTANCE || encoding == USASCIIEncoding.INSTANCE
                || encoding == ASCIIEncoding.INSTANCE;
        return isKnown ? string : inUtf8(context, string);
    }

    /** Transcodes a string; raises if that fails. */
    static RubyString inUtf8(ThreadContext context, RubyString string) {
        IRubyObject utf8 = context.runtime.getEncodingService().getEncodingList()[
                context.runtime.getEncodingService().findEncodingOrAliasEntry("UTF-8".getBytes()).getIndex()];
        return (RubyString) string.callMethod(context, "encode", utf8);
    }

    /** Returns a stream of documents. Reads no more of it than needed. */
    static InputStream stream(ThreadContext context, IRubyObject source) {
        if (source instanceof RubyString || !source.respondsTo("read")) {
            ByteList text = text(context, source);
            return new ByteArrayInputStream(text.unsafeBytes(), text.begin(), text.realSize());
        }
        return new Io(context, source);
    }

    /** An object with a method {@code read}; an IO returns what is available. */
    private static final class Io extends InputStream {
        private final ThreadContext context;
        private final IRubyObject io;

        Io(ThreadContext context, IRubyObject io) {
            this.context = context;
            this.io = io;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] out, int offset, int length) throws IOException {
            IRubyObject given = given(context.runtime.newFixnum(length));
            if (given.isNil()) {
                return -1;
            }
            if (!(given instanceof RubyString string)) {
                throw context.runtime.newTypeError(
                        "expected `read` to return a String, not " + className(given));
            }
            ByteList bytes = string.getByteList();
            if (bytes.realSize() > length) {
                throw context.runtime.newIOError("`read` returned more bytes than requested");
            }
            System.arraycopy(bytes.unsafeBytes(), bytes.begin(), out, offset, bytes.realSize());
            return bytes.realSize() == 0 ? -1 : bytes.realSize();
        }

        private IRubyObject given(IRubyObject most) {
            if (!(io instanceof RubyIO)) {
                return io.callMethod(context, "read", most);
            }
            try {
                return io.callMethod(context, "readpartial", most);
            } catch (RaiseException raised) {
                if (context.runtime.getEOFError().isInstance(raised.getException())) {
                    return context.nil;
                }
                throw raised;
            }
        }
    }
}
