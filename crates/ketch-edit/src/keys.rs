//! Hashes of a mapping's keys, and searching for them.

use super::tree::{Token, is_text, meaning};
use foldhash::fast::FixedState;
use ketch_yaml::path::Step;
use ketch_yaml::schema::{ScalarTag, Schema};
use ketch_yaml::{Event, EventKind, scalar};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of keys up to which a search goes through all of them.
const SEARCHED_MAX: usize = 32;

/// The number of searches that go through all keys of a mapping with more than `SEARCHED_MAX`. The
/// next search builds an index, which takes more memory than the keys.
const SEARCHES_MAX: usize = 8;

/// The hashes of the keys of a mapping, in order. The hash of a key that is not a scalar is 0.
#[derive(Debug, Default)]
pub(super) struct Keys {
    hashes: Vec<u32>,
    /// The number of searches so far without an index.
    searches: AtomicUsize,
    /// The keys with each hash, once a search has built the index.
    index: OnceLock<Index>,
}

/// An index of the keys by their hashes.
#[derive(Debug, Default)]
struct Index {
    known: HashMap<u32, Known>,
    /// The number of keys when the index was built.
    len: usize,
}

/// The keys that have one hash.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The index that one of the keys had when it was added. Earlier keys may have been added or
    /// removed since.
    at: usize,
    /// The number of keys with the hash.
    count: usize,
}

impl Keys {
    /// Adds the hash of a key at the end.
    #[inline]
    pub fn push(&mut self, hash: u32) {
        self.hashes.push(hash);
    }

    /// Removes the key with the index `at`, and drops the search index.
    pub fn remove(&mut self, at: usize) {
        self.index.take();
        self.hashes.remove(at);
    }

    /// Returns whether a key has the hash `hash`.
    pub fn contains(&self, hash: u32) -> bool {
        self.find(&[hash]).1 > 0
    }

    /// Returns the index of a key that has one of the hashes `wanted`, and the number of such keys.
    pub fn find(&self, wanted: &[u32]) -> (Option<usize>, usize) {
        if !self.needs_index() {
            let mut found = (0..self.hashes.len()).filter(|&at| wanted.contains(&self.hashes[at]));
            let first = found.next();
            return (first, usize::from(first.is_some()) + found.count());
        }
        let index = self.index.get_or_init(|| index(&self.hashes));
        let is_first = |at: usize| !wanted[..at].contains(&wanted[at]);
        let hashes = (0..wanted.len()).filter(|&at| is_first(at)).map(|at| wanted[at]);
        let known = hashes.filter_map(|hash| Some((hash, index.known.get(&hash)?)));
        known.fold((None, 0), |(first, count), (hash, known)| {
            (first.or_else(|| self.place(hash, known.at, index.len)), count + known.count)
        })
    }

    /// Returns whether a search should use the index, and counts the searches that do not.
    fn needs_index(&self) -> bool {
        let is_new = || self.searches.fetch_add(1, Ordering::Relaxed) < SEARCHES_MAX;
        self.hashes.len() > SEARCHED_MAX && (self.index.get().is_some() || !is_new())
    }

    /// Returns the current index of a key with the hash `hash`, which was at `at` when there were
    /// `len` keys. Usually, it is still there, or has moved by as much as the number of keys has
    /// changed.
    fn place(&self, hash: u32, at: usize, len: usize) -> Option<usize> {
        let moved = (at + self.hashes.len()).checked_sub(len);
        let is_there = |at: &usize| self.hashes.get(*at) == Some(&hash);
        let guess = Some(at).filter(is_there).or(moved.filter(is_there));
        guess.or_else(|| self.hashes.iter().position(|&other| other == hash))
    }

    /// Replaces the hashes of the keys in `range` by `new`.
    pub fn splice(&mut self, range: Range<usize>, new: Vec<u32>) {
        if self.hashes[range.clone()] == new[..] {
            return;
        }
        if let Some(index) = self.index.get_mut() {
            for hash in &self.hashes[range.clone()] {
                remove(&mut index.known, *hash);
            }
            for (&hash, at) in new.iter().zip(range.start..) {
                add(&mut index.known, hash, at);
            }
        }
        self.hashes.splice(range, new);
    }
}

/// Builds the index of a list of hashes.
fn index(hashes: &[u32]) -> Index {
    let mut known = HashMap::with_capacity(hashes.len());
    for (at, &hash) in hashes.iter().enumerate() {
        add(&mut known, hash, at);
    }
    Index { known, len: hashes.len() }
}

