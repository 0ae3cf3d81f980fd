package dev.ketch.jackson;

import dev.ketch.EventKind;
import dev.ketch.ScalarType;
import dev.ketch.YamlParser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The events of a stream, with the anchor and tag of each node at the node. Nodes with an anchor
 * are recorded until their document ends, so that aliases can be replayed.
 */
final class Nodes {
    /** A recorded event. */
    record Recorded(
            EventKind kind, String text, String tag, ScalarType type, Object value, long offset,
            long charOffset, long line, long column, Target target) {}

    /** A part of the tape: a node, or the entries of a mapping. */
    static final class Range {
        private static final int OPEN = -1;

        final int start;
        private int end;

        Range(int start, int end) {
            this.start = start;
            this.end = end;
        }
    }

    /**
     * The node of an alias, by what the anchor means where the alias is written: a later node may
     * have the same anchor.
     *
     * @param isAround whether the alias is written inside the node
     */
    record Target(Range node, boolean isAround) {}

    /** A position in a part of the tape that is replayed. */
    private static final class Cursor {
        final int end;
        /** Its end is an event whose kind is null. */
        final boolean hasEnd;
        final Cursor outer;
        int at;

        Cursor(Range range, boolean hasEnd, Cursor outer) {
            this.at = range.start;
            this.end = range.end;
            this.hasEnd = hasEnd;
            this.outer = outer;
        }
    }

    /** An anchored collection that is open in the stream. */
    private record OpenAnchor(Range node, int depth) {}

    private final YamlParser events;
    private final List<Recorded> tape = new ArrayList<>();
    private final Map<String, Range> anchors = new HashMap<>();
    private final List<OpenAnchor> open = new ArrayList<>();
    private Cursor cursor;
    /** The number of open collections of the stream itself. */
    private int depth;
    /** Whether all events are recorded, for {@link #capture}. */
    private boolean isCapturing;
    private long documentStart;
    /** Where the last event of the stream is on the tape. */
    private int recordedAt = Frame.UNRECORDED;
    /** The number of nodes of the document that were replayed. */
    private long replayed;

    private EventKind kind;
    private Recorded current;
    private String anchor;
    private String tag;

    Nodes(YamlParser events) {
        this.events = events;
    }

    /** Goes to the next event other than an anchor, a tag or a directive. */
    boolean next() {
        anchor = null;
        tag = null;
        if (cursor != null && replay()) {
            return true;
        }
        current = null;
        while (events.next()) {
            kind = events.kind();
            switch (kind) {
                case ANCHOR -> anchor = events.text();
                case TAG -> tag = events.text();
                case DIRECTIVE -> { }
                default -> {
                    track();
                    return true;
                }
            }
        }
        kind = null;
        return false;
    }

    /** Goes to the next event of the innermost cursor. */
    private boolean replay() {
        while (cursor != null) {
            if (cursor.at < cursor.end) {
                current = tape.get(cursor.at++);
                kind = current.kind;
                tag = current.tag;
                boolean isEnd = kind == EventKind.MAPPING_END || kind == EventKind.SEQUENCE_END;
                replayed += isEnd ? 0 : 1;
                return true;
            }
            boolean hasEnd = cursor.hasEnd;
            cursor = cursor.outer;
            if (hasEnd) {
                kind = null;
                return true;
            }
        }
        return false;
    }

    /** Keeps depth, anchors and tape up to date with the stream. */
    private void track() {
        recordedAt = Frame.UNRECORDED;
        if (anchor != null || isCapturing || !open.isEmpty()) {
            recordedAt = tape.size();
            record();
        }
        switch (kind) {
            case MAPPING_START, SEQUENCE_START -> depth++;
            case MAPPING_END, SEQUENCE_END -> depth--;
            case DOCUMENT_START -> documentStart = events.offset();
            case DOCUMENT_END -> {
                tape.clear();
                anchors.clear();
                replayed = 0;
            }
            default -> { }
        }
    }

    private void record() {
        boolean isStart = isStart();
        boolean isEnd = kind == EventKind.MAPPING_END || kind == EventKind.SEQUENCE_END;
        int at = tape.size();
        Object value = kind.isScalar() ? events.value() : null;
        Target target = kind == EventKind.ALIAS ? target() : null;
        tape.add(new Recorded(kind, events.text(), tag, events.type(), value, events.offset(),
                events.charOffset(), events.line(), events.column(), target));
        if (anchor != null) {
            Range node = new Range(at, isStart ? Range.OPEN : at + 1);
            anchors.put(anchor, node);
            if (isStart) {
                open.add(new OpenAnchor(node, depth));
            }
        }
        while (isEnd && !open.isEmpty() && open.get(open.size() - 1).depth == depth - 1) {
            open.remove(open.size() - 1).node.end = at + 1;
        }
    }

