//! Searches in the current text, which is stored as parts of the original and of new text.

use super::lines::{skip_blanks, skip_trivia};
use super::pieces::Pieces;
use std::borrow::Cow;
use std::ops::Range;

/// The number of bytes that a search reads first. Each time it finds nothing, it reads four times
/// as many.
const FIRST_LOOK: usize = 256;

/// A part of a line, and what is known of the line break nearest to it: its own or, if it has none,
/// the one before.
#[derive(Clone, Debug)]
pub(super) struct Line {
    range: Range<usize>,
    /// Whether that line break is a CRLF; `None` if the text has no line break near the line.
    pub has_crlf: Option<bool>,
    /// Whether the line has a line break of its own.
    has_break: bool,
}

impl Line {
    /// Returns the line as it is after a patch that replaces `old`, which is at `at`, by `new`.
    /// Returns `None` if another line break may be the nearest one then.
    fn after(self, at: &Range<usize>, new: &str, old: &str) -> Option<Line> {
        let Line { mut range, has_break, .. } = self;
        let delta = new.len() as i64 - at.len() as i64;
        let moved = |at: usize| (at as i64 + delta) as usize;
        let changes_lines = new.contains('\n') || old.contains('\n');
        if !has_break && (changes_lines || at.start >= range.end) {
            return None;
        }
        // If the line ends with CRLF, the patch must not touch that.
        let kept = if has_break { range.end.saturating_sub(2) } else { range.end };
        if at.end <= range.start {
            (range.start, range.end) = (moved(range.start), moved(range.end));
        } else if at.start >= range.start && at.end <= kept && !changes_lines {
            range.end = moved(range.end);
        } else if at.start < range.end {
            return None;
        }
        Some(Line { range, ..self })
    }
}

/// The lines in which line breaks were last searched for, the most recent first. Thanks to this, a
/// long line with many edits is searched only once, and so are two lines between which entries
/// move.
#[derive(Debug, Default)]
pub(super) struct NearLines([Option<Line>; 4]);

impl NearLines {
    /// Returns whether the line break nearest to `at`, which is that of its line or else the one
    /// before, is a CRLF; `None` if there is none.
    pub fn has_crlf(&mut self, store: &Store<'_>, at: usize) -> Option<bool> {
        let is_in =
            |line: &Option<Line>| line.as_ref().is_some_and(|line| line.range.contains(&at));
        let is_before = |line: &Option<Line>| {
            let start = line.as_ref().map(|line| line.range.start);
            start.is_some_and(|start| at < start && !store.has_break(at..start))
        };
        let lines = &self.0;
        let known = lines.iter().position(is_in).or_else(|| lines.iter().position(is_before));
        let last = lines.len() - 1;
        self.0[..=known.unwrap_or(last)].rotate_right(1);
        let line = match self.0[0].take().filter(|_| known.is_some()) {
            Some(line) => Line { range: at.min(line.range.start)..line.range.end, ..line },
            None => store.line_at(at),
        };
        self.0[0].insert(line).has_crlf
    }

    /// Updates the lines for a patch that is about to replace the text at `at` by `new`.
    pub fn patched(&mut self, store: &Store<'_>, at: &Range<usize>, new: &str) {
        let old = store.text(at.clone());
        for line in &mut self.0 {
            *line = line.take().and_then(|line| line.after(at, new, &old));
        }
    }
}

/// The current text, as pieces of the original and of new text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Store<'e> {
    pub original: &'e str,
    pub pieces: &'e Pieces,
}

impl<'e> Store<'e> {
    /// Returns the length of the text in bytes.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Returns the text in `range`, which must start and end between characters.
    pub fn text(&self, range: Range<usize>) -> Cow<'e, str> {
        self.pieces.text(self.original, range)
    }

    /// Returns the bytes in `range`.
    pub fn bytes(&self, range: Range<usize>) -> Cow<'e, [u8]> {
        match self.pieces.bytes(self.original, range) {
            Cow::Borrowed(bytes) => Cow::Borrowed(bytes),
            Cow::Owned(bytes) => Cow::Owned(bytes),
        }
    }

    /// Returns the start of the line that contains `at`. On the first line, this is after a byte
    /// order mark.
    pub fn line_start(&self, at: usize) -> usize {
        let mut look = FIRST_LOOK;
        loop {
            let from = at.saturating_sub(look);
            let part = self.bytes(from..at);
            if let Some(found) = memchr::memrchr(b'\n', &part) {
                return from + found + 1;
            }
            if from == 0 {
                let mark = self.bytes(0..3.min(self.len()));
                return if &*mark == b"\xEF\xBB\xBF" { 3.min(at) } else { 0 };
            }
            look *= 4;
        }
    }

    /// Returns `at` if a line starts there, and otherwise the start of the next line.
    pub fn next_line(&self, at: usize) -> usize {
        if at > 0 && self.bytes(at - 1..at)[0] == b'\n' {
            return at;
        }
        self.break_in(at..self.len()).map_or(self.len(), |found| found + 1)
    }

    /// Returns whether there is a line feed in `range`.
    pub fn has_break(&self, range: Range<usize>) -> bool {
        self.break_in(range).is_some()
    }

    /// Returns the offset of the first line feed in `range`. Reads little more than the bytes
    /// before it.
    fn break_in(&self, range: Range<usize>) -> Option<usize> {
        let (mut at, mut look) = (range.start, FIRST_LOOK);
        while at < range.end {
            let to = (at + look).min(range.end);
            if let Some(found) = memchr::memchr(b'\n', &self.bytes(at..to)) {
                return Some(at + found);
            }
            at = to;
            look *= 4;
        }
        None
    }

    /// Returns the part of the line that starts at `at`.
    fn line_at(&self, at: usize) -> Line {
        let end = self.next_line((at + 1).min(self.len()));
        let has_break = end > at && self.bytes(end - 1..end)[0] == b'\n';
        let found = if has_break { end } else { self.line_start(at) };
        let line_break = self.bytes(found.saturating_sub(2)..found);
        let has_crlf = line_break.ends_with(b"\n").then(|| *line_break == *b"\r\n");
        Line { range: at..end, has_crlf, has_break }
    }

    /// Returns the offset of the first byte at or after `at` that is neither white space nor part
    /// of a comment.
    pub fn skip_trivia(&self, at: usize) -> usize {
        self.skip(at, skip_trivia)
    }

    /// Returns the offset of the first byte at or after `at` that is neither a space nor a tab.
    pub fn skip_blanks(&self, at: usize) -> usize {
        self.skip(at, skip_blanks)
    }

    /// Returns the offset that `found_in` finds in the text from `at` on. Reads more and more of
    /// the text until the result is not the end of what was read.
    fn skip(&self, at: usize, found_in: fn(&[u8], usize) -> usize) -> usize {
        let mut look = FIRST_LOOK;
        // Whether a `#` starts a comment depends on the byte before it.
        let from = at.saturating_sub(1);
        loop {
            let to = (at + look).min(self.len());
            let part = self.bytes(from..to);
            let found = found_in(&part, at - from);
            if found < part.len() || to == self.len() {
                return from + found;
            }
            look *= 4;
        }
    }
}
