package dev.ketch;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node as a {@link SyckHandler} receives it.
 *
 * @param kind whether it is a scalar, a sequence or a mapping
 * @param tag the tag that is written, expanded, or that of a scalar's implicit type with its
 *     refinement, such as {@code tag:yaml.org,2002:int#hex}; null if there is none
 * @param anchor the name of its anchor; null if it has none
 * @param style how it is written
 * @param text the text of a scalar; null for collections
 * @param children the ids of the entries of a sequence, or of the keys and values of a mapping,
 *     alternating; empty for scalars
 * @param offset where the node starts in the text's UTF-8 form, in bytes
 * @param length its length in bytes; a block ends where its last child does
 * @param inside the id that {@link SyckHandler#badAnchor} returned for an alias inside the node that
 *     refers to it; null if there is no such alias
 * @param <I> the type of ids
 */
public record SyckNode<I>(
        Kind kind,
        @Nullable String tag,
        @Nullable String anchor,
        Style style,
        @Nullable String text,
        List<@Nullable I> children,
        long offset,
        long length,
        @Nullable I inside) {

    /** The kinds of nodes. */
    public enum Kind {
        // The constants are in the order of syck.rs.
        /** Text. */
        SCALAR,
        /** A list of nodes. */
        SEQUENCE,
        /** Pairs of nodes. */
        MAPPING
    }

    /** How a node is written. */
    public enum Style {
        // The constants are in the engine's order.
        /** Lines of a block. */
        BLOCK,
        /** A collection in brackets. */
        FLOW,
        /** A plain scalar. */
        PLAIN,
        /** A scalar in single quotes. */
        SINGLE_QUOTED,
        /** A scalar in double quotes. */
        DOUBLE_QUOTED,
        /** A literal scalar, {@code |}. */
        LITERAL,
        /** A folded scalar, {@code >}. */
        FOLDED
    }
}
