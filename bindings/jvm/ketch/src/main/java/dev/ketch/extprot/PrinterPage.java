package dev.ketch.extprot;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Breaks a text into lines of at most 80 columns where possible, in linear time. Nothing recurses. */
final class PrinterPage {
    private static final int WIDTH = 80;
    /** The columns that stay free for the separator or bracket that usually follows. */
    private static final int FREE = 2;

    /** An item that is broken, of which the items from {@code next} up to {@code end} are left. */
    private static final class Open {
        private final PrinterPiece piece;
        private final int indent;
        private int next;
        private boolean isFirst = true;

        private Open(PrinterPiece piece, int next, int indent) {
            this.piece = piece;
            this.next = next;
            this.indent = indent;
        }
    }

    private final List<PrinterPiece> pieces;
    private final StringBuilder out = new StringBuilder();
    private final Deque<Open> open = new ArrayDeque<>();
    /** The offset at which the last line starts. */
    private int lineStart;

    PrinterPage(List<PrinterPiece> pieces) {
        this.pieces = pieces;
    }

    String text() {
        for (int at = pieces.size() - 1; at >= 0; at--) {
            measure(at);
        }
        item(0, 0);
        while (!open.isEmpty()) {
            Open innermost = open.peek();
            if (innermost.next == innermost.piece.end) {
                out.append(innermost.piece.kind.closing);
                open.pop();
            } else {
                next(innermost);
            }
        }
        return out.toString();
    }

    /** Sets the extent of the item that starts at a piece. Those of its parts are known. */
    private void measure(int at) {
        PrinterPiece piece = pieces.get(at);
        switch (piece.kind) {
            case ATOM -> {
                piece.end = at + 1;
                piece.width = piece.text.length();
            }
            case LABEL -> {
                PrinterPiece value = pieces.get(at + 1);
                piece.end = value.end;
                piece.width = piece.text.length() + 1 + value.width;
            }
            default -> piece.width = blockWidth(piece, at + 1);
        }
    }

    private long blockWidth(PrinterPiece block, int first) {
        PrinterPiece.Kind kind = block.kind;
        long width = kind.opening.length() + kind.closing.length();
        for (int item = first; item < block.end; item = pieces.get(item).end) {
            width += pieces.get(item).width + (item > first ? kind.separator.length() + 1 : 0);
        }
        return width;
    }

    private void next(Open block) {
        int item = block.next;
        if (block.isFirst) {
            block.isFirst = false;
        } else {
            out.append(block.piece.kind.separator);
            newLine(block.indent);
        }
        block.next = pieces.get(item).end;
        item(item, block.indent);
    }

    private void newLine(int indent) {
        out.append('\n');
        lineStart = out.length();
        out.append(" ".repeat(indent));
    }

    /** Prints an item on one line if it fits; otherwise, its start, and the rest becomes an open block. */
    private void item(int start, int indentation) {
        int at = start;
        int indent = indentation;
        while (!fits(pieces.get(at))) {
            PrinterPiece piece = pieces.get(at);
            if (piece.kind != PrinterPiece.Kind.LABEL) {
                broken(piece, at, indent);
                return;
            }
            out.append(piece.text);
            indent += 2;
            newLine(indent);
            at++;
        }
        flat(at, pieces.get(at).end);
    }

    private boolean fits(PrinterPiece item) {
        return item.width <= WIDTH - FREE - (out.length() - lineStart);
    }

    /** Prints an atom, or opens a block, that is too wide for the line. */
    private void broken(PrinterPiece piece, int at, int indent) {
        String opening = piece.kind.opening;
        out.append(piece.text).append(opening);
        if (piece.isBlock()) {
            open.push(new Open(piece, at + 1, indent + opening.length()));
        }
    }

    /** Prints pieces on one line. */
    private void flat(int start, int end) {
        Deque<PrinterPiece> blocks = new ArrayDeque<>();
        // Whether the next item follows another one of the same block.
        boolean isFollowing = false;
        for (int at = start; at < end; at++) {
            PrinterPiece piece = pieces.get(at);
            if (isFollowing) {
                out.append(blocks.element().kind.separator).append(' ');
            }
            out.append(piece.text).append(piece.kind.opening);
            isFollowing = piece.kind == PrinterPiece.Kind.ATOM;
            if (piece.kind == PrinterPiece.Kind.LABEL) {
                out.append(' ');
            } else if (piece.isBlock()) {
                blocks.push(piece);
            }
            while (!blocks.isEmpty() && blocks.element().end == at + 1) {
                out.append(blocks.pop().kind.closing);
                isFollowing = true;
            }
        }
    }
}
