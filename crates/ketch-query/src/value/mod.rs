//! The values that programs compute with.
//!
//! A value that comes from a document stays a reference to its node until a program changes it, so reading a small
//! part of a large document costs little, and an unchanged node is known to be unchanged.

mod decoration;
mod entries;
mod expansion;
mod json;
mod node;
mod number;
mod order;
mod provenance;
mod source_text;
mod tape;
mod write;
mod yaml;

pub(crate) use decoration::Decoration;
pub use entries::Entries;
pub use expansion::check_aliases;
pub use json::{Json, escape, number as json_number, shared_key, unescaped};
pub use node::Source;
pub use number::{Number, NumberError, NumberKind, Rounding, scaled};
pub use order::ScalarKey;
pub use source_text::SourceText;
pub use tape::{CellKind, Tape};
pub use write::{Format, Indent};
pub(crate) use yaml::{full_tag, number_text, pairs, scalar_text};

use ketch_yaml::compose::NodeId;
use std::borrow::Cow;
use std::sync::Arc;

/// A value of jq's data model.
#[derive(Clone, Debug, Default)]
pub enum Value {
    #[default]
    /// Null.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    Text(Arc<str>),
    /// An array.
    Array(Arc<Array>),
    /// An object.
    Object(Arc<Object>),
    /// A node of a document, which nothing has changed.
    Node(Arc<Source>, NodeId),
    /// A string or collection in a JSON text, which nothing has changed, with its cell.
    Json(Arc<Json>, usize),
}

/// The node that a collection was made from, if any.
pub type Origin = Option<(Arc<Source>, NodeId)>;

/// An array, with the node that it was made from.
#[derive(Clone, Debug, Default)]
pub struct Array {
    /// The entries.
    pub entries: Vec<Value>,
    /// The node that it was made from.
    pub origin: Origin,
}

/// An object, with the node that it was made from.
#[derive(Clone, Debug, Default)]
pub struct Object {
    /// The entries.
    pub entries: Entries,
    /// The node that it was made from.
    pub origin: Origin,
}

/// jq's six types, in the order in which values of different types are sorted; `false` comes before `true`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Null.
    Null,
    /// The boolean `false`.
    False,
    /// The boolean `true`.
    True,
    /// A number.
    Number,
    /// A string.
    Text,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind {
    /// Returns the name that `type` gives.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Null => "null",
            Kind::False | Kind::True => "boolean",
            Kind::Number => "number",
            Kind::Text => "string",
            Kind::Array => "array",
            Kind::Object => "object",
        }
    }
}

impl Value {
    /// Creates a text.
    pub fn text(text: impl Into<Arc<str>>) -> Value {
        Value::Text(text.into())
    }

    /// Creates an array.
    pub fn array(entries: Vec<Value>) -> Value {
        Value::Array(Arc::new(Array { entries, origin: None }))
    }

    /// Creates an object.
    pub fn object(entries: Entries) -> Value {
        Value::Object(Arc::new(Object { entries, origin: None }))
    }

    /// Returns a number as JSON.
    fn number_json(number: &Number) -> String {
        let mut out = String::new();
        number.write_json(&mut out);
        out
    }

    /// Creates a number from an index or a length.
    pub fn count(count: usize) -> Value {
        Value::Number(Number::from_usize(count))
    }

    /// Returns the type.
    pub fn kind(&self) -> Kind {
        match self {
            Value::Null => Kind::Null,
            Value::Bool(false) => Kind::False,
            Value::Bool(true) => Kind::True,
            Value::Number(_) => Kind::Number,
            Value::Text(_) => Kind::Text,
            Value::Array(_) => Kind::Array,
            Value::Object(_) => Kind::Object,
            Value::Node(source, id) => source.kind(*id),
            Value::Json(json, at) => json.kind(*at),
        }
    }

    /// Returns whether conditions take the value as true: all but null and false.
    pub fn is_true(&self) -> bool {
        self.kind() > Kind::False
    }

    /// Returns the value itself, without its document: a scalar, or a collection whose entries may still be nodes.
    pub fn plain(self) -> Value {
        match self {
            Value::Node(source, id) => source.decode(id),
            Value::Json(json, at) => json.decode(at),
            value => value,
        }
    }

    /// Returns the value for a collection, of which a text does not keep the memory of an entry of the input.
    #[inline]
    pub(crate) fn detached(self) -> Value {
        match self {
            Value::Json(json, at) if json.is_part && json.kind(at) == Kind::Text => json.decode(at),
            value => value,
        }
    }

    /// Returns the number that the value is.
    pub fn as_number(&self) -> Option<Number> {
        match self {
            Value::Number(number) => Some(number.clone()),
            Value::Node(source, id) => source.number_at(*id),
            _ => None,
        }
    }

    /// Returns the text that the value is.
    pub fn as_text(&self) -> Option<Arc<str>> {
        match self {
            Value::Text(text) => Some(text.clone()),
            Value::Node(source, id) if source.kind(*id) == Kind::Text => {
                source.decode(*id).as_text()
            }
            Value::Json(json, at) if json.kind(*at) == Kind::Text => Some(json.text(*at).into()),
            _ => None,
        }
    }

