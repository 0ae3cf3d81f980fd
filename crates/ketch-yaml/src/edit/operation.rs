//! Operations as data.

use super::error::{EditError, EditErrorKind};
use super::tree::{Shape, Token, Tree};
use super::write::{Habits, Writer};
use crate::event::EventKind;
use crate::path::Step;

/// How deep a new value may be.
const DEPTH_MAX: usize = 100;

/// A value for an operation: a node with its source.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub source: String,
    pub tree: Tree,
    pub root: usize,
    /// Which properties and styles of its nodes count.
    pub traits: Traits,
}

/// What a value keeps of its source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Traits {
    pub styles: bool,
    pub tags: bool,
    pub anchors: bool,
}

impl Value {
    /// Reads a text of one document without anchors, aliases and tags.
    pub fn parse(source: &str) -> Result<Value, EditError> {
        let bad =
            |what: &str| EditError::plain(EditErrorKind::BadOperation).with_detail(what.to_owned());
        let source = if source.trim().is_empty() { "null" } else { source };
        let tree = Tree::parse(source.as_bytes())?;
        let root = tree.single_root()?;
        let has_properties = tree
            .tokens
            .iter()
            .any(|token| matches!(token, Token::Alias(_) | Token::Anchor(_) | Token::Tag(_)));
        if has_properties {
            return Err(bad("a value has no anchors, aliases and tags"));
        }
        if tree.depth(root) > DEPTH_MAX {
            return Err(bad("a value is at most 100 deep"));
        }
        Ok(Value { source: source.to_owned(), tree, root, traits: Traits::default() })
    }

    /// A node of a text, to be written elsewhere.
    pub fn copy(
        source: &str,
        tree: &Tree,
        root: usize,
        traits: Traits,
    ) -> Result<Value, EditError> {
        if tree.depth(root) > DEPTH_MAX {
            let error = EditError::plain(EditErrorKind::KindMismatch);
            return Err(error.with_detail("the node is more than 100 deep".to_owned()));
        }
        Ok(Value { source: source.to_owned(), tree: tree.clone(), root, traits })
    }

    /// Text, as it is.
    pub fn text(text: &str) -> Result<Value, EditError> {
        Value::parse(&super::write::quoted(text, EventKind::DoubleQuoted))
    }

    /// One of its nodes.
    pub fn part(&self, root: usize) -> Value {
        Value { root, ..self.clone() }
    }

    pub fn shape(&self) -> Shape {
        self.tree.nodes[self.root].shape
    }

    pub fn children(&self) -> &[usize] {
        &self.tree.nodes[self.root].children
    }

    /// The tokens of its content.
    pub fn tokens(&self) -> Vec<Token> {
        self.counted(self.tree.content(self.root))
    }

    /// The tokens with the properties of the root.
    pub fn whole(&self) -> Vec<Token> {
        self.counted(self.tree.whole(self.root))
    }

    fn counted(&self, tokens: &[Token]) -> Vec<Token> {
        let counts = |token: &&Token| match token {
            Token::Anchor(_) => self.traits.anchors,
            Token::Tag(_) => self.traits.tags,
            _ => true,
        };
        tokens.iter().filter(counts).cloned().collect()
    }

    /// One of its nodes as flow text.
    pub fn flow(&self, at: usize) -> String {
        let habits =
            Habits { step: 2, is_flush: false, quote: EventKind::DoubleQuoted, is_json: false };
        Writer { value: self, habits, allows_literal: false }.flow(at)
    }

    /// The value one key deeper.
    pub fn wrapped(&self, step: &Step) -> Result<Value, EditError> {
        Value::holding(Some(&key_source(step)), self)
    }

    /// A collection with a value as its only entry.
    pub fn holding(key: Option<&str>, value: &Value) -> Result<Value, EditError> {
        let flow = value.flow(value.root);
        let source = match key.map(Value::parse).transpose()? {
            Some(key) => format!("{{{}: {flow}}}", key.flow(key.root)),
            None => format!("[{flow}]"),
        };
        let tree = Tree::parse(source.as_bytes())?;
        let root = tree.single_root()?;
        Ok(Value { source, tree, root, traits: value.traits })
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
/// | `add` | `path`, `value` | sets a key, or inserts an item before the one at the path (RFC 6902) |
/// | `delete`, `remove` | `path` | removes the entry with its comments |
/// | `rename` | `path`, `to` | changes the key |
/// | `move`, `copy` | `path`, `to` | puts the entry into the collection at `to` |
/// | `merge` | `path`, `value` | sets what the mapping has, keeps the rest |
/// | `merge_patch` | `path`, `value` | the same, but null deletes (RFC 7396) |
/// | `sort` | `path` | sorts items, or entries by key |
/// | `comment` | `path`, `where`, `text` | writes a `leading` or `trailing` comment |
/// | `style` | `path`, `to` | writes the same value in another style |
/// | `anchor` | `path`, `to` | gives the node an anchor, renames or removes it |
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
    /// Where a moved or copied node is afterwards, as RFC 6902 says it.
    pub target: Option<Vec<Step>>,
    /// `leading` or `trailing`.
    pub place: Option<String>,
    /// The text of a comment; without it, the comment is removed.
    pub text: Option<String>,
    /// The old name of an anchor.
    pub from: Option<String>,
    /// What to do at an alias on the path: `through` or `detach`.
    pub alias: Option<String>,
    /// What to do with an anchor in use: `promote` or `expand`.
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
