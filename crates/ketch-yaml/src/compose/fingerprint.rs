//! Fingerprints of keys, which show for most mappings that no key is a duplicate.
//!
//! A fingerprint mixes the length of a key's text, its first byte and its last eight bytes with random
//! numbers. Equal texts have equal fingerprints, and different texts rarely do. Keys that may be equal
//! although their texts differ (`1` and `0x1`, aliases, escapes, collections) have no fingerprint; they
//! are only recorded.
//!
//! The fingerprint of each key chooses a bit in each of two 64-bit words. If both bits are already
//! set, the key may be a duplicate, and the mapping has to be checked. By chance, this happens in
//! one in a hundred mappings with five pairs, and in one in thirty with eight pairs.

use super::key::hasher;
use super::node::{ESCAPES, LONG, MULTILINE, TAGGED};
use crate::event::{EventKind, KIND_SHIFT, LEN_SHIFT};
use crate::schema::{ScalarTag, Schema};
use std::hash::BuildHasher;

/// What the fingerprints of a mapping's keys show so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    first: u64,
    second: u64,
    flags: u32,
}

/// Two keys may be equal.
const UNKNOWN: u32 = 1;
/// At least one key is an integer in decimal, without sign and leading zeros.
const INTEGER: u32 = 2;
/// At least one other key has a value that may be spelled in several ways.
const OTHER: u32 = 4;
/// At least two other keys have such values.
const OTHERS: u32 = 8;

impl Seen {
    /// Records a key about which nothing is known, so that the mapping has to be checked.
    #[inline(always)]
    pub fn note_unknown(&mut self) {
        self.flags |= UNKNOWN;
    }

    /// Returns whether all keys are known to be different.
    #[inline(always)]
    pub fn are_distinct(self) -> bool {
        let has = |flag: u32| self.flags & flag != 0;
        let may_be_equal = has(UNKNOWN | OTHERS) || has(OTHER) && has(INTEGER);
        !may_be_equal
    }

    /// Records `meaning`, which is what a key's text says about its value.
    #[inline(always)]
    pub fn note(&mut self, meaning: Meaning) {
        self.flags |= match meaning {
            Meaning::Text => 0,
            Meaning::Integer => INTEGER,
            Meaning::Other => OTHER | (self.flags & OTHER) << 1,
        };
    }

    /// Records the fingerprint `print` of a key. If an earlier key may have the same one, the
    /// mapping has to be checked.
    #[inline(always)]
    fn mark(&mut self, print: u64) {
        let (first, second) = (1 << (print & 63), 1 << (print >> 6 & 63));
        if self.first & first != 0 && self.second & second != 0 {
            self.note_unknown();
        }
        self.first |= first;
        self.second |= second;
    }
}

/// What a key's text says about its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A string, which is equal only to the same text.
    Text,
    /// An integer in its usual spelling. It equals the same text and other spellings of the
    /// integer.
    Integer,
    /// A value that may have several spellings.
    Other,
}

/// Computes fingerprints.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fingerprints {
    schema: Schema,
    seeds: [u64; 2],
}

impl Fingerprints {
    /// Computes fingerprints of keys under `schema`, with the random numbers of this process.
    pub fn new(schema: Schema) -> Fingerprints {
        let seeds = [hasher().hash_one(0u64), hasher().hash_one(1u64)];
        Fingerprints { schema, seeds }
    }

    /// Records the key `word`, which is the first word of its node or event, in `seen`.
    #[inline(always)]
    pub fn see(&self, text: &[u8], word: u64, seen: &mut Seen) {
        match self.of(text, word) {
            Some((print, meaning)) => {
                seen.mark(print);
                seen.note(meaning);
            }
            None => seen.note_unknown(),
        }
    }

    /// Returns the fingerprint of the key `word`, which is the first word of its node or event, and
    /// what its text says about its value. Returns `None` unless the key is a short flow scalar
    /// without a tag whose content is a slice of `text`.
    #[inline(always)]
    pub fn of(&self, text: &[u8], word: u64) -> Option<(u64, Meaning)> {
        const SHOWN: u64 = 15 << KIND_SHIFT | LONG | MULTILINE | ESCAPES | TAGGED;
        const PLAIN: u64 = (EventKind::Plain as u64) << KIND_SHIFT;
        const DOUBLE_QUOTED: u64 = (EventKind::DoubleQuoted as u64) << KIND_SHIFT;
        // The key must have one of the three flow styles, and none of these flags.
        let shape = (word & SHOWN).wrapping_sub(PLAIN);
        if shape > DOUBLE_QUOTED - PLAIN {
            return None;
        }
        let quote = usize::from(shape != 0);
        let start = (word as u32 as usize) + quote;
        let len = (word >> LEN_SHIFT) as usize - 2 * quote;
        // The last eight bytes or, if the text is shorter, all of it.
        let tail = load(text, start + len.max(8) - 8) & MASKS[len.min(8)];
        let first = if len == 0 { 0 } else { text[start] };
        let meaning = match quote == 0 && MAY_BE_NUMBER[first as usize] | is_word(tail) {
            // A single, rarely taken branch handles all keys that may not be text.
            true => self.meaning(text, start, len, tail),
            false => Meaning::Text,
        };
        let mixed = tail ^ (len as u64) << 56 ^ u64::from(first) << 48;
        Some((fold(mixed ^ self.seeds[0], self.seeds[1]), meaning))
    }

