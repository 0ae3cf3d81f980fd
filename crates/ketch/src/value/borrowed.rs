//! Values that borrow from their document.

use super::build::{ValueOptions, node_scalar, scalar_value};
use super::{Number, Value};
use crate::error::Error;
use ketch_yaml::compose::{Entries, Items, Key, Kind, Node};
use ketch_yaml::path::Path;
use ketch_yaml::schema::{Scalar, Schema, Timestamp};
use ketch_yaml::tag::is_known;
use std::borrow::Cow;
use std::fmt;

/// A value that borrows from its document: text is borrowed, entries are looked up in the document,
/// and numbers are parsed when they are requested. Use it to inspect data, and [`Value`] to keep
/// data.
///
/// A `ValueRef` is as cheap to copy as a reference. The schema, and whether merge keys (`<<`) are
/// applied, are those with which the document was composed. Aliases are followed. As in [`Value`],
/// lookups ignore tags other than YAML's own; [`ValueRef::tag`] returns them.
///
/// ```
/// use ketch::{Value, ValueRef};
/// use ketch_yaml::Documents;
///
/// let text = b"spec: {replicas: 3, image: 'x:1', ports: [80, 443]}\n";
/// let document = Documents::new(text).next().unwrap()?;
/// let spec = ValueRef::from(document.root()).get("spec").unwrap();
/// assert_eq!(spec.get("replicas").unwrap().as_i64(), Some(3));
/// assert_eq!(spec.get("image").unwrap(), "x:1");
/// let ports: Vec<_> = spec.get("ports").unwrap().items().filter_map(|port| port.as_u64()).collect();
/// assert_eq!(ports, [80, 443]);
/// let kept: Value = spec.to_value().unwrap();
/// assert_eq!(spec, kept);
/// # Ok::<(), ketch_yaml::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct ValueRef<'d> {
    node: Node<'d>,
}

impl<'d> From<Node<'d>> for ValueRef<'d> {
    fn from(node: Node<'d>) -> ValueRef<'d> {
        ValueRef { node: node.resolved() }
    }
}

