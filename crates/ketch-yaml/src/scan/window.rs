//! A window: masks of 64 bytes of a line, computed once and queried many times.

use super::text::Text;
use ketch_bytes::{BLOCK_BYTES, Lanes};

/// Masks over the 64 bytes from `base` on; bit `i` is for the byte at `base + i`. Past the end of
/// the input, bytes count as line feeds.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    pub base: usize,
    /// Spaces.
    pub space: u64,
    /// White space and line breaks: every byte up to `' '`, since other control characters have
    /// already been rejected.
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

    /// The window of a block loaded from `base`.
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

    /// Whether `at` lies in the window.
    #[inline(always)]
    pub fn covers(&self, at: usize) -> bool {
        at - self.base < BLOCK_BYTES
    }

    /// The bits of `at` and all later bytes; `at` must lie in the window.
    #[inline(always)]
    pub fn from(&self, at: usize) -> u64 {
        u64::MAX << (at - self.base)
    }

    /// The bits of `a..b`; both must lie in the window.
    #[inline(always)]
    pub fn between(&self, a: usize, b: usize) -> u64 {
        self.from(a) & !self.from(b)
    }

    /// Tabs.
    #[inline(always)]
    pub fn tab(&self) -> u64 {
        self.blank ^ self.space ^ self.newline
    }

    /// Colons that end a key: those followed by a blank or a line break. Never the last byte of the
    /// window, since the byte after it is unknown.
    #[inline(always)]
    pub fn key_end(&self) -> u64 {
        self.colon & (self.blank >> 1)
    }

    /// Number signs that start a comment: those after a blank. Never the first byte of the window.
    #[inline(always)]
    pub fn comment(&self) -> u64 {
        self.hash & (self.blank << 1)
    }

    /// Bytes at which a plain scalar in block context ends.
    #[inline(always)]
    pub fn plain_stop(&self) -> u64 {
        self.key_end() | self.comment() | self.newline
    }
}
