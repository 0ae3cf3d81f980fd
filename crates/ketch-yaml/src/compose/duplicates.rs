//! Keys that stand twice (YAML 1.2.2, section 3.2.1.3).
//!
//! Nearly all mappings have a few keys of plain text, all different. So each key first gets a
//! fingerprint: its length, its first and its last eight bytes, mixed with random numbers. Where
//! all fingerprints differ, so do the keys. Only where two agree, or where keys may be equal
//! without looking so (`1` and `0x1`, aliases, escapes, collections), are keys really compared.

use super::digest::Digests;
use super::key::{ScalarKey, hasher};
use super::merge::is_merge_key;
use super::node::{ESCAPES, MULTILINE, Packed, SHAPE_BITS, Shape, TAGGED};
use super::options::{ComposeOptions, DuplicateKeys};
use super::tree::View;
use crate::error::{Fault, Problem};
use crate::schema::{ScalarTag, Schema};
use hashbrown::HashTable;
use std::hash::BuildHasher;

/// Up to so many pairs, all fingerprints are compared with each other.
const PAIRWISE_MAX: usize = 8;

/// Looks for keys that stand twice in a mapping.
#[derive(Debug)]
pub(super) struct KeyCheck {
    policy: DuplicateKeys,
    schema: Schema,
    merges: bool,
    seeds: [u64; 2],
    /// The fingerprints of a large mapping, each at the place that it itself tells.
    slots: Vec<u64>,
    /// Keys by the hash of what they mean.
    table: HashTable<(u64, u32)>,
    digests: Digests,
    overridden: Vec<u32>,
}

/// What the fingerprints say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Distinct,
    Unknown,
}

impl KeyCheck {
    pub fn new(options: &ComposeOptions) -> KeyCheck {
        let hasher = hasher();
        let seeds = [hasher.hash_one(0u64), hasher.hash_one(1u64)];
        KeyCheck {
            policy: options.duplicate_keys,
            schema: options.schema,
            merges: options.merges(),
            seeds,
            digests: Digests::new(options.schema, &options.limits),
            slots: Vec::new(),
            table: HashTable::new(),
            overridden: Vec::new(),
        }
    }

    /// Forgets the last document.
    pub fn clear(&mut self) {
        self.digests.clear();
    }

    /// Whether the last check found keys that do not count.
    #[inline]
    pub fn has_overridden(&self) -> bool {
        !self.overridden.is_empty()
    }

    /// The keys that the last check found not to count.
    pub fn overridden(&mut self) -> impl Iterator<Item = u32> {
        self.overridden.drain(..)
    }

    /// Checks the mapping at `at`, which is complete and has at least two pairs.
    #[inline]
    pub fn check(&mut self, view: View<'_>, at: usize) -> Result<(), Fault> {
        let pairs = view.nodes[at].len() / 2;
        let verdict = if pairs <= PAIRWISE_MAX {
            self.check_small(view, at)
        } else {
            self.check_large(view, at, pairs)
        };
        if verdict == Verdict::Unknown { self.compare(view, at) } else { Ok(()) }
    }

    fn check_small(&self, view: View<'_>, at: usize) -> Verdict {
        // Places without a key differ from each other and, but for bad luck, from all prints.
        let mut prints: [u32; PAIRWISE_MAX] = [1, 2, 3, 4, 5, 6, 7, 8];
        let mut numbers = Numbers::default();
        let end = view.nodes[at].end();
        let mut key = at + 1;
        for place in &mut prints {
            if key >= end {
                break;
            }
            let Some(print) = self.fingerprint(view, view.nodes[key]) else {
                return Verdict::Unknown;
            };
            numbers.add(print.meaning);
            *place = print.value as u32;
            key = view.nodes[key + 1].end();
        }
        if are_distinct(&prints) { numbers.verdict() } else { Verdict::Unknown }
    }

