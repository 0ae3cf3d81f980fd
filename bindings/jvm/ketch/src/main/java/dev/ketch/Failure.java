package dev.ketch;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The fields of an error, in the order of failure.rs. */
record Failure(
        String kind,
        String message,
        String problem,
        String name,
        String help,
        @Nullable String setting,
        long line,
        long column,
        long offset,
        long length,
        String lineText,
        long relatedLine,
        long relatedColumn) implements Serializable {

    /** Returns the exception that the fields from native code describe. */
    static YamlException read(byte[] fields) {
        ByteBuffer in = ByteBuffer.wrap(fields);
        Failure failure = new Failure(
                text(in), text(in), text(in), text(in), text(in), text(in),
                number(in), number(in), number(in), number(in), text(in), number(in), number(in));
        return failure.exception();
    }

    YamlException exception() {
        return switch (kind) {
            case "limit" -> new LimitException(this);
            case "duplicate" -> new DuplicateKeyException(this);
            case "value" -> new ValueException(this);
            default -> new YamlSyntaxException(this);
        };
    }

    static @Nullable String text(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0) {
            return null;
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static long number(ByteBuffer in) {
        String digits = text(in);
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
