//! Operations, as data.

use ketch_yaml::path::{Documents, Path, Step};
use std::str::FromStr;

/// One operation on a text.
#[derive(Clone, Debug)]
pub struct Operation {
    /// What is done.
    pub action: Action,
    /// The path of the node, from the root of its document.
    pub path: Vec<Step>,
    /// The index of the document, counted from 0.
    pub doc: usize,
    /// The documents to edit; if set, `doc` is ignored.
    pub documents: Option<Documents>,
    /// What to do at an alias on the path. By default, it is an error.
    pub alias: Option<AliasMode>,
    /// What to do if an anchor is in use. By default, it is an error.
    pub anchors: Option<AnchorMode>,
    /// What `merge` does with the sequences of the value.
    pub lists: Lists,
    /// What to do if there is no node at the path.
    pub if_absent: IfAbsent,
    /// Whether `doc` is ignored, and the operation edits each document that has the path. If none
    /// has it, the operation edits the only document.
    pub everywhere: bool,
    /// Whether a person typed the path: it is an error if a new key looks like a part of another
    /// notation, as in `.a | .b`.
    pub is_typed: bool,
}

/// What an operation does if there is no node at its path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IfAbsent {
    /// Adds it if the action can, as `set` does. Otherwise, it is an error.
    #[default]
    Add,
    /// Does nothing.
    Skip,
    /// Fails, even if the action could add it.
    Fail,
}

/// What an operation does with the node at its path.
#[derive(Clone, Debug)]
pub enum Action {
    /// Changes the value; parts of a collection that stay equal keep their bytes.
    Set {
        /// The new value.
        value: NewValue,
        /// The key, as YAML, whose value identifies the mappings in a sequence.
        key: Option<String>,
    },
    /// Writes the whole value again; the path must exist.
    Replace(NewValue),
    /// Adds an entry to the collection.
    Insert {
        /// The value of the entry.
        value: NewValue,
        /// The key of the entry as YAML, if the collection is a mapping.
        key: Option<String>,
        /// The position of the entry.
        position: Position,
    },
    /// Adds an item at the end of the sequence.
    Append(NewValue),
    /// Sets a key, or inserts an item before the one at the path (RFC 6902).
    Add(NewValue),
    /// Removes the entry together with its comments.
    Delete,
    /// Changes the key of the entry to this text.
    Rename(String),
    /// Moves the entry into another collection.
    Move(Transfer),
    /// Copies the entry into another collection.
    Copy(Transfer),
    /// Sets the entries of the value, and keeps the others.
    Merge(NewValue),
    /// The same, but a null deletes the entry (RFC 7396).
    MergePatch(NewValue),
    /// Sorts items, or entries by key.
    Sort {
        /// The path in each item that leads to the value to sort by.
        by: Vec<Step>,
        /// Whether the mappings in the collection are sorted, too, at any depth.
        recursive: bool,
    },
    /// Puts the entries with these keys or indices first, in this order. The others follow.
    Arrange(Vec<Step>),
    /// Writes a comment, or removes it if there is no text.
    Comment {
        /// Where the comment is.
        place: CommentPlace,
        /// Its text, without `#`.
        text: Option<String>,
    },
    /// Writes the same value in another style.
    Style(Style),
    /// Gives the node an anchor, or renames its anchor; `None` removes the anchor.
    Anchor(Option<String>),
    /// Gives the collection a tag, or changes its tag; `None` removes the tag. Its entries stay as they are.
    Tag(Option<String>),
    /// Renames an anchor and the aliases that refer to it. If the path is empty, the anchor may be
    /// anywhere in the document.
    RenameAnchor {
        /// The old name.
        from: String,
        /// The new name.
        to: String,
    },
    /// Refuses all operations of the list if the value differs.
    Test(NewValue),
}

/// The value of an operation.
#[derive(Clone, Debug, Default)]
pub struct NewValue {
    /// The value as YAML.
    pub source: String,
    /// How its scalars are written.
    pub spelling: Spelling,
    /// The tag that the value gets.
    pub tag: Option<String>,
    /// Whether a node that a value without a tag replaces keeps its tag, even one that YAML does
    /// not define.
    pub keep_tag: bool,
}

impl<T: Into<String>> From<T> for NewValue {
    fn from(source: T) -> NewValue {
        NewValue { source: source.into(), ..NewValue::default() }
    }
}

/// The position of a new entry in its collection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Position {
    /// After all others.
    #[default]
    Last,
    /// Before all others.
    First,
    /// At this index.
    Index(usize),
    /// Before the existing entry with this key or index.
    Before(String),
    /// After the existing entry with this key or index.
    After(String),
}

impl Position {
    /// Returns the key or index of the entry beside which the new one is.
    #[must_use]
    pub fn neighbor(&self) -> Option<&str> {
        match self {
            Position::Before(key) | Position::After(key) => Some(key),
            _ => None,
        }
    }

