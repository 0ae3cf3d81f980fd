package dev.ketch.extprot;

/** The numbers of the wire types: the low four bits of a prefix. */
final class Wire {
    static final int VINT = 0;
    static final int TUPLE = 1;
    static final int BITS8 = 2;
    static final int BYTES = 3;
    static final int BITS32 = 4;
    static final int HTUPLE = 5;
    static final int BITS64_LONG = 6;
    static final int ASSOC = 7;
    static final int BITS64_FLOAT = 8;
    static final int ENUM = 10;

    private static final String[] NAMES = {
        "Vint", "Tuple", "Bits8", "Bytes", "Bits32", "Htuple", "Bits64_long", "Assoc", "Bits64_float"
    };

    private Wire() {}

    static int type(long prefix) {
        return (int) prefix & 15;
    }

    static long tag(long prefix) {
        return prefix >>> 4;
    }

    static long zigzag(long value) {
        return value << 1 ^ value >> 63;
    }

    static long unzigzag(long value) {
        return value >>> 1 ^ -(value & 1);
    }

    static void checkTag(long tag) {
        if (tag >>> 60 != 0) {
            throw new IllegalArgumentException("expected a tag from 0 to 2^60-1, not " + tag);
        }
    }

    static void checkByte(int value) {
        if ((value & ~0xff) != 0) {
            throw new IllegalArgumentException("expected a byte from 0 to 255, not " + value);
        }
    }

    static boolean isValid(int type) {
        return type < NAMES.length || type == ENUM;
    }

    static String name(int type) {
        if (type == ENUM) {
            return "Enum";
        }
        return type < NAMES.length ? NAMES[type] : "the invalid wire type " + type;
    }
}
