//! The hashes of a mapping's keys.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;
use std::sync::OnceLock;

/// Up to this many keys, a search goes through all of them.
const SEARCHED_MAX: usize = 32;

/// The hashes of the keys of a mapping, in order. A key that is not a scalar has the hash 0.
#[derive(Debug, Default)]
pub(super) struct Keys {
    hashes: Vec<u32>,
    /// What is known about each hash, from the first search in many keys on.
    index: OnceLock<Index>,
}

/// The keys with each hash.
#[derive(Debug, Default)]
struct Index {
    known: HashMap<u32, Known>,
    /// The number of keys when the index was made.
    len: usize,
}

/// The keys with one hash.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// Where one of them was when it was found. Since then, keys before it may have come or gone.
    at: usize,
    count: usize,
}

impl Keys {
    /// Adds the hash of a key at the end.
    #[inline]
    pub fn push(&mut self, hash: u32) {
        self.hashes.push(hash);
    }

    /// Returns whether a key has this hash.
    pub fn contains(&self, hash: u32) -> bool {
        self.find(&[hash]).1 > 0
    }

    /// Returns the index of a key that has one of these hashes, and the number of such keys.
    pub fn find(&self, wanted: &[u32]) -> (Option<usize>, usize) {
        if self.hashes.len() <= SEARCHED_MAX {
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

    /// Returns the index of a key with this hash. It is often where it was, or was moved by all
    /// changes of the length since then.
    fn place(&self, hash: u32, at: usize, len: usize) -> Option<usize> {
        let moved = (at + self.hashes.len()).checked_sub(len);
        let is_there = |at: &usize| self.hashes.get(*at) == Some(&hash);
        let guess = Some(at).filter(is_there).or(moved.filter(is_there));
        guess.or_else(|| self.hashes.iter().position(|&other| other == hash))
    }

    /// Replaces the hashes of a range of keys.
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

/// Returns the index of a list of hashes.
fn index(hashes: &[u32]) -> Index {
    let mut known = HashMap::with_capacity(hashes.len());
    for (at, &hash) in hashes.iter().enumerate() {
        add(&mut known, hash, at);
    }
    Index { known, len: hashes.len() }
}

/// Adds a key.
fn add(known: &mut HashMap<u32, Known>, hash: u32, at: usize) {
    let found = known.entry(hash).or_insert(Known { at, count: 0 });
    *found = Known { at, count: found.count + 1 };
}

/// Removes a key.
fn remove(known: &mut HashMap<u32, Known>, hash: u32) {
    let Entry::Occupied(mut found) = known.entry(hash) else { return };
    match found.get().count {
        1 => drop(found.remove()),
        _ => found.get_mut().count -= 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The index finds what a search finds.
        #[test]
        fn the_index_is_that_of_the_list(
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