    /// Returns whether the new entry is directly after its neighbor.
    #[must_use]
    pub fn is_after(&self) -> bool {
        matches!(self, Position::After(_))
    }

    /// Returns the index of the new entry, if the position is one.
    #[must_use]
    pub fn index(&self) -> Option<usize> {
        match self {
            Position::First => Some(0),
            Position::Index(index) => Some(*index),
            _ => None,
        }
    }

    /// Returns the position with the numbers in it changed by `change`: its index and, if
    /// `with_neighbor` is set, the index of its neighbor.
    pub(super) fn shifted(&self, with_neighbor: bool, change: impl Fn(usize) -> usize) -> Position {
        let shifted = |key: &String| match key.parse() {
            Ok(at) if with_neighbor => change(at).to_string(),
            _ => key.clone(),
        };
        match self {
            Position::Index(at) => Position::Index(change(*at)),
            Position::Before(key) => Position::Before(shifted(key)),
            Position::After(key) => Position::After(shifted(key)),
            other => other.clone(),
        }
    }
}

/// Where an entry is moved or copied.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// The new place.
    pub to: Destination,
    /// The key that the entry gets, as YAML. By default, it keeps its key.
    pub key: Option<String>,
    /// The position of the entry in the collection [`Destination::Into`].
    pub position: Position,
}

impl Transfer {
    /// Creates a move or a copy to the end of the collection at `path`.
    #[must_use]
    pub fn to(path: Vec<Step>) -> Transfer {
        Transfer { to: Destination::Into(path), key: None, position: Position::Last }
    }
}

/// The place to which an entry is moved or copied.
#[derive(Clone, Debug)]
pub enum Destination {
    /// The path of a collection.
    Into(Vec<Step>),
    /// The path that the entry itself gets, as in RFC 6902.
    At(Vec<Step>),
}

/// The place of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentPlace {
    /// On the lines above the entry.
    Leading,
    /// At the end of the entry's line.
    Trailing,
}

/// The style of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A scalar without quotes.
    Plain,
    /// A scalar in single quotes.
    Single,
    /// A scalar in double quotes.
    Double,
    /// A literal block scalar.
    Literal,
    /// A folded block scalar.
    Folded,
    /// A collection by indentation.
    Block,
    /// A collection in brackets.
    Flow,
}

/// What to do at an alias on the path of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AliasMode {
    /// Follows it, and edits the node that it refers to.
    Through,
    /// Replaces it by a copy of that node, and edits the copy.
    Detach,
}

/// What to do if aliases refer to the anchor of a node that is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnchorMode {
    /// Moves the node to its first alias.
    Promote,
    /// Replaces all aliases by copies.
    Expand,
}

/// What `merge` does with a sequence where the text has one, too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lists {
    /// The new sequence replaces the old one. Items that stay equal keep their bytes.
    #[default]
    Replace,
    /// The new items are added at the end.
    Append,
    /// Items with the same value of this key are merged, and the others are added at the end. It is
    /// an error if an item lacks the key, or if two items of one sequence have the same value.
    /// Sequences without a mapping in either of them are replaced.
    By(String),
}

impl FromStr for Lists {
    type Err = String;

    /// Parses `replace`, `append`, or `by=KEY`.
    fn from_str(text: &str) -> Result<Lists, String> {
        match (text, text.strip_prefix("by=")) {
            ("replace", _) => Ok(Lists::Replace),
            ("append", _) => Ok(Lists::Append),
            (_, Some(key)) if !key.is_empty() => Ok(Lists::By(key.to_owned())),
            _ => Err("expected `replace`, `append` or `by=KEY`, such as `by=name`".to_owned()),
        }
    }
}

/// How scalars of a value are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spelling {
    /// In the style of the old value or of the neighbours. An equal value changes nothing.
    #[default]
    Free,
    /// As they are spelled in the value, apart from text without quotes, even if the old value is
    /// equal.
    Typed,
    /// As [`Spelling::Free`], but in quotes if some common readers do not read them as text.
    Safe,
    /// With their comments, styles and anchors, as in the file that the value comes from. An equal
    /// value changes nothing.
    Whole,
}

impl Action {
    /// Sets a value.
    #[must_use]
    pub fn set(value: impl Into<NewValue>) -> Action {
        Action::Set { value: value.into(), key: None }
    }

    /// Adds an item at the end of a sequence.
    #[must_use]
    pub fn insert(value: impl Into<NewValue>) -> Action {
        Action::Insert { value: value.into(), key: None, position: Position::Last }
    }

    /// Sorts the items of a sequence, or the entries of a mapping by key.
    #[must_use]
    pub fn sort() -> Action {
        Action::Sort { by: Vec::new(), recursive: false }
    }

