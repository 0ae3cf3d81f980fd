//! The line breaks of YAML 1.1 in a text for `Ketch::Psych`.
//!
//! To libyaml, next line (U+0085), line separator (U+2028) and paragraph separator (U+2029) are line
//! breaks (YAML 1.1, production \[22\] b-char). In YAML 1.2 they are characters like others. So a text
//! that has any is written anew in such a way that it means the same in YAML 1.2:
//!
//! - Each becomes a line feed, which is all that a next line ever was.
//! - A scalar that goes on over one of the separators gets it back as a character: libyaml keeps it
//!   where it would fold a line feed into a space.
//!
//! Lines that a scalar loses so are added as empty ones behind it: what follows keeps its line.

use ketch_yaml::{Event, EventKind, Options, Parser};
use magnus::{Error, RString, Ruby, Value, value::ReprValue};
use std::ops::Range;

/// `Ketch.psych_breaks(text)`: the text, in UTF-8, without line breaks that are none in YAML 1.2. Gives
/// the string itself if it has none of them.
pub fn psych_breaks(ruby: &Ruby, text: RString) -> Result<Value, Error> {
    let text = super::source::utf8(ruby, text)?;
    // SAFETY: Ruby does not run before the bytes are copied.
    let bytes = unsafe { text.as_slice() };
    if is_wide(bytes) || next_break(bytes, 0).is_none() {
        return Ok(text.as_value());
    }
    let written = written_anew(bytes);
    Ok(ruby.enc_str_new(&written, ruby.utf8_encoding()).as_value())
}

/// Whether bytes are in UTF-16 or UTF-32, which the engine finds out by itself; there, breaks stay as they
/// are.
fn is_wide(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(4)];
    start.starts_with(&[0xFE, 0xFF]) || start.starts_with(&[0xFF, 0xFE]) || start.contains(&0)
}

/// A break that YAML 1.2 does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Break {
    NextLine,
    /// With its last byte.
    Separator(u8),
}

impl Break {
    fn len(self) -> usize {
        match self {
            Break::NextLine => 2,
            Break::Separator(_) => 3,
        }
    }
}

/// The first of them from `from` on.
fn next_break(text: &[u8], from: usize) -> Option<(usize, Break)> {
    memchr::memchr2_iter(0xC2, 0xE2, text.get(from..)?).find_map(|at| {
        let kind = match &text[from + at..] {
            [0xC2, 0x85, ..] => Break::NextLine,
            [0xE2, 0x80, last @ (0xA8 | 0xA9), ..] => Break::Separator(*last),
            _ => return None,
        };
        Some((from + at, kind))
    })
}

fn written_anew(text: &[u8]) -> Vec<u8> {
    let mut copy = Vec::with_capacity(text.len());
    let mut separators = Vec::new();
    let mut from = 0;
    while let Some((at, kind)) = next_break(text, from) {
        copy.extend_from_slice(&text[from..at]);
        // Before one of these, each carriage return is a line break of its own.
        copy.iter_mut().rev().take_while(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
        if let Break::Separator(last) = kind {
            separators.push((copy.len(), last));
        }
        copy.push(b'\n');
        from = at + kind.len();
    }
    copy.extend_from_slice(&text[from..]);
    if separators.is_empty() {
        return copy;
    }
    Rewriter {
        text: &copy,
        separators: &separators,
        out: Vec::with_capacity(text.len()),
        from: 0,
        owed: 0,
    }
    .run()
}

/// Gives scalars their separators back.
struct Rewriter<'t> {
    /// The text with line feeds in their place.
    text: &'t [u8],
    /// Where the separators were, and the last byte of each.
    separators: &'t [(usize, u8)],
    out: Vec<u8>,
    /// What of the text has been copied.
    from: usize,
    /// Lines that are still to be added.
    owed: usize,
}

