//! The content of documents as owned values.
//!
//! - [`ValueRef`]: a value that borrows from its document.
//! - [`Value`], and its parts [`Number`], [`Sequence`], [`Mapping`] and [`TaggedValue`].
//! - [`Index`]: looks up a value by key or index, as in `value["spec"]["replicas"]`. See also
//!   [`Value::get`] and [`Value::pointer`].
//! - [`Path`](crate::Path): selects values with [`Value::get_path`] and [`Value::select`].
//!
//! Nested values do not cause recursion: dropping, cloning, comparing, ordering and hashing keep
//! their stacks on the heap. Only dropping recurses, for a limited number of levels, because that
//! is faster.

mod borrowed;
pub(crate) mod build;
mod compare;
mod debug;
mod entry;
mod from;
mod hash;
mod index;
pub mod mapping;
mod number;
mod order;
mod path;
mod sequence;
mod tagged;
#[cfg(test)]
pub(crate) mod tests;
mod text;
mod walk;
pub(crate) mod write;

pub use crate::serde::{from_value, to_value};
pub use borrowed::ValueRef;
pub use build::ValueOptions;
pub use index::Index;
pub use ketch_yaml::schema::Timestamp;
pub use mapping::Mapping;
pub use number::Number;
pub use sequence::Sequence;
pub use tagged::{Tag, TaggedValue};
pub use text::Text;

use std::cell::Cell;

/// A value of the data model that `docs/data-model.md` describes.
///
/// Equality is that of the data model: an integer never equals a float, floats are equal if their
/// bits are (but all NaNs are equal), and the order of a mapping's pairs makes no difference.
///
/// ```
/// use ketch::Value;
///
/// let value: Value = ketch::from_str("spec: {replicas: 3, ports: [80, 443]}").unwrap();
/// assert_eq!(value["spec"]["replicas"], 3);
/// assert_eq!(value.pointer("/spec/ports/1"), Some(&Value::from(443)));
/// assert_eq!(value["spec"]["none"], Value::Null);
/// ```
#[derive(Default)]
pub enum Value {
    /// Null.
    #[default]
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer of any size, or a float.
    Number(Number),
    /// Text.
    String(Text),
    /// Binary data.
    Bytes(Vec<u8>),
    /// A point in time, or a date.
    Timestamp(Timestamp),
    /// A sequence of values.
    Sequence(Sequence),
    /// A mapping, whose pairs are in insertion order.
    Mapping(Mapping),
    /// A value with a tag other than YAML's own.
    Tagged(Box<TaggedValue>),
}

impl Value {
    /// Returns the value without its tags.
    #[must_use]
    pub fn untagged(&self) -> &Value {
        let mut value = self;
        while let Value::Tagged(tagged) = value {
            value = &tagged.value;
        }
        value
    }

