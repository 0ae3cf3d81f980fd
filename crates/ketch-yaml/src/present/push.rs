//! The fast path of text that a program pushes: what is short and simple is looked at as one block
//! and written from where it was looked at. Whatever is not, is left to [`Core`], and nothing is
//! written before that is known; so both paths write the same.

use super::analysis::starts_plain;
use super::core::Core;
use super::fast_path::FastPath;
use crate::schema::needs_quotes;
use ketch_bytes::{BLOCK_BYTES, Kernel, Lanes, dispatch};

/// The longest text that is looked at here: with its quotes, it fits into a block with room for one
/// byte more.
const TEXT_BYTES_MAX: usize = BLOCK_BYTES - 3;

impl Core {
    /// Writes text in the style that reads best, or what may stand plain everywhere (numbers and
    /// words), if it is simple. Says whether it was: what was not, and all errors, are for
    /// [`Core::scalar`].
    #[inline(never)]
    pub fn quick_text(&mut self, text: &[u8], may_need_quotes: bool) -> bool {
        let may_be_quick = (1..=TEXT_BYTES_MAX).contains(&text.len())
            && self.fast_path != FastPath::Closed
            && self.out.len() < self.options.held_bytes
            && (self.pending.is_none() || self.open_pending().is_ok())
            && self.node_properties.len() == 0;
        may_be_quick && dispatch(self.options.level, Push { core: self, text, may_need_quotes })
    }
}

/// Writes a text if it is simple.
struct Push<'c, 't> {
    core: &'c mut Core,
    text: &'t [u8],
    may_need_quotes: bool,
}

impl Kernel for Push<'_, '_> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> bool {
        let Push { core, text, may_need_quotes } = self;
        // Asked first: a call would have to wait until the block's register is put aside.
        let is_misread = may_need_quotes && needs_quotes(text);
        let block = lanes.load_text(text);
        let found = match may_need_quotes {
            true => look(lanes, block, text, is_misread, core.top().is_flow()),
            false => Found::Plain,
        };
        match found {
            Found::Unknown => false,
            found => core.put_block(lanes, block, text.len(), found == Found::DoubleQuoted),
        }
    }
}

/// The style that a text gets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Plain,
    DoubleQuoted,
    /// That is for the slow path to tell.
    Unknown,
}

/// Looks at text, with which `block` starts.
#[inline(always)]
fn look<L: Lanes>(
    lanes: L,
    block: L::Block,
    text: &[u8],
    is_misread: bool,
    is_flow: bool,
) -> Found {
    let last = 1u64 << (text.len() - 1);
    let all = last | (last - 1);
    // In brackets, readers that go by libyaml end plain text at a `?`, others at a `:`.
    if is_flow && lanes.eq_any(block, *b",?:[]{}") & all != 0 {
        return Found::Unknown;
    }
    // Most texts have nothing but letters, digits and what means nothing anywhere.
    let is_beyond = lanes.le(block, b'#') | !lanes.le(block, b'~') | lanes.eq_any(block, *b":\\");
    let may_be_quoted = is_beyond & all == 0 || {
        // Controls, and the bytes that start the characters that may have to be escaped.
        let odd = lanes.le(block, 0x1F) | lanes.eq_any(block, [0x7F, 0xC2, 0xE2, 0xEF]);
        if odd & all != 0 {
            return Found::Unknown;
        }
        let blanks = lanes.eq(block, b' ') & all;
        let colons = lanes.eq(block, b':') & all;
        let hashes = lanes.eq(block, b'#') & all;
        let ends = blanks & last | colons & (blanks >> 1 | last) | hashes & blanks << 1;
        let escaped = lanes.eq_any(block, *b"\"\\") & all;
        if ends != 0 {
            return if escaped == 0 { Found::DoubleQuoted } else { Found::Unknown };
        }
        escaped == 0
    };
    match starts_plain(text) && !is_misread {
        true => Found::Plain,
        false if may_be_quoted => Found::DoubleQuoted,
        false => Found::Unknown,
    }
}
