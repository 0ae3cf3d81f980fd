//! Block scalars whose lines end with line feeds: the lines of 64 bytes at a time, copied in blocks
//! of 64 bytes.
//!
//! Scalars have short lines, so what costs is not the bytes but the calls and branches a line: here
//! it is one branch for the line and one for its length. The bytes behind a line are copied with it
//! and overwritten by the next.

use crate::scan::class::is_blank;
use ketch_bytes::{BLOCK_BYTES, Kernel, Lanes};

/// The body of a block scalar, from its first line to behind its last line feed, and the room for
/// its text. At least a block of further text must follow, as [`Body::fits`] tells.
pub(super) struct Body<'t, 'o> {
    pub text: &'t [u8],
    pub start: usize,
    pub end: usize,
    pub indent: usize,
    pub is_folded: bool,
    pub out: &'o mut Vec<u8>,
}

impl Body<'_, '_> {
    /// Whether the lines can be read and copied as blocks.
    pub fn fits(&self) -> bool {
        self.end + BLOCK_BYTES <= self.text.len()
            && self.start < self.end
            && self.text[self.end - 1] == b'\n'
    }
}

impl Kernel for Body<'_, '_> {
    /// Whether the lines were written; where there are carriage returns they were not.
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> bool {
        let Body { text, start, end, indent, is_folded, out } = self;
        let floor = out.len();
        // Text is never longer than the lines it is made of; a copied block may go beyond.
        out.resize(floor + (end - start) + BLOCK_BYTES, 0);
        let mut target = Target { bytes: &mut out[floor..], len: 0 };
        let mut fold = Fold { breaks: 0, was_spaced: true };
        let mut line = start;
        let mut base = start;
        let mut is_plain = true;
        while base < end && is_plain {
            let Some(block) = text[base..].first_chunk() else { break };
            let block = lanes.load(block);
            is_plain = lanes.eq(block, b'\r') == 0;
            let mut breaks = lanes.eq(block, b'\n');
            while breaks != 0 {
                let at = base + breaks.trailing_zeros() as usize;
                breaks &= breaks - 1;
                if at >= end {
                    break;
                }
                // An empty line may have fewer spaces.
                let from = (line + indent).min(at);
                if is_folded {
                    if from < at {
                        fold.text(is_blank(text[from]), &mut target);
                        target.copy(text, from, at - from);
                    }
                    fold.breaks += 1;
                } else {
                    target.copy(text, from, at + 1 - from);
                }
                line = at + 1;
            }
            base += BLOCK_BYTES;
        }
        target.breaks(fold.breaks);
        let written = if is_plain { target.len } else { 0 };
        out.truncate(floor + written);
        is_plain
    }
}

/// What is written.
struct Target<'o> {
    bytes: &'o mut [u8],
    len: usize,
}

impl Target<'_> {
    #[inline(always)]
    fn copy(&mut self, text: &[u8], from: usize, len: usize) {
        let mut done = 0;
        while done < len {
            let (from, to) = (from + done, self.len + done);
            self.bytes[to..to + BLOCK_BYTES].copy_from_slice(&text[from..from + BLOCK_BYTES]);
            done += BLOCK_BYTES;
        }
        self.len += len;
    }

    #[inline(always)]
    fn breaks(&mut self, count: usize) {
        self.bytes[self.len..self.len + count].fill(b'\n');
        self.len += count;
    }
}

/// How lines are folded (section 8.1.3).
struct Fold {
    /// Line breaks since the last text, that of its line counted.
    breaks: usize,
    /// The last line of text started with a blank, or there was none: then all breaks are kept.
    was_spaced: bool,
}

impl Fold {
    /// What comes in front of a line of text.
    #[inline(always)]
    fn text(&mut self, is_spaced: bool, target: &mut Target<'_>) {
        if self.was_spaced || is_spaced {
            target.breaks(self.breaks);
        } else if self.breaks == 1 {
            target.bytes[target.len] = b' ';
            target.len += 1;
        } else {
            target.breaks(self.breaks - 1);
        }
        self.breaks = 0;
        self.was_spaced = is_spaced;
    }
}
