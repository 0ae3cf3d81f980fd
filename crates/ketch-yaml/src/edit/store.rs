//! The current text, as parts of the original and of what was written.

use super::lines::skip_trivia;
use super::pieces::Pieces;
use std::borrow::Cow;
use std::ops::Range;

/// The number of bytes that a search reads at first.
const FIRST_LOOK: usize = 256;

/// A text in pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Store<'e> {
    pub original: &'e str,
    pub pieces: &'e Pieces,
}

impl<'e> Store<'e> {
    /// Returns the length of the text.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Returns a range of the text, which has to start and end between characters.
    pub fn text(&self, range: Range<usize>) -> Cow<'e, str> {
        self.pieces.text(self.original, range)
    }

    /// Returns a range of the text as bytes.
    pub fn bytes(&self, range: Range<usize>) -> Cow<'e, [u8]> {
        match self.pieces.bytes(self.original, range) {
            Cow::Borrowed(bytes) => Cow::Borrowed(bytes),
            Cow::Owned(bytes) => Cow::Owned(bytes),
        }
    }

    /// The start of the line that `at` is on.
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

    /// The start of the next line, or `at` if a line starts there.
    pub fn next_line(&self, at: usize) -> usize {
        if at > 0 && self.bytes(at - 1..at)[0] == b'\n' {
            return at;
        }
        let mut look = FIRST_LOOK;
        loop {
            let to = (at + look).min(self.len());
            if let Some(found) = memchr::memchr(b'\n', &self.bytes(at..to)) {
                return at + found + 1;
            }
            if to == self.len() {
                return to;
            }
            look *= 4;
        }
    }

    /// The first byte from `at` on that is neither white space nor part of a comment.
    pub fn skip_trivia(&self, at: usize) -> usize {
        let mut look = FIRST_LOOK;
        // Whether a `#` starts a comment depends on the byte before it.
        let from = at.saturating_sub(1);
        loop {
            let to = (at + look).min(self.len());
            let part = self.bytes(from..to);
            let found = skip_trivia(&part, at - from);
            if found < part.len() || to == self.len() {
                return from + found;
            }
            look *= 4;
        }
    }
}