impl Rewriter<'_> {
    fn run(mut self) -> Vec<u8> {
        let mut options = Options::default();
        options.lenient = true;
        let mut parser = Parser::with_options(self.text, &options);
        // A mistake is told when the result is read; what is in front of it is written anew.
        while let Ok(Some(chunk)) = parser.next_chunk() {
            let base = chunk.base() as usize;
            for event in chunk.events().filter(|event| event.kind.is_scalar()) {
                let span = base + event.start..base + event.start + event.len;
                if !self.has_separator(&span) {
                    self.pay_in_front_of(span.start);
                    self.copy_to(span.end);
                    continue;
                }
                self.pay_in_front_of(span.start);
                self.copy_to(span.start);
                self.from = span.end;
                self.scalar(&event, span);
            }
        }
        self.pay_in_front_of(self.text.len());
        self.copy_to(self.text.len());
        self.out
    }

    fn has_separator(&self, span: &Range<usize>) -> bool {
        let next = self.separators.partition_point(|&(at, _)| at < span.start);
        self.separators.get(next).is_some_and(|&(at, _)| at < span.end)
    }

    fn copy_to(&mut self, end: usize) {
        self.out.extend_from_slice(&self.text[self.from..end]);
        self.from = end;
    }

    /// Adds the lines that are owed at the next line break outside of scalars, if one comes before `end`.
    fn pay_in_front_of(&mut self, end: usize) {
        if self.owed == 0 {
            return;
        }
        if let Some(at) = memchr::memchr(b'\n', &self.text[self.from..end]) {
            self.copy_to(self.from + at + 1);
            self.out.extend(std::iter::repeat_n(b'\n', self.owed));
            self.owed = 0;
        }
    }

    fn scalar(&mut self, event: &Event, span: Range<usize>) {
        let before = lines(&self.text[span.clone()]);
        let start = self.out.len();
        match event.kind {
            EventKind::Literal | EventKind::Folded => {
                let content = self.block(event, span.clone());
                self.out.push(b'"');
                content.iter().for_each(|&piece| push_escaped(piece, &mut self.out));
                self.out.push(b'"');
                self.out.extend(std::iter::repeat_n(b'\n', before));
            }
            kind => self.flow(kind, span),
        }
        self.owed += before.saturating_sub(lines(&self.out[start..]));
    }

    /// What the break at `at` of the text is, and its length.
    fn break_at(&self, at: usize) -> Option<(Piece, usize)> {
        match &self.text[at..] {
            [b'\r', b'\n', ..] => Some((Piece::LineFeed, 2)),
            [b'\r', ..] => Some((Piece::LineFeed, 1)),
            [b'\n', ..] => match self.separators.binary_search_by_key(&at, |&(at, _)| at) {
                Ok(index) => Some((Piece::Separator(self.separators[index].1), 1)),
                Err(_) => Some((Piece::LineFeed, 1)),
            },
            _ => None,
        }
    }

    /// A flow scalar: as it stands, but for the runs of white space with a separator.
    fn flow(&mut self, kind: EventKind, span: Range<usize>) {
        let is_double = kind == EventKind::DoubleQuoted;
        let mut at = span.start;
        while at < span.end {
            let byte = self.text[at];
            let is_escape = is_double && byte == b'\\';
            if is_escape && (at + 1 == span.end || self.break_at(at + 1).is_none()) {
                let end = (at + 2).min(span.end);
                self.out.extend_from_slice(&self.text[at..end]);
                at = end;
                continue;
            }
            let is_white = matches!(byte, b' ' | b'\t') || self.break_at(at).is_some();
            if is_escape || is_white {
                at = self.white_space(at, span.end, is_double);
            } else {
                self.out.push(byte);
                at += 1;
            }
        }
    }

    /// The run of white space at `at`, which may start with the `\` of an escaped break.
    fn white_space(&mut self, start: usize, end: usize, is_double: bool) -> usize {
        let is_escaped = self.text[start] == b'\\';
        let mut at = start + usize::from(is_escaped);
        let mut breaks = Vec::new();
        let mut line = at;
        while at < end {
            if let Some((piece, len)) = self.break_at(at) {
                breaks.push(piece);
                at += len;
                line = at;
            } else if matches!(self.text[at], b' ' | b'\t') {
                at += 1;
            } else {
                break;
            }
        }
        if breaks.iter().all(|&piece| piece == Piece::LineFeed) {
            self.out.extend_from_slice(&self.text[start..at]);
            return at;
        }
        let indent = &self.text[line..at];
        // The first break is a space, nothing if it is escaped, or itself.
        let kept = match (breaks.as_slice(), is_escaped) {
            ([_, rest @ ..], true) | ([Piece::LineFeed, rest @ ..], false) => rest,
            (all, _) => all,
        };
        if is_double {
            kept.iter().for_each(|&piece| push_escaped(piece, &mut self.out));
            // Behind an escaped break, the indentation is no content.
            self.out.extend_from_slice(b"\\\n");
            self.out.extend_from_slice(indent);
            return at;
        }
        for run in kept.chunk_by(|a, b| (*a == Piece::LineFeed) == (*b == Piece::LineFeed)) {
            for &piece in run {
                match piece {
                    Piece::Separator(last) => self.out.extend_from_slice(&[0xE2, 0x80, last]),
                    _ => self.out.push(b'\n'),
                }
            }
            if run[0] == Piece::LineFeed {
                // One more than there are in the content.
                self.out.push(b'\n');
                self.out.extend_from_slice(indent);
            }
        }
        at
    }

    /// The content of a block scalar, as libyaml has it.
    fn block(&self, event: &Event, span: Range<usize>) -> Vec<Piece> {
        let is_folded = event.kind == EventKind::Folded;
        let mut at = span.start + 1;
        let header = self.text[at..span.end]
            .iter()
            .take_while(|byte| matches!(byte, b'+' | b'-' | b'0'..=b'9'));
        let header: Vec<u8> = header.copied().collect();
        // To the end of the header's line, which may have a comment.
        while at < span.end && self.break_at(at).is_none() {
            at += 1;
        }
        at += if at < span.end { self.break_at(at).map_or(0, |(_, len)| len) } else { 0 };
        let mut content: Vec<Piece> = Vec::new();
        // The break behind the last line of text, those of the empty lines behind it.
        let (mut last_break, mut empty) = (None, Vec::new());
        let mut was_blank = false;
        while at < span.end {
            let mut end = at;
            while end < span.end && self.break_at(end).is_none() {
                end += 1;
            }
            let line = self.text[at..end].get(event.indent as usize..).unwrap_or(&[]);
            let found = if end < span.end { self.break_at(end) } else { None };
            at = end + found.map_or(0, |(_, len)| len);
            let found = found.map(|(piece, _)| piece);
            if line.is_empty() {
                empty.extend(found);
                continue;
            }
            let is_blank = matches!(line[0], b' ' | b'\t');
            let folds = is_folded && last_break == Some(Piece::LineFeed) && !was_blank && !is_blank;
            match folds {
                true if empty.is_empty() => content.push(Piece::Byte(b' ')),
                true => {}
                false => content.extend(last_break),
            }
            content.append(&mut empty);
            content.extend(line.iter().map(|&byte| Piece::Byte(byte)));
            was_blank = is_blank;
            last_break = found;
        }
        if !header.contains(&b'-') {
            content.extend(last_break);
        }
        if header.contains(&b'+') {
            content.append(&mut empty);
        }
        content
    }
}

/// A piece of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Byte(u8),
    LineFeed,
    /// A separator with this last byte.
    Separator(u8),
}

/// Writes a piece in double quotes.
fn push_escaped(piece: Piece, out: &mut Vec<u8>) {
    match piece {
        Piece::Byte(byte @ (b'"' | b'\\')) => out.extend_from_slice(&[b'\\', byte]),
        Piece::Byte(byte) => out.push(byte),
        Piece::LineFeed => out.extend_from_slice(b"\\n"),
        Piece::Separator(0xA8) => out.extend_from_slice(b"\\L"),
        Piece::Separator(_) => out.extend_from_slice(b"\\P"),
    }
}

/// How many line feeds there are.
fn lines(text: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', text).count()
}
