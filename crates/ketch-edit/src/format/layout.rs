//! Layout: keeps the line structure of the input, and computes columns and spaces.
//!
//! A lexeme that starts a line in the input also starts one in the output, at a column determined
//! by the open frames. Before any other lexeme, there is one space or none. Formatting is therefore
//! idempotent: a second pass finds the same lines and frames.
//!
//! Comments on lines of their own are held back until the next lexeme, which shows where they
//! belong: a comment that is indented more deeply than that lexeme belongs to the block that ended
//! in between.

use super::frame::{Frame, FrameKind};
use super::lexer::{Kind, Lexeme};
use super::options::FormatOptions;
use super::scalar::{self, Lines};
use super::writer::Writer;
use ketch_yaml::EventKind;
use ketch_yaml::internal::{IMPLICIT_KEY_BYTES, is_blank};
use ketch_yaml::present::Sequences;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A comment on a line of its own, held back until the next lexeme.
#[derive(Clone, Copy, Debug)]
struct HeldComment {
    comment: Lexeme,
    breaks: usize,
}

/// The column of a block in the input, and its column in the output.
#[derive(Clone, Copy, Debug)]
struct Columns {
    old: usize,
    new: usize,
}

/// A place where the line may be broken: the space after a comma. `column` is the indentation of
/// the new line.
#[derive(Clone, Copy, Debug)]
struct Opportunity {
    at: usize,
    column: usize,
}

/// The state of a layout.
pub(super) struct Layout<'t> {
    text: &'t [u8],
    options: FormatOptions,
    /// The sequence style of this document.
    sequences: Sequences,
    /// The sequence styles of the following documents, if each keeps its own.
    styles: std::vec::IntoIter<Sequences>,
    pub out: Writer,
    /// The indentation of the root, in columns.
    root_column: usize,
    document: Frame,
    /// The open collections, innermost last.
    frames: Vec<Frame>,
    held: Vec<HeldComment>,
    /// The blocks that have ended since the first held comment, deepest first.
    ended: Vec<Columns>,
    /// The kind of the last lexeme written, ignoring comments.
    last: Kind,
    /// If the last lexeme was a flow collection, its start in the input and in the output.
    last_flow: Option<(usize, usize)>,
    /// The number of empty lines at the end of the last block scalar that have not been written
    /// yet.
    left_breaks: usize,
    opportunity: Option<Opportunity>,
}

