//! A text, and the boundaries of its characters.

use std::sync::OnceLock;

use regex_syntax::hir::ClassUnicode;

use crate::options::Encoding;
use crate::{fold, unicode};

/// A text with its encoding.
#[derive(Clone, Copy)]
pub(crate) struct Text<'t> {
    pub(crate) bytes: &'t [u8],
    pub(crate) encoding: Encoding,
}

/// A request to search a text.
#[derive(Clone, Copy)]
pub(crate) struct Request<'t> {
    pub(crate) text: Text<'t>,
    pub(crate) from: usize,
    pub(crate) anchored: bool,
    /// The position at which `\G` matches.
    pub(crate) search_start: usize,
    /// If the text is still that of the last search, the position at which the table of that search
    /// begins.
    pub(crate) shared: Option<usize>,
}

impl Text<'_> {
    /// Returns `bytes` as a text in the same encoding.
    pub(crate) fn with<'b>(&self, bytes: &'b [u8]) -> Text<'b> {
        Text { bytes, encoding: self.encoding }
    }

    /// Returns whether the text consists of bytes rather than characters.
    pub(crate) fn is_binary(&self) -> bool {
        self.encoding == Encoding::Binary
    }

    /// Returns the character at the position `at` and its length in bytes, or `None` at the end of
    /// the text and at an invalid byte.
    #[inline]
    pub(crate) fn char(&self, at: usize) -> Option<(u32, usize)> {
        let byte = *self.bytes.get(at)?;
        if byte < 0x80 || self.encoding == Encoding::Binary {
            return Some((u32::from(byte), 1));
        }
        char_after(self.bytes, at).map(|char| (u32::from(char), char.len_utf8()))
    }

    /// Returns the start of the character before the position `at`.
    pub(crate) fn previous_boundary(&self, at: usize) -> usize {
        let mut start = at.saturating_sub(1);
        while start > 0 && !self.is_boundary(start) {
            start -= 1;
        }
        start
    }

    /// Returns whether a match may start at the position `at`. This is so everywhere except before
    /// a continuation byte of UTF-8.
    pub(crate) fn is_boundary(&self, at: usize) -> bool {
        self.encoding == Encoding::Binary
            || self.bytes.get(at).is_none_or(|byte| byte & 0xC0 != 0x80)
    }

    /// Returns the next boundary after the position `at`.
    pub(crate) fn next_boundary(&self, at: usize) -> usize {
        let mut next = at + 1;
        while !self.is_boundary(next) {
            next += 1;
        }
        next
    }
}

/// Returns whether a word character ends before `at`.
#[inline]
pub(crate) fn is_word_before(bytes: &[u8], at: usize) -> bool {
    match at.checked_sub(1).map(|before| bytes[before]) {
        None => false,
        Some(byte) if byte.is_ascii() => is_ascii_word(byte),
        Some(_) => char_before(bytes, at).is_some_and(is_word),
    }
}

/// Returns whether a word character starts at `at`.
#[inline]
pub(crate) fn is_word_after(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at) {
        None => false,
        Some(byte) if byte.is_ascii() => is_ascii_word(*byte),
        Some(_) => char_after(bytes, at).is_some_and(is_word),
    }
}

fn is_ascii_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the UTF-8 character that ends at `at`, or `None` if there is no valid one.
fn char_before(bytes: &[u8], at: usize) -> Option<char> {
    let mut start = at;
    while start > 0 && at - start < 4 {
        start -= 1;
        if bytes[start] & 0xC0 != 0x80 {
            break;
        }
    }
    std::str::from_utf8(&bytes[start..at]).ok()?.chars().next_back()
}

/// Returns the UTF-8 character that starts at `at`, or `None` if there is no valid one.
fn char_after(bytes: &[u8], at: usize) -> Option<char> {
    let length = match bytes.get(at)? {
        0..=0x7F => 1,
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    std::str::from_utf8(bytes.get(at..at + length)?).ok()?.chars().next()
}

/// Returns whether `char` is a word character of Unicode.
fn is_word(char: char) -> bool {
    static WORD: OnceLock<ClassUnicode> = OnceLock::new();
    let word = WORD.get_or_init(|| unicode::bracket("word").unwrap_or_else(ClassUnicode::empty));
    fold::contains(word, char)
}
