//! Where each lexeme goes: line structure is kept, columns and spaces are new.
//!
//! A lexeme that starts a line in the input starts one in the output, at a column that follows from
//! the frames that are open; any other gets one space in front, or none. So a second pass over the
//! output finds the same lines and the same frames, and changes nothing.
//!
//! Comments on lines of their own wait for the next lexeme, since it tells what they belong to: one
//! that stands deeper than what follows belongs to the end of a block that ended in between.

use super::frame::{Frame, FrameKind};
use super::lexer::{Kind, Lexeme};
use super::options::FormatOptions;
use super::scalar::{self, Lines};
use super::writer::Writer;
use crate::event::EventKind;
use crate::present::Sequences;
use crate::scan::class::is_blank;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// An implicit key has at most so many characters (section 7.4.2); bytes are at least as many.
const IMPLICIT_KEY_BYTES: usize = 1024;

/// A comment on a line of its own that waits for what follows.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    comment: Lexeme,
    breaks: usize,
}

/// The column that a block had, and the one that it has now.
#[derive(Clone, Copy, Debug)]
struct Columns {
    old: usize,
    new: usize,
}

/// A place where a line may be broken: the space behind a comma.
#[derive(Clone, Copy, Debug)]
struct Opportunity {
    at: usize,
    column: usize,
}

/// The state of a layout.
pub(super) struct Layout<'t> {
    text: &'t [u8],
    options: FormatOptions,
    /// Where sequences of this document go.
    sequences: Sequences,
    /// The same for the documents that follow, if each keeps its own.
    styles: std::vec::IntoIter<Sequences>,
    pub out: Writer,
    /// Columns that a root is indented by.
    root_column: usize,
    frames: Vec<Frame>,
    waiting: Vec<Waiting>,
    /// The blocks that have ended behind the comments that wait, the deepest first.
    ended: Vec<Columns>,
    /// The last lexeme that is written and no comment.
    last: Kind,
    /// The last lexeme was a flow collection, which starts there in the input and in the output.
    last_flow: Option<(usize, usize)>,
    /// Empty lines that the last block scalar has left over.
    left_breaks: usize,
    opportunity: Option<Opportunity>,
}

