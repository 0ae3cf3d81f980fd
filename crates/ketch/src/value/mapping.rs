//! Mappings, which store their pairs in a vector and, if there are many pairs, an index.
//!
//! Most mappings are small, and many are never searched. So the index of a larger mapping is built
//! on the first lookup. Reading a document does not hash keys, because the composer has already
//! checked that they are distinct.

use super::hash::key_hash;
use super::index::Index;
use super::{Value, drop_values};
use hashbrown::HashTable;
use std::sync::OnceLock;

pub use super::entry::{Entry, OccupiedEntry, VacantEntry};

/// Key-value pairs in insertion order. Lookup takes constant time. Any value may be a key.
#[derive(Default)]
pub struct Mapping(Pairs);

/// Keys and values, which alternate as in a document, so that they can be moved here from a
/// document without copying each pair.
enum Pairs {
    Few(Vec<Value>),
    Many(Box<Many>),
}

struct Many {
    values: Vec<Value>,
    /// The positions of the pairs, found by the hashes of their keys. It is built when it is first
    /// needed.
    index: OnceLock<HashTable<usize>>,
}

/// The maximum number of pairs in which keys are searched linearly.
const LINEAR_MAX: usize = 8;

impl Default for Pairs {
    fn default() -> Pairs {
        Pairs::Few(Vec::new())
    }
}

impl Mapping {
    /// Creates an empty mapping.
    #[must_use]
    pub fn new() -> Mapping {
        Mapping::default()
    }

    /// Creates an empty mapping with capacity for `pairs` pairs.
    #[must_use]
    pub fn with_capacity(pairs: usize) -> Mapping {
        Mapping(Pairs::Few(Vec::with_capacity(2 * pairs)))
    }

    /// Creates a mapping from `values`, in which keys and values alternate. All keys must be
    /// distinct.
    pub(super) fn of_distinct(values: Vec<Value>) -> Mapping {
        debug_assert!(values.len().is_multiple_of(2));
        Mapping(if values.len() <= 2 * LINEAR_MAX {
            Pairs::Few(values)
        } else {
            Pairs::Many(Box::new(Many { values, index: OnceLock::new() }))
        })
    }

    /// Returns the pairs.
    #[inline]
    fn pairs(&self) -> &[[Value; 2]] {
        self.all().as_chunks().0
    }

    /// Returns the pairs, which may be changed.
    #[inline]
    fn pairs_mut(&mut self) -> &mut [[Value; 2]] {
        match &mut self.0 {
            Pairs::Few(values) => values.as_chunks_mut().0,
            Pairs::Many(many) => many.values.as_chunks_mut().0,
        }
    }

    /// Returns the keys and values, which alternate.
    #[inline]
    fn all(&self) -> &Vec<Value> {
        match &self.0 {
            Pairs::Few(values) => values,
            Pairs::Many(many) => &many.values,
        }
    }