/// Adds a key with the hash `hash` at the index `at`.
fn add(known: &mut HashMap<u32, Known>, hash: u32, at: usize) {
    let found = known.entry(hash).or_insert(Known { at, count: 0 });
    *found = Known { at, count: found.count + 1 };
}

/// Removes one key with the hash `hash`.
fn remove(known: &mut HashMap<u32, Known>, hash: u32) {
    let Entry::Occupied(mut found) = known.entry(hash) else { return };
    match found.get().count {
        1 => drop(found.remove()),
        _ => found.get_mut().count -= 1,
    }
}

/// Returns the hash of a key that is spelled as `bytes`. Text and other scalars with the same bytes
/// have different hashes.
fn hash(bytes: &[u8], is_text: bool) -> u32 {
    seeded_hash(bytes, u64::from(is_text))
}

fn seeded_hash(bytes: &[u8], seed: u64) -> u32 {
    // The hash 0 is reserved for collections.
    (FixedState::with_seed(seed).hash_one(bytes) as u32).max(1)
}

/// Returns the hash of a key that is an alias with the name `name`.
pub(super) fn alias_hash(name: &[u8]) -> u32 {
    seeded_hash(name, 2)
}

/// Returns the hash of the scalar or alias `event` as a key: the hash of its text or, if it is not
/// text, of the canonical form of its value.
pub(super) fn key_hash(text: &[u8], event: &Event, tag: Option<&[u8]>) -> u32 {
    if event.kind == EventKind::Alias {
        return alias_hash(&text[event.start + 1..event.start + event.len]);
    }
    let content = scalar::content(text, event);
    if is_text(event, tag) {
        return hash(&content, true);
    }
    match Schema::Core.resolve(&content) {
        ScalarTag::Str => hash(&content, true),
        // Its canonical form has the same digits.
        ScalarTag::Int(_) if is_short_decimal(&content) => hash(&content, false),
        _ => match meaning(&String::from_utf8_lossy(&content)) {
            Token::Value(value) => hash(value.as_bytes(), false),
            _ => hash(&content, true),
        },
    }
}

/// Returns whether an integer is in canonical form, is positive, and fits in 64 bits.
fn is_short_decimal(text: &[u8]) -> bool {
    let is_first = |first: &u8| matches!(first, b'1'..=b'9');
    text.first().is_some_and(is_first) && text.len() < 19 && text.iter().all(u8::is_ascii_digit)
}

/// Returns the hash of a key with the tokens `key`.
pub(super) fn token_hash(key: &[Token]) -> u32 {
    match key {
        [Token::Text(text)] => hash(text.as_bytes(), true),
        [Token::Value(value)] => hash(value.as_bytes(), false),
        [Token::Alias(name)] => alias_hash(name.as_bytes()),
        _ => 0,
    }
}

/// Returns the hashes that a key may have if `step` leads to it.
pub(super) fn step_hashes(step: &Step) -> [u32; 2] {
    let value = |text: &str| match meaning(text) {
        Token::Value(value) => hash(value.as_bytes(), false),
        _ => hash(text.as_bytes(), true),
    };
    match step {
        Step::Name(name) => [hash(name.as_bytes(), true), value(name)],
        Step::Key(name) => [hash(name.as_bytes(), true); 2],
        Step::Plain(text) => [value(text); 2],
        Step::Index(index) => [hash(index.to_string().as_bytes(), false); 2],
        _ => [0; 2],
    }
}

/// Returns the hash of a key with the text `text`.
pub(super) fn text_hash(text: &str) -> u32 {
    hash(text.as_bytes(), true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_key_index_finds_the_same_keys_as_a_list(
            hashes in prop::collection::vec(0u32..200, 30..90),
            edits in prop::collection::vec((0usize..90, 0usize..4, prop::collection::vec(0u32..200, 0..4)), 0..30),
        ) {
            let mut list = hashes;
            let mut keys = Keys::default();
            list.iter().for_each(|&hash| keys.push(hash));
            for (start, count, new) in edits {
                let start = start.min(list.len());
                let range = start..(start + count).min(list.len());
                list.splice(range.clone(), new.clone());
                keys.splice(range, new);
                for wanted in [[0, 1], [5, 5], [7, 150], [199, 0]] {
                    let all = list.iter().filter(|hash| wanted.contains(hash)).count();
                    let (at, found) = keys.find(&wanted);
                    prop_assert_eq!(found, all);
                    prop_assert_eq!(at.is_some(), all > 0);
                    prop_assert!(at.is_none_or(|at| wanted.contains(&list[at])));
                }
            }
        }
    }
}
