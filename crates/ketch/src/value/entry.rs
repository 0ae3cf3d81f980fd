//! Entries of mappings, for keys that may or may not be present.

use super::{Mapping, Value};
use std::fmt;

/// The entry for a key in a mapping, which [`Mapping::entry`] returns.
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
    /// The key is present in the mapping.
    Occupied(OccupiedEntry<'m>),
    /// The key is missing in the mapping.
    Vacant(VacantEntry<'m>),
}

/// The entry for a key that is present.
pub struct OccupiedEntry<'m> {
    mapping: &'m mut Mapping,
    key: Value,
    at: usize,
}

/// The entry for a key that is missing.
pub struct VacantEntry<'m> {
    mapping: &'m mut Mapping,
    key: Value,
}

impl<'m> Entry<'m> {
    /// Looks up `key` in `mapping`, and returns its entry.
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

    /// Returns the value of the key. If the key is missing, first inserts it with `value`.
    pub fn or_insert(self, value: Value) -> &'m mut Value {
        self.or_insert_with(|| value)
    }

    /// Returns the value of the key. If the key is missing, first inserts it with the result of
    /// `value`.
    pub fn or_insert_with(self, value: impl FnOnce() -> Value) -> &'m mut Value {
        match self {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(value()),
        }
    }

    /// Calls `change` with the value if the key is present, and returns the entry.
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

    /// Returns a mutable reference to the value.
    pub fn get_mut(&mut self) -> &mut Value {
        self.mapping.value_at_mut(self.at)
    }

    /// Returns a mutable reference to the value that lives as long as the borrow of the mapping.
    #[must_use]
    pub fn into_mut(self) -> &'m mut Value {
        self.mapping.value_at_mut(self.at)
    }

    /// Replaces the value with `value`, and returns the old one.
    pub fn insert(&mut self, value: Value) -> Value {
        std::mem::replace(self.get_mut(), value)
    }

    /// Removes the key and its value, and returns the value. The other pairs keep their order.
    #[must_use]
    pub fn remove(self) -> Value {
        self.remove_entry().1
    }

    /// Removes the key and its value, and returns both. The other pairs keep their order.
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

    /// Returns the key, dropping the entry.
    #[must_use]
    pub fn into_key(self) -> Value {
        self.key
    }

    /// Inserts the key with `value`, and returns a mutable reference to the value.
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
