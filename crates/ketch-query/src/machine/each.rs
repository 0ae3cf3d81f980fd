//! The entries of a collection, one after the other.

use crate::value::{Json, Kind, Value};
use std::sync::Arc;

/// The entries of a collection that are left.
#[derive(Debug)]
pub struct EachEntry {
    value: Value,
    /// The number of the next entry.
    next: usize,
    /// The cell of the next entry in a JSON text, and the one after the last.
    cells: (usize, usize),
}

/// An entry of a collection.
pub struct Entry {
    pub value: Value,
    key: Key,
}

/// The key of an entry.
enum Key {
    Index(usize),
    Name(Arc<str>),
    /// The cell of a key.
    Json(Arc<Json>, usize),
}

impl Entry {
    /// Returns the key.
    pub fn key(&self) -> Value {
        match &self.key {
            Key::Index(index) => Value::count(*index),
            Key::Name(name) => Value::Text(name.clone()),
            Key::Json(json, at) => Value::Text(json.key(*at)),
        }
    }
}

impl EachEntry {
    /// Returns the entries of a collection, which is no node of a document.
    pub fn new(value: Value) -> EachEntry {
        let cells = match &value {
            Value::Json(json, at) => json.cells(*at),
            _ => (0, 0),
        };
        EachEntry { value, next: 0, cells }
    }

    /// Returns whether there is another entry.
    #[inline]
    pub fn has_more(&self) -> bool {
        match &self.value {
            Value::Json(..) => self.cells.0 < self.cells.1,
            value => value.entry_count().is_some_and(|count| self.next < count),
        }
    }

    /// Returns the next entry.
    #[inline]
    pub fn next(&mut self) -> Option<Entry> {
        let index = self.next;
        self.next += 1;
        match &self.value {
            Value::Array(array) => {
                Some(Entry { value: array.entries.get(index)?.clone(), key: Key::Index(index) })
            }
            Value::Object(object) => {
                let (key, value) = object.entries.get_index(index)?;
                Some(Entry { value: value.clone(), key: Key::Name(key.clone()) })
            }
            Value::Json(json, at) => {
                let cell = self.cells.0;
                if cell >= self.cells.1 {
                    return None;
                }
                let (at, key) = match json.kind(*at) {
                    Kind::Object => (json.after(cell), Key::Json(json.clone(), cell)),
                    _ => (cell, Key::Index(index)),
                };
                self.cells.0 = json.after(at);
                Some(Entry { value: json.value(at), key })
            }
            _ => None,
        }
    }
}
