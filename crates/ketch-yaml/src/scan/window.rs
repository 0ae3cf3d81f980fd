//! A window: the masks of 64 bytes of a line, made once and asked many times.

use super::text::Text;
use ketch_bytes::{BLOCK_BYTES, Lanes};

/// Masks over the 64 bytes from `base` on; bit `i` speaks of the byte at `base + i`. Past the end of
/// the input there are line feeds.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    pub base: usize,
    /// Spaces.
    pub space: u64,
    /// White space and line breaks: all that is at most `' '`, since other control characters have
    /// been ruled out.
    pub blank: u64,
    /// LF and CR.
    pub newline: u64,
    /// `:`
    colon: u64,
    /// `#`
    hash: u64,
}

impl Window {
    #[inline(always)]
    pub fn load<L: Lanes>(lanes: L, text: Text<'_>, base: usize) -> Window {
        Window::of(lanes, text.load(lanes, base), base)
    }

    /// The window of a block that has been loaded from `base`.
    #[inline(always)]
    pub fn of<L: Lanes>(lanes: L, block: L::Block, base: usize) -> Window {
        let space = lanes.eq(block, b' ');
        let blank = lanes.le(block, b' ');
        let tab = lanes.eq(block, b'\t');
        Window {
            base,
            space,
            blank,
            newline: blank ^ space ^ tab,
            colon: lanes.eq(block, b':'),
            hash: lanes.eq(block, b'#'),
        }
    }

    /// Whether the mask bits speak of `at`.
    #[inline(always)]
    pub fn covers(&self, at: usize) -> bool {
        at - self.base < BLOCK_BYTES
    }

    /// The bits of `at` and all later bytes; `at` must be covered.
    #[inline(always)]
    pub fn from(&self, at: usize) -> u64 {
        u64::MAX << (at - self.base)
    }

    /// The bits of `a..b`; both must be covered.
    #[inline(always)]
    pub fn between(&self, a: usize, b: usize) -> u64 {
        self.from(a) & !self.from(b)
    }

    /// Tabs.
    #[inline(always)]
    pub fn tab(&self) -> u64 {
        self.blank ^ self.space ^ self.newline
    }

    /// Colons that end a key: those with a blank or break behind. The last byte of the window is
    /// never among them, since what follows it is not known.
    #[inline(always)]
    pub fn key_end(&self) -> u64 {
        self.colon & (self.blank >> 1)
    }

    /// Number signs that start a comment: those with a blank in front. The first byte of the window
    /// is never among them.
    #[inline(always)]
    pub fn comment(&self) -> u64 {
        self.hash & (self.blank << 1)
    }

    /// Where a plain scalar in block style stops at the latest.
    #[inline(always)]
    pub fn plain_stop(&self) -> u64 {
        self.key_end() | self.comment() | self.newline
    }
}
