package dev.ketch;

/** Kinds of tokens that native code writes as YAML, as in dump.rs. */
final class DumpToken {
    static final int START = 0;
    static final int END = 1;
    static final int NULL = 2;
    static final int TRUE = 3;
    static final int FALSE = 4;
    static final int INT = 5;
    static final int FLOAT = 6;
    static final int TEXT = 7;
    static final int DIGITS = 8;
    static final int BINARY = 9;
    static final int TIMESTAMP = 10;
    static final int START_SEQUENCE = 11;
    static final int START_MAPPING = 12;
    static final int END_SEQUENCE = 13;
    static final int END_MAPPING = 14;
    static final int ALIAS = 15;
    static final int TAG = 17;
    static final int TAGGED_TEXT = 18;
    static final int ANCHOR_NAME = 19;
    static final int ALIAS_NAME = 20;
    static final int PLAIN = 21;
    static final int STYLE = 22;
    static final int DIRECTIVE = 23;

    private DumpToken() {}
}
