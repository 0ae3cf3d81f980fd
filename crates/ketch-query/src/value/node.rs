//! Nodes of documents as values.

use super::{Array, Entries, Kind, Number, Object, Value};
use ketch_yaml::Document;
use ketch_yaml::compose::{Node, NodeId};
use ketch_yaml::schema::{Scalar, Schema};
use std::borrow::Cow;
use std::sync::Arc;

/// A document whose nodes are values.
#[derive(Debug)]
pub struct Source {
    document: Document<'static>,
    schema: Schema,
    merges: bool,
    /// The name of the file, for places.
    name: Arc<str>,
    /// The number of the document in its file, counted from 0.
    number: usize,
}

impl Source {
    /// Creates a source of `document`, the one with this number in the file `name`.
    pub fn new(document: Document<'static>, name: Arc<str>, number: usize) -> Source {
        let (schema, merges) = (document.schema(), document.merges());
        Source { document, schema, merges, name, number }
    }

    /// Returns the document.
    pub fn document(&self) -> &Document<'static> {
        &self.document
    }

    /// Returns the name of the file.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Returns the number of the document in its file.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Returns the value of the root.
    pub fn root(self: &Arc<Self>) -> Value {
        self.value(self.document.root())
    }

    /// Returns the value of `node`, of which an alias has its target's.
    pub fn value(self: &Arc<Self>, node: Node<'_>) -> Value {
        Value::Node(self.clone(), node.id())
    }

    /// Returns the node with the number `id`, or the one that it refers to as an alias.
    pub fn node(&self, id: NodeId) -> Node<'_> {
        self.document.node(id).resolved()
    }

    /// Returns the type of a node.
    pub(super) fn kind(&self, id: NodeId) -> Kind {
        let node = self.node(id);
        match node.kind() {
            ketch_yaml::compose::Kind::Sequence => Kind::Array,
            ketch_yaml::compose::Kind::Mapping => Kind::Object,
            _ => self.scalar_kind(node),
        }
    }

    /// Returns the type of a scalar.
    fn scalar_kind(&self, node: Node<'_>) -> Kind {
        match self.scalar(node) {
            Scalar::Null => Kind::Null,
            Scalar::Bool(false) => Kind::False,
            Scalar::Bool(true) => Kind::True,
            Scalar::Int(_) | Scalar::BigInt(_) | Scalar::Float(_) => Kind::Number,
            _ => Kind::Text,
        }
    }

    /// Returns the value of a scalar by its schema; a text that is not valid for its tag is a text.
    fn scalar<'d>(&self, node: Node<'d>) -> Scalar<'d, Cow<'d, [u8]>> {
        let as_text = |_| Scalar::Str(node.content());
        node.scalar_bytes(self.schema).unwrap_or_else(as_text)
    }

    /// Returns whether a scalar is a float.
    pub fn is_float(&self, id: NodeId) -> bool {
        matches!(self.scalar(self.node(id)), Scalar::Float(_))
    }

    /// Returns whether a scalar is a point in time.
    pub fn is_timestamp(&self, id: NodeId) -> bool {
        matches!(self.scalar(self.node(id)), Scalar::Timestamp(_))
    }

    /// Returns the value of a node: a scalar, or a collection of nodes.
    pub(super) fn decode(self: &Arc<Self>, id: NodeId) -> Value {
        let node = self.node(id);
        let origin = Some((self.clone(), node.id()));
        match node.kind() {
            ketch_yaml::compose::Kind::Sequence => {
                let entries = node.items().map(|item| self.value(item)).collect();
                Value::Array(Arc::new(Array { entries, origin }))
            }
            ketch_yaml::compose::Kind::Mapping => {
                Value::Object(Arc::new(Object { entries: self.entries(node), origin }))
            }
            _ => self.decode_scalar(node),
        }
    }

    /// Returns the entries of a mapping. A key that is a collection has no text: it is written as JSON.
    fn entries(self: &Arc<Self>, node: Node<'_>) -> Entries {
        self.pairs(node).map(|(key, value)| (self.key_text(key), self.value(value))).collect()
    }

    /// Returns the pairs of a mapping, merged if the document merges.
    fn pairs<'d>(&self, node: Node<'d>) -> impl Iterator<Item = (Node<'d>, Node<'d>)> + use<'d> {
        let merged = self.merges.then(|| node.merged_entries().ok()).flatten();
        let written = merged.is_none().then(|| node.entries());
        merged.into_iter().flatten().chain(written.into_iter().flatten())
    }

    /// Returns the value of a scalar.
    fn decode_scalar(&self, node: Node<'_>) -> Value {
        match self.scalar(node) {
            Scalar::Null => Value::Null,
            Scalar::Bool(value) => Value::Bool(value),
            Scalar::Int(_) | Scalar::BigInt(_) | Scalar::Float(_) => {
                Value::Number(self.number_of(node))
            }
            _ => Value::Text(self.text_of(node)),
        }
    }

    /// Returns the number that a scalar is, with its spelling.
    fn number_of(&self, node: Node<'_>) -> Number {
        let content = node.content();
        let text = String::from_utf8_lossy(&content);
        let value = match self.scalar(node) {
            Scalar::Int(value) => Number::from(value),
            Scalar::BigInt(value) => Number::parse(&value.to_decimal()).unwrap_or_else(Number::nan),
            Scalar::Float(value) => {
                let exact = Number::parse(&text).filter(|_| value.is_finite() || is_decimal(&text));
                exact.unwrap_or_else(|| Number::from_f64(value))
            }
            _ => Number::nan(),
        };
        value.spelled_as(&text)
    }

    /// Returns the text that a scalar which is no number, boolean or null stands for.
    fn text_of(&self, node: Node<'_>) -> Arc<str> {
        match self.scalar(node) {
            Scalar::Str(text) | Scalar::Unresolved(text) => String::from_utf8_lossy(&text).into(),
            Scalar::Timestamp(time) => time.to_string().into(),
            Scalar::Binary(_) => {
                let content = node.content();
                let text = String::from_utf8_lossy(&content);
                text.split_ascii_whitespace().collect::<String>().into()
            }
            _ => String::from_utf8_lossy(&node.content()).into(),
        }
    }

    /// Returns the text of a key.
    pub fn key_text(self: &Arc<Self>, key: Node<'_>) -> Arc<str> {
        let key = key.resolved();
        match self.decode(key.id()) {
            Value::Null => "null".into(),
            Value::Bool(value) => if value { "true" } else { "false" }.into(),
            Value::Number(number) => Value::number_json(&number).into(),
            Value::Text(text) => text,
            value => value.to_json().into(),
        }
    }

    /// Returns the number of entries of a collection.
    pub(super) fn entry_count(&self, id: NodeId) -> Option<usize> {
        let node = self.node(id);
        match node.kind() {
            ketch_yaml::compose::Kind::Sequence => Some(node.len()),
            ketch_yaml::compose::Kind::Mapping if self.merges => Some(self.pairs(node).count()),
            ketch_yaml::compose::Kind::Mapping => Some(node.len()),
            _ => None,
        }
    }

    /// Returns the entry at `index` of a sequence, or null.
    pub(super) fn item(self: &Arc<Self>, id: NodeId, index: usize) -> Value {
        let item = self.node(id).items().nth(index);
        item.map_or(Value::Null, |item| self.value(item))
    }

    /// Returns the value of `key` in a mapping: of the text, or else of another key with this text.
    pub(super) fn field(self: &Arc<Self>, id: NodeId, key: &str) -> Option<Value> {
        let node = self.node(id);
        if !self.merges
            && let Some(value) = node.get(key)
        {
            return Some(self.value(value));
        }
        let mut other = None;
        if self.merges || may_be_spelled_otherwise(key) {
            for (candidate, value) in self.pairs(node) {
                if *self.key_text(candidate) == *key {
                    other = Some(value);
                    if candidate.resolved().content() == key.as_bytes() {
                        break;
                    }
                }
            }
        }
        other.map(|value| self.value(value))
    }
}

/// Returns whether `key` may be the text of a key that is no text, such as `31` for `0x1F`.
fn may_be_spelled_otherwise(key: &str) -> bool {
    let starts = |byte: &u8| byte.is_ascii_digit() || b"+-.[{".contains(byte);
    key.as_bytes().first().is_some_and(starts) || ["true", "false", "null"].contains(&key)
}

/// Returns whether `text` has only what decimal numbers have.
fn is_decimal(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte))
}
