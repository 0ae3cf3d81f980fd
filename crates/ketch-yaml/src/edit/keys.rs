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
    /// The index and the number of the keys with each hash, made by the first search in many keys.
    index: OnceLock<HashMap<u32, Known>>,
}

/// The keys with one hash.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The index of one of them.
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
        let known = hashes.filter_map(|hash| index.get(&hash));
        known.fold((None, 0), |(first, count), known| {
            (first.or(Some(known.at)), count + known.count)
        })
    }

    /// Replaces the hashes of a range of keys.
    pub fn splice(&mut self, range: Range<usize>, new: Vec<u32>) {
        if self.hashes[range.clone()] == new[..] {
            return;
        }
        // Otherwise, the indices of the keys after the range change.
        let is_kept = new.len() == range.len() || range.end == self.hashes.len();
        let old = range.clone().map(|at| self.hashes[at]);
        let is_known = self.index.get_mut().is_none_or(|index| {
            let mut old = old;
            is_kept
                && old.all(|hash| matches!(index.remove(&hash), Some(Known { count: 1, .. })))
                && new.iter().zip(range.start..).all(|(&hash, at)| add(index, hash, at))
        });
        if !is_known {
            self.index = OnceLock::new();
        }
        self.hashes.splice(range, new);
    }
}

/// Returns the index of a list of hashes.
fn index(hashes: &[u32]) -> HashMap<u32, Known> {
    let mut index = HashMap::with_capacity(hashes.len());
    for (at, &hash) in hashes.iter().enumerate() {
        add(&mut index, hash, at);
    }
    index
}

/// Adds a hash to an index; returns true.
fn add(index: &mut HashMap<u32, Known>, hash: u32, at: usize) -> bool {
    match index.entry(hash) {
        Entry::Occupied(mut known) => known.get_mut().count += 1,
        Entry::Vacant(place) => {
            place.insert(Known { at, count: 1 });
        }
    }
    true
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
