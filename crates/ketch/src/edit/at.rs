//! Edits of what a path leads to.

use super::{Edit, Error, Operation, Result};
use crate::{Path, Value};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The target of edits: whatever a path leads to. Each method is one operation, which either
/// succeeds as a whole or is rejected and changes nothing.
///
/// A path through an alias is rejected unless [`At::through_aliases`] or [`At::detaching_aliases`]
/// says what to do.
#[derive(Debug)]
pub struct At<'e> {
    edit: &'e mut Edit,
    path: Path,
    alias: Option<&'static str>,
    anchors: Option<&'static str>,
    if_exists: bool,
    place: Place,
}

/// Where a new entry goes.
#[derive(Clone, Debug, Default)]
enum Place {
    #[default]
    Last,
    First,
    Index(usize),
    Before(String),
    After(String),
}

impl<'e> At<'e> {
    /// Creates the target of edits at `path`.
    pub(super) fn new(edit: &'e mut Edit, path: Path) -> At<'e> {
        At { edit, path, alias: None, anchors: None, if_exists: false, place: Place::Last }
    }

    /// Edits the anchored node if the path goes through an alias. All other aliases change with it.
    #[must_use]
    pub fn through_aliases(self) -> At<'e> {
        At { alias: Some("through"), ..self }
    }

