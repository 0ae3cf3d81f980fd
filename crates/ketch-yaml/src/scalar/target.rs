//! A buffer for decoded text, to which text is copied in blocks of 64 bytes.
//!
//! A copy includes bytes past the end of the text, which the next copy overwrites.

use crate::scan::class::is_blank;
use ketch_bytes::BLOCK_BYTES;

/// Text that is decoded to the end of a vector.
pub(super) struct Target<'o> {
    out: &'o mut Vec<u8>,
    /// The length of the vector before.
    start: usize,
    /// The end of the decoded text.
    len: usize,
}

impl<'o> Target<'o> {
    /// Returns a target for at most `bytes` bytes at the end of `out`.
    pub fn new(out: &'o mut Vec<u8>, bytes: usize) -> Target<'o> {
        let start = out.len();
        out.resize(start + bytes + BLOCK_BYTES, 0);
        Target { out, start, len: start }
    }

    /// Makes room for one more byte.
    #[cold]
    pub fn grow(&mut self) {
        self.out.push(0);
    }

    /// Appends `len` bytes of `text` from `from` on, copied in whole blocks. One more block must
    /// follow them in `text`.
    #[inline(always)]
    pub fn copy(&mut self, text: &[u8], from: usize, len: usize) {
        let mut done = 0;
        while done < len {
            let (from, to) = (from + done, self.len + done);
            self.out[to..to + BLOCK_BYTES].copy_from_slice(&text[from..from + BLOCK_BYTES]);
            done += BLOCK_BYTES;
        }
        self.len += len;
    }

    /// Appends `byte`.
    #[inline(always)]
    pub fn byte(&mut self, byte: u8) {
        self.out[self.len] = byte;
        self.len += 1;
    }

    /// Appends `char`.
    #[inline(always)]
    pub fn char(&mut self, char: char) {
        self.len += char.encode_utf8(&mut self.out[self.len..]).len();
    }

    /// Appends `count` line feeds.
    #[inline(always)]
    pub fn breaks(&mut self, count: usize) {
        self.out[self.len..self.len + count].fill(b'\n');
        self.len += count;
    }

    /// Returns the end of the decoded text.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Removes the blanks at the end of the text, but nothing before `floor`.
    // [108] ns-double-char.
    pub fn trim_blanks(&mut self, floor: usize) {
        while self.len > floor && is_blank(self.out[self.len - 1]) {
            self.len -= 1;
        }
    }

    /// Sets the length of the vector. Discards the text unless `is_kept`.
    pub fn finish(self, is_kept: bool) {
        self.out.truncate(if is_kept { self.len } else { self.start });
    }
}
