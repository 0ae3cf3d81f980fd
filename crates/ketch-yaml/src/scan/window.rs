//! A window, which has masks of 64 bytes of a line that are computed once and used many times.

use super::text::Text;
use ketch_bytes::{BLOCK_BYTES, Lanes};

/// The masks of the 64 bytes from `base` on. Bit `i` is for the byte at `base + i`. Past the end of
/// the input, bytes count as line feeds.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    pub base: usize,
    /// Spaces.
    pub space: u64,
    /// White space and line breaks. These are all bytes up to `' '`, because other control
    /// characters have already been rejected.
    pub blank: u64,
    /// LF and CR.
    pub newline: u64,
    /// `:`
    colon: u64,
    /// `#`
    hash: u64,
}

impl Window {
    /// Loads the window of the 64 bytes from `base` on.
    #[inline(always)]
    pub fn load<L: Lanes>(lanes: L, text: Text<'_>, base: usize) -> Window {
        Window::of(lanes, text.load(lanes, base), base)
    }

    /// Computes the window of `block`, the 64 bytes from `base` on.
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

    /// Returns whether `at`, which must not be before the window, is in it.
    #[inline(always)]
    pub fn covers(&self, at: usize) -> bool {
        at - self.base < BLOCK_BYTES
    }

    /// Returns the mask of the byte at `at` and all later bytes of the window, which must contain
    /// `at`.
    #[inline(always)]
    pub fn from(&self, at: usize) -> u64 {
        u64::MAX << (at - self.base)
    }

    /// Returns the mask of the bytes from `a` up to, but not including, `b`. Both offsets must be
    /// in the window.
    #[inline(always)]
    pub fn between(&self, a: usize, b: usize) -> u64 {
        self.from(a) & !self.from(b)
    }

    /// Returns the mask of the tabs.
    #[inline(always)]
    pub fn tab(&self) -> u64 {
        self.blank ^ self.space ^ self.newline
    }

    /// Returns the mask of the colons that end a key, because a blank or a line break follows. The
    /// last byte of the window is never among them, because the byte after it is unknown.
    #[inline(always)]
    pub fn key_end(&self) -> u64 {
        self.colon & (self.blank >> 1)
    }

    /// Returns the mask of the number signs that start a comment, because a blank precedes them.
    /// The first byte of the window is never among them, because the byte before it is unknown.
    #[inline(always)]
    pub fn comment(&self) -> u64 {
        self.hash & (self.blank << 1)
    }

    /// Returns the mask of the bytes at which a plain scalar in block context may end.
    #[inline(always)]
    pub fn plain_stop(&self) -> u64 {
        self.key_end() | self.comment() | self.newline
    }
}
