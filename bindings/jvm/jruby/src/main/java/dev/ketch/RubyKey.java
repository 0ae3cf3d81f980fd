package dev.ketch;

import org.jruby.Ruby;
import org.jruby.RubyString;
import org.jruby.RubySymbol;
import org.jruby.util.ByteList;

/** A frozen string that is used as the key of hashes, so its hash and its symbol are kept. */
@SuppressWarnings("serial")
final class RubyKey extends RubyString {
    private final int hash;
    private RubySymbol symbol;

    private RubyKey(Ruby runtime, ByteList bytes, int codeRange) {
        super(runtime, runtime.getString(), bytes, false);
        setCodeRange(codeRange);
        hash = super.strHashCode(runtime);
        setFrozen(true);
    }

    /** Returns a string as a key. */
    static RubyKey of(Object text) {
        if (text instanceof RubyKey key) {
            return key;
        }
        RubyString string = (RubyString) text;
        return new RubyKey(string.getRuntime(), string.getByteList().dup(), string.getCodeRange());
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public int strHashCode(Ruby runtime) {
        return hash;
    }

    /** Returns the symbol of this name. */
    RubySymbol symbol() {
        if (symbol == null) {
            symbol = intern();
        }
        return symbol;
    }
}
