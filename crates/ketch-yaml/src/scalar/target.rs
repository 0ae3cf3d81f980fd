//! A buffer for decoded text, to which text is copied in blocks of 64 bytes.
//!
//! A copy includes bytes past the end of the text, which the next copy overwrites.

use crate::scan::class::is_blank;
use ketch_bytes::{BLOCK_BYTES, Lanes};

/// For each mask of 8 bits, the numbers of its set bits, each in a byte, from the lowest on.
const ORDERS: [u64; 256] = {
    let mut orders = [0; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut bit, mut place) = (0, 0);
        while bit < 8 {
            if mask >> bit & 1 != 0 {
                orders[mask] |= bit << place;
                place += 8;
            }
            bit += 1;
        }
        mask += 1;
    }
    orders
};

/// Text that is decoded to the end of a vector.
pub(super) struct Target<'o> {
    out: &'o mut Vec<u8>,
    /// The length of the vector before.
    start: usize,
    /// The end of the decoded text.
    len: usize,
    /// Blanks before this offset are not trimmed.
    floor: usize,
}

impl<'o> Target<'o> {
    /// Returns a target for at most `bytes` bytes at the end of `out`.
    pub fn new(out: &'o mut Vec<u8>, bytes: usize) -> Target<'o> {
        let start = out.len();
        out.resize(start + bytes + BLOCK_BYTES, 0);
        Target { out, start, len: start, floor: start }
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

    /// Appends the bytes of `block` whose bits are set in `kept`.
    #[inline(always)]
    pub fn compress<L: Lanes>(&mut self, lanes: L, block: &[u8; BLOCK_BYTES], kept: u64) {
        let out = &mut self.out[self.len..self.len + BLOCK_BYTES];
        let mut len = 0;
        for (bytes, kept) in block.as_chunks().0.iter().zip(kept.to_le_bytes().as_chunks().0) {
            let [low, high] = *kept;
            let orders =
                [ORDERS[usize::from(low)], ORDERS[usize::from(high)] | 0x0808_0808_0808_0808];
            let mut order = [0; 16];
            order[..8].copy_from_slice(&orders[0].to_le_bytes());
            order[8..].copy_from_slice(&orders[1].to_le_bytes());
            let moved = lanes.shuffle(*bytes, &order);
            out[len..len + 8].copy_from_slice(&moved[..8]);
            len += low.count_ones() as usize;
            out[len..len + 8].copy_from_slice(&moved[8..]);
            len += high.count_ones() as usize;
        }
        self.len += len;
    }

    /// Replaces the byte at `place` by `byte`.
    #[inline(always)]
    pub fn set(&mut self, place: usize, byte: u8) {
        self.out[place] = byte;
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

    /// Keeps the blanks before `floor`, such as those produced by escapes, from being trimmed.
    #[inline(always)]
    pub fn keep_blanks(&mut self, floor: usize) {
        self.floor = floor;
    }

    /// Removes the blanks at the end of the text that need not be kept.
    // [108] ns-double-char.
    pub fn trim_blanks(&mut self) {
        while self.len > self.floor && is_blank(self.out[self.len - 1]) {
            self.len -= 1;
        }
    }

    /// Sets the length of the vector. Discards the text unless `is_kept`.
    pub fn finish(self, is_kept: bool) {
        self.out.truncate(if is_kept { self.len } else { self.start });
    }
}