    /// Returns whether the value is null, ignoring tags.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self.untagged(), Value::Null)
    }

    /// Returns whether the value is a boolean, ignoring tags.
    #[must_use]
    pub fn is_bool(&self) -> bool {
        self.as_bool().is_some()
    }

    /// Returns whether the value is a number, ignoring tags.
    #[must_use]
    pub fn is_number(&self) -> bool {
        self.as_number().is_some()
    }

    /// Returns whether the value is an integer that fits in `i64`, ignoring tags.
    #[must_use]
    pub fn is_i64(&self) -> bool {
        self.as_i64().is_some()
    }

    /// Returns whether the value is an integer that fits in `u64`, ignoring tags.
    #[must_use]
    pub fn is_u64(&self) -> bool {
        self.as_u64().is_some()
    }

    /// Returns whether the value is a float, ignoring tags. [`Value::as_f64`] also converts
    /// integers.
    #[must_use]
    pub fn is_f64(&self) -> bool {
        self.as_number().is_some_and(Number::is_f64)
    }

    /// Returns whether the value is text, ignoring tags.
    #[must_use]
    pub fn is_string(&self) -> bool {
        self.as_str().is_some()
    }

    /// Returns whether the value is a sequence, ignoring tags.
    #[must_use]
    pub fn is_sequence(&self) -> bool {
        self.as_sequence().is_some()
    }

    /// Returns whether the value is a mapping, ignoring tags.
    #[must_use]
    pub fn is_mapping(&self) -> bool {
        self.as_mapping().is_some()
    }

    /// Returns `Some(())` if the value is null, and `None` otherwise. Tags are ignored.
    #[must_use]
    pub fn as_null(&self) -> Option<()> {
        self.is_null().then_some(())
    }

    /// Returns the boolean, or `None` if the value is not a boolean. Tags are ignored.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match *self.untagged() {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the integer, or `None` if the value is not an integer that fits in `i64`. Tags are
    /// ignored.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        self.as_number()?.as_i64()
    }

    /// Returns the integer, or `None` if the value is not an integer that fits in `u64`. Tags are
    /// ignored.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        self.as_number()?.as_u64()
    }

    /// Returns the number as the nearest float, or `None` if the value is not a number. Tags are
    /// ignored.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        self.as_number()?.as_f64()
    }

    /// Returns the number, or `None` if the value is not a number. Tags are ignored.
    #[must_use]
    pub fn as_number(&self) -> Option<&Number> {
        match self.untagged() {
            Value::Number(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the text, or `None` if the value is not a string. Tags are ignored.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self.untagged() {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the bytes, or `None` if the value is not binary. Tags are ignored.
    #[must_use]
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self.untagged() {
            Value::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Returns the timestamp, or `None` if the value is not a timestamp. Tags are ignored.
    #[must_use]
    pub fn as_timestamp(&self) -> Option<Timestamp> {
        match self.untagged() {
            Value::Timestamp(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the sequence, or `None` if the value is not a sequence. Tags are ignored.
    #[must_use]
    pub fn as_sequence(&self) -> Option<&Sequence> {
        match self.untagged() {
            Value::Sequence(values) => Some(values),
            _ => None,
        }
    }

    /// Returns the mapping, or `None` if the value is not a mapping. Tags are ignored.
    #[must_use]
    pub fn as_mapping(&self) -> Option<&Mapping> {
        match self.untagged() {
            Value::Mapping(pairs) => Some(pairs),
            _ => None,
        }
    }

    /// Returns a mutable reference to the sequence, or `None` if the value is not a sequence. Tags
    /// are ignored.
    pub fn as_sequence_mut(&mut self) -> Option<&mut Sequence> {
        match self.untagged_mut() {
            Value::Sequence(values) => Some(values),
            _ => None,
        }
    }

    /// Returns a mutable reference to the mapping, or `None` if the value is not a mapping. Tags
    /// are ignored.
    pub fn as_mapping_mut(&mut self) -> Option<&mut Mapping> {
        match self.untagged_mut() {
            Value::Mapping(pairs) => Some(pairs),
            _ => None,
        }
    }

    /// Returns a mutable reference to the value without its tags.
    pub fn untagged_mut(&mut self) -> &mut Value {
        let mut value = self;
        while let Value::Tagged(tagged) = value {
            value = &mut tagged.value;
        }
        value
    }

    /// Returns the value, leaving null in its place.
    pub fn take(&mut self) -> Value {
        std::mem::take(self)
    }

    /// Returns whether the value contains other values, so that dropping it could recurse.
    pub(crate) fn holds_values(&self) -> bool {
        match self {
            Value::Sequence(values) => !values.is_empty(),
            Value::Mapping(pairs) => !pairs.is_empty(),
            Value::Tagged(_) => true,
            _ => false,
        }
    }

    /// Removes the values that this value directly contains, and returns them.
    fn take_values(&mut self) -> Vec<Value> {
        match self {
            Value::Sequence(values) => std::mem::take(&mut values.0),
            Value::Mapping(pairs) => pairs.take_values(),
            Value::Tagged(tagged) => vec![tagged.value.take()],
            _ => Vec::new(),
        }
    }
}

/// The number of nested levels that are dropped by recursion, which is fastest. Deeper levels are
/// dropped with a list.
const DROP_DEPTH_MAX: usize = 64;

thread_local! {
    /// The number of levels of values that this thread is currently dropping by recursion.
    static DROP_DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Drops `values` and everything in them.
pub(crate) fn drop_values(values: Vec<Value>) {
    if values.is_empty() {
        return;
    }
    let depth = DROP_DEPTH.get();
    if depth < DROP_DEPTH_MAX {
        DROP_DEPTH.set(depth + 1);
        drop(values);
        DROP_DEPTH.set(depth);
    } else {
        drop_by_list(values);
    }
}

/// Drops the values in `list`, and everything in them, without recursion.
#[inline(never)]
fn drop_by_list(mut list: Vec<Value>) {
    while let Some(mut value) = list.pop() {
        list.append(&mut value.take_values());
    }
}

/// Copies the value and everything in it without recursion.
impl Clone for Value {
    fn clone(&self) -> Value {
        match self {
            Value::Null => Value::Null,
            Value::Bool(value) => Value::Bool(*value),
            Value::Number(value) => Value::Number(value.clone()),
            Value::String(text) => Value::String(text.clone()),
            Value::Bytes(bytes) => Value::Bytes(bytes.clone()),
            Value::Timestamp(value) => Value::Timestamp(*value),
            Value::Sequence(_) | Value::Mapping(_) | Value::Tagged(_) => build::copy(self),
        }
    }
}
