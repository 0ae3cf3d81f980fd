//! Mappings: pairs in a vector, and an index beside it where it pays.
//!
//! Most mappings are small and many are never looked into, so the index is made when a larger one is
//! first asked for a key. Reading a document costs no hashing then: its keys are known to differ.

use super::hash::key_hash;
use super::index::Index;
use super::{Value, drop_all};
use hashbrown::HashTable;
use std::sync::OnceLock;

/// Pairs in the order they were put in, found by their key in constant time. Any value may be a key.
#[derive(Default)]
pub struct Mapping(Box<Inner>);

#[derive(Default)]
struct Inner {
    pairs: Vec<(Value, Value)>,
    /// Places in `pairs`, by the hash of their key; only of mappings with more than [`LINEAR_MAX`].
    index: OnceLock<HashTable<usize>>,
}

/// Up to so many pairs, keys are compared one after the other.
const LINEAR_MAX: usize = 8;

impl Mapping {
    /// An empty one.
    #[must_use]
    pub fn new() -> Mapping {
        Mapping::default()
    }

    /// An empty one with room for so many pairs.
    #[must_use]
    pub fn with_capacity(pairs: usize) -> Mapping {
        let inner = Inner { pairs: Vec::with_capacity(pairs), index: OnceLock::new() };
        Mapping(Box::new(inner))
    }

    /// How many pairs there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.pairs.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.pairs.is_empty()
    }

    /// Puts a pair in. If the key is there, its value changes, and the old one is given back.
    pub fn insert(&mut self, key: Value, value: Value) -> Option<Value> {
        match self.place_of(&key) {
            Some(at) => Some(std::mem::replace(&mut self.0.pairs[at].1, value)),
            None => {
                self.push(key, value);
                None
            }
        }
    }

    /// Puts a pair in whose key is known to be new.
    pub(super) fn push(&mut self, key: Value, value: Value) {
        let Inner { pairs, index } = &mut *self.0;
        if let Some(index) = index.get_mut() {
            index.insert_unique(key_hash(&key), pairs.len(), |&at| key_hash(&pairs[at].0));
        }
        pairs.push((key, value));
    }

    /// The place of a key.
    pub(super) fn place_of(&self, key: &Value) -> Option<usize> {
        self.find(|| key_hash(key), |other| other == key)
    }

    /// The place of the key that `is_key` knows and `hash` is the hash of.
    pub(super) fn find(
        &self,
        hash: impl FnOnce() -> u64,
        is_key: impl Fn(&Value) -> bool,
    ) -> Option<usize> {
        let pairs = &self.0.pairs;
        if pairs.len() <= LINEAR_MAX {
            return pairs.iter().position(|(key, _)| is_key(key));
        }
        let index = self.0.index.get_or_init(|| {
            let mut index = HashTable::with_capacity(pairs.len());
            for (at, (key, _)) in pairs.iter().enumerate() {
                index.insert_unique(key_hash(key), at, |&at| key_hash(&pairs[at].0));
            }
            index
        });
        index.find(hash(), |&at| is_key(&pairs[at].0)).copied()
    }

    /// The value at a place.
    pub(super) fn value_at(&self, at: usize) -> &Value {
        &self.0.pairs[at].1
    }

    /// The value at a place.
    pub(super) fn value_at_mut(&mut self, at: usize) -> &mut Value {
        &mut self.0.pairs[at].1
    }

    /// The value of a key: text, or any [`Value`].
    pub fn get(&self, key: impl Index) -> Option<&Value> {
        key.place_in(self).map(|at| self.value_at(at))
    }

    /// The value of a key.
    pub fn get_mut(&mut self, key: impl Index) -> Option<&mut Value> {
        key.place_in(self).map(|at| self.value_at_mut(at))
    }

    /// Whether the key is there.
    pub fn contains_key(&self, key: impl Index) -> bool {
        key.place_in(self).is_some()
    }

    /// Takes a pair out; the others keep their order. Linear in the number of pairs.
    pub fn remove(&mut self, key: impl Index) -> Option<Value> {
        let at = key.place_in(self)?;
        self.0.index = OnceLock::new();
        Some(self.0.pairs.remove(at).1)
    }

    /// Takes all pairs out.
    pub fn clear(&mut self) {
        *self = Mapping::new();
    }

    /// The pairs, in order.
    pub fn iter(&self) -> Iter<'_> {
        Iter(self.0.pairs.iter())
    }

    /// The pairs, in order; values may be changed.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (&Value, &mut Value)> {
        self.0.pairs.iter_mut().map(|(key, value)| (&*key, value))
    }

    /// The keys, in order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.0.pairs.iter().map(|(key, _)| key)
    }

    /// The values, in order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.0.pairs.iter().map(|(_, value)| value)
    }

    /// The values, in order, to be changed.
    pub fn values_mut(&mut self) -> impl ExactSizeIterator<Item = &mut Value> {
        self.0.pairs.iter_mut().map(|(_, value)| value)
    }

    /// Takes the pairs out.
    pub(super) fn take_pairs(&mut self) -> Vec<(Value, Value)> {
        self.0.index = OnceLock::new();
        std::mem::take(&mut self.0.pairs)
    }
}

/// Iterates over the pairs of a mapping.
#[derive(Clone, Debug)]
pub struct Iter<'m>(std::slice::Iter<'m, (Value, Value)>);

impl<'m> Iterator for Iter<'m> {
    type Item = (&'m Value, &'m Value);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(key, value)| (key, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|(key, value)| (key, value))
    }
}

impl Clone for Mapping {
    fn clone(&self) -> Mapping {
        let inner = Inner { pairs: self.0.pairs.clone(), index: OnceLock::new() };
        Mapping(Box::new(inner))
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        if self.iter().any(|(key, value)| key.holds_values() || value.holds_values()) {
            let pairs = self.take_pairs();
            drop_all(pairs.into_iter().flat_map(|(key, value)| [key, value]).collect());
        }
    }
}

impl FromIterator<(Value, Value)> for Mapping {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(pairs: I) -> Mapping {
        let mut mapping = Mapping::new();
        mapping.extend(pairs);
        mapping
    }
}

impl Extend<(Value, Value)> for Mapping {
    fn extend<I: IntoIterator<Item = (Value, Value)>>(&mut self, pairs: I) {
        for (key, value) in pairs {
            self.insert(key, value);
        }
    }
}

impl IntoIterator for Mapping {
    type Item = (Value, Value);
    type IntoIter = std::vec::IntoIter<(Value, Value)>;

    fn into_iter(mut self) -> Self::IntoIter {
        self.take_pairs().into_iter()
    }
}

impl<'m> IntoIterator for &'m Mapping {
    type Item = (&'m Value, &'m Value);
    type IntoIter = Iter<'m>;

    fn into_iter(self) -> Iter<'m> {
        self.iter()
    }
}

impl std::fmt::Debug for Mapping {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self).finish()
    }
}
