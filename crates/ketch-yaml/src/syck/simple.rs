//! A fast path for simple lines. In a block sequence or mapping that has begun, lines such as `- text` and
//! `key: text` need neither tokens nor rules of the grammar, because they leave the parser's stack as it
//! is.
//!
//! A line is simple only if its text is: ASCII words with single spaces between them, the first of which
//! starts with a letter or digit. The next line must not continue the text and must not be a comment.

use super::grammar::Name;
use super::table::GOTOS;
use super::text::{Lines, Text};
use std::ops::Range;

/// A kind of blocks with simple lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// Entries of a sequence.
    Entries,
    /// Pairs of a mapping.
    Pairs,
}

/// For each state of the parser, the block whose next line a line break starts.
pub(super) const BLOCKS: [Option<Block>; 256] = {
    let mut blocks = [None; 256];
    let mut state = 0;
    while state < GOTOS.len() {
        let entries = GOTOS[state][Name::Entries as usize];
        let pairs = GOTOS[state][Name::Pairs as usize];
        if entries > 0 {
            blocks[entries as usize] = Some(Block::Entries);
        }
        if pairs > 0 {
            blocks[pairs as usize] = Some(Block::Pairs);
        }
        state += 1;
    }
    blocks
};

/// A simple line.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// The key of a pair; empty for an entry.
    pub key: Range<usize>,
    pub value: Range<usize>,
    /// The line breaks after it.
    pub breaks: Lines,
}

/// Whether a byte may be part of a word.
const WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = b'!';
    while byte <= b'~' {
        table[byte as usize] = !matches!(byte, b',' | b':' | b'#' | b'[' | b']' | b'{' | b'}');
        byte += 1;
    }
    table
};

/// Returns the end of the words at `pos`, or `None` if there are none.
#[inline(always)]
fn words(text: Text<'_>, pos: usize) -> Option<Range<usize>> {
    if !text.at(pos).is_ascii_alphanumeric() {
        return None;
    }
    let rest = text.0.get(pos..).unwrap_or_default();
    let mut len = 0;
    loop {
        while let Some(&byte) = rest.get(len)
            && WORD[byte as usize]
        {
            len += 1;
        }
        let is_between = rest.get(len) == Some(&b' ')
            && rest.get(len + 1).is_some_and(|&byte| WORD[byte as usize]);
        if !is_between {
            return Some(pos..pos + len);
        }
        len += 1;
    }
}

/// Returns the simple line at `pos`, in a block that is indented by `spaces`.
#[inline(always)]
pub(super) fn line(text: Text<'_>, pos: usize, block: Block, spaces: i64) -> Option<Line> {
    let key = match block {
        Block::Entries if text.at(pos) == b'-' => pos..pos,
        Block::Entries => return None,
        Block::Pairs => words(text, pos).filter(|key| text.at(key.end) == b':')?,
    };
    let value = (text.at(key.end + 1) == b' ').then(|| words(text, key.end + 2))??;
    if text.at(value.end) != b'\n' {
        return None;
    }
    let breaks = text.lines(value.end);
    let is_whole = breaks.indent <= spaces && text.at(breaks.end) != b'#';
    is_whole.then_some(Line { key, value, breaks })
}
