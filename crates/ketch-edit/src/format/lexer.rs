//! Lexemes: the events, and the tokens in the gaps between them, in text order. Together, they
//! cover the whole text except its white space.

use ketch_yaml::{Error, Event, EventKind, Flags, Parser};

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

/// A lexer, which splits a text into lexemes.
pub(super) struct Lexer<'t> {
    parser: Parser<'t>,
    text: &'t [u8],
    /// The events of the last chunk, with offsets in the whole text. Those from the index `next` on
    /// have not been returned yet.
    events: Vec<Event>,
    next: usize,
    is_ended: bool,
    /// The end of the last lexeme.
    at: usize,
    /// The start of the line on which the last lexeme ends.
    line: usize,
    /// The number of line breaks since the last lexeme.
    breaks: usize,
    has_mark: bool,
}

impl<'t> Lexer<'t> {
    /// Creates a lexer of `text`, which `parser` parses.
    pub fn new(parser: Parser<'t>, text: &'t [u8]) -> Lexer<'t> {
        Lexer {
            parser,
            text,
            events: Vec::new(),
            next: 0,
            is_ended: false,
            at: 0,
            line: 0,
            breaks: 0,
            has_mark: false,
        }
    }

    /// Returns the next lexeme. At the end, this is [`Kind::Eof`], however often it is called.
    pub fn next(&mut self) -> Result<Lexeme, Error> {
        let event = self.peek_event()?;
        let end = event.map_or(self.text.len(), |event| event.start);
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
            match self.parser.next_chunk()? {
                Some(chunk) => {
                    let base = chunk.base() as usize;
                    let whole = |event: Event| Event { start: base + event.start, ..event };
                    self.events.extend(chunk.events().map(whole));
                }
                None => self.is_ended = true,
            }
        }
        Ok(self.events.get(self.next).copied())
    }

    /// Reads one lexeme or white space in the gap that ends at `end`. Returns the kind and the
    /// length of the lexeme without consuming it, or `None` after consuming white space.
    fn gap_lexeme(&mut self, end: usize) -> Option<(Kind, usize)> {
        let rest = &self.text[self.at..end];
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
                self.white_space(rest);
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
        };
        if event.len > 0 {
            self.at += event.len;
            self.breaks = 0;
            self.has_mark = false;
            let is_multiline = event.flags.has(Flags::MULTILINE)
                || matches!(event.kind, EventKind::Literal | EventKind::Folded);
            if is_multiline {
                let span = &self.text[start..self.at];
                let last = memchr::memrchr2(b'\n', b'\r', span);
                self.line = last.map_or(self.line, |last| start + last + 1);
            }
        }
        lexeme
    }
}

const NO_EVENT: Event =
    Event { kind: EventKind::Nop, flags: Flags::NONE, start: 0, len: 0, indent: 0 };
