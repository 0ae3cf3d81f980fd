//! Converts line breaks that only YAML 1.1 has, for interfaces that are compatible with libraries
//! that recognize these.
//!
//! libyaml treats next line (U+0085), line separator (U+2028) and paragraph separator (U+2029) as
//! line breaks (YAML 1.1, production \[22\] b-char). In YAML 1.2, they are ordinary characters. So
//! a text that contains one of them is parsed as a copy in which each of them is replaced with a
//! line feed. Lines and columns are the same in the copy.
//!
//! In the content of scalars, libyaml keeps the two separators as characters, whereas it folds or
//! normalizes other line breaks. The copy does not show which line feeds were separators. So the
//! content of each scalar that contains a separator is determined here, and is returned along with
//! the copy.

use ketch_yaml::{Error, Event, EventKind, Options, Parser, Problem, scalar};
use std::ops::Range;

/// A text in which the line breaks that only YAML 1.1 has are replaced with line feeds.
#[derive(Debug)]
pub struct Converted {
    /// The text in UTF-8.
    pub text: Vec<u8>,
    /// The scalars that contain a separator (U+2028 or U+2029), in the order of the text.
    pub kept: Vec<Kept>,
}

/// The content of a scalar that contains a separator.
#[derive(Debug)]
pub struct Kept {
    /// The offset in the converted text where the scalar starts.
    pub start: usize,
    /// The content as libyaml returns it, with separators.
    pub content: Vec<u8>,
}

/// Returns the content of the scalar that starts at offset `start` if it is one of `kept`.
pub fn kept_content(kept: &[Kept], start: usize) -> Option<&[u8]> {
    let index = kept.binary_search_by_key(&start, |scalar| scalar.start).ok()?;
    Some(&kept[index].content)
}

/// Converts the line breaks in `bytes` that only YAML 1.1 has. Returns `None` if there are none.
///
/// # Errors
///
/// Fails with [`Problem::Interrupted`] if `options.interrupt` stops the conversion. Other errors in
/// the text are not returned: the parser of the converted text will report them.
pub fn convert(bytes: &[u8], options: &Options) -> Result<Option<Converted>, Error> {
    if !has_break(bytes) {
        return Ok(None);
    }
    let (text, separators) = with_line_feeds(bytes);
    let mut kept = Vec::new();
    if !separators.is_empty() {
        let mut scalars = Scalars { text: &text, separators: &separators, out: Vec::new() };
        kept = scalars.kept(options)?;
    }
    Ok(Some(Converted { text, kept }))
}

/// Returns whether `bytes` contains a line break that [`convert`] would convert.
pub fn has_break(bytes: &[u8]) -> bool {
    !is_wide(bytes) && next_break(bytes, 0).is_some()
}

/// Returns whether `text` contains a line break to convert in its first document, which ends at
/// offset `end`, or in the text that determines this end: the empty lines and comments after it,
/// and the first line after these.
pub fn are_in_document(text: &[u8], end: usize) -> bool {
    let mut line_end = end;
    while let Some(rest) = text.get(line_end..) {
        let content = rest.trim_ascii_start();
        let is_last = !matches!(content.first(), Some(b'#'));
        let start = text.len() - content.len();
        line_end =
            start + memchr::memchr2(b'\n', b'\r', content).map_or(content.len(), |at| at + 1);
        if is_last {
            break;
        }
    }
    !is_wide(text) && next_break(&text[..line_end.min(text.len())], 0).is_some()
}

/// Returns whether `bytes` looks like UTF-16 or UTF-32, whose line breaks are not converted.
fn is_wide(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(4)];
    start.starts_with(&[0xFE, 0xFF]) || start.starts_with(&[0xFF, 0xFE]) || start.contains(&0)
}

/// A character that is a line break in YAML 1.1 but not in YAML 1.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Break {
    NextLine,
    /// The line separator or paragraph separator, whose last byte in UTF-8 is this one.
    Separator(u8),
}

