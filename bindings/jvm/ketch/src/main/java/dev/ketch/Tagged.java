package dev.ketch;

import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A value with a tag that YAML does not know, such as {@code !point [1, 2]}.
 *
 * @param tag the tag, with its handle replaced by the prefix
 * @param value the value, which may be null; the content of a scalar is text
 */
public record Tagged(String tag, @Nullable Object value) implements Serializable {
    /** Rejects a missing tag. */
    public Tagged {
        Objects.requireNonNull(tag);
    }
}
