//! The line breaks of YAML 1.1 in a text for `Ketch::Psych`.
//!
//! libyaml treats next line (U+0085), line separator (U+2028) and paragraph separator (U+2029) as line
//! breaks (YAML 1.1, production \[22\] b-char). In YAML 1.2 they are ordinary characters. A text that
//! contains one is converted to a text with the same meaning in YAML 1.2:
//!
//! - Each of them becomes a line feed. libyaml does the same with a next line.
//! - A scalar that spans a separator gets it back as a character, because libyaml keeps a separator
//!   where it would fold a line feed into a space.
//!
//! If that makes a scalar shorter by some lines, as many empty lines follow it, so that line numbers
//! after it stay right.

use ketch_yaml::{Event, EventKind, Options, Parser};
use magnus::{Error, RString, Ruby, Value, value::ReprValue};
use std::ops::Range;

/// `Ketch.psych_breaks(text)`: the text in UTF-8, with no line breaks but those of YAML 1.2. Returns the
/// string itself if there is nothing to convert.
pub fn psych_breaks(ruby: &Ruby, text: RString) -> Result<Value, Error> {
    let text = super::source::utf8(ruby, text)?;
    // SAFETY: Ruby does not run before the bytes are copied.
    let bytes = unsafe { text.as_slice() };
    if is_wide(bytes) || next_break(bytes, 0).is_none() {
        return Ok(text.as_value());
    }
    let written = converted(bytes);
    Ok(ruby.enc_str_new(&written, ruby.utf8_encoding()).as_value())
}

/// Whether the bytes are UTF-16 or UTF-32, which the engine detects. Breaks in these are not converted.
fn is_wide(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(4)];
    start.starts_with(&[0xFE, 0xFF]) || start.starts_with(&[0xFF, 0xFE]) || start.contains(&0)
}

/// A line break of YAML 1.1 that is none in YAML 1.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Break {
    NextLine,
    /// The separator with this last byte.
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

/// The first such break at or after `from`.
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

fn converted(text: &[u8]) -> Vec<u8> {
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
        missing_lines: 0,
    }
    .run()
}

/// Restores the separators in scalars.
struct Rewriter<'t> {
    /// The text with a line feed for each break.
    text: &'t [u8],
    /// The offset of each separator, and its last byte.
    separators: &'t [(usize, u8)],
    out: Vec<u8>,
    /// The end of what has been copied.
    from: usize,
    /// Empty lines still to add.
    missing_lines: usize,
}

impl Rewriter<'_> {
    fn run(mut self) -> Vec<u8> {
        let mut options = Options::default();
        options.lenient = true;
        let mut parser = Parser::with_options(self.text, &options);
        // An error is reported when the result is parsed. What comes before it is converted.
        while let Ok(Some(chunk)) = parser.next_chunk() {
            let base = chunk.base() as usize;
            for event in chunk.events().filter(|event| event.kind.is_scalar()) {
                let span = base + event.start..base + event.start + event.len;
                if !self.has_separator(&span) {
                    self.add_lines_before(span.start);
                    self.copy_to(span.end);
                    continue;
                }
                self.add_lines_before(span.start);
                self.copy_to(span.start);
                self.from = span.end;
                self.scalar(&event, span);
            }
        }
        self.add_lines_before(self.text.len());
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

    /// Adds the missing lines at the next line break, if one comes before `end`, where a scalar starts.
    fn add_lines_before(&mut self, end: usize) {
        if self.missing_lines == 0 {
            return;
        }
        if let Some(at) = memchr::memchr(b'\n', &self.text[self.from..end]) {
            self.copy_to(self.from + at + 1);
            self.out.extend(std::iter::repeat_n(b'\n', self.missing_lines));
            self.missing_lines = 0;
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
        self.missing_lines += before.saturating_sub(lines(&self.out[start..]));
    }

    /// The break at `at`, and its length in bytes.
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

    /// Copies a flow scalar, except for white space that contains a separator.
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

    /// Writes the white space at `start`, which may begin with the `\` of an escaped break; returns its end.
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
        // The first break folds into a space (or into nothing after `\`), unless it is a separator.
        let kept = match (breaks.as_slice(), is_escaped) {
            ([_, rest @ ..], true) | ([Piece::LineFeed, rest @ ..], false) => rest,
            (all, _) => all,
        };
        if is_double {
            kept.iter().for_each(|&piece| push_escaped(piece, &mut self.out));
            // After an escaped break, indentation is not content.
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
                // Folding takes one.
                self.out.push(b'\n');
                self.out.extend_from_slice(indent);
            }
        }
        at
    }

    /// The content of a block scalar by libyaml's rules.
    fn block(&self, event: &Event, span: Range<usize>) -> Vec<Piece> {
        let is_folded = event.kind == EventKind::Folded;
        let mut at = span.start + 1;
        let header = self.text[at..span.end]
            .iter()
            .take_while(|byte| matches!(byte, b'+' | b'-' | b'0'..=b'9'));
        let header: Vec<u8> = header.copied().collect();
        // Skip the rest of the header line, which may hold a comment.
        while at < span.end && self.break_at(at).is_none() {
            at += 1;
        }
        at += if at < span.end { self.break_at(at).map_or(0, |(_, len)| len) } else { 0 };
        let mut content: Vec<Piece> = Vec::new();
        // The break after the last line of text, and those of the empty lines after that.
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

/// Writes a piece as it is written in double quotes.
fn push_escaped(piece: Piece, out: &mut Vec<u8>) {
    match piece {
        Piece::Byte(byte @ (b'"' | b'\\')) => out.extend_from_slice(&[b'\\', byte]),
        Piece::Byte(byte) => out.push(byte),
        Piece::LineFeed => out.extend_from_slice(b"\\n"),
        Piece::Separator(0xA8) => out.extend_from_slice(b"\\L"),
        Piece::Separator(_) => out.extend_from_slice(b"\\P"),
    }
}

/// The number of line feeds.
fn lines(text: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', text).count()
}