impl<'t> Layout<'t> {
    /// Creates a layout of `text`. `styles` contains the sequence style of each document; the last
    /// one also applies to any further documents. If `is_root_indented` is set, roots are indented,
    /// which is needed if one of their lines would otherwise be read as a document marker.
    pub fn new(
        text: &'t [u8],
        options: &FormatOptions,
        styles: Vec<Sequences>,
        out: Writer,
        is_root_indented: bool,
    ) -> Layout<'t> {
        let mut options = *options;
        options.indent = options.indent.clamp(1, 9);
        Layout {
            text,
            options,
            sequences: Sequences::Flush,
            styles: styles.into_iter(),
            out,
            root_column: if is_root_indented { options.indent } else { 0 },
            document: Frame::new(FrameKind::Document),
            frames: Vec::new(),
            held: Vec::new(),
            ended: Vec::new(),
            last: Kind::Eof,
            last_flow: None,
            left_breaks: 0,
            opportunity: None,
        }
    }

    /// Writes the next lexeme.
    pub fn lexeme(&mut self, lexeme: &Lexeme) {
        match lexeme.kind {
            Kind::Comment => self.comment(lexeme),
            Kind::Eof => self.end(lexeme),
            Kind::Event(kind) if lexeme.is_empty() => self.empty_event(kind, lexeme),
            Kind::Event(kind) => self.event(kind, lexeme),
            kind => {
                if kind == Kind::Colon && self.last_flow.is_some() {
                    self.shorten_key(lexeme);
                }
                let frame = self.top_mut();
                frame.is_explicit |= kind == Kind::Question;
                self.move_to(lexeme);
                self.out.put(self.bytes(lexeme));
                self.note_written(kind);
            }
        }
        self.break_line();
    }

    /// Returns the text of `lexeme`.
    fn bytes(&self, lexeme: &Lexeme) -> &'t [u8] {
        &self.text[lexeme.event.range()]
    }

    /// Returns the innermost open collection, or the document.
    fn top(&self) -> &Frame {
        self.frames.last().unwrap_or(&self.document)
    }

    /// Returns the innermost open collection, or the document, for changes.
    fn top_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().unwrap_or(&mut self.document)
    }

    /// Records that a lexeme of the kind `kind` was written.
    fn note_written(&mut self, kind: Kind) {
        self.last = kind;
        self.last_flow = None;
        if kind == Kind::Comma && !self.top().is_key {
            self.break_line();
            let column = self.top().column;
            self.opportunity = Some(Opportunity { at: self.out.len(), column });
        }
    }

    // Events.

    /// Processes an event that has no text.
    fn empty_event(&mut self, kind: EventKind, lexeme: &Lexeme) {
        match kind {
            EventKind::SequenceStart => self.open_block(FrameKind::BlockSequence, lexeme),
            EventKind::MappingStart if lexeme.is_flow() => self.open_pair(),
            EventKind::MappingStart => self.open_block(FrameKind::BlockMapping, lexeme),
            EventKind::SequenceEnd | EventKind::MappingEnd => self.close(),
            EventKind::DocumentStart => self.start_document(),
            EventKind::DocumentEnd => self.frames.clear(),
            EventKind::Plain => self.top_mut().advance(),
            _ => {}
        }
    }

    /// Starts a document, which may have a sequence style of its own.
    fn start_document(&mut self) {
        self.sequences = self.styles.next().unwrap_or(self.sequences);
    }

    /// Writes an event that has text.
    fn event(&mut self, kind: EventKind, lexeme: &Lexeme) {
        match kind {
            EventKind::DocumentStart => self.start_document(),
            EventKind::DocumentEnd => self.frames.clear(),
            EventKind::SequenceStart | EventKind::MappingStart => {
                self.open_flow(kind, lexeme);
                return;
            }
            _ => {}
        }
        self.move_to(lexeme);
        let line = self.out.line_number();
        match kind {
            EventKind::Plain | EventKind::SingleQuoted | EventKind::DoubleQuoted => {
                let lines = self.lines(kind);
                let span = self.bytes(lexeme);
                scalar::flow(&mut self.out, span, kind, lines);
            }
            EventKind::Literal | EventKind::Folded => {
                let lines = self.lines(kind);
                let span = self.bytes(lexeme);
                self.left_breaks = scalar::block(&mut self.out, span, &lexeme.event, lines);
            }
            _ => self.out.put(self.bytes(lexeme)),
        }
        if self.out.line_number() > line {
            self.opportunity = None;
        }
        self.note_written(Kind::Event(kind));
        match kind {
            EventKind::SequenceEnd | EventKind::MappingEnd => {
                let opened = *self.top();
                self.close();
                self.last_flow = Some((opened.start, opened.opened_at));
            }
            EventKind::Alias => self.top_mut().advance(),
            kind if kind.is_scalar() => self.top_mut().advance(),
            _ => {}
        }
    }

    /// Opens a block collection whose first entry is at `lexeme`.
    fn open_block(&mut self, kind: FrameKind, lexeme: &Lexeme) {
        let mut frame = Frame::new(kind);
        frame.old_column = lexeme.column;
        frame.column = self.block_column(kind == FrameKind::BlockSequence);
        self.frames.push(frame);
    }

    /// Returns the column of a block collection that starts at the current position.
    fn block_column(&self, is_sequence: bool) -> usize {
        let parent = self.top();
        match parent.kind {
            FrameKind::BlockMapping if !parent.is_explicit => {
                let is_flush = is_sequence && self.sequences == Sequences::Flush;
                parent.column + if is_flush { 0 } else { self.options.indent }
            }
            FrameKind::Document => self.root_column,
            // In these cases, the collection is after `- `, `? ` or `: `.
            _ => parent.column + 2,
        }
    }

    /// Opens a single pair in a flow sequence.
    fn open_pair(&mut self) {
        let parent = *self.top();
        self.frames.push(Frame {
            is_value: false,
            is_explicit: false,
            kind: FrameKind::Pair,
            ..parent
        });
    }

    /// Writes the bracket that opens a flow collection, and opens its frame.
    fn open_flow(&mut self, kind: EventKind, lexeme: &Lexeme) {
        self.move_to(lexeme);
        let parent = *self.top();
        let mut frame = Frame::new(match kind {
            EventKind::SequenceStart => FrameKind::FlowSequence,
            _ => FrameKind::FlowMapping,
        });
        frame.is_key = parent.is_key || parent.expects_key();
        frame.opened_at = self.out.len();
        frame.opened_on = self.out.line_number();
        frame.start = lexeme.event.start;
        let line = self.out.indent;
        (frame.column, frame.end_column) = match parent.kind {
            // Collections that are opened on the same line share its indentation.
            _ if parent.is_flow() && parent.opened_on == frame.opened_on => {
                (parent.column, parent.end_column)
            }
            _ if parent.is_flow() => (line + self.options.indent, line),
            FrameKind::Document => (line + self.options.indent, line),
            // Lines must be indented more deeply than the block around them.
            _ if line > parent.column => (line + self.options.indent, line),
            _ => (parent.column + self.options.indent, parent.column + self.options.indent),
        };
        self.frames.push(frame);
        self.out.put(self.bytes(lexeme));
        self.note_written(Kind::Event(kind));
    }

    /// Closes the innermost collection.
    fn close(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        if !frame.is_flow() && !self.held.is_empty() {
            self.ended.push(Columns { old: frame.old_column, new: frame.column });
        }
        self.top_mut().advance();
    }

    /// Returns the line layout of a scalar of the kind `kind` that starts at the current position.
    fn lines(&self, kind: EventKind) -> Lines {
        let frame = self.top();
        let step = self.options.indent;
        let base = match frame.kind {
            // At the root, indentation indicators are relative to column 0.
            FrameKind::Document if matches!(kind, EventKind::Literal | EventKind::Folded) => 0,
            FrameKind::Document => self.root_column,
            _ => frame.column,
        };
        let is_breakable = !frame.is_flow() && !frame.expects_key();
        let width = self.options.width.filter(|_| is_breakable);
        Lines { column: base + step, step, width }
    }

    // Comments.

    /// Writes a comment at the end of a line or inside brackets. A comment that is on a line of its
    /// own and not inside brackets is held back.
    fn comment(&mut self, comment: &Lexeme) {
        let breaks = self.breaks(comment);
        let is_alone = breaks > 0 || self.out.is_line_start();
        if !is_alone {
            self.out.put(b" ");
            self.out.put(self.bytes(comment).trim_ascii_end());
        } else if self.top().is_flow() {
            self.start_line(comment, breaks, self.top().column);
            self.out.put(self.bytes(comment).trim_ascii_end());
        } else {
            self.held.push(HeldComment { comment: *comment, breaks });
        }
        self.opportunity = None;
    }

    /// Writes the held comments. The next lexeme is in the column `old` of the input (`None` at the
    /// end of a document), and in the column `new` of the output.
    fn flush_comments(&mut self, old: Option<usize>, new: usize) {
        let mut ended = std::mem::take(&mut self.ended);
        let mut held = std::mem::take(&mut self.held);
        let mut deepest = ended.iter().filter(|block| old.is_none_or(|old| block.old > old));
        let mut block = deepest.next();
        for HeldComment { comment, breaks } in held.drain(..) {
            while block.is_some_and(|block| block.old > comment.column) {
                block = deepest.next();
            }
            let column = block.map_or(new, |block| block.new);
            self.start_line(&comment, breaks, column);
            self.out.put(self.bytes(&comment).trim_ascii_end());
        }
        ended.clear();
        (self.ended, self.held) = (ended, held);
    }

    // Lines and spaces.

    /// Returns the number of line breaks to write before `lexeme`, including those left over from a
    /// block scalar.
    fn breaks(&mut self, lexeme: &Lexeme) -> usize {
        let left = std::mem::take(&mut self.left_breaks);
        // If a block scalar precedes the lexeme, its last line break was written with it.
        let is_counted =
            !self.out.is_line_start() || self.out.is_first_line() || !self.held.is_empty();
        match lexeme.breaks + left {
            0 => 0,
            breaks => breaks + usize::from(!is_counted),
        }
    }

    /// Starts the line of `lexeme` at `column`, in place of `breaks` line breaks in the input.
    fn start_line(&mut self, lexeme: &Lexeme, breaks: usize, column: usize) {
        if !self.out.is_line_start() {
            self.out.end_line();
        }
        if !self.out.is_first_line() {
            let empty = breaks.saturating_sub(1).min(self.options.blank_lines);
            (0..empty).for_each(|_| self.out.end_line());
        }
        if lexeme.has_mark {
            self.out.put(BYTE_ORDER_MARK);
        }
        self.out.indent(column);
        self.opportunity = None;
    }

    /// Writes the line breaks or the space before `lexeme`.
    fn move_to(&mut self, lexeme: &Lexeme) {
        let breaks = self.breaks(lexeme);
        if breaks == 0 && !self.out.is_line_start() && self.held.is_empty() {
            if self.has_space_before(lexeme) {
                self.out.put(b" ");
            }
            return;
        }
        let is_marker = self.is_at_margin(lexeme.kind);
        let column = self.line_column(lexeme.kind, is_marker);
        if !self.held.is_empty() {
            self.flush_comments((!is_marker).then_some(lexeme.column), column);
        }
        self.start_line(lexeme, breaks, column);
    }

    /// Returns whether lexemes of the kind `kind` start in column 0, because they are not part of a
    /// node.
    fn is_at_margin(&self, kind: Kind) -> bool {
        use EventKind::{Directive, DocumentEnd, DocumentStart};
        matches!(kind, Kind::BareEnd | Kind::Eof)
            || matches!(kind, Kind::Event(DocumentStart | DocumentEnd | Directive))
    }

    /// Returns the column of a lexeme of the kind `kind` that starts a line.
    fn line_column(&self, kind: Kind, is_at_margin: bool) -> usize {
        let frame = self.top();
        match (kind, frame.kind) {
            _ if is_at_margin => 0,
            _ if frame.is_flow() => self.flow_column(kind),
            (Kind::Dash | Kind::Question | Kind::Colon, _) => frame.column,
            (_, FrameKind::Document) => self.root_column,
            (_, FrameKind::BlockMapping) if frame.expects_key() && !frame.is_explicit => {
                frame.column
            }
            _ => self.block_column(false),
        }
    }

    /// Returns the column of a lexeme of the kind `kind` that starts a line inside a flow
    /// collection.
    fn flow_column(&self, kind: Kind) -> usize {
        use EventKind::{MappingEnd, MappingStart, SequenceEnd, SequenceStart};
        let frame = self.top();
        match (kind, self.last) {
            (Kind::Comma | Kind::Event(SequenceEnd | MappingEnd), _) => frame.end_column,
            (_, Kind::Comma | Kind::Event(SequenceStart | MappingStart)) => frame.column,
            _ => frame.column + self.options.indent,
        }
    }

    /// Returns whether `lexeme` needs a space between it and the text before it on its line.
    fn has_space_before(&self, lexeme: &Lexeme) -> bool {
        use EventKind::*;
        let is_open = matches!(self.last, Kind::Event(SequenceStart | MappingStart));
        let is_property = matches!(self.last, Kind::Event(Anchor | Tag));
        match lexeme.kind {
            _ if is_open => false,
            // Without a space, some parsers take these characters as part of the tag or of the `:`
            // before them.
            Kind::Comma | Kind::Event(SequenceEnd | MappingEnd) => {
                is_property || matches!(self.last, Kind::Colon | Kind::Question)
            }
            Kind::Colon => {
                is_property
                    || self.is_separate_colon(lexeme)
                    || matches!(self.last, Kind::Question | Kind::Dash | Kind::Comma | Kind::Colon)
                    || self.last == Kind::Event(Alias)
            }
            _ => true,
        }
    }

    /// Returns whether `colon` belongs to an explicit key in a flow collection and follows a blank.
    /// The key may end with a character that has another meaning if `:` directly follows it.
    fn is_separate_colon(&self, colon: &Lexeme) -> bool {
        let frame = self.top();
        let before = self.text[..colon.event.start].last();
        frame.is_flow() && frame.is_explicit && before.is_some_and(|&byte| is_blank(byte))
    }

    /// Breaks the line after the last comma if the line has become too long.
    fn break_line(&mut self) {
        let (Some(width), Some(opportunity)) = (self.options.width, self.opportunity) else {
            return;
        };
        if self.out.len() <= opportunity.at || self.out.column() <= width {
            return;
        }
        self.opportunity = None;
        // There is no space if a bracket directly follows the comma.
        if self.out.has_space_at(opportunity.at) {
            self.out.break_at(opportunity.at, opportunity.column);
            self.move_frames(opportunity);
        }
    }

    /// Updates the frames of the brackets after `opportunity`, which have moved to a new line.
    fn move_frames(&mut self, opportunity: Opportunity) {
        let line = self.out.line_number();
        let moved = self.frames.iter_mut().rev();
        for frame in moved.take_while(|frame| frame.opened_at > opportunity.at) {
            frame.opened_on = line;
            frame.end_column = opportunity.column;
            frame.column = opportunity.column + self.options.indent;
        }
    }

    /// If the last flow collection turns out to be a key, and added spaces have made it too long
    /// for an implicit key, replaces it by its text in the input. `colon` is the `:` after it.
    fn shorten_key(&mut self, colon: &Lexeme) {
        let Some((start, at)) = self.last_flow else { return };
        let frame = self.top();
        let is_implicit = frame.kind == FrameKind::BlockMapping && !frame.is_explicit
            || frame.kind == FrameKind::Pair;
        if is_implicit && self.out.line_bytes() > IMPLICIT_KEY_BYTES && colon.breaks == 0 {
            let source = self.text[start..colon.event.start].trim_ascii_end();
            self.out.replace_from(at, source);
        }
    }

    // The end.

    /// Writes the held comments and the last line break, at the end of the text.
    fn end(&mut self, lexeme: &Lexeme) {
        if !self.held.is_empty() {
            self.flush_comments(None, 0);
        }
        if !self.out.is_line_start() {
            self.out.end_line();
        }
        if lexeme.has_mark {
            self.out.put(BYTE_ORDER_MARK);
        }
    }
}
