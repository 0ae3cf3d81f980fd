//! The entries of an object.

use super::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// The entries of an object, in their order. Small ones need no table: their keys are compared one by one.
#[derive(Clone, Debug, Default)]
pub struct Entries {
    pairs: Vec<(Arc<str>, Value)>,
    /// The index of each key, if there are many.
    places: Option<HashMap<Arc<str>, usize>>,
}

/// More entries than this have a table.
const SMALL_MAX: usize = 16;

impl Entries {
    /// Creates an object without entries.
    pub fn new() -> Entries {
        Entries::default()
    }

    /// Creates an object without entries, and memory for this number of them.
    pub fn with_capacity(count: usize) -> Entries {
        Entries { pairs: Vec::with_capacity(count), places: None }
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Returns the index of `key`.
    #[inline]
    pub fn get_index_of(&self, key: &str) -> Option<usize> {
        match &self.places {
            Some(places) => places.get(key).copied(),
            None => self.pairs.iter().position(|(known, _)| **known == *key),
        }
    }

    /// Returns the value of `key`.
    #[inline]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.get_index_of(key).map(|at| &self.pairs[at].1)
    }

    /// Returns the value of `key` for changes.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        self.get_index_of(key).map(|at| &mut self.pairs[at].1)
    }

    /// Returns whether there is an entry with this key.
    pub fn contains_key(&self, key: &str) -> bool {
        self.get_index_of(key).is_some()
    }

    /// Returns the entry at an index.
    #[inline]
    pub fn get_index(&self, index: usize) -> Option<(&Arc<str>, &Value)> {
        self.pairs.get(index).map(|(key, value)| (key, value))
    }

    /// Returns the value of `key` for changes. If there is no such entry, it is added with null.
    pub fn or_default(&mut self, key: Arc<str>) -> &mut Value {
        let at = self.get_index_of(&key).unwrap_or_else(|| self.append(key, Value::Null));
        &mut self.pairs[at].1
    }

    /// Sets the value of `key`, and returns the one before.
    pub fn insert(&mut self, key: Arc<str>, value: Value) -> Option<Value> {
        match self.get_index_of(&key) {
            Some(at) => Some(std::mem::replace(&mut self.pairs[at].1, value)),
            None => {
                self.append(key, value);
                None
            }
        }
    }

    /// Adds an entry with a key that is new, and returns its index.
    fn append(&mut self, key: Arc<str>, value: Value) -> usize {
        let at = self.pairs.len();
        if let Some(places) = &mut self.places {
            places.insert(key.clone(), at);
        }
        self.pairs.push((key, value));
        if at == SMALL_MAX {
            self.make_places();
        }
        at
    }

    /// Makes the table if there are many entries.
    fn make_places(&mut self) {
        let keys = || self.pairs.iter().enumerate().map(|(at, (key, _))| (key.clone(), at));
        self.places = (self.pairs.len() > SMALL_MAX).then(|| keys().collect());
    }

    /// Removes the entry with this key; those after it move up.
    pub fn shift_remove(&mut self, key: &str) -> Option<Value> {
        let at = self.get_index_of(key)?;
        let (key, value) = self.pairs.remove(at);
        if at < self.pairs.len() {
            self.make_places();
        } else if let Some(places) = &mut self.places {
            places.remove(&key);
        }
        Some(value)
    }

    /// Keeps the entries that `keeps` returns true for.
    pub fn retain(&mut self, mut keeps: impl FnMut(&Arc<str>, &mut Value) -> bool) {
        self.pairs.retain_mut(|(key, value)| keeps(key, value));
        self.make_places();
    }

    /// Returns all entries.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Arc<str>, &Value)> + DoubleEndedIterator {
        self.pairs.iter().map(|(key, value)| (key, value))
    }

    /// Returns all keys.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Arc<str>> + DoubleEndedIterator {
        self.pairs.iter().map(|(key, _)| key)
    }

    /// Returns all values.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value> + DoubleEndedIterator {
        self.pairs.iter().map(|(_, value)| value)
    }

    /// Returns all values for changes.
    pub fn values_mut(
        &mut self,
    ) -> impl ExactSizeIterator<Item = &mut Value> + DoubleEndedIterator {
        self.pairs.iter_mut().map(|(_, value)| value)
    }

    /// Returns all values.
    pub fn into_values(self) -> impl ExactSizeIterator<Item = Value> {
        self.pairs.into_iter().map(|(_, value)| value)
    }
}

impl IntoIterator for Entries {
    type Item = (Arc<str>, Value);
    type IntoIter = std::vec::IntoIter<(Arc<str>, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.pairs.into_iter()
    }
}

impl Extend<(Arc<str>, Value)> for Entries {
    fn extend<I: IntoIterator<Item = (Arc<str>, Value)>>(&mut self, pairs: I) {
        for (key, value) in pairs {
            self.insert(key, value);
        }
    }
}

impl FromIterator<(Arc<str>, Value)> for Entries {
    fn from_iter<I: IntoIterator<Item = (Arc<str>, Value)>>(pairs: I) -> Entries {
        let pairs = pairs.into_iter();
        let mut entries = Entries::with_capacity(pairs.size_hint().0);
        entries.extend(pairs);
        entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_keep_their_order_at_any_size() {
        for count in [3, SMALL_MAX, SMALL_MAX + 1, 100] {
            let key = |at: usize| -> Arc<str> { format!("k{at}").into() };
            let mut entries: Entries = (0..count).map(|at| (key(at), Value::count(at))).collect();
            assert_eq!(entries.insert(key(1), 7.into()), Some(1.into()));
            assert_eq!(entries.shift_remove("k0"), Some(0.into()));
            assert_eq!(entries.shift_remove("k0"), None);
            *entries.or_default(key(count)) = 9.into();
            entries.retain(|key, _| **key != *"k2");
            let keys: Vec<_> = entries.keys().cloned().collect();
            let expected: Vec<_> = (1..=count).filter(|at| *at != 2).map(key).collect();
            assert_eq!(keys, expected);
            assert_eq!((entries.get("k1"), entries.get("k2")), (Some(&7.into()), None));
            for (at, key) in keys.iter().enumerate() {
                assert_eq!(entries.get_index_of(key), Some(at));
            }
        }
    }
}
