//! Decodes block scalars whose lines end with line feeds. Lines are found in 64 bytes at a time,
//! and copied in blocks of 64 bytes.
//!
//! Lines are short, so calls and branches per line cost more than the bytes. This code takes one branch
//! per line and one on its length.

use super::target::Target;
use crate::scan::class::is_blank;
use ketch_bytes::{BLOCK_BYTES, Kernel, Lanes};

/// The body of a block scalar, up to and including its last line feed, and the buffer for its
/// content. At least one more block of input must follow it; see [`Body::fits`].
pub(super) struct Body<'t, 'o> {
    pub text: &'t [u8],
    pub start: usize,
    pub end: usize,
    pub indent: usize,
    pub is_folded: bool,
    pub out: &'o mut Vec<u8>,
}

impl Body<'_, '_> {
    /// Returns whether the lines can be read and copied as blocks.
    pub fn fits(&self) -> bool {
        self.end + BLOCK_BYTES <= self.text.len()
            && self.start < self.end
            && self.text[self.end - 1] == b'\n'
    }
}

impl Kernel for Body<'_, '_> {
    /// Whether the lines were decoded, which fails if there are carriage returns.
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> bool {
        let Body { text, start, end, indent, is_folded, out } = self;
        // The content is never longer than its lines.
        let mut target = Target::new(out, end - start);
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
        target.finish(is_plain);
        is_plain
    }
}

/// The state of folding (section 8.1.3).
struct Fold {
    /// The number of line breaks since the last text, including that of its own line.
    breaks: usize,
    /// Whether the last line with text started with a blank, or there was no such line yet. If so,
    /// all breaks are kept.
    was_spaced: bool,
}

impl Fold {
    /// Writes the breaks or the space before a line of text to `target`. `is_spaced` says whether
    /// the line starts with a blank.
    #[inline(always)]
    fn text(&mut self, is_spaced: bool, target: &mut Target<'_>) {
        if self.was_spaced || is_spaced {
            target.breaks(self.breaks);
        } else if self.breaks == 1 {
            target.byte(b' ');
        } else {
            target.breaks(self.breaks - 1);
        }
        self.breaks = 0;
        self.was_spaced = is_spaced;
    }
}