    fn check_large(&mut self, view: View<'_>, at: usize, pairs: usize) -> Verdict {
        let bits = (2 * pairs).next_power_of_two().trailing_zeros();
        let mask = (1usize << bits) - 1;
        let mut slots = std::mem::take(&mut self.slots);
        slots.clear();
        slots.resize(mask + 1, 0);
        let mut numbers = Numbers::default();
        let mut verdict = Verdict::Distinct;
        let end = view.nodes[at].end();
        let mut key = at + 1;
        while key < end && verdict == Verdict::Distinct {
            match self.fingerprint(view, view.nodes[key]) {
                None => verdict = Verdict::Unknown,
                Some(print) => {
                    numbers.add(print.meaning);
                    // Zero means an empty slot.
                    let value = print.value.max(1);
                    let mut slot = (value >> (64 - bits)) as usize & mask;
                    while slots[slot] != 0 && slots[slot] != value {
                        slot = (slot + 1) & mask;
                    }
                    if slots[slot] == value {
                        verdict = Verdict::Unknown;
                    }
                    slots[slot] = value;
                }
            }
            key = view.nodes[key + 1].end();
        }
        self.slots = slots;
        if verdict == Verdict::Distinct { numbers.verdict() } else { verdict }
    }

    /// The fingerprint of a key of text that stands as it is; `None` for all others.
    #[inline(always)]
    fn fingerprint(&self, view: View<'_>, key: Packed) -> Option<Fingerprint> {
        const SHOWN: u32 = SHAPE_BITS | MULTILINE | ESCAPES | TAGGED;
        let shape = key.head() & SHOWN;
        // One of the three flow styles, with no flag that matters.
        if shape.wrapping_sub(Shape::Plain as u32) > 2 {
            return None;
        }
        let quote = usize::from(shape != Shape::Plain as u32);
        let start = key.offset() + quote;
        let len = key.len() - 2 * quote;
        let head = load(view.text, start) & MASKS[len.min(8)];
        let tail = if len > 8 { load(view.text, start + len - 8) } else { 0 };
        let meaning =
            if quote == 0 { self.meaning(view.text, start, len, head) } else { Meaning::Text };
        let [a, b] = self.seeds;
        let value = fold(head ^ a, tail ^ b ^ len as u64);
        Some(Fingerprint { value, meaning })
    }

    /// What plain text may mean.
    #[inline(always)]
    fn meaning(&self, text: &[u8], start: usize, len: usize, head: u64) -> Meaning {
        match START[if len == 0 { 0 } else { head as u8 as usize }] {
            Start::Text => Meaning::Text,
            Start::Word if len > WORD_BYTES_MAX => Meaning::Text,
            Start::Digit if is_canonical_integer(head, len) => Meaning::Integer,
            _ => self.resolve(text, start, len),
        }
    }

    #[inline(never)]
    fn resolve(&self, text: &[u8], start: usize, len: usize) -> Meaning {
        match self.schema.resolve(&text[start..start + len]) {
            ScalarTag::Str | ScalarTag::Unresolved => Meaning::Text,
            _ => Meaning::Other,
        }
    }

    /// Compares all keys by what they mean.
    #[cold]
    #[inline(never)]
    fn compare(&mut self, view: View<'_>, at: usize) -> Result<(), Fault> {
        self.table.clear();
        for (key, _value) in view.pairs(at) {
            let Some(hash) = self.hash(view, key)? else { continue };
            let mut first = None;
            for &(other_hash, other) in self.table.iter_hash(hash) {
                if other_hash == hash && self.digests.is_same(view, key, other as usize)? {
                    first = Some(other);
                }
            }
            match first {
                None => {
                    self.table.insert_unique(hash, (hash, key as u32), |entry| entry.0);
                }
                Some(first) => self.duplicate(view, hash, first, key)?,
            }
        }
        Ok(())
    }

    /// The hash of a key's meaning; `None` for a key that may stand several times.
    fn hash(&mut self, view: View<'_>, key: usize) -> Result<Option<u64>, Fault> {
        let node = view.resolved(key);
        if view.nodes[node].is_scalar() {
            if self.merges && is_merge_key(view, key) {
                return Ok(None);
            }
            return Ok(Some(ScalarKey::of(view, node, self.schema).hash_one()));
        }
        self.digests.of(view, key).map(Some)
    }

    /// `key` stands at `first` already.
    fn duplicate(
        &mut self,
        view: View<'_>,
        hash: u64,
        first: u32,
        key: usize,
    ) -> Result<(), Fault> {
        match self.policy {
            DuplicateKeys::Error => {
                let span = view.span(key);
                return Err(Fault {
                    problem: Problem::DuplicateKey,
                    at: span.start as u64,
                    len: span.len(),
                    related: Some(view.span(first as usize).start as u64),
                });
            }
            DuplicateKeys::Off => {}
            DuplicateKeys::First => self.overridden.push(key as u32),
            DuplicateKeys::Last => {
                self.overridden.push(first);
                let entry = self.table.find_mut(hash, |entry| entry.1 == first);
                if let Some(entry) = entry {
                    entry.1 = key as u32;
                }
            }
        }
        Ok(())
    }
}