impl Break {
    /// Returns the length of the character in UTF-8, in bytes.
    fn len(self) -> usize {
        match self {
            Break::NextLine => 2,
            Break::Separator(_) => 3,
        }
    }
}

/// Returns the offset and kind of the first line break in `text`, at or after offset `from`, that
/// only YAML 1.1 has, or `None` if there is none.
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

/// Returns a copy of `text` in which each line break that only YAML 1.1 has is replaced with a line
/// feed. Also returns the offset in the copy of each line feed that replaces a separator, with the
/// last byte of that separator.
fn with_line_feeds(text: &[u8]) -> (Vec<u8>, Vec<(usize, u8)>) {
    let mut copy = Vec::with_capacity(text.len());
    let mut separators = Vec::new();
    let mut from = 0;
    while let Some((at, kind)) = next_break(text, from) {
        copy.extend_from_slice(&text[from..at]);
        // Carriage returns directly before the break are line breaks of their own. They become line
        // feeds, so that the last one does not form a CRLF with the line feed that is added.
        copy.iter_mut().rev().take_while(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
        if let Break::Separator(last) = kind {
            separators.push((copy.len(), last));
        }
        copy.push(b'\n');
        from = at + kind.len();
    }
    copy.extend_from_slice(&text[from..]);
    (copy, separators)
}

/// Finds the scalars that contain a separator, and determines their content.
struct Scalars<'t> {
    /// The text in which line feeds replace the line breaks that only YAML 1.1 has.
    text: &'t [u8],
    /// The offset of each separator in `text`, and the separator's last byte.
    separators: &'t [(usize, u8)],
    /// A flow scalar, rewritten so that its content in YAML 1.2 is the one that libyaml returns for
    /// the original.
    out: Vec<u8>,
}

