//! Nodes of documents as values.

use super::decoration::Decorated;
use super::source_text::SourceText;
use super::{Array, Entries, Kind, Number, Object, Value};
use ketch_edit::Comments;
use ketch_yaml::Document;
use ketch_yaml::compose::{Node, NodeId, Style};
use ketch_yaml::path::Step;
use ketch_yaml::schema::{Scalar, Schema};
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// A document whose nodes are values.
#[derive(Debug)]
pub struct Source {
    document: Box<Document<'static>>,
    schema: Schema,
    merges: bool,
    /// The name of the file, for places.
    name: Arc<str>,
    /// The number of the document in its file, counted from 0.
    number: usize,
    /// The text of the file, in which comments are found.
    text: Option<Arc<SourceText>>,
    /// The value that the only node of this source stands for, with what is added to it. The document is empty then.
    pub(super) decorated: Option<Box<Decorated>>,
    oddities: OnceLock<Oddities>,
    /// Whether a mapping has a key that is no text.
    other_keys: OnceLock<bool>,
}

/// What a document has and JSON has not.
#[derive(Clone, Copy, Debug, Default)]
struct Oddities {
    /// Keys that are collections.
    collections: bool,
    /// `<<`.
    merges: bool,
    /// Values that are not a number, and so equal to nothing.
    nan: bool,
}

impl Source {
    /// Creates a source of `document`, the one with this number in the file `name`.
    pub fn new(
        document: impl Into<Box<Document<'static>>>,
        name: Arc<str>,
        number: usize,
    ) -> Source {
        let document = document.into();
        let (schema, merges) = (document.schema(), document.merges());
        let (oddities, other_keys) = (OnceLock::new(), OnceLock::new());
        let (text, decorated) = (None, None);
        Source { document, schema, merges, name, number, text, decorated, oddities, other_keys }
    }

