//! Lookup by key, by path and by JSON Pointer.

use super::build::LINEAR_PAIRS_MAX;
use super::document::Document;
use super::key::ScalarKey;
use super::node::{NodeId, Shape, TAGGED};
use super::tree::View;
use super::view::Node;
use crate::schema::{Exact, Schema};
use hashbrown::HashTable;
use std::borrow::Cow;
use std::sync::OnceLock;

/// What to look up: the key of a mapping, or the index of a sequence.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Key<'k> {
    /// The key null.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer; in a sequence, the index from 0.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// Text.
    Str(Cow<'k, str>),
}

impl<'k> From<&'k str> for Key<'k> {
    fn from(key: &'k str) -> Self {
        Key::Str(Cow::Borrowed(key))
    }
}

impl<'k> From<&'k String> for Key<'k> {
    fn from(key: &'k String) -> Self {
        Key::Str(Cow::Borrowed(key))
    }
}

impl From<String> for Key<'_> {
    fn from(key: String) -> Self {
        Key::Str(Cow::Owned(key))
    }
}

impl From<i64> for Key<'_> {
    fn from(key: i64) -> Self {
        Key::Int(key)
    }
}

impl From<i32> for Key<'_> {
    fn from(key: i32) -> Self {
        Key::Int(key.into())
    }
}

impl From<usize> for Key<'_> {
    /// Converts `key` to an `i64`. Numbers above its range become -1, which is never an index.
    fn from(key: usize) -> Self {
        Key::Int(i64::try_from(key).unwrap_or(-1))
    }
}

impl From<bool> for Key<'_> {
    fn from(key: bool) -> Self {
        Key::Bool(key)
    }
}

impl From<f64> for Key<'_> {
    fn from(key: f64) -> Self {
        Key::Float(key)
    }
}

impl From<()> for Key<'_> {
    fn from((): ()) -> Self {
        Key::Null
    }
}

impl Key<'_> {
    /// Returns the form of the key in which keys are compared.
    fn scalar(&self) -> ScalarKey<'_> {
        match self {
            Key::Null => ScalarKey::Null,
            Key::Bool(value) => ScalarKey::Bool(*value),
            Key::Int(value) => ScalarKey::Int(*value),
            Key::Float(value) => ScalarKey::Float(Exact::from(*value)),
            Key::Str(text) => ScalarKey::Str(Cow::Borrowed(text.as_bytes())),
        }
    }
}

/// The indexes of the large mappings of a document, each built when it is first needed.
#[derive(Debug, Default)]
pub(super) struct Indexes(OnceLock<Box<[OnceLock<Index>]>>);

/// The keys of a mapping that are scalars, by the hash of their value. A key with a tag that YAML
/// does not define is also there by the hash of its text.
#[derive(Debug)]
struct Index(HashTable<(u64, u32)>);

impl Indexes {
    /// Drops the indexes, which belong to another document.
    pub fn clear(&mut self) {
        self.0.take();
    }

    /// Returns the index of the mapping at `at`, if it is large enough to have one.
    fn of(&self, view: View<'_>, at: usize, schema: Schema) -> Option<&Index> {
        // The table is sorted by the ends of the mappings, inner ones first.
        let order = |node: usize| (view.nodes[node].end(), std::cmp::Reverse(node));
        let large = &view.side.large;
        let place = large.binary_search_by_key(&order(at), |&node| order(node as usize)).ok()?;
        let indexes = self.0.get_or_init(|| large.iter().map(|_| OnceLock::new()).collect());
        Some(indexes[place].get_or_init(|| Index::new(view, at, schema)))
    }
}

impl Clone for Indexes {
    /// Returns an empty set, since the clone builds its own indexes when they are needed.
    fn clone(&self) -> Indexes {
        Indexes::default()
    }
}

