package dev.ketch;

/** Kinds of tokens, as in tokens.rs. */
final class Token {
    static final int END = 0;
    static final int ASCII = 1;
    static final int UTF8 = 2;
    static final int KEPT_ASCII = 3;
    static final int KEPT_UTF8 = 4;
    static final int KEY = 5;
    static final int DEFINE = 6;
    static final int NULL = 7;
    static final int TRUE = 8;
    static final int FALSE = 9;
    static final int INT = 10;
    static final int LONG = 11;
    static final int FLOAT = 12;
    static final int SEQUENCE = 13;
    static final int MAPPING = 14;
    static final int BIG_INT = 15;
    static final int BINARY = 16;
    static final int TIMESTAMP = 17;
    static final int TAGGED = 18;
    static final int ANCHOR = 19;
    static final int ALIAS = 20;
    static final int OPEN_SEQUENCE = 21;
    static final int OPEN_MAPPING = 22;
    static final int FILL_SEQUENCE = 23;
    static final int FILL_MAPPING = 24;
    static final int RESTART = 25;
    static final int WIDE = 26;
    static final int POSITION = 27;

    /** The number of key slots. */
    static final int KEY_SLOTS = 2048;

    /** A length that is in the second word. */
    static final int LONG_LENGTH = (1 << 24) - 1;

    private Token() {}

    static int kind(long word) {
        return (int) word & 0xff;
    }

    static int length(long word) {
        return (int) (word >>> 8) & LONG_LENGTH;
    }

    static int offset(long word) {
        return (int) (word >>> 32);
    }
}
