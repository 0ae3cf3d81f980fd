//! Operations as data.

use super::error::{EditError, EditErrorKind};
use super::tree::{Token, Tree};
use super::write::{Habits, Writer};
use crate::event::EventKind;
use crate::path::Step;

/// How deep a new value may be.
const DEPTH_MAX: usize = 100;

/// A value for an operation: YAML text with one document.
#[derive(Debug)]
pub(super) struct Value {
    pub source: String,
    pub tree: Tree,
    pub root: usize,
}

impl Value {
    pub fn parse(source: &str) -> Result<Value, EditError> {
        let bad = || EditError::plain(EditErrorKind::BadOperation);
        let source = if source.trim().is_empty() { "null" } else { source };
        let tree = Tree::parse(source.as_bytes())?;
        let root = tree.single_root()?;
        let mut depths = vec![0usize; tree.nodes.len()];
        for at in 0..tree.nodes.len() {
            depths[at] = tree.nodes[at].parent.map_or(0, |parent| depths[parent] + 1);
        }
        let has_properties = tree
            .tokens
            .iter()
            .any(|token| matches!(token, Token::Alias(_) | Token::Anchor(_) | Token::Tag(_)));
        if has_properties || depths.iter().any(|&depth| depth > DEPTH_MAX) {
            return Err(bad());
        }
        Ok(Value { source: source.to_owned(), tree, root })
    }

    /// Text, as it is.
    pub fn text(text: &str) -> Result<Value, EditError> {
        Value::parse(&super::write::quoted(text, EventKind::DoubleQuoted))
    }

    /// One of its nodes as flow text.
    pub fn flow(&self, at: usize) -> String {
        let habits =
            Habits { step: 2, is_flush: false, quote: EventKind::DoubleQuoted, is_json: false };
        let writer =
            Writer { source: &self.source, tree: &self.tree, habits, allows_literal: false };
        writer.flow(at)
    }

    /// The value one key deeper.
    pub fn wrapped(&self, step: &Step) -> Result<Value, EditError> {
        Value::parse(&format!("{{{}: {}}}", key_source(step), self.flow(self.root)))
    }
}

/// A step as the source of a new key.
pub(super) fn key_source(step: &Step) -> String {
    match step {
        Step::Name(text) if text.parse::<i64>().is_ok() => text.clone(),
        Step::Name(text) | Step::Key(text) => super::write::quoted(text, EventKind::DoubleQuoted),
        Step::Index(index) => index.to_string(),
        _ => "null".to_owned(),
    }
}

/// One edit. `value`, `key`, `before` and `after` are YAML text; what an operation does not need is
/// `None`.
///
/// | `op` | needs | does |
/// |---|---|---|
/// | `set` | `path`, `value` | changes the value; equal parts of collections keep their bytes |
/// | `replace` | `path`, `value` | writes the value again as a whole; the path must exist |
/// | `insert` | `path` of the collection, `value`; for mappings `key` | adds an entry: last, or `before`, `after`, `index`, `first` |
/// | `append` | `path` of the sequence, `value` | adds an item at the end |
/// | `delete` | `path` | removes the entry with its comments |
/// | `rename` | `path`, `to` | changes the key |
/// | `move`, `copy` | `path`, `to` | puts the entry into the collection at `to` |
/// | `merge` | `path`, `value` | sets what the mapping has, keeps the rest |
/// | `sort` | `path` | sorts items, or entries by key |
/// | `comment` | `path`, `where`, `text` | writes a `leading` or `trailing` comment |
/// | `rename_anchor` | `from`, `to` | renames an anchor and its aliases |
/// | `test` | `path`, `value` | refuses the batch if the value differs |
#[derive(Clone, Debug, Default)]
pub struct Operation {
    /// What to do.
    pub op: String,
    /// The node, from the root of its document.
    pub path: Vec<Step>,
    /// The index of the document.
    pub doc: usize,
    /// The new value.
    pub value: Option<String>,
    /// The key of a new entry.
    pub key: Option<String>,
    /// The key or item that the new entry comes before.
    pub before: Option<String>,
    /// The key or item that the new entry comes after.
    pub after: Option<String>,
    /// The index of the new entry.
    pub index: Option<usize>,
    /// Whether the new entry comes first.
    pub first: bool,
    /// A new name, for `rename` and `rename_anchor`.
    pub to: Option<String>,
    /// The collection to move or copy into.
    pub to_path: Vec<Step>,
    /// `leading` or `trailing`.
    pub place: Option<String>,
    /// The text of a comment; without it, the comment is removed.
    pub text: Option<String>,
    /// The old name of an anchor.
    pub from: Option<String>,
    /// What to do at an alias on the path: `through` or `detach`.
    pub alias: Option<String>,
    /// What to do with an anchor in use: `promote`.
    pub anchors: Option<String>,
}

impl Operation {
    /// An operation of this name on a path.
    #[must_use]
    pub fn new(op: &str, path: &[Step]) -> Operation {
        Operation { op: op.to_owned(), path: path.to_vec(), ..Operation::default() }
    }

    /// The operation with a value, which is YAML text.
    #[must_use]
    pub fn with_value(mut self, value: &str) -> Operation {
        self.value = Some(value.to_owned());
        self
    }
}