    /// Returns the action with this position of the new entry, if it adds one.
    #[must_use]
    pub fn placed(mut self, position: Position) -> Action {
        if let Some(own) = self.position_mut() {
            *own = position;
        }
        self
    }

    /// Returns the action with this key, as YAML, if it takes one.
    #[must_use]
    pub fn with_key(mut self, new: Option<String>) -> Action {
        match &mut self {
            Action::Set { key, .. } | Action::Insert { key, .. } => *key = new,
            Action::Move(transfer) | Action::Copy(transfer) => transfer.key = new,
            _ => {}
        }
        self
    }

    /// Returns the name of the action in a list of operations.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Action::Set { .. } => "set",
            Action::Replace(_) => "replace",
            Action::Insert { .. } => "insert",
            Action::Append(_) => "append",
            Action::Add(_) => "add",
            Action::Delete => "delete",
            Action::Rename(_) => "rename",
            Action::Move(_) => "move",
            Action::Copy(_) => "copy",
            Action::Merge(_) => "merge",
            Action::MergePatch(_) => "merge_patch",
            Action::Sort { .. } => "sort",
            Action::Arrange(_) => "arrange",
            Action::Comment { .. } => "comment",
            Action::Style(_) => "style",
            Action::Anchor(_) => "anchor",
            Action::Tag(_) => "tag",
            Action::RenameAnchor { .. } => "rename_anchor",
            Action::Test(_) => "test",
        }
    }

    /// Returns the value that the action writes or compares.
    #[must_use]
    pub fn value(&self) -> Option<&NewValue> {
        match self {
            Action::Set { value, .. } | Action::Insert { value, .. } => Some(value),
            Action::Replace(value)
            | Action::Append(value)
            | Action::Add(value)
            | Action::Merge(value)
            | Action::MergePatch(value)
            | Action::Test(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the key that the new entry gets, or that identifies items, as YAML.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        match self {
            Action::Set { key, .. } | Action::Insert { key, .. } => key.as_deref(),
            Action::Move(transfer) | Action::Copy(transfer) => transfer.key.as_deref(),
            _ => None,
        }
    }

    /// Returns the position of the new entry.
    #[must_use]
    pub fn position(&self) -> &Position {
        match self {
            Action::Insert { position, .. } => position,
            Action::Move(transfer) | Action::Copy(transfer) => &transfer.position,
            _ => &Position::Last,
        }
    }

    /// Returns the position of the new entry, to change it.
    pub(super) fn position_mut(&mut self) -> Option<&mut Position> {
        match self {
            Action::Insert { position, .. } => Some(position),
            Action::Move(transfer) | Action::Copy(transfer) => Some(&mut transfer.position),
            _ => None,
        }
    }

    /// Returns where the entry is moved or copied.
    #[must_use]
    pub fn transfer(&self) -> Option<&Transfer> {
        match self {
            Action::Move(transfer) | Action::Copy(transfer) => Some(transfer),
            _ => None,
        }
    }

    /// Returns the path that a moved or copied entry gets, as in RFC 6902.
    #[must_use]
    pub fn target(&self) -> Option<&[Step]> {
        match &self.transfer()?.to {
            Destination::At(path) => Some(path),
            Destination::Into(_) => None,
        }
    }

    /// Returns whether the action adds an entry to the collection at the path.
    pub(super) fn inserts(&self) -> bool {
        matches!(self, Action::Insert { .. } | Action::Append(_))
    }
}

impl Operation {
    /// Creates an operation on the node at `path`.
    #[must_use]
    pub fn new(action: Action, path: &[Step]) -> Operation {
        Operation {
            action,
            path: path.to_vec(),
            doc: 0,
            documents: None,
            alias: None,
            anchors: None,
            lists: Lists::Replace,
            if_absent: IfAbsent::default(),
            everywhere: false,
            is_typed: false,
        }
    }

    /// Creates an operation on all nodes that `path` leads to.
    ///
    /// ```
    /// use ketch_edit::{Action, Edit, Operation};
    ///
    /// let mut edit = Edit::open("- {a: 1, on: true}\n- {a: 2}\n")?;
    /// let path = "[?on].a".parse().unwrap();
    /// edit.apply(&[Operation::at(Action::set("3"), &path)])?;
    /// assert_eq!(edit.text(), "- {a: 3, on: true}\n- {a: 2}\n");
    /// # Ok::<(), ketch_edit::EditError>(())
    /// ```
    #[must_use]
    pub fn at(action: Action, path: &Path) -> Operation {
        let documents = path.documents().cloned();
        Operation { documents, ..Operation::new(action, path.steps()) }
    }

    /// Creates an operation that finds the node at `path` of the document `doc`, and changes
    /// nothing.
    pub(super) fn to_find(doc: usize, path: &[Step]) -> Operation {
        Operation { doc, ..Operation::new(Action::Test(NewValue::default()), path) }
    }
}
