//! The fast path for pushed text. Short, simple text is loaded as one block, and is checked and
//! written from there. All other text is left to [`Core`]. Nothing is written before this decision,
//! so both paths write the same.

use super::analysis::starts_plain;
use super::core::Core;
use super::fast_path::FastPath;
use crate::schema::needs_quotes;
use ketch_bytes::{BLOCK_BYTES, Kernel, Lanes, dispatch};

/// The maximum number of bytes of text on the fast path. With its quotes, such text fits into a
/// block, with one byte to spare.
const TEXT_BYTES_MAX: usize = BLOCK_BYTES - 3;

impl Core {
    /// Writes `text` if it is simple: in the most readable style, or plain if `may_need_quotes` is
    /// false, as for numbers and words. Returns false if it has not written the text.
    /// [`Core::scalar`] then has to write it, and to report errors.
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

/// The kernel that writes a text if it is simple.
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
        // This comes first, because a call after loading the block would have to spill its
        // register.
        let is_misread = may_need_quotes && needs_quotes(text);
        let block = lanes.load_text(text);
        let found = match may_need_quotes {
            true => choose(lanes, block, text, is_misread, core.top().is_flow()),
            false => Found::Plain,
        };
        match found {
            Found::Unknown => false,
            found => core.put_block(lanes, block, text.len(), found == Found::DoubleQuoted),
        }
    }
}

/// The style that was chosen for a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Plain,
    DoubleQuoted,
    /// The slow path has to choose the style.
    Unknown,
}

/// Chooses the style of `text`, which is at the start of `block`. `is_misread` says whether it
/// would be taken for another type without quotes.
#[inline(always)]
fn choose<L: Lanes>(
    lanes: L,
    block: L::Block,
    text: &[u8],
    is_misread: bool,
    is_flow: bool,
) -> Found {
    let last = 1u64 << (text.len() - 1);
    let all = last | (last - 1);
    // In flow context, parsers based on libyaml end plain text at a `?`, and others at a `:`.
    if is_flow && lanes.eq_any(block, *b",?:[]{}") & all != 0 {
        return Found::Unknown;
    }
    // Most texts contain only letters, digits and other characters that need no further checks.
    let is_beyond = lanes.le(block, b'#') | !lanes.le(block, b'~') | lanes.eq_any(block, *b":\\");
    let may_be_quoted = is_beyond & all == 0 || {
        // These are control characters, and the first bytes of characters that may have to be
        // escaped.
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