    /// Replaces an alias on the path with a copy of its node, and edits the copy.
    ///
    /// ```
    /// use ketch::edit::Edit;
    ///
    /// let mut edit = Edit::open("a: &x\n  b: 1\nc: *x\n")?;
    /// edit.at("c.b")?.detaching_aliases().set(2)?;
    /// assert_eq!(edit.text(), "a: &x\n  b: 1\nc:\n  b: 2\n");
    /// # Ok::<(), ketch::edit::Error>(())
    /// ```
    #[must_use]
    pub fn detaching_aliases(self) -> At<'e> {
        At { alias: Some("detach"), ..self }
    }

    /// Moves a deleted node to the place of its first alias, if aliases still refer to it.
    #[must_use]
    pub fn promoting_anchors(self) -> At<'e> {
        At { anchors: Some("promote"), ..self }
    }

    /// Replaces aliases with copies of the node, if they still refer to a deleted node or a removed
    /// anchor.
    #[must_use]
    pub fn expanding_anchors(self) -> At<'e> {
        At { anchors: Some("expand"), ..self }
    }

    /// Edits only what exists. A path that leads to nothing is not an error, and adds nothing.
    #[must_use]
    pub fn if_exists(self) -> At<'e> {
        At { if_exists: true, ..self }
    }

    /// Puts new entries first.
    #[must_use]
    pub fn first(self) -> At<'e> {
        At { place: Place::First, ..self }
    }

    /// Puts new entries at this index.
    #[must_use]
    pub fn index(self, index: usize) -> At<'e> {
        At { place: Place::Index(index), ..self }
    }

    /// Puts new entries before the one with this key.
    #[must_use]
    pub fn before(self, key: impl Into<String>) -> At<'e> {
        At { place: Place::Before(key.into()), ..self }
    }

    /// Puts new entries after the one with this key.
    #[must_use]
    pub fn after(self, key: impl Into<String>) -> At<'e> {
        At { place: Place::After(key.into()), ..self }
    }

    /// Reads the value, in the text as it is now. This parses the whole text.
    ///
    /// # Errors
    ///
    /// Fails if the path leads to nothing, or the first value is not of the type.
    pub fn get<T: DeserializeOwned>(&self) -> Result<T> {
        match self.values()?.into_iter().next() {
            Some(value) => Ok(crate::from_value(value)?),
            None => Err(Error::Missing(self.path.to_string())),
        }
    }

    /// Reads all values, in the text as it is now. This parses the whole text.
    ///
    /// # Errors
    ///
    /// Fails if the text cannot be read.
    pub fn values(&self) -> Result<Vec<Value>> {
        Ok(self.edit.values(&self.path)?)
    }

    /// Returns an operation on the path, with the options that were set.
    fn operation(&self, op: &str) -> Operation {
        Operation {
            alias: self.alias.map(str::to_owned),
            anchors: self.anchors.map(str::to_owned),
            if_exists: self.if_exists,
            ..Operation::at(op, &self.path)
        }
    }

    /// Returns an operation that adds an entry.
    fn placed(&self, op: &str) -> Operation {
        let mut operation = self.operation(op);
        match self.place.clone() {
            Place::Last => {}
            Place::First => operation.first = true,
            Place::Index(index) => operation.index = Some(index),
            Place::Before(key) => operation.before = Some(key),
            Place::After(key) => operation.after = Some(key),
        }
        operation
    }

    /// Applies one operation.
    fn apply(&mut self, operation: Operation) -> Result<()> {
        self.edit.apply(&[operation])
    }

    /// Applies an operation that takes a value.
    fn apply_value(&mut self, op: &str, value: impl Serialize) -> Result<()> {
        self.apply(self.operation(op).with_value(&crate::to_string(&value)?))
    }

    /// Changes the value, or adds the entry. If a collection replaces a collection, equal parts keep
    /// their bytes.
    ///
    /// # Errors
    ///
    /// Fails if the value cannot be written or the operation is rejected.
    pub fn set(&mut self, value: impl Serialize) -> Result<()> {
        self.apply_value("set", value)
    }

    /// Sets a sequence of mappings, in which two items are the same item if they have the same value
    /// for `key`.
    ///
    /// # Errors
    ///
    /// See [`At::set`].
    pub fn set_by_key(&mut self, key: impl Serialize, value: impl Serialize) -> Result<()> {
        let operation = self.operation("set").with_value(&crate::to_string(&value)?);
        self.apply(Operation { key: Some(crate::to_string(&key)?), ..operation })
    }

    /// Replaces an existing value as a whole, without keeping the bytes of equal parts.
    ///
    /// # Errors
    ///
    /// See [`At::set`].
    pub fn replace(&mut self, value: impl Serialize) -> Result<()> {
        self.apply_value("replace", value)
    }

    /// Adds an item at the end of the sequence.
    ///
    /// # Errors
    ///
    /// See [`At::set`].
    pub fn append(&mut self, value: impl Serialize) -> Result<()> {
        self.apply_value("append", value)
    }

    /// Adds an item to the sequence: last, unless [`At::first`] or [`At::index`] says otherwise.
    ///
    /// # Errors
    ///
    /// See [`At::set`].
    pub fn insert(&mut self, value: impl Serialize) -> Result<()> {
        self.apply(self.placed("insert").with_value(&crate::to_string(&value)?))
    }

    /// Adds an entry to the mapping: last, unless [`At::before`] or another method says otherwise.
    ///
    /// ```
    /// use ketch::edit::Edit;
    ///
    /// let mut edit = Edit::open("a: 1\nc: 3\n")?;
    /// edit.at(".")?.before("c").insert_entry("b", 2)?;
    /// assert_eq!(edit.text(), "a: 1\nb: 2\nc: 3\n");
    /// # Ok::<(), ketch::edit::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`At::set`].
    pub fn insert_entry(&mut self, key: impl Serialize, value: impl Serialize) -> Result<()> {
        let operation = self.placed("insert").with_value(&crate::to_string(&value)?);
        self.apply(Operation { key: Some(crate::to_string(&key)?), ..operation })
    }

    /// Removes the entry with its comments.
    ///
    /// # Errors
    ///
    /// See [`At::set`].
    pub fn delete(&mut self) -> Result<()> {
        self.apply(self.operation("delete"))
    }

    /// Changes the key of the entry.
    ///
    /// # Errors
    ///
    /// See [`At::set`].
    pub fn rename(&mut self, key: &str) -> Result<()> {
        self.apply(Operation { to: Some(key.to_owned()), ..self.operation("rename") })
    }

    /// Moves the entry, with its comments, into the collection at another path of the document.
    ///
    /// # Errors
    ///
    /// See [`At::set`].
    pub fn move_to(&mut self, collection: &str) -> Result<()> {
        self.transfer("move", collection)
    }

    /// Copies the entry, with its comments, into the collection at another path of the document.
    ///
    /// # Errors
    ///
    /// See [`At::set`].
    pub fn copy_to(&mut self, collection: &str) -> Result<()> {
        self.transfer("copy", collection)
    }

    /// Moves or copies the entry into the collection at another path.
    fn transfer(&mut self, op: &str, collection: &str) -> Result<()> {
        let path: Path =
            collection.parse().map_err(|error| Error::Path(collection.to_owned(), error))?;
        self.apply(Operation { to_path: path.steps().to_vec(), ..self.placed(op) })
    }

    /// Sets the entries that the mapping `value` has, and keeps all others.
    ///
    /// # Errors
    ///
    /// See [`At::set`].
    pub fn merge(&mut self, value: impl Serialize) -> Result<()> {
        self.apply_value("merge", value)
    }

    /// Like [`At::merge`], but null deletes an entry (RFC 7396).
    ///
    /// # Errors
    ///
    /// See [`At::set`].
    pub fn merge_patch(&mut self, value: impl Serialize) -> Result<()> {
        self.apply_value("merge_patch", value)
    }

    /// Sorts items, or entries by key; comments go with them.
    ///
    /// # Errors
    ///
    /// See [`At::set`].
    pub fn sort(&mut self) -> Result<()> {
        self.apply(self.operation("sort"))
    }

    /// Writes a comment on separate lines above the entry.
    ///
    /// # Errors
    ///
    /// See [`At::set`].
    pub fn comment_above(&mut self, text: &str) -> Result<()> {
        self.apply(self.comment("leading", Some(text)))
    }

    /// Writes a comment on the line of the entry, after it.
    ///
    /// # Errors
    ///
    /// See [`At::set`].
    pub fn comment_after(&mut self, text: &str) -> Result<()> {
        self.apply(self.comment("trailing", Some(text)))
    }

    /// Removes the comments above the entry and after it.
    ///
    /// # Errors
    ///
    /// See [`At::set`].
    pub fn remove_comments(&mut self) -> Result<()> {
        let both = [self.comment("leading", None), self.comment("trailing", None)];
        self.edit.apply(&both)
    }

    /// Returns an operation that sets or removes a comment.
    fn comment(&self, place: &str, text: Option<&str>) -> Operation {
        let (place, text) = (Some(place.to_owned()), text.map(str::to_owned));
        Operation { place, text, ..self.operation("comment") }
    }

    /// Writes the same value in a different style: `plain`, `single`, `double`, `literal` or
    /// `folded`, or `block` or `flow`.
    ///
    /// # Errors
    ///
    /// See [`At::set`].
    pub fn style(&mut self, style: &str) -> Result<()> {
        self.apply(Operation { to: Some(style.to_owned()), ..self.operation("style") })
    }

    /// Gives the node an anchor, or renames its anchor and the aliases.
    ///
    /// # Errors
    ///
    /// See [`At::set`].
    pub fn anchor(&mut self, name: &str) -> Result<()> {
        self.apply(Operation { to: Some(name.to_owned()), ..self.operation("anchor") })
    }

    /// Removes the anchor of the node.
    ///
    /// # Errors
    ///
    /// See [`At::set`].
    pub fn remove_anchor(&mut self) -> Result<()> {
        self.apply(self.operation("anchor"))
    }

    /// Checks the value, and is rejected if it differs.
    ///
    /// # Errors
    ///
    /// See [`At::set`].
    pub fn test(&mut self, value: impl Serialize) -> Result<()> {
        self.apply_value("test", value)
    }
}
