//! Lexemes: the events, and the tokens in the gaps between them, in text order. Together, they
//! cover the whole text except its white space.

use ketch_yaml::{Chunk, Error, Event, EventKind, Flags, Parser, ReadParser};
use std::io::Read;
use std::ops::Range;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The kind of a lexeme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An event, whose span may be empty.
    Event(EventKind),
    /// `-`, which starts an entry.
    Dash,
    /// `?`.
    Question,
    /// `:`.
    Colon,
    /// `,`.
    Comma,
    /// A comment, from its `#` to the end of its line.
    Comment,
    /// A `...` without an open document.
    BareEnd,
    /// The end of the text.
    Eof,
}

/// A lexeme and its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexeme {
    pub kind: Kind,
    /// The span of the lexeme; for an event, the event itself.
    pub event: Event,
    /// The number of line breaks between the previous lexeme that is not empty and this one.
    pub breaks: usize,
    /// The number of bytes on its line before the lexeme.
    pub column: usize,
    /// Whether a byte order mark is in the gap before the lexeme.
    pub has_mark: bool,
    /// Whether only white space is before the lexeme on its line.
    pub is_first: bool,
}

impl Lexeme {
    /// Returns whether the lexeme is an event without text.
    pub fn is_empty(&self) -> bool {
        self.event.len == 0 && self.kind != Kind::Eof
    }

    /// Returns whether the lexeme is a bracket of a flow collection, or the empty start or end of a
    /// single pair.
    pub fn is_flow(&self) -> bool {
        self.event.flags.has(Flags::FLOW)
    }
}

/// A text that is being parsed.
pub(super) trait Parsed {
    /// Adds the next events to `events`, with offsets in the whole text. Keeps the text from the offset
    /// `from` on. Returns whether there may be more.
    fn parse(&mut self, from: usize, events: &mut Vec<Event>) -> Result<bool, Error>;

    /// Returns the part of the text that is in memory, and its offset. After the last event, it ends
    /// where the text does.
    fn text(&self) -> (&[u8], usize);
}

/// A text in memory, and its parser.
pub(super) struct Whole<'t> {
    pub parser: Parser<'t>,
    pub text: &'t [u8],
}

impl Parsed for Whole<'_> {
    fn parse(&mut self, _from: usize, events: &mut Vec<Event>) -> Result<bool, Error> {
        Ok(add_events(self.parser.next_chunk()?, events))
    }

    #[inline(always)]
    fn text(&self) -> (&[u8], usize) {
        (self.text, 0)
    }
}

impl<R: Read> Parsed for ReadParser<R> {
    fn parse(&mut self, from: usize, events: &mut Vec<Event>) -> Result<bool, Error> {
        self.retain(Some(from as u64));
        Ok(add_events(self.next_chunk()?, events))
    }

    fn text(&self) -> (&[u8], usize) {
        let (text, base) = self.buffered();
        (text, base as usize)
    }
}

/// Adds the events of `chunk` to `events`. Returns whether there is a chunk.
fn add_events(chunk: Option<Chunk<'_, '_>>, events: &mut Vec<Event>) -> bool {
    let Some(chunk) = chunk else { return false };
    let base = chunk.base() as usize;
    events.extend(chunk.events().map(|event| Event { start: base + event.start, ..event }));
    true
}

/// A lexer, which splits a text into lexemes.
pub(super) struct Lexer<P> {
    source: P,
    /// The events of the last chunk, with offsets in the whole text. Those from the index `next` on
    /// have not been returned yet.
    events: Vec<Event>,
    next: usize,
    is_ended: bool,
    /// The end of the last lexeme.
    at: usize,
    /// The end of the last lexeme that is not empty.
    end: usize,
    /// The start of the line on which the last lexeme ends.
    line: usize,
    /// The number of line breaks since the last lexeme.
    breaks: usize,
    has_mark: bool,
}

impl<P: Parsed> Lexer<P> {
    /// Creates a lexer of the text of `source`, which has not been parsed yet.
    pub fn new(source: P) -> Lexer<P> {
        Lexer {
            source,
            events: Vec::new(),
            next: 0,
            is_ended: false,
            at: 0,
            end: 0,
            line: 0,
            breaks: 0,
            has_mark: false,
        }
    }

