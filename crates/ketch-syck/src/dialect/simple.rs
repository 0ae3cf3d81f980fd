//! Scanning the parts of the lines that the fast path reads.

use super::plain::{self, Around};
use super::quoted;
use super::scanner::blanks;
use super::text::{Lines, Nowhere, Text};
use super::token::{ScalarToken, Style};
use std::ops::Range;

/// The maximum number of bytes of a scalar on the fast path. Longer scalars are left to the tables,
/// which check the limit.
pub(super) const SCALAR_BYTES_MAX: usize = 1 << 12;

/// A key at the start of a line or entry, and the offset of the colon after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    pub start: usize,
    pub end: usize,
    pub colon: usize,
    pub scalar: ScalarToken,
    /// Whether the key consists only of words.
    pub is_words: bool,
}

/// Where in words a byte may occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// The byte is not part of a word.
    Other,
    /// The byte may be part of a word, but not start the first word.
    Inner,
    /// The byte may be anywhere in a word.
    Any,
}

static CLASSES: [Class; 256] = {
    let mut table = [Class::Other; 256];
    let mut byte = b'!';
    while byte <= b'~' {
        if byte.is_ascii_alphanumeric() {
            table[byte as usize] = Class::Any;
        } else if !matches!(byte, b',' | b':' | b'#' | b'[' | b']' | b'{' | b'}') {
            table[byte as usize] = Class::Inner;
        }
        byte += 1;
    }
    table
};

/// Returns the class of `byte`.
#[inline(always)]
fn class(byte: u8) -> Class {
    CLASSES[byte as usize]
}

/// Returns whether words start at `pos`.
#[inline(always)]
pub(super) fn starts_words(text: Text<'_>, pos: usize) -> bool {
    starts_word(text.at(pos))
}

/// Returns whether the first of some words may start with `byte`.
#[inline(always)]
pub(super) fn starts_word(byte: u8) -> bool {
    class(byte) == Class::Any
}

/// Returns the range of the words at `pos`: ASCII words with single spaces between them, the first
/// of which starts with a letter or digit. Returns `None` if there are none, or if the input ends
/// with them.
#[inline(always)]
pub(super) fn words(text: Text<'_>, pos: usize) -> Option<Range<usize>> {
    words_before(text, pos).map(|(end, _)| pos..end)
}

/// Returns the end of the words at `pos` and the byte after them. Returns `None` in the same cases
/// as [`words`].
#[inline(always)]
pub(super) fn words_before(text: Text<'_>, pos: usize) -> Option<(usize, u8)> {
    if !starts_words(text, pos) {
        return None;
    }
    rest_of_words(text, pos + 1)
}

/// Returns the end of the words whose first byte is directly before `pos`, and the byte after them.
/// Returns `None` if the input ends with them.
#[inline(always)]
pub(super) fn rest_of_words(text: Text<'_>, pos: usize) -> Option<(usize, u8)> {
    let mut end = pos;
    loop {
        let mut byte = *text.0.get(end)?;
        while class(byte) != Class::Other {
            end += 1;
            byte = *text.0.get(end)?;
        }
        if byte != b' ' || class(text.at(end + 1)) == Class::Other {
            return Some((end, byte));
        }
        end += 2;
    }
}

/// Returns the end of the words at `pos`, and the line breaks after them. Returns `None` if other
/// text follows on the line, or if the next line is a comment or is indented more deeply than
/// `spaces`.
#[inline(always)]
pub(super) fn words_of_line(text: Text<'_>, pos: usize, spaces: i64) -> Option<(usize, Lines)> {
    let end = to_break(pos, words_before(text, pos))?;
    breaks_after(text, end, spaces).map(|lines| (end, lines))
}

/// Returns the end of the words that start at `start` if a line break follows them and they are not
/// too long. `words` contains their end and the byte after them.
#[inline(always)]
pub(super) fn to_break(start: usize, words: Option<(usize, u8)>) -> Option<usize> {
    let (end, byte) = words?;
    (byte == b'\n' && end - start <= SCALAR_BYTES_MAX).then_some(end)
}