impl<'t> Layout<'t> {
    /// A layout of `text`. `styles` says where the sequences of each document go, those of all further
    /// documents as in the last; `is_root_indented` that a root has to be, or it would be taken for a
    /// document marker.
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
            frames: vec![Frame::new(FrameKind::Document)],
            waiting: Vec::new(),
            ended: Vec::new(),
            last: Kind::Eof,
            last_flow: None,
            left_breaks: 0,
            opportunity: None,
        }
    }

    /// Takes the next lexeme.
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
                self.place(lexeme);
                self.out.put(self.bytes(lexeme));
                self.written(kind);
            }
        }
        self.break_line();
    }

    fn bytes(&self, lexeme: &Lexeme) -> &'t [u8] {
        &self.text[lexeme.event.range()]
    }

    fn top(&self) -> &Frame {
        self.frames.last().expect("the document")
    }

    fn top_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the document")
    }

    fn written(&mut self, kind: Kind) {
        self.last = kind;
        self.last_flow = None;
        if kind == Kind::Comma && !self.top().is_key {
            self.break_line();
            let column = self.top().column;
            self.opportunity = Some(Opportunity { at: self.out.len(), column });
        }
    }

    // Events.

    /// An event of which nothing is written.
    fn empty_event(&mut self, kind: EventKind, lexeme: &Lexeme) {
        match kind {
            EventKind::SequenceStart => self.open_block(FrameKind::BlockSequence, lexeme),
            EventKind::MappingStart if lexeme.is_flow() => self.open_pair(),
            EventKind::MappingStart => self.open_block(FrameKind::BlockMapping, lexeme),
            EventKind::SequenceEnd | EventKind::MappingEnd => self.close(),
            EventKind::DocumentStart => self.start_document(),
            EventKind::DocumentEnd => self.frames.truncate(1),
            EventKind::Plain => self.top_mut().advance(),
            _ => {}
        }
    }

    fn start_document(&mut self) {
        self.sequences = self.styles.next().unwrap_or(self.sequences);
    }

    /// An event that is written.
    fn event(&mut self, kind: EventKind, lexeme: &Lexeme) {
        match kind {
            EventKind::DocumentStart => self.start_document(),
            EventKind::DocumentEnd => self.frames.truncate(1),
            EventKind::SequenceStart | EventKind::MappingStart => {
                self.open_flow(kind, lexeme);
                return;
            }
            _ => {}
        }
        self.place(lexeme);
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
        self.written(Kind::Event(kind));
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

    fn open_block(&mut self, kind: FrameKind, lexeme: &Lexeme) {
        let mut frame = Frame::new(kind);
        frame.old_column = lexeme.column;
        frame.column = self.block_column(kind == FrameKind::BlockSequence);
        self.frames.push(frame);
    }

    /// The column of a block collection that starts here.
    fn block_column(&self, is_sequence: bool) -> usize {
        let parent = self.top();
        match parent.kind {
            FrameKind::BlockMapping if !parent.is_explicit => {
                let is_flush = is_sequence && self.sequences == Sequences::Flush;
                parent.column + if is_flush { 0 } else { self.options.indent }
            }
            FrameKind::Document => self.root_column,
            // Behind `- `, `? ` and `: `.
            _ => parent.column + 2,
        }
    }

    fn open_pair(&mut self) {
        let parent = *self.top();
        self.frames.push(Frame {
            is_value: false,
            is_explicit: false,
            kind: FrameKind::Pair,
            ..parent
        });
    }

    fn open_flow(&mut self, kind: EventKind, lexeme: &Lexeme) {
        self.place(lexeme);
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
            // What starts on one line shares its indentation.
            _ if parent.is_flow() && parent.opened_on == frame.opened_on => {
                (parent.column, parent.end_column)
            }
            _ if parent.is_flow() => (line + self.options.indent, line),
            FrameKind::Document => (line + self.options.indent, line),
            // Its lines have to be deeper than the block that it is in.
            _ if line > parent.column => (line + self.options.indent, line),
            _ => (parent.column + self.options.indent, parent.column + self.options.indent),
        };
        self.frames.push(frame);
        self.out.put(self.bytes(lexeme));
        self.written(Kind::Event(kind));
    }

    /// Ends the collection on top.
    fn close(&mut self) {
        if self.frames.len() < 2 {
            return;
        }
        if let Some(frame) = self.frames.pop()
            && !frame.is_flow()
            && !self.waiting.is_empty()
        {
            self.ended.push(Columns { old: frame.old_column, new: frame.column });
        }
        self.top_mut().advance();
    }

    /// The lines of a scalar of this kind that starts here.
    fn lines(&self, kind: EventKind) -> Lines {
        let frame = self.top();
        let step = self.options.indent;
        let base = match frame.kind {
            // What an indentation indicator counts from.
            FrameKind::Document if matches!(kind, EventKind::Literal | EventKind::Folded) => 0,
            FrameKind::Document => self.root_column,
            _ => frame.column,
        };
        let is_breakable = !frame.is_flow() && !frame.expects_key();
        let width = self.options.width.filter(|_| is_breakable);
        Lines { column: base + step, step, width }
    }

    // Comments.

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
            self.waiting.push(Waiting { comment: *comment, breaks });
        }
        self.opportunity = None;
    }

    /// Writes the comments that wait. What follows them stood in the column `old`, unless it is the
    /// end of a document, and will stand in `new`.
    fn flush_comments(&mut self, old: Option<usize>, new: usize) {
        let mut ended = std::mem::take(&mut self.ended);
        let mut waiting = std::mem::take(&mut self.waiting);
        let mut deepest = ended.iter().filter(|block| old.is_none_or(|old| block.old > old));
        let mut block = deepest.next();
        for Waiting { comment, breaks } in waiting.drain(..) {
            while block.is_some_and(|block| block.old > comment.column) {
                block = deepest.next();
            }
            let column = block.map_or(new, |block| block.new);
            self.start_line(&comment, breaks, column);
            self.out.put(self.bytes(&comment).trim_ascii_end());
        }
        ended.clear();
        (self.ended, self.waiting) = (ended, waiting);
    }

    // Lines and spaces.

    /// Line breaks in front of a lexeme, with those that a block scalar has left over.
    fn breaks(&mut self, lexeme: &Lexeme) -> usize {
        let left = std::mem::take(&mut self.left_breaks);
        // The break at the end of a block scalar is part of it.
        let is_counted =
            !self.out.is_line_start() || self.out.is_first_line() || !self.waiting.is_empty();
        match lexeme.breaks + left {
            0 => 0,
            breaks => breaks + usize::from(!is_counted),
        }
    }

    /// Starts a line in place of so many line breaks.
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

    /// Moves to where the lexeme is to be written.
    fn place(&mut self, lexeme: &Lexeme) {
        let breaks = self.breaks(lexeme);
        if breaks == 0 && !self.out.is_line_start() && self.waiting.is_empty() {
            if self.has_space_before(lexeme) {
                self.out.put(b" ");
            }
            return;
        }
        let is_marker = self.is_at_margin(lexeme.kind);
        let column = self.line_column(lexeme.kind, is_marker);
        if !self.waiting.is_empty() {
            self.flush_comments((!is_marker).then_some(lexeme.column), column);
        }
        self.start_line(lexeme, breaks, column);
    }

    /// Whether it is no part of a node.
    fn is_at_margin(&self, kind: Kind) -> bool {
        use EventKind::{Directive, DocumentEnd, DocumentStart};
        matches!(kind, Kind::BareEnd | Kind::Eof)
            || matches!(kind, Kind::Event(DocumentStart | DocumentEnd | Directive))
    }

    /// The column of a lexeme that starts a line.
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

    fn flow_column(&self, kind: Kind) -> usize {
        use EventKind::{MappingEnd, MappingStart, SequenceEnd, SequenceStart};
        let frame = self.top();
        match (kind, self.last) {
            (Kind::Comma | Kind::Event(SequenceEnd | MappingEnd), _) => frame.end_column,
            (_, Kind::Comma | Kind::Event(SequenceStart | MappingStart)) => frame.column,
            _ => frame.column + self.options.indent,
        }
    }

    /// Whether a space belongs between the last lexeme and this one, on one line.
    fn has_space_before(&self, lexeme: &Lexeme) -> bool {
        use EventKind::*;
        let is_open = matches!(self.last, Kind::Event(SequenceStart | MappingStart));
        let is_property = matches!(self.last, Kind::Event(Anchor | Tag));
        match lexeme.kind {
            _ if is_open => false,
            // Some readers take what follows an empty value's `:`, or a tag, for part of it.
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

    /// Whether it is the `:` of an explicit key in a flow collection, and blanks stand in front. The
    /// key may end with a character that would mean something else with a space behind.
    fn is_separate_colon(&self, colon: &Lexeme) -> bool {
        let frame = self.top();
        let before = self.text[..colon.event.start].last();
        frame.is_flow() && frame.is_explicit && before.is_some_and(|&byte| is_blank(byte))
    }

    /// Breaks the line behind a comma, if it has become too long.
    fn break_line(&mut self) {
        let (Some(width), Some(opportunity)) = (self.options.width, self.opportunity) else {
            return;
        };
        if self.out.len() <= opportunity.at || self.out.column() <= width {
            return;
        }
        self.opportunity = None;
        // A bracket follows the comma at once.
        if self.out.has_space_at(opportunity.at) {
            self.out.break_at(opportunity.at, opportunity.column);
            self.move_frames(opportunity);
        }
    }

    /// The brackets behind `opportunity` now stand on another line.
    fn move_frames(&mut self, opportunity: Opportunity) {
        let line = self.out.line_number();
        let moved = self.frames.iter_mut().rev();
        for frame in moved.take_while(|frame| frame.opened_at > opportunity.at) {
            frame.opened_on = line;
            frame.end_column = opportunity.column;
            frame.column = opportunity.column + self.options.indent;
        }
    }

    /// A flow collection turns out to be a key: with spaces it may have become longer than a key may
    /// be, and then stays as it is.
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

    fn end(&mut self, lexeme: &Lexeme) {
        if !self.waiting.is_empty() {
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
