//! A text, and where its characters begin.

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

impl Text<'_> {
    /// Whether a match may start here: everywhere but before a continuation byte of UTF-8.
    pub(crate) fn is_boundary(&self, at: usize) -> bool {
        self.encoding == Encoding::Binary
            || self.bytes.get(at).is_none_or(|byte| byte & 0xC0 != 0x80)
    }

    /// The next boundary after a place.
    pub(crate) fn next_boundary(&self, at: usize) -> usize {
        let mut next = at + 1;
        while !self.is_boundary(next) {
            next += 1;
        }
        next
    }
}

/// Whether a word character ends before `at`.
pub(crate) fn is_word_before(bytes: &[u8], at: usize) -> bool {
    let mut start = at;
    while start > 0 && at - start < 4 {
        start -= 1;
        if bytes[start] & 0xC0 != 0x80 {
            break;
        }
    }
    match std::str::from_utf8(&bytes[start..at]) {
        Ok(text) => text.chars().next_back().is_some_and(is_word),
        Err(_) => false,
    }
}

/// Whether a word character starts at `at`.
pub(crate) fn is_word_after(bytes: &[u8], at: usize) -> bool {
    let Some(first) = bytes.get(at) else { return false };
    let length = match first {
        0..=0x7F => 1,
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return false,
    };
    let text = bytes.get(at..at + length).and_then(|bytes| std::str::from_utf8(bytes).ok());
    text.and_then(|text| text.chars().next()).is_some_and(is_word)
}

fn is_word(char: char) -> bool {
    static WORD: OnceLock<ClassUnicode> = OnceLock::new();
    if char.is_ascii() {
        return char.is_ascii_alphanumeric() || char == '_';
    }
    let word = WORD.get_or_init(|| unicode::bracket("word").unwrap_or_else(ClassUnicode::empty));
    fold::contains(word, char)
}
