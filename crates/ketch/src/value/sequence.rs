//! Sequences of values.

use super::{Value, drop_values};
use std::ops::{Deref, DerefMut};

/// A sequence of values. It is like a vector, but dropping it does not recurse without limit.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Sequence(pub(crate) Vec<Value>);

impl Sequence {
    /// Creates an empty sequence.
    #[must_use]
    pub const fn new() -> Sequence {
        Sequence(Vec::new())
    }

    /// Returns the values as a vector.
    #[must_use]
    pub fn into_vec(mut self) -> Vec<Value> {
        std::mem::take(&mut self.0)
    }
}

impl Drop for Sequence {
    fn drop(&mut self) {
        drop_values(std::mem::take(&mut self.0));
    }
}

impl Deref for Sequence {
    type Target = Vec<Value>;

    fn deref(&self) -> &Vec<Value> {
        &self.0
    }
}

impl DerefMut for Sequence {
    fn deref_mut(&mut self) -> &mut Vec<Value> {
        &mut self.0
    }
}

impl From<Vec<Value>> for Sequence {
    fn from(values: Vec<Value>) -> Sequence {
        Sequence(values)
    }
}

impl FromIterator<Value> for Sequence {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Sequence {
        Sequence(values.into_iter().collect())
    }
}

impl IntoIterator for Sequence {
    type Item = Value;
    type IntoIter = std::vec::IntoIter<Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_vec().into_iter()
    }
}

impl<'s> IntoIterator for &'s Sequence {
    type Item = &'s Value;
    type IntoIter = std::slice::Iter<'s, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'s> IntoIterator for &'s mut Sequence {
    type Item = &'s mut Value;
    type IntoIter = std::slice::IterMut<'s, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}
