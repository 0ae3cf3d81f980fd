package dev.ketch;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A native document, whose nodes are numbers. The code that creates this object frees the document.
 * Any number of threads may use it, one at a time.
 */
class NodeValues {
    private static final int FEW = 64;

    final long handle;
    /** The keys that the tokens of values refer to; null if native code has none, too. */
    private Object @Nullable [] keys;

    NodeValues(long handle) {
        this.handle = handle;
    }

    /** Returns the value of a node and all below it, from a builder that has these keys. */
    synchronized Object value(int node, Function<Object[], Builder> builderOf) {
        boolean isNew = keys == null;
        Object[] known = isNew ? new Object[Token.KEY_SLOTS] : keys;
        // Until the tokens are read to their end.
        keys = null;
        long[] words = new long[FEW];
        byte[] kept = new byte[FEW];
        long counts = check(NativeNodes.value(handle, node, isNew, words, kept));
        int wordCount = (int) counts & Integer.MAX_VALUE;
        int byteCount = (int) (counts >>> 32);
        if (wordCount > words.length || byteCount > kept.length) {
            words = new long[wordCount];
            kept = new byte[byteCount];
            check(NativeNodes.again(handle, words, kept));
        }
        // The sign of the lower half says whether there are wide texts.
        char[] wide = (int) counts < 0 ? wide() : null;
        Builder builder = builderOf.apply(known);
        builder.start(null, 0, DuplicateKeys.ERROR);
        builder.restart();
        if (builder.chunk(words, wordCount, kept, wide) == Builder.Outcome.DUPLICATE) {
            throw Session.equalInJava();
        }
        keys = known;
        return builder.documents.get(0);
    }

    private char[] wide() {
        int count = (int) check(NativeNodes.wide(handle, new char[0]));
        char[] units = new char[count];
        check(NativeNodes.wide(handle, units));
        return units;
    }

    private long check(long result) {
        if (result == Native.FAILED) {
            throw Failure.read(NativeNodes.valueError(handle));
        }
        return Native.checkIntact(result);
    }
}