/// Whether no two are equal. Without branches: each is compared with those one to four places on,
/// round and round, which makes all pairs.
#[inline(always)]
fn are_distinct(prints: &[u32; PAIRWISE_MAX]) -> bool {
    let mut equal = false;
    for distance in 1..=PAIRWISE_MAX / 2 {
        for place in 0..PAIRWISE_MAX {
            equal |= prints[place] == prints[(place + distance) % PAIRWISE_MAX];
        }
    }
    !equal
}

struct Fingerprint {
    value: u64,
    meaning: Meaning,
}

/// The two halves of a product, each bit of which depends on many of both factors.
#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// What a key's text says of its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// It is text: equal only to the same text.
    Text,
    /// It is an integer in the usual spelling: equal to the same text, or to another spelling.
    Integer,
    /// It is something that may have several spellings.
    Other,
}

/// What keys of a mapping are no text.
#[derive(Clone, Copy, Default)]
struct Numbers {
    integers: usize,
    others: usize,
}

impl Numbers {
    #[inline(always)]
    fn add(&mut self, meaning: Meaning) {
        self.integers += usize::from(meaning == Meaning::Integer);
        self.others += usize::from(meaning == Meaning::Other);
    }

    /// Whether all keys differ that differ in their text.
    #[inline(always)]
    fn verdict(self) -> Verdict {
        if self.others == 0 || self.others + self.integers == 1 {
            Verdict::Distinct
        } else {
            Verdict::Unknown
        }
    }
}

/// Whether text of up to eight bytes, the first byte lowest, is a decimal number without sign,
/// separators and leading zeros.
#[inline(always)]
fn is_canonical_integer(head: u64, len: usize) -> bool {
    const ZEROS: u64 = u64::from_le_bytes([b'0'; 8]);
    const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
    const ABOVE_NINE: u64 = u64::from_le_bytes([0x7F - b'9'; 8]);
    if len > 8 || (head as u8 == b'0' && len > 1) {
        return false;
    }
    let digits = head | (ZEROS & !MASKS[len]);
    // A byte below `0` borrows, a byte above `9` carries, into its highest bit.
    (digits.wrapping_sub(ZEROS) | digits.wrapping_add(ABOVE_NINE) | digits) & HIGH == 0
}

/// The longest of the words of [`Start::Word`].
const WORD_BYTES_MAX: usize = 5;

/// What a first byte says of plain text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// It is text, or has one spelling only.
    Text,
    /// It may be one of the words of a schema.
    Word,
    /// It may be a number in its usual spelling.
    Digit,
    /// It may be another number, or null.
    Other,
}

static START: [Start; 256] = start_table();

const fn start_table() -> [Start; 256] {
    let mut table = [Start::Text; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'y' | b'Y' | b'o' | b'O' => Start::Word,
            // The first one stands for empty text, which is null.
            0 | b'~' | b'+' | b'-' | b'.' => Start::Other,
            b'0'..=b'9' => Start::Digit,
            _ => Start::Text,
        };
        byte += 1;
    }
    table
}

/// The masks that leave so many bytes.
static MASKS: [u64; 9] = mask_table();

const fn mask_table() -> [u64; 9] {
    let mut table = [0; 9];
    let mut len = 1;
    while len <= 8 {
        table[len] = u64::MAX >> (64 - 8 * len);
        len += 1;
    }
    table
}

/// Eight bytes of the text, zeros behind its end.
#[inline(always)]
fn load(text: &[u8], at: usize) -> u64 {
    match text.get(at..at + 8) {
        Some(bytes) => u64::from_le_bytes(bytes.try_into().unwrap_or_default()),
        None => load_at_end(text, at),
    }
}

#[cold]
#[inline(never)]
fn load_at_end(text: &[u8], at: usize) -> u64 {
    let mut padded = [0; 8];
    let rest = text.get(at..).unwrap_or_default();
    padded[..rest.len()].copy_from_slice(rest);
    u64::from_le_bytes(padded)
}