impl Scalars<'_> {
    /// Returns the scalars that contain a separator, with the content that libyaml returns for
    /// them. Ends at the first error in the text, but returns an error only if it is an interrupt.
    fn kept(&mut self, options: &Options) -> Result<Vec<Kept>, Error> {
        let mut kept = Vec::new();
        let mut options = *options;
        options.lenient = true;
        let mut parser = Parser::with_options(self.text, &options);
        loop {
            let chunk = match parser.next_chunk() {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break,
                Err(error) if error.problem() == Problem::Interrupted => return Err(error),
                Err(_) => break,
            };
            let base = chunk.base() as usize;
            for event in chunk.events().filter(|event| event.kind.is_scalar()) {
                let span = base + event.start..base + event.start + event.len;
                if self.has_separator(&span) {
                    kept.push(Kept { start: span.start, content: self.content(&event, span) });
                }
            }
        }
        Ok(kept)
    }

    /// Returns whether there is a separator in the range `span` of the text.
    fn has_separator(&self, span: &Range<usize>) -> bool {
        let next = self.separators.partition_point(|&(at, _)| at < span.start);
        self.separators.get(next).is_some_and(|&(at, _)| at < span.end)
    }

    /// Returns the content that libyaml returns for the scalar of `event`, whose text is at `span`.
    fn content(&mut self, event: &Event, span: Range<usize>) -> Vec<u8> {
        if matches!(event.kind, EventKind::Literal | EventKind::Folded) {
            let mut content = Vec::with_capacity(span.len());
            self.block(event, span).iter().for_each(|piece| piece.push_to(&mut content));
            return content;
        }
        self.out.clear();
        self.flow(event.kind, span);
        let mut written = *event;
        (written.start, written.len) = (0, self.out.len());
        scalar::content(&self.out, &written).into_owned()
    }

    /// Returns the line break at offset `at` and its length in bytes, or `None` if there is no line
    /// break.
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

    /// Copies the flow scalar at `span` to `self.out`, rewriting white space that contains a
    /// separator.
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

    /// Returns the line breaks in the white space that starts at `at` and ends before `end`, the
    /// offset where its last line starts, and the offset where it ends.
    fn breaks_from(&self, mut at: usize, end: usize) -> (Vec<Piece>, usize, usize) {
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
        (breaks, line, at)
    }

    /// Copies the white space at `start` to `self.out`, rewriting it if it contains a separator. It
    /// may begin with the `\` of an escaped line break. Returns the offset where it ends, which is
    /// at most `end`. `is_double` is set if the scalar is in double quotes.
    fn white_space(&mut self, start: usize, end: usize, is_double: bool) -> usize {
        let is_escaped = self.text[start] == b'\\';
        let (breaks, line, at) = self.breaks_from(start + usize::from(is_escaped), end);
        if breaks.iter().all(|&piece| piece == Piece::LineFeed) {
            self.out.extend_from_slice(&self.text[start..at]);
            return at;
        }
        let indent = &self.text[line..at];
        // The first break is folded into a space (or into nothing after `\`), unless it is a
        // separator.
        let kept = match (breaks.as_slice(), is_escaped) {
            ([_, rest @ ..], true) | ([Piece::LineFeed, rest @ ..], false) => rest,
            (all, _) => all,
        };
        if is_double {
            kept.iter().for_each(|&piece| push_escaped(piece, &mut self.out));
            // After an escaped line break, white space at the start of a line is not content.
            self.out.extend_from_slice(b"\\\n");
            self.out.extend_from_slice(indent);
            return at;
        }
        for run in kept.chunk_by(|a, b| (*a == Piece::LineFeed) == (*b == Piece::LineFeed)) {
            run.iter().for_each(|piece| piece.push_to(&mut self.out));
            if run[0] == Piece::LineFeed {
                // Folding removes one of several line feeds, so one more is needed.
                self.out.push(b'\n');
                self.out.extend_from_slice(indent);
            }
        }
        at
    }

    /// Returns the chomping indicator of the block scalar at `span`, if it has one, and the offset
    /// where its first line starts.
    fn block_header(&self, span: &Range<usize>) -> (Option<u8>, usize) {
        let mut at = span.start + 1;
        let is_indicator = |byte: &&u8| matches!(byte, b'+' | b'-' | b'0'..=b'9');
        let mut indicators = self.text[at..span.end].iter().take_while(is_indicator);
        let chomping = indicators.find(|byte| matches!(byte, b'+' | b'-')).copied();
        // Skip the rest of the header line, which may contain a comment.
        while at < span.end && self.break_at(at).is_none() {
            at += 1;
        }
        at += if at < span.end { self.break_at(at).map_or(0, |(_, len)| len) } else { 0 };
        (chomping, at)
    }

    /// Returns the content of the block scalar of `event`, whose text is at `span`, by libyaml's
    /// rules.
    fn block(&self, event: &Event, span: Range<usize>) -> Vec<Piece> {
        let is_folded = event.kind == EventKind::Folded;
        let (chomping, mut at) = self.block_header(&span);
        let mut content: Vec<Piece> = Vec::new();
        // The break after the last line that is not empty, and those of the empty lines after it.
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
        if chomping != Some(b'-') {
            content.extend(last_break);
        }
        if chomping == Some(b'+') {
            content.append(&mut empty);
        }
        content
    }
}

/// A part of the content of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Byte(u8),
    LineFeed,
    /// The separator whose last byte in UTF-8 is this one.
    Separator(u8),
}

impl Piece {
    /// Appends the piece to `out` in UTF-8.
    fn push_to(self, out: &mut Vec<u8>) {
        match self {
            Piece::Byte(byte) => out.push(byte),
            Piece::LineFeed => out.push(b'\n'),
            Piece::Separator(last) => out.extend_from_slice(&[0xE2, 0x80, last]),
        }
    }
}

/// Appends `piece` to `out` as it is written in double quotes.
fn push_escaped(piece: Piece, out: &mut Vec<u8>) {
    match piece {
        Piece::Byte(byte) => out.push(byte),
        Piece::LineFeed => out.extend_from_slice(b"\\n"),
        Piece::Separator(0xA8) => out.extend_from_slice(b"\\L"),
        Piece::Separator(_) => out.extend_from_slice(b"\\P"),
    }
}