impl<'d> ValueRef<'d> {
    /// Returns the node of the value, which is never an alias.
    #[must_use]
    pub fn node(self) -> Node<'d> {
        self.node
    }

    /// Returns the tag of the value, or `None` if it has no tag or one of YAML's own.
    #[must_use]
    pub fn tag(self) -> Option<&'d str> {
        self.node.tag().filter(|tag| !is_known(tag))
    }

    /// Returns the schema with which the document was composed.
    fn schema(self) -> Schema {
        self.node.document().schema()
    }

    /// Returns the value of a scalar, whose text is borrowed if possible. Returns `None` for a
    /// collection, or if the text is not valid for its tag.
    #[must_use]
    pub fn as_scalar(self) -> Option<Scalar<'d, Cow<'d, str>>> {
        node_scalar(self.node, self.schema()).ok()
    }

    /// Returns whether the value is null.
    #[must_use]
    pub fn is_null(self) -> bool {
        matches!(self.as_scalar(), Some(Scalar::Null))
    }

    /// Returns the boolean, or `None` if the value is not a boolean.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        match self.as_scalar()? {
            Scalar::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the integer, or `None` if the value is not an integer that fits in `i64`.
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        match self.as_scalar()? {
            Scalar::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the integer, or `None` if the value is not an integer that fits in `u64`.
    #[must_use]
    pub fn as_u64(self) -> Option<u64> {
        self.as_number()?.as_u64()
    }

    /// Returns the number as the nearest float, or `None` if the value is not a number.
    #[must_use]
    pub fn as_f64(self) -> Option<f64> {
        self.as_number()?.as_f64()
    }

    /// Returns the number, or `None` if the value is not a number. Memory is allocated only for an
    /// integer that does not fit in `i64`.
    #[must_use]
    pub fn as_number(self) -> Option<Number> {
        match self.as_scalar()? {
            Scalar::Int(value) => Some(value.into()),
            Scalar::Float(value) if value.is_finite() => Some(value.into()),
            // An integer with too many digits, or a finite number that is too large for a float, is
            // not a number here.
            Scalar::BigInt(_) | Scalar::Float(_) => match scalar_value(self.node, self.schema()) {
                Ok(Value::Number(value)) => Some(value),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the text, or `None` if the value is not a string. The text is borrowed if it appears
    /// verbatim in the document.
    #[must_use]
    pub fn as_str(self) -> Option<Cow<'d, str>> {
        match self.as_scalar()? {
            Scalar::Str(text) => Some(text),
            Scalar::Merge => Some(Cow::Borrowed("<<")),
            _ => None,
        }
    }

    /// Returns the bytes of a `!!binary`, decoded from base64, or `None` if the value is not one.
    #[must_use]
    pub fn as_bytes(self) -> Option<Vec<u8>> {
        match self.as_scalar()? {
            Scalar::Binary(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Returns the timestamp, or `None` if the value is not a timestamp.
    #[must_use]
    pub fn as_timestamp(self) -> Option<Timestamp> {
        match self.as_scalar()? {
            Scalar::Timestamp(value) => Some(value),
            _ => None,
        }
    }

    /// Returns whether the value is a sequence.
    #[must_use]
    pub fn is_sequence(self) -> bool {
        self.node.kind() == Kind::Sequence
    }

    /// Returns whether the value is a mapping.
    #[must_use]
    pub fn is_mapping(self) -> bool {
        self.node.kind() == Kind::Mapping
    }

    /// Returns an iterator over the items of a sequence. It is empty if the value is not a
    /// sequence.
    pub fn items(self) -> impl Iterator<Item = ValueRef<'d>> + use<'d> {
        let items: Items<'d> = self.node.items();
        items.map(ValueRef::from)
    }

    /// Returns an iterator over the pairs of a mapping. It is empty if the value is not a mapping.
    ///
    /// If the document has merge keys enabled, they are applied, which collects the pairs first;
    /// otherwise, no memory is allocated. If merging fails, the iterator is empty, and
    /// [`Node::merged_entries`] returns the error.
    ///
    /// ```
    /// use ketch::ValueRef;
    /// use ketch_yaml::Documents;
    ///
    /// let document = Documents::new(b"masts: 2").next().unwrap()?;
    /// let (key, value) = ValueRef::from(document.root()).entries().next().unwrap();
    /// assert_eq!(key.as_str().as_deref(), Some("masts"));
    /// assert_eq!(value.as_i64(), Some(2));
    /// # Ok::<(), ketch_yaml::Error>(())
    /// ```
    pub fn entries(self) -> impl Iterator<Item = (ValueRef<'d>, ValueRef<'d>)> + use<'d> {
        let pairs = match self.node.document().merges() {
            true => Pairs::Merged(self.node.merged_entries().unwrap_or_default().into_iter()),
            false => Pairs::Written(self.node.entries()),
        };
        pairs.map(|(key, value)| (key.into(), value.into()))
    }

    /// Returns the value for a key of a mapping, or the item at an index of a sequence, as
    /// [`Node::get`] does. Merge keys are applied if the document has them enabled.
    pub fn get<'k>(self, key: impl Into<Key<'k>>) -> Option<ValueRef<'d>> {
        let key = key.into();
        if self.is_mapping() && self.node.document().merges() {
            let key = key_value(&key)?;
            return self.entries().find(|(own, _)| *own == key).map(|(_, value)| value);
        }
        self.node.get(key).map(ValueRef::from)
    }

    /// Returns all values that `path` leads to, in order.
    ///
    /// # Errors
    ///
    /// Fails as [`Node::select`] does: for aliases that contain themselves, and for merge keys
    /// whose value cannot be merged.
    pub fn select(self, path: &Path) -> Result<Vec<ValueRef<'d>>, ketch_yaml::Error> {
        Ok(self.node.select(path)?.into_iter().map(ValueRef::from).collect())
    }

    /// Returns an owned copy of the value and everything in it.
    ///
    /// # Errors
    ///
    /// Fails if text is not valid for its tag, or if the expansion of aliases exceeds the limit.
    pub fn to_value(self) -> Result<Value, Error> {
        let document = self.node.document();
        let options = ValueOptions {
            schema: document.schema(),
            merge_keys: Some(document.merges()),
            ..ValueOptions::default()
        };
        Value::from_node(self.node, &options)
    }
}

/// Returns a key to look up as a value, or `None` if no value equals it.
fn key_value(key: &Key<'_>) -> Option<Value> {
    Some(match key {
        Key::Null => Value::Null,
        Key::Bool(value) => (*value).into(),
        Key::Int(value) => (*value).into(),
        Key::Float(value) => (*value).into(),
        Key::Str(text) => Value::from(&**text),
        _ => return None,
    })
}

enum Pairs<'d> {
    Written(Entries<'d>),
    Merged(std::vec::IntoIter<(Node<'d>, Node<'d>)>),
}

impl<'d> Iterator for Pairs<'d> {
    type Item = (Node<'d>, Node<'d>);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Pairs::Written(pairs) => pairs.next(),
            Pairs::Merged(pairs) => pairs.next(),
        }
    }
}

/// Compares the values. Comparing two collections takes as much time and memory as
/// [`ValueRef::to_value`]. A node that has no valid value does not equal any value.
impl PartialEq<Value> for ValueRef<'_> {
    fn eq(&self, other: &Value) -> bool {
        let is_similar = match other.untagged() {
            Value::Sequence(values) => self.is_sequence() && self.node.len() == values.len(),
            Value::Mapping(_) => self.is_mapping(),
            Value::String(text) if matches!(other, Value::String(_)) => {
                return self.tag().is_none() && self.is_text(text);
            }
            _ => self.node.kind() == Kind::Scalar,
        };
        is_similar && self.to_value().is_ok_and(|value| value == *other)
    }
}