    /// Returns the text that the value is, without copying it if that is possible.
    pub(crate) fn borrow_text(&self) -> Option<Cow<'_, str>> {
        match self {
            Value::Text(text) => Some(Cow::Borrowed(text)),
            Value::Json(json, at) if json.kind(*at) == Kind::Text => Some(json.text(*at)),
            Value::Node(source, id) => match source.verbatim(*id) {
                Some(text) => Some(Cow::Borrowed(text)),
                None => self.as_text().map(|text| Cow::Owned(text.to_string())),
            },
            _ => None,
        }
    }

    /// Returns the entries of the array that the value is.
    pub fn as_array(&self) -> Option<Arc<Array>> {
        match self.clone().plain() {
            Value::Array(array) => Some(array),
            _ => None,
        }
    }

    /// Returns the object that the value is.
    pub fn as_object(&self) -> Option<Arc<Object>> {
        match self.clone().plain() {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Returns the number of entries of a collection.
    pub fn entry_count(&self) -> Option<usize> {
        match self {
            Value::Array(array) => Some(array.entries.len()),
            Value::Object(object) => Some(object.entries.len()),
            Value::Node(source, id) => source.entry_count(*id),
            Value::Json(json, at) => json.entry_count(*at),
            _ => None,
        }
    }

    /// Returns the entry at `index` of an array, or null.
    pub fn item(&self, index: usize) -> Value {
        match self {
            Value::Array(array) => array.entries.get(index).cloned().unwrap_or_default(),
            Value::Node(source, id) => source.item(*id, index),
            Value::Json(json, at) => {
                json.item(*at, index).map(|item| json.value(item)).unwrap_or_default()
            }
            _ => Value::Null,
        }
    }

    /// Returns the value of `key` in an object.
    pub fn field(&self, key: &str) -> Option<Value> {
        match self {
            Value::Object(object) => object.entries.get(key).cloned(),
            Value::Node(source, id) => source.field(*id, key),
            Value::Json(json, at) => json.field(*at, key).map(|field| json.value(field)),
            _ => None,
        }
    }

    /// Returns whether the two are one value, not only equal ones: a path goes on only from the value that its last
    /// step has reached.
    pub fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Array(a), Value::Array(b)) => Arc::ptr_eq(a, b),
            (Value::Object(a), Value::Object(b)) => Arc::ptr_eq(a, b),
            (Value::Node(a, at), Value::Node(b, bt)) => Arc::ptr_eq(a, b) && at == bt,
            (Value::Json(a, at), Value::Json(b, bt)) if self.entry_count().is_some() => {
                Arc::ptr_eq(a, b) && at == bt
            }
            (Value::Array(_) | Value::Object(_), _) | (_, Value::Array(_) | Value::Object(_)) => {
                false
            }
            _ => self.compare(other).is_eq(),
        }
    }
}

impl Array {
    /// Returns the array for changes, which is a copy if others use it.
    pub fn make_mut(this: &mut Arc<Array>) -> &mut Vec<Value> {
        &mut Arc::make_mut(this).entries
    }

    /// Takes the entries, copied if others use the array.
    pub fn take(this: Arc<Array>) -> Vec<Value> {
        match Arc::try_unwrap(this) {
            Ok(mut array) => std::mem::take(&mut array.entries),
            Err(shared) => shared.entries.clone(),
        }
    }
}

impl Object {
    /// Returns the object for changes, which is a copy if others use it.
    pub fn make_mut(this: &mut Arc<Object>) -> &mut Entries {
        &mut Arc::make_mut(this).entries
    }

    /// Takes the entries, copied if others use the object.
    pub fn take(this: Arc<Object>) -> Entries {
        match Arc::try_unwrap(this) {
            Ok(mut object) => std::mem::take(&mut object.entries),
            Err(shared) => shared.entries.clone(),
        }
    }
}

/// Drops values without recursion, however deep they are.
fn drop_entries(mut pending: Vec<Value>) {
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(array) => {
                if let Some(mut array) = Arc::into_inner(array) {
                    pending.append(&mut array.entries);
                }
            }
            Value::Object(object) => {
                if let Some(mut object) = Arc::into_inner(object) {
                    pending.extend(std::mem::take(&mut object.entries).into_values());
                }
            }
            _ => {}
        }
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        if self.entries.iter().any(is_collection) {
            drop_entries(std::mem::take(&mut self.entries));
        }
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        if self.entries.values().any(is_collection) {
            drop_entries(std::mem::take(&mut self.entries).into_values().collect());
        }
    }
}

/// Returns whether dropping `value` may drop others.
fn is_collection(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Object(_))
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::text(text)
    }
}

impl From<Arc<str>> for Value {
    fn from(text: Arc<str>) -> Value {
        Value::Text(text)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::text(text)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<Number> for Value {
    fn from(number: Number) -> Value {
        Value::Number(number)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Number(number.into())
    }
}