impl Index {
    /// Indexes the scalar keys of the mapping at `at`.
    fn new(view: View<'_>, at: usize, schema: Schema) -> Index {
        let mut table = HashTable::with_capacity(view.nodes[at].count() / 2);
        for (key, _) in view.pairs(at) {
            let target = view.resolved(key);
            if view.nodes[target].is_scalar() {
                let mut insert = |wanted: ScalarKey<'_>| {
                    let hash = wanted.hash_one();
                    table.insert_unique(hash, (hash, key as u32), |entry| entry.0);
                };
                let own = ScalarKey::of(view, target, schema);
                if let ScalarKey::Tagged(_, content) = &own {
                    insert(ScalarKey::Str(content.clone()));
                }
                insert(own);
            }
        }
        Index(table)
    }

    /// Returns the first key that is in the index by `wanted` and that `is_key` accepts, or `None`
    /// if there is none.
    fn find(&self, wanted: &ScalarKey<'_>, is_key: impl Fn(usize) -> bool) -> Option<usize> {
        let hash = wanted.hash_one();
        let is_wanted = |entry: &(u64, u32)| entry.0 == hash && is_key(entry.1 as usize);
        self.0.find(hash, is_wanted).map(|entry| entry.1 as usize)
    }
}

/// Returns the item or the value of the collection at `at` that `key` selects, or `None` if there
/// is none.
pub(super) fn get(document: &Document<'_>, at: usize, key: &Key<'_>) -> Option<usize> {
    let view = document.view();
    match (view.nodes[at].shape(), key) {
        (Shape::Sequence, Key::Int(index)) => item(view, at, usize::try_from(*index).ok()?),
        (Shape::Mapping, Key::Float(value)) => {
            value_of(document, at, &key.scalar()).or_else(|| nearest(document, at, *value))
        }
        (Shape::Mapping, _) => value_of(document, at, &key.scalar()),
        _ => None,
    }
}

/// Returns the value of the first key in the mapping at `at` that is `wanted` when it is rounded,
/// or `None` if there is none.
fn nearest(document: &Document<'_>, at: usize, wanted: f64) -> Option<usize> {
    let (view, schema) = (document.view(), document.schema());
    let is_wanted = |at: usize| match ScalarKey::of(view, at, schema) {
        ScalarKey::Float(key) => key.nearest() == wanted,
        _ => false,
    };
    let mut keys = view.pairs(at).map(|(key, _)| (key, view.resolved(key)));
    let found = keys.find(|&(_, key)| view.nodes[key].is_scalar() && is_wanted(key));
    found.map(|(key, _)| view.nodes[key].end())
}

/// Takes the step `key` of a path from the node at `at`. Does what [`get`] does, but text also
/// finds an item of a sequence by its index, and a key that is spelled like the text but is not a
/// string, or has a tag that YAML does not define.
pub(super) fn step(document: &Document<'_>, at: usize, key: Key<'_>) -> Option<usize> {
    let view = document.view();
    match (view.nodes[at].shape(), &key) {
        (Shape::Sequence, Key::Str(text)) => item(view, at, index(text)?),
        (Shape::Mapping, Key::Str(text)) => get(document, at, &key).or_else(|| {
            let value = document.schema().scalar(text.as_bytes());
            let value = super::key::with_text(value, Cow::Borrowed);
            let key = ScalarKey::from_value(value, text.as_bytes(), document.schema());
            let value = value_of(document, at, &key);
            value.or_else(|| tagged_value_of(document, at, text))
        }),
        _ => get(document, at, &key),
    }
}

/// Parses an index in the notation of JSON Pointer, without sign and leading zeros (RFC 6901,
/// section 4). Returns `None` if `text` is not such an index.
fn index(text: &str) -> Option<usize> {
    let is_canonical = text == "0" || !text.starts_with(['0', '+']);
    text.parse().ok().filter(|_| is_canonical)
}

/// Returns the item of the sequence at `at` whose index is `index`, or `None` if there is none.
/// This takes constant time if all items are scalars, aliases or empty collections.
pub(super) fn item(view: View<'_>, at: usize, index: usize) -> Option<usize> {
    let len = view.nodes[at].count();
    if index >= len {
        return None;
    }
    let first = at + 1;
    if view.nodes[at].end() - first == len {
        // No entry has children, so they are adjacent.
        return Some(first + index);
    }
    view.children(at).nth(index)
}

/// Returns the value of the scalar key `wanted` in the mapping at `at`, or `None` if the key is
/// missing.
pub(super) fn value_of(
    document: &Document<'_>,
    at: usize,
    wanted: &ScalarKey<'_>,
) -> Option<usize> {
    let (view, schema) = (document.view(), document.schema());
    key_in(document, at, wanted, |key| is_key(view, key, wanted, schema))
}

