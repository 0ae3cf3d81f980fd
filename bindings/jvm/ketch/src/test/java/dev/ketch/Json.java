package dev.ketch;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A reader of JSON for the data of tests. */
public final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    public static Object read(String text) {
        return readAll(text).get(0);
    }

    /** Returns the values of consecutive JSON texts. */
    static List<Object> readAll(String text) {
        Json json = new Json(text);
        List<Object> values = new ArrayList<>();
        while (json.skipSpace() < text.length()) {
            values.add(json.value());
        }
        return values;
    }

    private int skipSpace() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private boolean take(char expected) {
        if (skipSpace() < text.length() && text.charAt(at) == expected) {
            at++;
            return true;
        }
        return false;
    }

    private void need(char expected) {
        if (!take(expected)) {
            throw new IllegalArgumentException("expected " + expected + " at " + at + " of " + text);
        }
    }

    private Object value() {
        if (take('[')) {
            List<Object> list = new ArrayList<>();
            while (!take(']')) {
                list.add(value());
                take(',');
            }
            return list;
        }
        if (take('{')) {
            Map<Object, Object> map = new LinkedHashMap<>();
            while (!take('}')) {
                Object key = value();
                need(':');
                map.put(key, value());
                take(',');
            }
            return map;
        }
        return take('"') ? string() : word();
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        while (true) {
            char c = text.charAt(at++);
            if (c == '"') {
                return out.toString();
            }
            out.append(c == '\\' ? escape() : c);
        }
    }

    private char escape() {
        char c = text.charAt(at++);
        if (c == 'u') {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }
        int known = "bfnrt".indexOf(c);
        return known < 0 ? c : "\b\f\n\r\t".charAt(known);
    }

    private Object word() {
        int start = at;
        while (at < text.length() && "+-.".indexOf(text.charAt(at)) + 1 > 0
                || at < text.length() && Character.isLetterOrDigit(text.charAt(at))) {
            at++;
        }
        String word = text.substring(start, at);
        return switch (word) {
            case "null" -> null;
            case "true" -> true;
            case "false" -> false;
            default -> number(word);
        };
    }

    private static Object number(String word) {
        if (word.matches("-?\\d+")) {
            BigInteger value = new BigInteger(word);
            return value.bitLength() < 32 ? (Object) value.intValue()
                    : value.bitLength() < 64 ? (Object) value.longValue() : value;
        }
        return new BigDecimal(word).doubleValue();
    }
}