    /// Puts in the next document of the same file, and returns the last one.
    pub(crate) fn replace(
        &mut self,
        document: Box<Document<'static>>,
        number: usize,
    ) -> Box<Document<'static>> {
        self.number = number;
        (self.oddities, self.other_keys) = (OnceLock::new(), OnceLock::new());
        std::mem::replace(&mut self.document, document)
    }

    /// Creates the source of a decorated value, which is the root of the empty `document`.
    pub(super) fn of_decorated(document: Document<'static>, value: Box<Decorated>) -> Source {
        Source { decorated: Some(value), ..Source::new(document, "".into(), 0) }
    }

    /// Adds the text of the file, in which `comment` and `line_comment` find comments.
    #[must_use]
    pub fn with_text(self, text: Arc<SourceText>) -> Source {
        Source { text: Some(text), ..self }
    }

    /// Returns the schema of the scalars.
    pub(crate) fn schema(&self) -> Schema {
        self.schema
    }

    /// Returns the text of the file, if it is kept.
    pub(crate) fn text(&self) -> Option<&SourceText> {
        self.text.as_deref()
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
        if let Some(decorated) = &self.decorated {
            return decorated.value.kind();
        }
        let node = self.node(id);
        match node.kind() {
            ketch_yaml::compose::Kind::Sequence => Kind::Array,
            ketch_yaml::compose::Kind::Mapping => Kind::Object,
            _ => self.scalar_kind(node),
        }
    }

    /// Returns the type of a scalar.
    fn scalar_kind(&self, node: Node<'_>) -> Kind {
        if node.verbatim_text(self.schema).is_some() {
            return Kind::Text;
        }
        if self.short_number(node).is_some() {
            return Kind::Number;
        }
        match self.scalar(node) {
            Scalar::Null => Kind::Null,
            Scalar::Bool(false) => Kind::False,
            Scalar::Bool(true) => Kind::True,
            Scalar::Int(_) | Scalar::BigInt(_) | Scalar::Float(_) => Kind::Number,
            _ => Kind::Text,
        }
    }

    /// Returns the number that a scalar is, if it is written as JSON writes it. Most are.
    fn short_number(&self, node: Node<'_>) -> Option<Number> {
        if self.schema == Schema::Failsafe || node.style() != Style::Plain || node.tag().is_some() {
            return None;
        }
        match node.content() {
            Cow::Borrowed(text) => Number::of_json(std::str::from_utf8(text).ok()?),
            Cow::Owned(_) => None,
        }
    }

    /// Returns the number that a node is.
    pub(super) fn number_at(self: &Arc<Self>, id: NodeId) -> Option<Number> {
        if self.decorated.is_none()
            && let Some(number) = self.short_number(self.node(id))
        {
            return Some(number);
        }
        let is_number = self.kind(id) == Kind::Number;
        is_number.then(|| self.decode(id).as_number()).flatten()
    }

    /// Returns the text that a node is, if it is a part of the document's text.
    pub(super) fn verbatim(&self, id: NodeId) -> Option<&str> {
        let node = self.decorated.is_none().then(|| self.node(id))?;
        std::str::from_utf8(node.verbatim_text(self.schema)?).ok()
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
        if let Some(decorated) = &self.decorated {
            return self.decode_decorated(decorated, id);
        }
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

    /// Returns a decorated value. A collection comes from this source, so that it keeps its decoration when it changes.
    fn decode_decorated(self: &Arc<Self>, decorated: &Decorated, id: NodeId) -> Value {
        let origin = Some((self.clone(), id));
        match decorated.value.clone().plain() {
            Value::Array(array) => {
                Value::Array(Arc::new(Array { entries: array.entries.clone(), origin }))
            }
            Value::Object(object) => {
                Value::Object(Arc::new(Object { entries: object.entries.clone(), origin }))
            }
            value => value,
        }
    }

    /// Returns the entries of a mapping. A key that is a collection has no text: it is written as JSON. Of keys with the
    /// same text, the one that is a text counts, else the first.
    fn entries(self: &Arc<Self>, node: Node<'_>) -> Entries {
        let mut entries = Entries::with_capacity(node.len());
        for (key, value) in self.pairs(node) {
            let text = self.key_text(key);
            if !entries.contains_key(&text) || self.is_text(key) {
                entries.insert(text, self.value(value));
            }
        }
        entries
    }

    /// Returns whether `key` is a text.
    pub(crate) fn is_text(&self, key: Node<'_>) -> bool {
        key.resolved().kind() == ketch_yaml::compose::Kind::Scalar
            && self.scalar_kind(key.resolved()) == Kind::Text
    }

    /// Returns the pairs of a mapping, merged if the document merges.
    pub(crate) fn pairs<'d>(
        &self,
        node: Node<'d>,
    ) -> impl Iterator<Item = (Node<'d>, Node<'d>)> + use<'d> {
        let merged = self.merges.then(|| node.merged_entries().ok()).flatten();
        let written = merged.is_none().then(|| node.entries());
        merged.into_iter().flatten().chain(written.into_iter().flatten())
    }

    /// Returns the value of a scalar.
    fn decode_scalar(&self, node: Node<'_>) -> Value {
        if let Some(text) = node.verbatim_text(self.schema) {
            return Value::text(String::from_utf8_lossy(text));
        }
        if let Some(number) = self.short_number(node) {
            return Value::Number(number);
        }
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
        if let Some(decorated) = &self.decorated {
            return decorated.value.entry_count();
        }
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
        if let Some(decorated) = &self.decorated {
            return decorated.value.item(index);
        }
        let item = self.node(id).items().nth(index);
        item.map_or(Value::Null, |item| self.value(item))
    }

    /// Returns the value of a text in a mapping. In a small one, the keys are compared: a table would cost more than it saves.
    fn text_field<'d>(&'d self, node: Node<'d>, key: &str) -> Option<Node<'d>> {
        const LENGTH_MAX: usize = 16;
        if node.len() > LENGTH_MAX {
            return node.get(key);
        }
        let mut has_others = false;
        for (candidate, value) in node.entries() {
            match candidate.verbatim_text(self.schema) {
                Some(text) if text == key.as_bytes() => return Some(value),
                Some(_) => {}
                None => has_others = true,
            }
        }
        has_others.then(|| node.get(key)).flatten()
    }

    /// Returns the value of `key` in a mapping: of the text, or else of another key with this text.
    pub(super) fn field(self: &Arc<Self>, id: NodeId, key: &str) -> Option<Value> {
        if let Some(decorated) = &self.decorated {
            return decorated.value.field(key);
        }
        let node = self.node(id);
        if !self.merges
            && let Some(value) = self.text_field(node, key)
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

impl Source {
    /// Returns what the document has and JSON has not.
    fn oddities(&self) -> Oddities {
        *self.oddities.get_or_init(|| {
            let mut found = Oddities::default();
            for node in self.document.nodes() {
                found.nan |= matches!(self.scalar(node), Scalar::Float(value) if value.is_nan());
                for (key, _) in node.entries() {
                    let key = key.resolved();
                    found.collections |= key.kind() != ketch_yaml::compose::Kind::Scalar;
                    found.merges |= &*key.content() == b"<<";
                }
            }
            found
        })
    }

    /// Returns whether each node equals itself. What aliases refer to need not be compared then.
    pub(super) fn has_equal_nodes(&self) -> bool {
        self.decorated.is_none() && !self.oddities().nan
    }

    /// Returns whether a mapping may have a key that is no text.
    pub(crate) fn has_other_keys(&self) -> bool {
        *self.other_keys.get_or_init(|| {
            self.document.nodes().any(|node| {
                let mut keys = node.entries().map(|(key, _)| key.resolved());
                keys.any(|key| key.verbatim_text(self.schema).is_none())
            })
        })
    }

    /// Returns whether merge keys change the values of the document.
    pub(crate) fn has_merges(&self) -> bool {
        self.merges && self.oddities().merges
    }

    /// Returns the first key of the mapping `id` that is a collection and whose text, which it has not, is one of
    /// `entries`.
    pub(crate) fn key_without_text(
        self: &Arc<Self>,
        id: NodeId,
        entries: &Entries,
    ) -> Option<Value> {
        if !self.oddities().collections {
            return None;
        }
        let is_collection =
            |key: &Node<'_>| key.resolved().kind() != ketch_yaml::compose::Kind::Scalar;
        let mut keys = self.pairs(self.node(id)).map(|(key, _)| key);
        keys.find(|key| is_collection(key) && entries.contains_key(&self.key_text(*key)))
            .map(|key| self.value(key))
    }

    /// Returns the step of a path of the editor that leads to `key`; a collection has none.
    pub(crate) fn step(key: Node<'_>) -> Option<Step> {
        const YAML: &str = "tag:yaml.org,2002:";
        let key = key.resolved();
        if key.kind() != ketch_yaml::compose::Kind::Scalar {
            return None;
        }
        let text = key.text().into_owned();
        let is_text = match key.tag().map(|tag| tag.strip_prefix(YAML)) {
            Some(name) => !matches!(name, Some("int" | "float" | "bool" | "null")),
            None if key.style() != Style::Plain => true,
            None => matches!(Schema::Core.scalar(&*text), Scalar::Str(_)),
        };
        Some(if is_text { Step::Key(text) } else { Step::Plain(text) })
    }

    /// Returns the comments of the entry whose value is the node `id`. Without the text of the file there are none.
    pub(crate) fn comments(&self, id: NodeId) -> Comments {
        let find = || self.text.as_ref()?.comments(self.number, &self.steps(id)?);
        find().unwrap_or_default()
    }

    /// Returns the path of a node. There is none below a key, or below a key that is a collection.
    pub(crate) fn steps(&self, id: NodeId) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        let mut at = self.document.root();
        let holds = |node: Node<'_>| node.subtree().contains(&id.index());
        while at.id() != id {
            let (step, next) = match at.kind() {
                ketch_yaml::compose::Kind::Sequence => {
                    let (index, item) = at.items().enumerate().find(|(_, item)| holds(*item))?;
                    (Step::Index(index as i64), item)
                }
                _ => {
                    let (key, value) = at.entries().find(|(_, value)| holds(*value))?;
                    (Source::step(key)?, value)
                }
            };
            steps.push(step);
            at = next;
        }
        Some(steps)
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
