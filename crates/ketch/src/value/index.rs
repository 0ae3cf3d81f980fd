//! Looks up values by key, index or JSON Pointer.

use super::hash::text_hash;
use super::{Mapping, Value};

/// A key or index with which a value is looked up. Text and values are keys of mappings. Numbers
/// are indices of sequences or integer keys of mappings.
pub trait Index: sealed::Sealed {
    /// Returns the position of this key in `pairs`, or `None` if it is missing.
    #[doc(hidden)]
    fn position_in(&self, pairs: &Mapping) -> Option<usize>;
    /// Returns this as the index of an item, or `None` if it is not an index.
    #[doc(hidden)]
    fn in_sequence(&self) -> Option<usize>;
    /// Returns this as the key of a new pair.
    #[doc(hidden)]
    fn key(&self) -> Value;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for str {}
    impl Sealed for String {}
    impl Sealed for usize {}
    impl Sealed for super::Value {}
    impl<T: Sealed + ?Sized> Sealed for &T {}
}

impl Index for str {
    fn position_in(&self, pairs: &Mapping) -> Option<usize> {
        let is_key = |key: &Value| matches!(key, Value::String(text) if **text == *self);
        pairs.find(|| text_hash(self), is_key)
    }

    fn in_sequence(&self) -> Option<usize> {
        None
    }

    fn key(&self) -> Value {
        self.into()
    }
}

impl Index for String {
    fn position_in(&self, pairs: &Mapping) -> Option<usize> {
        self.as_str().position_in(pairs)
    }

    fn in_sequence(&self) -> Option<usize> {
        None
    }

    fn key(&self) -> Value {
        self.as_str().into()
    }
}

impl Index for Value {
    fn position_in(&self, pairs: &Mapping) -> Option<usize> {
        pairs.position_of(self)
    }

    fn in_sequence(&self) -> Option<usize> {
        usize::try_from(self.as_u64()?).ok()
    }

    fn key(&self) -> Value {
        self.clone()
    }
}

impl Index for usize {
    fn position_in(&self, pairs: &Mapping) -> Option<usize> {
        pairs.position_of(&Value::from(*self))
    }

    fn in_sequence(&self) -> Option<usize> {
        Some(*self)
    }

    fn key(&self) -> Value {
        Value::from(*self)
    }
}

impl<T: Index + ?Sized> Index for &T {
    fn position_in(&self, pairs: &Mapping) -> Option<usize> {
        (**self).position_in(pairs)
    }

    fn in_sequence(&self) -> Option<usize> {
        (**self).in_sequence()
    }

    fn key(&self) -> Value {
        (**self).key()
    }
}

impl Value {
    /// Returns the value for a key of a mapping, or the item at an index of a sequence. Returns
    /// `None` if there is no such value.
    pub fn get(&self, index: impl Index) -> Option<&Value> {
        match self.untagged() {
            Value::Mapping(pairs) => pairs.get(index),
            Value::Sequence(values) => values.0.get(index.in_sequence()?),
            _ => None,
        }
    }

    /// Returns a mutable reference to the value that [`Value::get`] returns.
    pub fn get_mut(&mut self, index: impl Index) -> Option<&mut Value> {
        match self.untagged_mut() {
            Value::Mapping(pairs) => pairs.get_mut(index),
            Value::Sequence(values) => values.0.get_mut(index.in_sequence()?),
            _ => None,
        }
    }

    /// Returns the value at `pointer`, a JSON Pointer (RFC 6901) such as `/spec/ports/0`, or `None`
    /// if there is none. In a mapping, a pointer finds only keys that are text. `~1` stands for `/`
    /// in a key, and `~0` for `~`. The empty pointer refers to the value itself.
    #[must_use]
    pub fn pointer(&self, pointer: &str) -> Option<&Value> {
        if pointer.is_empty() {
            return Some(self);
        }
        pointer.strip_prefix('/')?.split('/').try_fold(self, |value, token| {
            match value.untagged() {
                Value::Sequence(values) => values.0.get(array_index(token)?),
                other => other.get(token.replace("~1", "/").replace("~0", "~")),
            }
        })
    }
}

/// Parses `token` as an index: digits without leading zeros. Returns `None` if it is not one.
fn array_index(token: &str) -> Option<usize> {
    let is_index = token == "0" || token.starts_with(|ch: char| matches!(ch, '1'..='9'));
    if is_index { token.parse().ok() } else { None }
}

static NULL: Value = Value::Null;

/// Returns the value for a key or index, or null if there is none.
impl<I: Index> std::ops::Index<I> for Value {
    type Output = Value;

    fn index(&self, index: I) -> &Value {
        self.get(index).unwrap_or(&NULL)
    }
}

/// Returns a mutable reference to the value for a key or index. If the key is missing in a mapping,
/// it is inserted with null. A null value becomes a mapping first.
///
/// # Panics
///
/// Panics if the value is neither null, a mapping nor a sequence. For a sequence, also panics if
/// the index is not a number or is out of bounds.
impl<I: Index> std::ops::IndexMut<I> for Value {
    #[track_caller]
    fn index_mut(&mut self, index: I) -> &mut Value {
        let value = self.untagged_mut();
        if matches!(value, Value::Null) {
            *value = Value::Mapping(Mapping::new());
        }
        match value {
            Value::Mapping(pairs) => {
                let at = index.position_in(pairs).unwrap_or_else(|| {
                    pairs.push(index.key(), Value::Null);
                    pairs.len() - 1
                });
                pairs.value_at_mut(at)
            }
            Value::Sequence(values) => match index.in_sequence() {
                Some(at) => &mut values.0[at],
                None => panic!("a sequence is indexed by a number"),
            },
            _ => panic!("only mappings and sequences can be indexed"),
        }
    }
}

impl<I: Index> std::ops::Index<I> for Mapping {
    type Output = Value;

    /// Returns the value for a key.
    ///
    /// # Panics
    ///
    /// Panics if the key is missing.
    #[track_caller]
    fn index(&self, index: I) -> &Value {
        match self.get(index) {
            Some(value) => value,
            None => panic!("the mapping does not have this key"),
        }
    }
}
