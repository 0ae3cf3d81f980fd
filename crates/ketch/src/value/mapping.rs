//! Mappings.

use super::index::Index;
use super::{Value, drop_all};
use foldhash::fast::RandomState;
use indexmap::IndexMap;
use indexmap::map::{IntoIter, Iter, IterMut, Keys, Values, ValuesMut};

/// Pairs in the order they were put in, found by their key in constant time. Any value may be a key.
#[derive(Clone, Default)]
pub struct Mapping(pub(crate) Box<IndexMap<Value, Value, RandomState>>);

impl Mapping {
    /// An empty one.
    #[must_use]
    pub fn new() -> Mapping {
        Mapping::default()
    }

    /// An empty one with room for so many pairs.
    #[must_use]
    pub fn with_capacity(pairs: usize) -> Mapping {
        Mapping(Box::new(IndexMap::with_capacity_and_hasher(pairs, RandomState::default())))
    }

    /// How many pairs there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Puts a pair in. If the key is there, its value changes, and the old one is given back.
    pub fn insert(&mut self, key: Value, value: Value) -> Option<Value> {
        self.0.insert(key, value)
    }

    /// The value of a key: text, or any [`Value`].
    pub fn get(&self, key: impl Index) -> Option<&Value> {
        key.of_mapping(self)
    }

    /// The value of a key.
    pub fn get_mut(&mut self, key: impl Index) -> Option<&mut Value> {
        key.of_mapping_mut(self)
    }

    /// Whether the key is there.
    pub fn contains_key(&self, key: impl Index) -> bool {
        key.of_mapping(self).is_some()
    }

    /// Takes a pair out; the others keep their order.
    pub fn remove(&mut self, key: &Value) -> Option<Value> {
        self.0.shift_remove(key)
    }

    /// The pairs, in order.
    pub fn iter(&self) -> Iter<'_, Value, Value> {
        self.0.iter()
    }

    /// The pairs, in order; values may be changed.
    pub fn iter_mut(&mut self) -> IterMut<'_, Value, Value> {
        self.0.iter_mut()
    }

    /// The keys, in order.
    pub fn keys(&self) -> Keys<'_, Value, Value> {
        self.0.keys()
    }

    /// The values, in order.
    pub fn values(&self) -> Values<'_, Value, Value> {
        self.0.values()
    }

    /// The values, in order, to be changed.
    pub fn values_mut(&mut self) -> ValuesMut<'_, Value, Value> {
        self.0.values_mut()
    }

    /// Takes all pairs out.
    pub fn clear(&mut self) {
        *self = Mapping::new();
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        if self.0.iter().any(|(key, value)| key.holds_values() || value.holds_values()) {
            let pairs = std::mem::take(&mut *self.0);
            drop_all(pairs.into_iter().flat_map(|(key, value)| [key, value]).collect());
        }
    }
}

impl FromIterator<(Value, Value)> for Mapping {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(pairs: I) -> Mapping {
        Mapping(Box::new(pairs.into_iter().collect()))
    }
}

impl Extend<(Value, Value)> for Mapping {
    fn extend<I: IntoIterator<Item = (Value, Value)>>(&mut self, pairs: I) {
        self.0.extend(pairs);
    }
}

impl IntoIterator for Mapping {
    type Item = (Value, Value);
    type IntoIter = IntoIter<Value, Value>;

    fn into_iter(mut self) -> Self::IntoIter {
        std::mem::take(&mut *self.0).into_iter()
    }
}

impl<'m> IntoIterator for &'m Mapping {
    type Item = (&'m Value, &'m Value);
    type IntoIter = Iter<'m, Value, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl std::fmt::Debug for Mapping {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.0.iter()).finish()
    }
}
