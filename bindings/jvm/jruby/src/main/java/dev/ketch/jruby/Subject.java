package dev.ketch.jruby;

import dev.ketch.Regex;
import org.jcodings.Encoding;
import org.jruby.Ruby;
import org.jruby.RubyString;
import org.jruby.util.ByteList;
import org.jruby.util.StringSupport;

/**
 * A string to search.
 *
 * @param string the string
 * @param copy a copy in UTF-8, if the engine does not know the encoding of the string; offsets in it differ
 * @param isBinary whether the form of the pattern for bytes searches it
 */
record Subject(RubyString string, RubyString copy, boolean isBinary) {
    /** Returns the bytes that are searched. */
    Regex.Text text() {
        ByteList bytes = (copy == null ? string : copy).getByteList();
        return new Regex.Text(bytes.unsafeBytes(), bytes.begin(), bytes.realSize(), isBinary);
    }

    /** Returns the same subject as a frozen string. */
    Subject frozen() {
        return string.isFrozen() ? this : new Subject(string.newFrozen(), copy, isBinary);
    }

    /** Converts an offset in the searched bytes to one in the string. */
    int offset(int at) {
        return copy == null || at < 0 ? at : byteOffset(string, charIndex(copy, at));
    }

    /** Converts offsets in the searched bytes to those in the string. */
    int[] offsets(int[] slots) {
        if (copy != null) {
            for (int slot = 0; slot < slots.length; slot++) {
                slots[slot] = offset(slots[slot]);
            }
        }
        return slots;
    }

    /** Converts an offset in the string to one in the searched bytes. */
    int searched(int at) {
        return copy == null ? at : byteOffset(copy, charIndex(string, at));
    }

    /** Returns the part of the string between two offsets in the searched bytes. */
    RubyString part(Ruby runtime, int start, int end) {
        return part(runtime, string, offset(start), offset(end));
    }

    /** Returns a part of a string, with its encoding. */
    static RubyString part(Ruby runtime, RubyString string, int start, int end) {
        int size = string.size();
        int from = Math.min(start, size);
        return string.makeShared(runtime, from, Math.max(Math.min(end, size) - from, 0));
    }

    /** Returns whether each character of a string is a byte. */
    private static boolean isSingle(RubyString string) {
        return string.getEncoding().isSingleByte() || string.scanForCodeRange() == StringSupport.CR_7BIT;
    }

    /** Returns the character index of a byte offset. */
    static int charIndex(RubyString string, int offset) {
        if (isSingle(string)) {
            return offset;
        }
        ByteList bytes = string.getByteList();
        int begin = bytes.begin();
        return StringSupport.strLength(string.getEncoding(), bytes.unsafeBytes(), begin, begin + offset);
    }

    /** Returns the byte offset of a character index, at most that of the end. */
    static int byteOffset(RubyString string, int index) {
        ByteList bytes = string.getByteList();
        Encoding encoding = string.getEncoding();
        int begin = bytes.begin();
        return StringSupport.offset(
                encoding, bytes.unsafeBytes(), begin, begin + bytes.realSize(), index, isSingle(string));
    }
}
