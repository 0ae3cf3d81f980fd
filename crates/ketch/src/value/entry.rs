//! Entries of mappings, for keys that may or may not be present.

use super::{Mapping, Value};
use std::fmt;

/// A view of one key of a mapping, which [`Mapping::entry`] returns.
///
/// ```
/// let mut counts = ketch::Mapping::new();
/// for word in ["main", "mizzen", "main"] {
///     let count = counts.entry(word.into()).or_insert(0.into());
///     *count = (count.as_u64().unwrap() + 1).into();
/// }
/// assert_eq!(counts["main"], 2);
/// ```
#[derive(Debug)]
pub enum Entry<'m> {
    /// The key is present.
    Occupied(OccupiedEntry<'m>),
    /// The key is missing.
    Vacant(VacantEntry<'m>),
}

/// A pair that is present.
pub struct OccupiedEntry<'m> {
    mapping: &'m mut Mapping,
    key: Value,
    at: usize,
}

/// A key that is missing.
pub struct VacantEntry<'m> {
    mapping: &'m mut Mapping,
    key: Value,
}

impl<'m> Entry<'m> {
    /// Looks up the key, and returns its entry.
    pub(super) fn new(mapping: &'m mut Mapping, key: Value) -> Entry<'m> {
        match mapping.position_of(&key) {
            Some(at) => Entry::Occupied(OccupiedEntry { mapping, key, at }),
            None => Entry::Vacant(VacantEntry { mapping, key }),
        }
    }

    /// Returns the key.
    #[must_use]
    pub fn key(&self) -> &Value {
        match self {
            Entry::Occupied(entry) => entry.key(),
            Entry::Vacant(entry) => entry.key(),
        }
    }

    /// Returns the value. If the key is missing, inserts `value` first.
    pub fn or_insert(self, value: Value) -> &'m mut Value {
        self.or_insert_with(|| value)
    }

    /// Returns the value. If the key is missing, inserts the result of `value` first.
    pub fn or_insert_with(self, value: impl FnOnce() -> Value) -> &'m mut Value {
        match self {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(value()),
        }
    }

    /// Changes the value if the key is present.
    #[must_use]
    pub fn and_modify(mut self, change: impl FnOnce(&mut Value)) -> Entry<'m> {
        if let Entry::Occupied(entry) = &mut self {
            change(entry.get_mut());
        }
        self
    }
}

impl<'m> OccupiedEntry<'m> {
    /// Returns the key.
    #[must_use]
    pub fn key(&self) -> &Value {
        &self.key
    }

    /// Returns the value.
    #[must_use]
    pub fn get(&self) -> &Value {
        self.mapping.value_at(self.at)
    }

    /// Returns the value as mutable.
    pub fn get_mut(&mut self) -> &mut Value {
        self.mapping.value_at_mut(self.at)
    }

    /// Returns the value as mutable, for the lifetime of the mapping's borrow.
    #[must_use]
    pub fn into_mut(self) -> &'m mut Value {
        self.mapping.value_at_mut(self.at)
    }

    /// Replaces the value, and returns the old one.
    pub fn insert(&mut self, value: Value) -> Value {
        std::mem::replace(self.get_mut(), value)
    }

    /// Removes the pair and returns its value. The other pairs keep their order.
    #[must_use]
    pub fn remove(self) -> Value {
        self.remove_entry().1
    }

    /// Removes the pair and returns it. The other pairs keep their order.
    #[must_use]
    pub fn remove_entry(self) -> (Value, Value) {
        self.mapping.remove_at(self.at)
    }
}

impl<'m> VacantEntry<'m> {
    /// Returns the key.
    #[must_use]
    pub fn key(&self) -> &Value {
        &self.key
    }

    /// Returns the key.
    #[must_use]
    pub fn into_key(self) -> Value {
        self.key
    }

    /// Inserts the key with a value, and returns the value as mutable.
    pub fn insert(self, value: Value) -> &'m mut Value {
        self.mapping.push(self.key, value);
        self.mapping.value_at_mut(self.mapping.len() - 1)
    }
}

impl fmt::Debug for OccupiedEntry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OccupiedEntry").field("key", &self.key).field("value", self.get()).finish()
    }
}

impl fmt::Debug for VacantEntry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VacantEntry").field(&self.key).finish()
    }
}