    /// Returns the meaning of the plain text of `len` bytes at `start`, which may be something
    /// other than a string. `tail` has the last eight bytes of the text.
    #[inline(never)]
    fn meaning(&self, text: &[u8], start: usize, len: usize, tail: u64) -> Meaning {
        if is_canonical_integer(tail, len) {
            return Meaning::Integer;
        }
        match self.schema.resolve(&text[start..start + len]) {
            ScalarTag::Str | ScalarTag::Unresolved => Meaning::Text,
            _ => Meaning::Other,
        }
    }
}

/// Multiplies `a` and `b`, and combines the two halves of the product, so that each bit of the
/// result depends on many bits of both factors.
#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Returns whether a text of `len` bytes is a decimal number of up to eight digits, without sign,
/// separators and leading zeros. `head` has the first bytes of the text, from the lowest on.
#[inline(always)]
fn is_canonical_integer(head: u64, len: usize) -> bool {
    const ZEROS: u64 = u64::from_le_bytes([b'0'; 8]);
    const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
    const ABOVE_NINE: u64 = u64::from_le_bytes([0x7F - b'9'; 8]);
    if len == 0 || len > 8 || (head as u8 == b'0' && len > 1) {
        return false;
    }
    let digits = head | (ZEROS & !MASKS[len]);
    // A byte below `0` borrows into its highest bit, and a byte above `9` carries into it.
    (digits.wrapping_sub(ZEROS) | digits.wrapping_add(ABOVE_NINE) | digits) & HIGH == 0
}

/// The first bytes, besides letters, of plain text that may be something other than a string; zero
/// stands for empty text, which is null in most schemas.
static MAY_BE_NUMBER: [bool; 256] = {
    let mut table = [false; 256];
    let bytes = b"\0~+-.0123456789";
    let mut i = 0;
    while i < bytes.len() {
        table[bytes[i] as usize] = true;
        i += 1;
    }
    table
};

/// The words that are not strings in some schema, in lower case and padded with spaces, indexed by
/// [`word_place`].
static WORDS: [u64; 16] = {
    const LIST: [&[u8; 8]; 9] = [
        b"true    ",
        b"false   ",
        b"null    ",
        b"yes     ",
        b"no      ",
        b"on      ",
        b"off     ",
        b"y       ",
        b"n       ",
    ];
    // Zero marks a free place, since no folded text is equal to it.
    let mut table = [0; 16];
    let mut i = 0;
    while i < LIST.len() {
        let word = u64::from_le_bytes(*LIST[i]);
        assert!(table[word_place(word)] == 0, "two words at one place");
        table[word_place(word)] = word;
        i += 1;
    }
    table
};

/// Returns the index of `word` in the table. The factor was found by trial and error, so that no
/// two words share an index.
const fn word_place(word: u64) -> usize {
    (word.wrapping_mul(0x4EFB_C8D6_0B21_FBAD) >> 60) as usize
}

/// Returns whether a text may be one of [`WORDS`]. `head` has its first bytes, padded with zeros.
/// Text with control characters may be mistaken for such a word, which only costs time.
#[inline(always)]
fn is_word(head: u64) -> bool {
    const LOWER_CASE: u64 = u64::from_le_bytes([0x20; 8]);
    let folded = head | LOWER_CASE;
    WORDS[word_place(folded)] == folded
}

/// For each number of bytes up to eight, the mask that keeps the lowest bytes of a word.
static MASKS: [u64; 9] = {
    let mut table = [0; 9];
    let mut len = 1;
    while len <= 8 {
        table[len] = u64::MAX >> (64 - 8 * len);
        len += 1;
    }
    table
};

/// Returns the eight bytes of `text` from `at` on, padded with zeros.
#[inline(always)]
fn load(text: &[u8], at: usize) -> u64 {
    match text.get(at..at + 8) {
        Some(bytes) => u64::from_le_bytes(bytes.try_into().unwrap_or_default()),
        None => load_at_end(text, at),
    }
}

/// Returns the bytes of `text` from `at` to its end, which are fewer than eight, padded with zeros.
#[cold]
#[inline(never)]
fn load_at_end(text: &[u8], at: usize) -> u64 {
    let mut padded = [0; 8];
    let rest = text.get(at..).unwrap_or_default();
    padded[..rest.len()].copy_from_slice(rest);
    u64::from_le_bytes(padded)
}