impl ValueRef<'_> {
    /// Returns whether the value is the string `text`, ignoring its tag.
    fn is_text(self, text: &str) -> bool {
        self.as_str().is_some_and(|own| own == text)
    }
}

impl PartialEq<ValueRef<'_>> for Value {
    fn eq(&self, other: &ValueRef<'_>) -> bool {
        other == self
    }
}

/// Compares the text of a string, ignoring its tag.
impl PartialEq<str> for ValueRef<'_> {
    fn eq(&self, other: &str) -> bool {
        self.is_text(other)
    }
}

impl PartialEq<&str> for ValueRef<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.is_text(other)
    }
}

/// Writes the value as YAML in flow style.
impl fmt::Debug for ValueRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_value() {
            Ok(value) => value.fmt(f),
            Err(error) => write!(f, "<{}>", error.problem()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ketch_yaml::{ComposeOptions, Document, Documents, Options};
    use proptest::prelude::*;

    /// Composes `text`, which consists of one document.
    fn document(text: &str, schema: Schema) -> Document<'_> {
        let mut compose = ComposeOptions::default();
        compose.schema = schema;
        let options = Options::default();
        let mut documents = Documents::with_options(text.as_bytes(), &options, &compose);
        documents.next().expect("a document").expect("valid YAML")
    }

    const TEXT: &str = "\
- null
- true
- -7
- 18446744073709551615
- 99999999999999999999999
- 1.5
- text
- !!binary aGk=
- !!timestamp 2001-12-14
- [1, &x {a: b}]
- *x
- !t {a: b}
- !t text
- !t 5
";

    #[test]
    fn a_borrowed_value_has_the_kind_of_its_owned_value() {
        let document = document(TEXT, Schema::Core);
        let root = ValueRef::from(document.root());
        let values = root.to_value().unwrap();
        assert_eq!(root, values);
        assert_eq!(values, root);
        let entries: Vec<_> = root.items().collect();
        assert_eq!(entries.len(), 14);
        for (at, (&entry, value)) in
            entries.iter().zip(&**values.as_sequence().unwrap()).enumerate()
        {
            assert_eq!(entry, *value);
            assert_eq!(entry.is_null(), value.is_null());
            assert_eq!(entry.as_bool(), value.as_bool());
            assert_eq!(entry.as_i64(), value.as_i64());
            assert_eq!(entry.as_u64(), value.as_u64());
            assert_eq!(entry.as_f64(), value.as_f64());
            assert_eq!(entry.as_number().as_ref(), value.as_number());
            assert_eq!(entry.as_str().as_deref(), value.as_str());
            assert_eq!(entry.as_bytes().as_deref(), value.as_bytes());
            assert_eq!(entry.as_timestamp(), value.as_timestamp());
            assert_eq!(format!("{entry:?}"), format!("{value:?}"));
            for (other, unlike) in values.as_sequence().unwrap().iter().enumerate() {
                assert_eq!(entry == *unlike, *value == *unlike, "{at} and {other}");
            }
        }
        assert!(matches!(entries[6].as_str(), Some(Cow::Borrowed("text"))));
        assert_eq!((entries[11].tag(), entries[2].tag()), (Some("!t"), None));
    }

    #[test]
    fn merged_pairs_count_as_pairs() {
        let text = "base: &b {x: 1, 2: y}\none: {<<: *b, z: w}\n";
        let merging = document(text, Schema::Yaml11);
        let one = ValueRef::from(merging.root()).get("one").unwrap();
        assert_eq!(one.get("x").unwrap().as_i64(), Some(1));
        assert_eq!(one.get(2).unwrap(), "y");
        assert!(one.get("2").is_none() && one.get("<<").is_none());
        assert_eq!(one.entries().count(), 3);
        assert_eq!(one, crate::from_str::<Value>("{x: 1, 2: y, z: w}").unwrap());
        let path = "one.x".parse().unwrap();
        assert_eq!(ValueRef::from(merging.root()).select(&path).unwrap().len(), 1);
        let plain = document(text, Schema::Core);
        let one = ValueRef::from(plain.root()).get("one").unwrap();
        assert!(one.get("x").is_none());
        assert_eq!(one.get("<<").unwrap().get("x").unwrap().as_i64(), Some(1));
    }

    proptest! {
        #[test]
        fn a_borrowed_value_equals_its_owned_value(value in crate::value::tests::any_value()) {
            let text = value.to_yaml().unwrap();
            let document = document(&text, Schema::Core);
            let borrowed = ValueRef::from(document.root());
            prop_assert_eq!(borrowed, borrowed.to_value().unwrap());
            prop_assert_eq!(borrowed == value, borrowed.to_value().unwrap() == value);
        }
    }
}
