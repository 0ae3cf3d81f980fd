//! Detecting how each document indents sequences that are values of a mapping.

use super::frame::{Frame, FrameKind};
use super::lexer::{Kind, Lexeme, Lexer, Whole};
use ketch_yaml::present::Sequences;
use ketch_yaml::{Error, EventKind};

/// Returns, for each document, the style that most of its sequences have, or flush if neither style
/// prevails.
///
/// These styles are the same for a text that has been formatted in them.
pub(super) fn styles(mut lexer: Lexer<Whole<'_>>) -> Result<Vec<Sequences>, Error> {
    let mut styles = Vec::new();
    let mut counts = Counts::default();
    loop {
        let lexeme = lexer.next()?;
        match lexeme.kind {
            Kind::Eof => return Ok(styles),
            Kind::Event(EventKind::DocumentEnd) => {
                styles.push(counts.style());
                counts = Counts::default();
            }
            Kind::Question => counts.top().is_explicit = true,
            Kind::Event(kind) => counts.event(kind, &lexeme),
            _ => {}
        }
    }
}

/// The numbers of sequences in each style in one document, and the open collections.
#[derive(Default)]
struct Counts {
    frames: Vec<Frame>,
    root: Option<Frame>,
    flush: u64,
    indented: u64,
}

impl Counts {
    /// Returns the style that most sequences have, or flush if neither style prevails.
    fn style(&self) -> Sequences {
        if self.indented > self.flush { Sequences::Indented } else { Sequences::Flush }
    }

    /// Returns the innermost open collection, or a frame for the document.
    fn top(&mut self) -> &mut Frame {
        match self.frames.last_mut() {
            Some(frame) => frame,
            None => self.root.get_or_insert_with(|| Frame::new(FrameKind::Document)),
        }
    }

    /// Counts the sequence that `lexeme` may start, and keeps track of the open collections.
    fn event(&mut self, kind: EventKind, lexeme: &Lexeme) {
        let is_block = lexeme.is_empty() && !lexeme.is_flow();
        match kind {
            EventKind::SequenceStart if is_block => self.open(FrameKind::BlockSequence, lexeme),
            EventKind::MappingStart if is_block => self.open(FrameKind::BlockMapping, lexeme),
            EventKind::SequenceStart => self.open(FrameKind::FlowSequence, lexeme),
            EventKind::MappingStart => self.open(FrameKind::FlowMapping, lexeme),
            EventKind::SequenceEnd | EventKind::MappingEnd => {
                self.frames.pop();
                self.top().advance();
            }
            EventKind::Alias => self.top().advance(),
            kind if kind.is_scalar() => self.top().advance(),
            _ => {}
        }
    }

    /// Opens the collection that starts at `lexeme`, and counts it if it is a sequence in a
    /// mapping.
    fn open(&mut self, kind: FrameKind, lexeme: &Lexeme) {
        let parent = *self.top();
        if kind == FrameKind::BlockSequence
            && parent.kind == FrameKind::BlockMapping
            && !parent.is_explicit
        {
            match lexeme.column > parent.old_column {
                true => self.indented += 1,
                false => self.flush += 1,
            }
        }
        let mut frame = Frame::new(kind);
        frame.old_column = lexeme.column;
        self.frames.push(frame);
    }
}