    /// Returns the text in `range`, which must not end before the last lexeme does.
    #[inline]
    pub fn text(&self, range: Range<usize>) -> &[u8] {
        let (text, base) = self.buffered();
        &text[range.start - base..range.end - base]
    }

    /// Returns the part of the text that is in memory, and its offset.
    #[inline]
    pub fn buffered(&self) -> (&[u8], usize) {
        self.source.text()
    }

    /// Returns the next lexeme. At the end, this is [`Kind::Eof`], however often it is called.
    pub fn next(&mut self) -> Result<Lexeme, Error> {
        let event = self.peek_event()?;
        let end = match event {
            Some(event) => event.start,
            None => {
                let (text, base) = self.source.text();
                base + text.len()
            }
        };
        while self.at < end {
            if let Some((kind, len)) = self.gap_lexeme(end) {
                return Ok(self.lexeme(kind, Event { len, ..NO_EVENT }));
            }
        }
        Ok(match event {
            Some(event) => {
                self.next += 1;
                self.lexeme(Kind::Event(event.kind), event)
            }
            None => self.lexeme(Kind::Eof, NO_EVENT),
        })
    }

    /// Returns the next event, with its offset in the whole text, but does not consume it. Returns
    /// `None` after the last event.
    fn peek_event(&mut self) -> Result<Option<Event>, Error> {
        while self.next == self.events.len() && !self.is_ended {
            self.events.clear();
            self.next = 0;
            self.is_ended = !self.source.parse(self.at, &mut self.events)?;
        }
        Ok(self.events.get(self.next).copied())
    }

    /// Reads one lexeme or white space in the gap that ends at `end`. Returns the kind and the
    /// length of the lexeme without consuming it, or `None` after consuming white space.
    fn gap_lexeme(&mut self, end: usize) -> Option<(Kind, usize)> {
        let (text, base) = self.source.text();
        let rest = &text[self.at - base..end - base];
        let kind = match rest[0] {
            b'-' => Kind::Dash,
            b'?' => Kind::Question,
            b':' => Kind::Colon,
            b',' => Kind::Comma,
            b'.' => return Some((Kind::BareEnd, 3)),
            b'#' => {
                let len = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
                return Some((Kind::Comment, len));
            }
            _ => {
                let head = [rest[0], *rest.get(1).unwrap_or(&0), *rest.get(2).unwrap_or(&0)];
                self.white_space(&head[..rest.len().min(3)]);
                return None;
            }
        };
        Some((kind, 1))
    }

    /// Consumes the first byte of `rest`, which is white space, or a byte order mark there. Keeps
    /// track of lines.
    fn white_space(&mut self, rest: &[u8]) {
        match rest {
            [b'\r', b'\n', ..] => self.at += 1,
            [b'\n' | b'\r', ..] => {
                self.at += 1;
                self.line = self.at;
                self.breaks += 1;
            }
            _ if rest.starts_with(BYTE_ORDER_MARK) => {
                self.at += BYTE_ORDER_MARK.len();
                self.line = self.at;
                self.has_mark = true;
            }
            _ => self.at += 1,
        }
    }

    /// Consumes the lexeme that starts at the current position. `event` says how long it is.
    fn lexeme(&mut self, kind: Kind, event: Event) -> Lexeme {
        let start = self.at;
        let lexeme = Lexeme {
            kind,
            event: Event { start, ..event },
            breaks: self.breaks,
            column: start - self.line,
            has_mark: self.has_mark,
            is_first: self.end <= self.line,
        };
        if event.len > 0 {
            self.at += event.len;
            self.end = self.at;
            self.breaks = 0;
            self.has_mark = false;
            let is_multiline = event.flags.has(Flags::MULTILINE)
                || matches!(event.kind, EventKind::Literal | EventKind::Folded);
            if is_multiline {
                let last = memchr::memrchr2(b'\n', b'\r', self.text(start..self.at));
                self.line = last.map_or(self.line, |last| start + last + 1);
            }
        }
        lexeme
    }
}

const NO_EVENT: Event =
    Event { kind: EventKind::Nop, flags: Flags::NONE, start: 0, len: 0, indent: 0 };
