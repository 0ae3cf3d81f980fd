package dev.ketch;

import org.jspecify.annotations.Nullable;

/**
 * Takes the nodes that a {@link SyckParser} reads.
 *
 * @param <I> what the handler calls a node: its id
 */
@FunctionalInterface
public interface SyckHandler<I> {
    /**
     * Handles a node, after its children.
     *
     * @param parser the parser
     * @param node the node
     * @return an id, which is passed on with the node's parent and used for its aliases; it may be
     *     null
     */
    @Nullable I handle(SyckParser<I> parser, SyckNode<I> node);

    /**
     * Handles an alias whose anchor is unknown or belongs to a node around the alias.
     *
     * @param parser the parser
     * @param name the name of the anchor
     * @return an id for the alias; null unless a handler overrides this
     */
    default @Nullable I badAnchor(SyckParser<I> parser, String name) {
        return null;
    }

    /**
     * Handles an error, which ends the stream.
     *
     * @param parser the parser
     * @param error the error
     * @return the exception that {@link SyckParser#next} throws; null to end the stream without one
     */
    default @Nullable YamlException error(SyckParser<I> parser, YamlException error) {
        return error;
    }
}