/// Returns the value of the key in the mapping at `at` that is `text` with a tag that YAML does not
/// define, or `None` if there is none.
pub(super) fn tagged_value_of(document: &Document<'_>, at: usize, text: &str) -> Option<usize> {
    let (view, schema) = (document.view(), document.schema());
    if view.side.tag_hashes.is_empty() {
        return None;
    }
    let wanted = ScalarKey::Str(Cow::Borrowed(text.as_bytes()));
    key_in(document, at, &wanted, |key| {
        let target = view.resolved(key);
        view.nodes[target].has(TAGGED)
            && view.nodes[target].is_scalar()
            && matches!(
                ScalarKey::of(view, target, schema),
                ScalarKey::Tagged(_, content) if *content == *text.as_bytes()
            )
    })
}

/// Returns the value of the first key that `is_key` accepts in the mapping at `at`, or `None` if
/// there is none. An index has it by `wanted`.
fn key_in(
    document: &Document<'_>,
    at: usize,
    wanted: &ScalarKey<'_>,
    is_key: impl Fn(usize) -> bool,
) -> Option<usize> {
    let view = document.view();
    let key = if view.nodes[at].count() > 2 * LINEAR_PAIRS_MAX {
        document.indexes.of(view, at, document.schema())?.find(wanted, is_key)?
    } else {
        view.pairs(at).map(|(key, _)| key).find(|&key| is_key(key))?
    };
    Some(view.nodes[key].end())
}

/// Returns whether the node at `at` is a scalar that equals `wanted`.
fn is_key(view: View<'_>, at: usize, wanted: &ScalarKey<'_>, schema: Schema) -> bool {
    let target = view.resolved(at);
    let node = view.nodes[target];
    if !node.is_scalar() {
        return false;
    }
    if let (ScalarKey::Str(text), Some(content)) = (wanted, view.verbatim(node)) {
        // Under every schema, a string equals only the same text.
        if content.len() != text.len() || *content != **text {
            return false;
        }
    }
    ScalarKey::of(view, target, schema) == *wanted
}

impl<'t> Document<'t> {
    /// Returns the node at the end of a path of keys and indices from the root, or `None` if there
    /// is no such node.
    ///
    /// Each step works as in [`Node::get`]. In addition, text finds an entry of a sequence by its index
    /// (`"0"`), and a key that is spelled like the text but is not a string (`8080`). Aliases are
    /// followed.
    ///
    /// ```
    /// use ketch_yaml::Documents;
    ///
    /// let text = b"spec: {replicas: 3, ports: [{name: http}]}\n";
    /// let document = Documents::new(text).next().unwrap()?;
    /// assert_eq!(document.at_path(["spec", "replicas"]).unwrap().text(), "3");
    /// assert_eq!(document.at_path(["spec", "ports", "0", "name"]).unwrap().text(), "http");
    /// # Ok::<(), ketch_yaml::Error>(())
    /// ```
    pub fn at_path<'k, P>(&self, path: P) -> Option<Node<'_>>
    where
        P: IntoIterator,
        P::Item: Into<Key<'k>>,
    {
        self.root().at_path(path)
    }

    /// Returns the node at a JSON Pointer (RFC 6901) such as `/spec/ports/0/name`, with `~1` for
    /// `/` and `~0` for `~`. The empty pointer finds the root. A pointer that does not start with
    /// `/` finds nothing.
    ///
    /// ```
    /// use ketch_yaml::Documents;
    ///
    /// let document = Documents::new(b"paths: {/pets: [cat, dog]}\n").next().unwrap()?;
    /// assert_eq!(document.pointer("/paths/~1pets/1").unwrap().text(), "dog");
    /// # Ok::<(), ketch_yaml::Error>(())
    /// ```
    pub fn pointer(&self, pointer: &str) -> Option<Node<'_>> {
        if pointer.is_empty() {
            return Some(self.node(NodeId::ROOT));
        }
        let steps = pointer.strip_prefix('/')?.split('/').map(|step| {
            if step.contains('~') {
                Key::Str(Cow::Owned(step.replace("~1", "/").replace("~0", "~")))
            } else {
                Key::from(step)
            }
        });
        self.at_path(steps)
    }
}