/// Returns the line breaks at `pos`. Returns `None` if the next line is a comment or is indented
/// more deeply than `spaces`.
#[inline(always)]
pub(super) fn breaks_after(text: Text<'_>, pos: usize, spaces: i64) -> Option<Lines> {
    let lines = text.lines(pos);
    let is_whole = (0..=spaces).contains(&lines.indent) && text.at(lines.end) != b'#';
    is_whole.then_some(lines)
}

/// Returns the offset of the first line break after the blanks and the comment at `pos`. Returns
/// `None` if there is other text before it, or the input ends.
#[inline(always)]
pub(super) fn line_break(text: Text<'_>, mut pos: usize) -> Option<usize> {
    if text.at(pos) == b'\n' {
        return Some(pos);
    }
    while matches!(text.at(pos), b' ' | b'\t') {
        pos += 1;
    }
    if text.at(pos) == b'#' {
        pos = text.comment(pos);
    }
    (text.line_break(pos) > 0).then_some(pos)
}

/// Skips the line breaks at `pos` and the comments after them. Returns the offset of the last line
/// break that is not followed by a comment, and the line breaks there. Returns `None` if the input
/// ends after them.
#[inline(always)]
pub(super) fn next_line(text: Text<'_>, mut pos: usize) -> Option<(usize, Lines)> {
    loop {
        let lines = text.lines(pos);
        if text.at(lines.end) != b'#' {
            return (lines.indent >= 0).then_some((pos, lines));
        }
        pos = text.comment(lines.end);
        if text.line_break(pos) == 0 {
            return None;
        }
    }
}

/// A plain scalar whose content is equal to its bytes.
pub(super) const VERBATIM: ScalarToken = ScalarToken {
    style: Style::Plain,
    is_verbatim: true,
    is_trimmed: false,
    before_marker: false,
    indent: 0,
};

/// Returns the key at `pos` if it is a scalar on one line with a colon after it.
#[inline(always)]
pub(super) fn key(text: Text<'_>, pos: usize) -> Option<Key> {
    if let Some(Range { start, end }) = words(text, pos)
        && text.at(end) == b':'
        && matches!(text.at(end + 1), b' ' | b'\n')
        && end - start <= SCALAR_BYTES_MAX
    {
        return Some(Key { start, end, colon: end, scalar: VERBATIM, is_words: true });
    }
    other_key(text, pos)
}

/// Returns the key at `pos`, which does not consist only of words. Returns `None` if there is no
/// simple key.
#[inline(never)]
fn other_key(text: Text<'_>, pos: usize) -> Option<Key> {
    let (end, scalar) = match text.at(pos) {
        b'"' | b'\'' => quoted(text, pos)?,
        _ if starts_plain(text, pos) => {
            (plain::scan(text, pos, Around::Block, i64::MAX).end, VERBATIM)
        }
        _ => return None,
    };
    let colon = blanks(text, end);
    let is_key = text.at(colon) == b':' && text.after_indicator(colon + 1).is_some();
    is_key.then_some(Key { start: pos, end, colon, scalar, is_words: false })
}

/// Returns the end of the quoted scalar at `pos` if it is on one line and causes no warning.
pub(super) fn quoted(text: Text<'_>, pos: usize) -> Option<(usize, ScalarToken)> {
    let is_single = text.at(pos) == b'\'';
    let found = match is_single {
        true => quoted::single(text, pos + 1, &mut Nowhere),
        false => quoted::double(text, pos + 1, &mut Nowhere),
    };
    let is_simple = found.is_closed && found.line.is_none() && found.unknown_escape.is_none();
    let style = if is_single { Style::SingleQuoted } else { Style::DoubleQuoted };
    let scalar = ScalarToken { style, is_verbatim: !found.is_changed, ..VERBATIM };
    is_simple.then_some((found.end, scalar))
}

/// Returns whether plain text certainly starts at `pos`, even if that is the start of a line.
pub(super) fn starts_plain(text: Text<'_>, pos: usize) -> bool {
    match text.at(pos) {
        b':' => text.after_indicator(pos + 1).is_none(),
        b'_' | b'/' | b'<' | b'$' | b'+' | b'=' | b'~' | b'@' | b'(' | b'^' | b'\\' | b';' => true,
        byte => byte.is_ascii_alphanumeric() || !byte.is_ascii(),
    }
}
