package dev.ketch.jackson;

import com.fasterxml.jackson.core.JsonParseException;
import dev.ketch.DuplicateKeys;
import dev.ketch.EventKind;
import dev.ketch.ScalarType;
import dev.ketch.jackson.Nodes.Range;
import dev.ketch.jackson.Nodes.Recorded;
import dev.ketch.jackson.Nodes.Target;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads the values of merge keys. */
final class MergeKeys {
    private final Nodes nodes;
    private final KetchYamlParser parser;
    private final DuplicateKeys duplicateKeys;

    MergeKeys(Nodes nodes, KetchYamlParser parser, DuplicateKeys duplicateKeys) {
        this.nodes = nodes;
        this.parser = parser;
        this.duplicateKeys = duplicateKeys;
    }

    /** Skips the next node, the value of a merge key, and returns the mappings in it. */
    List<Range> sources() throws JsonParseException {
        Range value = nodes.capture();
        if (duplicateKeys == DuplicateKeys.ERROR) {
            // A key that is overridden is not read again.
            checkKeys(value);
        }
        Range node = resolved(value);
        if (nodes.first(node).kind() != EventKind.SEQUENCE_START) {
            return List.of(mapping(node, value));
        }
        List<Range> sources = new ArrayList<>();
        for (Range item : nodes.items(node)) {
            sources.add(mapping(resolved(item), item));
        }
        return sources;
    }

    private Range mapping(Range node, Range writtenAt) throws JsonParseException {
        if (nodes.first(node).kind() != EventKind.MAPPING_START) {
            throw parser.error("only mappings, or a sequence of mappings, can be merged",
                    nodes.first(writtenAt));
        }
        return node;
    }

    /** Returns the node itself, or the one that it refers to as an alias. */
    private Range resolved(Range node) throws JsonParseException {
        Recorded first = nodes.first(node);
        if (first.kind() != EventKind.ALIAS) {
            return node;
        }
        Target target = first.target();
        if (target == null) {
            throw parser.error(KetchYamlParser.unknownAlias(first.text()), first);
        }
        if (target.isAround()) {
            throw parser.error("a mapping cannot merge a mapping that contains it", first);
        }
        return target.node();
    }

    /** An open collection. */
    private static final class Open {
        /** The keys; null in a sequence. */
        final Set<String> keys;
        boolean atKey;

        Open(boolean isMapping) {
            keys = isMapping ? new HashSet<>() : null;
            atKey = isMapping;
        }
    }

    /** Fails if a mapping in the node has duplicate keys. */
    private void checkKeys(Range node) throws JsonParseException {
        Deque<Open> stack = new ArrayDeque<>();
        for (Recorded event : nodes.all(node)) {
            EventKind kind = event.kind();
            if (kind == EventKind.MAPPING_END || kind == EventKind.SEQUENCE_END) {
                stack.pop();
                continue;
            }
            Open open = stack.peek();
            if (open != null && open.keys != null) {
                if (open.atKey && kind.isScalar() && event.type() != ScalarType.MERGE
                        && !open.keys.add(event.text())) {
                    throw parser.error("duplicate key `" + event.text() + "`", event);
                }
                open.atKey = !open.atKey;
            }
            if (!kind.isScalar() && kind != EventKind.ALIAS) {
                stack.push(new Open(kind == EventKind.MAPPING_START));
            }
        }
    }
}
