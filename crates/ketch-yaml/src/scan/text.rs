//! The buffered input.

use super::class::{is_blank, is_blank_or_break};
use ketch_bytes::{BLOCK_BYTES, Lanes, Tail, block_at};

/// The buffered input, which is all of a slice, or as much of a stream as is in the buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'t> {
    /// The bytes, which are valid UTF-8, end at a character boundary, and have no control
    /// characters except tabs and line breaks.
    pub bytes: &'t [u8],
    /// A padded copy of the end of `bytes`.
    pub tail: &'t Tail,
    /// The lines before this offset are complete. The parser starts no line after it.
    pub lines_end: usize,
    /// Whether `bytes` ends the input.
    pub is_last: bool,
}

impl<'t> Text<'t> {
    /// Returns the byte at `at`, or a line feed past the end.
    #[inline(always)]
    pub fn byte(&self, at: usize) -> u8 {
        match self.bytes.get(at) {
            Some(&byte) => byte,
            None => b'\n',
        }
    }

    /// Returns the 64 bytes at `at`, padded with line feeds past the end.
    #[inline(always)]
    pub fn block(&self, at: usize) -> &'t [u8; BLOCK_BYTES] {
        block_at(self.bytes, self.tail, at)
    }

    /// Loads the 64 bytes at `at`, padded as in [`Text::block`].
    #[inline(always)]
    pub fn load<L: Lanes>(&self, lanes: L, at: usize) -> L::Block {
        lanes.load(self.block(at))
    }

    /// Returns whether white space, a line break or the end of the input is at `at`.
    #[inline(always)]
    pub fn is_blank_or_break(&self, at: usize) -> bool {
        is_blank_or_break(self.byte(at))
    }

    /// Returns the start of the line after the line break at `at`, which is CRLF, CR or LF (\[28\]
    /// b-break).
    #[inline(always)]
    pub fn after_break(&self, at: usize) -> usize {
        match self.bytes.get(at) {
            Some(b'\n') => at + 1,
            Some(b'\r') if self.bytes.get(at + 1) == Some(&b'\n') => at + 2,
            _ => self.after_other_break(at),
        }
    }

    /// Returns the offset after `at`, where there is a lone CR or the end of the text. The offset
    /// is at most the length of the text.
    #[cold]
    #[inline(never)]
    fn after_other_break(&self, at: usize) -> usize {
        (at + 1).min(self.bytes.len())
    }

    /// Returns the offset of the first byte from `at` on that is neither a space nor a tab.
    #[inline]
    pub fn skip_blanks(&self, mut at: usize) -> usize {
        while is_blank(self.byte(at)) {
            at += 1;
        }
        at
    }

    /// Returns the offset of the line break that ends the line containing `at`, or the end of the
    /// text.
    pub fn line_end(&self, at: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or(&[]);
        rest.iter()
            .position(|&byte| byte == b'\n' || byte == b'\r')
            .map_or(self.bytes.len(), |n| at + n)
    }

    /// Returns whether a `---` or `...` is at `at`, which is the start of a line (\[206\]
    /// c-forbidden).
    #[inline(always)]
    pub fn is_marker(&self, at: usize) -> bool {
        matches!(self.bytes.get(at..), Some([b'-', b'-', b'-', ..] | [b'.', b'.', b'.', ..]))
            && self.is_blank_or_break(at + 3)
    }
}

/// Returns the offset after the last complete line of `bytes`, or 0 if there is none. A carriage
/// return at the very end does not complete a line, because it may be half of a CRLF.
pub(crate) fn whole_lines(bytes: &[u8]) -> usize {
    let searched = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    searched.iter().rposition(|&byte| byte == b'\n' || byte == b'\r').map_or(0, |at| at + 1)
}