    /// Returns the number of pairs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all().len() / 2
    }

    /// Returns whether the mapping has no pairs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all().is_empty()
    }

    /// Inserts a pair. If the key is already present, replaces its value and returns the old value.
    /// Otherwise, appends the pair and returns `None`.
    pub fn insert(&mut self, key: Value, value: Value) -> Option<Value> {
        match self.position_of(&key) {
            Some(at) => Some(std::mem::replace(self.value_at_mut(at), value)),
            None => {
                self.push(key, value);
                None
            }
        }
    }

    /// Appends a pair whose key must not be present.
    pub(super) fn push(&mut self, key: Value, value: Value) {
        match &mut self.0 {
            Pairs::Few(values) => {
                values.extend([key, value]);
                if values.len() > 2 * LINEAR_MAX {
                    *self = Mapping::of_distinct(std::mem::take(values));
                }
            }
            Pairs::Many(many) => {
                let Many { values, index } = &mut **many;
                if let Some(index) = index.get_mut() {
                    let at = values.len() / 2;
                    index.insert_unique(key_hash(&key), at, |&at| key_hash(&values[2 * at]));
                }
                values.extend([key, value]);
            }
        }
    }

    /// Returns the position of the pair whose key is `key`, or `None` if there is none.
    pub(super) fn position_of(&self, key: &Value) -> Option<usize> {
        self.find(|| key_hash(key), |other| other == key)
    }

    /// Returns the position of the pair whose key `is_key` accepts, or `None` if there is none.
    /// `hash` returns the hash of this key, which is needed only if there is an index.
    pub(super) fn find(
        &self,
        hash: impl FnOnce() -> u64,
        is_key: impl Fn(&Value) -> bool,
    ) -> Option<usize> {
        let pairs = self.pairs();
        let Pairs::Many(many) = &self.0 else {
            return pairs.iter().position(|[key, _]| is_key(key));
        };
        let index = many.index.get_or_init(|| {
            let mut index = HashTable::with_capacity(pairs.len());
            for (at, [key, _]) in pairs.iter().enumerate() {
                index.insert_unique(key_hash(key), at, |&at| key_hash(&pairs[at][0]));
            }
            index
        });
        index.find(hash(), |&at| is_key(&pairs[at][0])).copied()
    }

    /// Returns the value of the pair at position `at`.
    pub(super) fn value_at(&self, at: usize) -> &Value {
        &self.pairs()[at][1]
    }

    /// Returns a mutable reference to the value of the pair at position `at`.
    pub(super) fn value_at_mut(&mut self, at: usize) -> &mut Value {
        &mut self.pairs_mut()[at][1]
    }

    /// Returns the value of `key`, which may be text or any [`Value`], or `None` if the key is
    /// missing.
    pub fn get(&self, key: impl Index) -> Option<&Value> {
        key.position_in(self).map(|at| self.value_at(at))
    }

    /// Returns a mutable reference to the value of `key`, or `None` if the key is missing.
    pub fn get_mut(&mut self, key: impl Index) -> Option<&mut Value> {
        key.position_in(self).map(|at| self.value_at_mut(at))
    }

    /// Returns the position of the pair whose key is `key`, or `None` if there is none.
    pub(super) fn position(&self, key: impl Index) -> Option<usize> {
        key.position_in(self)
    }

    /// Returns whether `key` is present.
    pub fn contains_key(&self, key: impl Index) -> bool {
        key.position_in(self).is_some()
    }

    /// Returns the entry for `key`, with which its value can be inspected, changed or inserted.
    pub fn entry(&mut self, key: Value) -> Entry<'_> {
        Entry::new(self, key)
    }

    /// Removes `key` and its value, and returns the value, or `None` if the key is missing. The
    /// other pairs keep their order. This takes time linear in the number of pairs.
    pub fn remove(&mut self, key: impl Index) -> Option<Value> {
        self.remove_entry(key).map(|(_, value)| value)
    }

    /// Does the same as [`Mapping::remove`], but also returns the key.
    pub fn remove_entry(&mut self, key: impl Index) -> Option<(Value, Value)> {
        let at = key.position_in(self)?;
        Some(self.remove_at(at))
    }

    /// Does the same as [`Mapping::remove`].
    pub fn shift_remove(&mut self, key: impl Index) -> Option<Value> {
        self.remove(key)
    }

    /// Does the same as [`Mapping::remove_entry`].
    pub fn shift_remove_entry(&mut self, key: impl Index) -> Option<(Value, Value)> {
        self.remove_entry(key)
    }

    /// Removes `key` and its value, and returns the value, or `None` if the key is missing. The
    /// last pair moves to the position of the removed one, so this takes constant time.
    pub fn swap_remove(&mut self, key: impl Index) -> Option<Value> {
        self.swap_remove_entry(key).map(|(_, value)| value)
    }

    /// Does the same as [`Mapping::swap_remove`], but also returns the key.
    pub fn swap_remove_entry(&mut self, key: impl Index) -> Option<(Value, Value)> {
        let at = key.position_in(self)?;
        let values = match &mut self.0 {
            Pairs::Few(values) => values,
            Pairs::Many(many) => {
                let Many { values, index } = &mut **many;
                if let Some(index) = index.get_mut() {
                    move_position(index, values, at);
                }
                values
            }
        };
        let (value, key) = (values.pop()?, values.pop()?);
        if values.len() == 2 * at {
            return Some((key, value));
        }
        let [own_key, own_value] = &mut values.as_chunks_mut::<2>().0[at];
        Some((std::mem::replace(own_key, key), std::mem::replace(own_value, value)))
    }

    /// Removes the pair at position `at`, and returns it. The other pairs keep their order.
    pub(super) fn remove_at(&mut self, at: usize) -> (Value, Value) {
        let mut values = self.take_values();
        let mut pair = values.drain(2 * at..2 * at + 2);
        let removed = (pair.next().unwrap_or_default(), pair.next().unwrap_or_default());
        drop(pair);
        *self = Mapping::of_distinct(values);
        removed
    }

    /// Removes the pairs for which `keep` returns false. The others keep their order.
    pub fn retain(&mut self, mut keep: impl FnMut(&Value, &mut Value) -> bool) {
        let mut values = self.take_values().into_iter();
        let mut kept = Vec::with_capacity(values.len());
        while let (Some(key), Some(mut value)) = (values.next(), values.next()) {
            if keep(&key, &mut value) {
                kept.extend([key, value]);
            }
        }
        *self = Mapping::of_distinct(kept);
    }

    /// Returns the number of pairs for which memory is allocated.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.all().capacity() / 2
    }

    /// Reserves memory for `pairs` more pairs.
    pub fn reserve(&mut self, pairs: usize) {
        self.all_mut().reserve(2 * pairs);
    }

    /// Releases memory that is not used.
    pub fn shrink_to_fit(&mut self) {
        self.all_mut().shrink_to_fit();
    }

    /// Returns the keys and values, which alternate and may be changed.
    fn all_mut(&mut self) -> &mut Vec<Value> {
        match &mut self.0 {
            Pairs::Few(values) => values,
            Pairs::Many(many) => &mut many.values,
        }
    }

    /// Converts the mapping to an iterator over its keys, in order.
    pub fn into_keys(self) -> impl ExactSizeIterator<Item = Value> {
        self.into_iter().map(|(key, _)| key)
    }

    /// Converts the mapping to an iterator over its values, in order.
    pub fn into_values(self) -> impl ExactSizeIterator<Item = Value> {
        self.into_iter().map(|(_, value)| value)
    }

    /// Removes all pairs.
    pub fn clear(&mut self) {
        *self = Mapping::new();
    }

    /// Returns an iterator over the pairs, in order.
    pub fn iter(&self) -> Iter<'_> {
        Iter(self.pairs().iter())
    }

    /// Returns an iterator over the pairs, in order, whose values may be changed.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (&Value, &mut Value)> {
        self.pairs_mut().iter_mut().map(|[key, value]| (&*key, value))
    }

    /// Returns the keys and values, which alternate.
    #[inline]
    pub(crate) fn values_in_turn(&self) -> &[Value] {
        match &self.0 {
            Pairs::Few(values) => values,
            Pairs::Many(many) => &many.values,
        }
    }

    /// Returns an iterator over the keys, in order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.pairs().iter().map(|[key, _]| key)
    }

    /// Returns an iterator over the values, in order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.pairs().iter().map(|[_, value]| value)
    }

    /// Returns an iterator over the values, in order, which may be changed.
    pub fn values_mut(&mut self) -> impl ExactSizeIterator<Item = &mut Value> {
        self.pairs_mut().iter_mut().map(|[_, value]| value)
    }

    /// Removes all pairs, and returns their keys and values, which alternate.
    pub(super) fn take_values(&mut self) -> Vec<Value> {
        match &mut self.0 {
            Pairs::Few(values) => std::mem::take(values),
            Pairs::Many(many) => {
                many.index = OnceLock::new();
                std::mem::take(&mut many.values)
            }
        }
    }
}

