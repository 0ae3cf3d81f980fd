//! The quick lane of text that a program pushes: what is short and simple is looked at as one block
//! and copied whole, as in [`super::receive`]. Whatever is not, is left to [`Core`], and nothing is
//! written before that is known; so both lanes write the same.

use super::analysis::starts_plain_anywhere;
use super::core::Core;
use super::presenter::Result;
use super::receive::Lane;
use crate::schema::needs_quotes;
use ketch_bytes::string::{SHORT_MAX, words};
use ketch_bytes::{BLOCK_BYTES, Kernel, Lanes, dispatch};

/// A quote, the text, a quote, and whatever; both the text and the quoted text have a block behind
/// their start.
type Padded = [u8; 2 * BLOCK_BYTES];

/// The longest text that is looked at here: with its quotes, it fits into a block with room for one
/// byte more.
const TEXT_BYTES_MAX: usize = BLOCK_BYTES - 3;

impl Core {
    /// Whether the quick lane may write what has `len` bytes.
    #[inline(always)]
    fn may_be_quick(&self, len: usize) -> bool {
        (1..=TEXT_BYTES_MAX).contains(&len)
            && self.node_properties.len() == 0
            && self.lane != Lane::Closed
    }

    /// Writes text in the style that reads best, if it is simple. Says whether it was.
    #[inline(always)]
    pub fn quick_text(&mut self, text: &[u8]) -> Result<bool> {
        if !self.may_be_quick(text.len()) {
            return Ok(false);
        }
        self.open_pending()?;
        let level = self.options.level;
        Ok(match text.len() <= SHORT_MAX {
            true => dispatch(level, PushShort { core: self, text }),
            false => dispatch(level, Push { core: self, text }),
        })
    }

    /// Writes what may stand plain everywhere: numbers and words. Says whether the place is simple.
    #[inline(always)]
    pub fn quick_plain(&mut self, text: &[u8]) -> Result<bool> {
        if !self.may_be_quick(text.len()) {
            return Ok(false);
        }
        let Some(words) = words(text) else { return Ok(false) };
        self.open_pending()?;
        Ok(self.put_words(words, text.len(), false))
    }
}

/// Writes a text if it is simple and short enough to stand in three words.
struct PushShort<'c, 't> {
    core: &'c mut Core,
    text: &'t [u8],
}

impl Kernel for PushShort<'_, '_> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> bool {
        let PushShort { core, text } = self;
        let Some(words) = words(text) else { return false };
        match look(lanes, lanes.load_words(words), text, core.top.is_flow()) {
            Found::Plain => core.put_words(words, text.len(), false),
            Found::DoubleQuoted => core.put_words(words, text.len(), true),
            Found::Unknown => false,
        }
    }
}

/// Writes a longer text if it is simple.
struct Push<'c, 't> {
    core: &'c mut Core,
    text: &'t [u8],
}

/// The style that a text gets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Plain,
    DoubleQuoted,
    /// That is for the general lane to tell.
    Unknown,
}

impl Kernel for Push<'_, '_> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> bool {
        let Push { core, text } = self;
        let len = text.len();
        let mut padded: Padded = [0; 2 * BLOCK_BYTES];
        padded[1..=len].copy_from_slice(text);
        let Some(content) = padded[1..].first_chunk() else { return false };
        match look(lanes, lanes.load(content), text, core.top.is_flow()) {
            Found::Plain => core.put_simple(content, len),
            Found::DoubleQuoted => {
                padded[0] = b'"';
                padded[len + 1] = b'"';
                let Some(quoted) = padded.first_chunk() else { return false };
                core.put_simple(quoted, len + 2)
            }
            Found::Unknown => false,
        }
    }
}

/// Looks at text, with which `block` starts.
#[inline(always)]
fn look<L: Lanes>(lanes: L, block: L::Block, text: &[u8], is_flow: bool) -> Found {
    let last = 1u64 << (text.len() - 1);
    let all = last | (last - 1);
    // Controls, and the bytes that start the characters that may have to be escaped.
    let odd = lanes.le(block, 0x1F) | lanes.eq_any(block, [0x7F, 0xC2, 0xE2, 0xEF]);
    let escaped = lanes.eq_any(block, [b'"', b'\\']) & all;
    // In brackets, readers that go by libyaml end plain text at a `?`, others at a `:`.
    let brackets = lanes.eq_any(block, *b",?:[]{}") & all;
    if odd & all != 0 || is_flow && brackets != 0 {
        return Found::Unknown;
    }
    let Some(starts_plain) = starts_plain_anywhere(text[0]) else { return Found::Unknown };
    let blanks = lanes.eq(block, b' ') & all;
    let colons = lanes.eq(block, b':') & all;
    let hashes = lanes.eq(block, b'#') & all;
    let ends = blanks & last | colons & (blanks >> 1 | last) | hashes & blanks << 1;
    if starts_plain && ends == 0 && !needs_quotes(text) {
        return Found::Plain;
    }
    if escaped == 0 { Found::DoubleQuoted } else { Found::Unknown }
}