    private boolean isStart() {
        return kind == EventKind.MAPPING_START || kind == EventKind.SEQUENCE_START;
    }

    /** Returns the node of the current alias; null if no node before it has the anchor. */
    Target target() {
        if (current != null) {
            return current.target;
        }
        Range node = anchors.get(events.text());
        return node == null ? null : new Target(node, node.end == Range.OPEN);
    }

    /** Returns where the current event is on the tape; {@link Frame#UNRECORDED} if it is not there. */
    int at() {
        return current == null ? recordedAt : cursor.at - 1;
    }

    /** Replays a node. */
    void replay(Range range) {
        cursor = new Cursor(range, false, cursor);
    }

    /** Replays the entries of a mapping, and then an event whose kind is null. */
    void replayEntries(Range mapping) {
        cursor = new Cursor(new Range(mapping.start + 1, mapping.end - 1), true, cursor);
    }

    /** Leaves the innermost replay. */
    void leave() {
        cursor = cursor.outer;
    }

    /** Skips the next node and returns where it is recorded. */
    Range capture() {
        if (cursor != null) {
            int start = cursor.at;
            skip();
            return new Range(start, cursor.at);
        }
        boolean wasCapturing = isCapturing;
        isCapturing = true;
        int start = tape.size();
        skip();
        isCapturing = wasCapturing;
        return new Range(start, tape.size());
    }

    /** Skips the next node. */
    void skip() {
        int nesting = 0;
        do {
            next();
            if (isStart()) {
                nesting++;
            } else if (kind == EventKind.MAPPING_END || kind == EventKind.SEQUENCE_END) {
                nesting--;
            }
        } while (nesting > 0);
    }

    /** Returns the children of a recorded sequence. */
    List<Range> items(Range sequence) {
        List<Range> items = new ArrayList<>();
        int nesting = 0;
        int start = sequence.start + 1;
        for (int at = start; at < sequence.end - 1; at++) {
            switch (tape.get(at).kind) {
                case MAPPING_START, SEQUENCE_START -> nesting++;
                case MAPPING_END, SEQUENCE_END -> nesting--;
                default -> { }
            }
            if (nesting == 0) {
                items.add(new Range(start, at + 1));
                start = at + 1;
            }
        }
        return items;
    }

    /** Returns the first event of a recorded node. */
    Recorded first(Range node) {
        return tape.get(node.start);
    }

    /** Returns the events of a recorded node. */
    List<Recorded> all(Range node) {
        return tape.subList(node.start, node.end);
    }

    /** Returns whether the event is replayed. */
    boolean isReplayed() {
        return current != null;
    }

    /** Returns the number of nodes of the document that were replayed. */
    long replayed() {
        return replayed;
    }

    /** Returns the size of the document so far, in bytes. */
    long documentBytes() {
        return events.offset() - documentStart;
    }

    EventKind kind() {
        return kind;
    }

    /** Returns the anchor of the node. Replayed nodes have none. */
    String anchor() {
        return anchor;
    }

    String tag() {
        return tag;
    }

    String text() {
        return current == null ? events.text() : current.text;
    }

    ScalarType type() {
        return current == null ? events.type() : current.type;
    }

    Object value() {
        return current == null ? events.value() : current.value;
    }

    boolean booleanValue() {
        return current == null ? events.booleanValue() : Boolean.TRUE.equals(current.value);
    }

    boolean isLong() {
        return current == null
                ? events.isLong()
                : current.value instanceof Integer || current.value instanceof Long;
    }

    long longValue() {
        return current == null ? events.longValue() : ((Number) current.value).longValue();
    }

    double doubleValue() {
        return current == null ? events.doubleValue() : ((Number) current.value).doubleValue();
    }

    long offset() {
        return current == null ? events.offset() : current.offset;
    }

    long charOffset() {
        return current == null ? events.charOffset() : current.charOffset;
    }

    long line() {
        return current == null ? events.line() : current.line;
    }

    long column() {
        return current == null ? events.column() : current.column;
    }

    void close() {
        events.close();
    }
}