/// Updates `index` before the pair at position `at` is removed and the last pair moves there.
fn move_position(index: &mut HashTable<usize>, values: &[Value], at: usize) {
    let pairs: &[[Value; 2]] = values.as_chunks().0;
    let last = pairs.len() - 1;
    if let Ok(position) = index.find_entry(key_hash(&pairs[at][0]), |&position| position == at) {
        position.remove();
    }
    if let Some(position) = index.find_mut(key_hash(&pairs[last][0]), |&position| position == last)
    {
        *position = at;
    }
}

/// An iterator over the pairs of a mapping.
#[derive(Clone, Debug)]
pub struct Iter<'m>(std::slice::Iter<'m, [Value; 2]>);

impl<'m> Iterator for Iter<'m> {
    type Item = (&'m Value, &'m Value);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|[key, value]| (key, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|[key, value]| (key, value))
    }
}

impl Clone for Mapping {
    fn clone(&self) -> Mapping {
        Mapping::of_distinct(self.all().clone())
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        drop_values(self.take_values());
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
    type IntoIter = IntoIter;

    fn into_iter(mut self) -> IntoIter {
        IntoIter(self.take_values().into_iter())
    }
}

/// An iterator that consumes a mapping and yields its pairs.
#[derive(Clone, Debug)]
pub struct IntoIter(std::vec::IntoIter<Value>);

impl Iterator for IntoIter {
    type Item = (Value, Value);

    fn next(&mut self) -> Option<(Value, Value)> {
        Some((self.0.next()?, self.0.next()?))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let pairs = self.0.len() / 2;
        (pairs, Some(pairs))
    }
}

impl ExactSizeIterator for IntoIter {}

impl DoubleEndedIterator for IntoIter {
    fn next_back(&mut self) -> Option<(Value, Value)> {
        let value = self.0.next_back()?;
        Some((self.0.next_back()?, value))
    }
}

impl<'m> IntoIterator for &'m Mapping {
    type Item = (&'m Value, &'m Value);
    type IntoIter = Iter<'m>;

    fn into_iter(self) -> Iter<'m> {
        self.iter()
    }
}
