package dev.ketch;

import dev.ketch.internal.EditSession;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.Objects;
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
                number(in), number(in), number(in), number(in), Objects.toString(text(in), ""), number(in), number(in));
        return failure.exception();
    }

    YamlException exception() {
        return switch (kind) {
            case "limit" -> new LimitException(this);
            case "duplicate" -> new DuplicateKeyException(this);
            case "value" -> new ValueException(this);
            case "edit" -> new EditException(this);
            case "query" -> new QueryException(this);
            default -> new YamlSyntaxException(this);
        };
    }

    static @Nullable String text(ByteBuffer in) {
        return EditSession.text(in);
    }

    static long number(ByteBuffer in) {
        String digits = text(in);
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
