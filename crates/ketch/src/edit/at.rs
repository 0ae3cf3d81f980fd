//! Edits of the nodes that a path leads to.

use super::{
    Action, AliasMode, AnchorMode, CommentPlace, Edit, Error, IfAbsent, NewValue, Operation,
    Position, Result, Style, Transfer,
};
use crate::{Path, Value};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The nodes that a path leads to, for edits. Each method is one operation, which either succeeds
/// as a whole or is rejected and changes nothing.
///
/// If the path goes through an alias, an edit is rejected unless [`At::through_aliases`] or
/// [`At::detaching_aliases`] was called.
#[derive(Debug)]
pub struct At<'e> {
    edit: &'e mut Edit,
    path: Path,
    alias: Option<AliasMode>,
    anchors: Option<AnchorMode>,
    if_absent: IfAbsent,
    tag: Option<String>,
    keep_tag: bool,
    position: Position,
}

impl<'e> At<'e> {
    /// Creates the target of edits of the nodes that `path` leads to.
    pub(super) fn new(edit: &'e mut Edit, path: Path) -> At<'e> {
        At {
            edit,
            path,
            alias: None,
            anchors: None,
            if_absent: IfAbsent::default(),
            tag: None,
            keep_tag: false,
            position: Position::Last,
        }
    }

    /// If the path goes through an alias, edits the anchored node. This also changes what all other
    /// aliases of that node stand for.
    #[must_use]
    pub fn through_aliases(self) -> At<'e> {
        At { alias: Some(AliasMode::Through), ..self }
    }

    /// If the path goes through an alias, replaces the alias with a copy of its node, and edits the
    /// copy.
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
        At { alias: Some(AliasMode::Detach), ..self }
    }

    /// If aliases still refer to a node that is deleted, moves it to the place of its first alias.
    #[must_use]
    pub fn promoting_anchors(self) -> At<'e> {
        At { anchors: Some(AnchorMode::Promote), ..self }
    }

    /// If aliases still refer to a node that is deleted, or to an anchor that is removed, replaces
    /// them with copies of the node.
    #[must_use]
    pub fn expanding_anchors(self) -> At<'e> {
        At { anchors: Some(AnchorMode::Expand), ..self }
    }

    /// Edits only nodes that exist. If there is no node at the path, an edit does nothing instead of
    /// failing or adding an entry.
    #[must_use]
    pub fn if_exists(self) -> At<'e> {
        At { if_absent: IfAbsent::Skip, ..self }
    }

    /// Gives new values the tag `tag`.
    ///
    /// ```
    /// use ketch::edit::Edit;
    ///
    /// let mut edit = Edit::open("role: web\ncount: !Ref Nodes\n")?;
    /// edit.at("role")?.tagged("!Ref").set("Web")?;
    /// edit.at("count")?.set(2)?;
    /// assert_eq!(edit.text(), "role: !Ref Web\ncount: 2\n");
    /// # Ok::<(), ketch::edit::Error>(())
    /// ```
    #[must_use]
    pub fn tagged(self, tag: impl Into<String>) -> At<'e> {
        At { tag: Some(tag.into()), ..self }
    }

    /// Keeps the tag of a node that gets a new value without a tag, even if YAML does not define
    /// it. By default, such a tag is dropped.
    #[must_use]
    pub fn keeping_tag(self) -> At<'e> {
        At { keep_tag: true, ..self }
    }

    /// Inserts new entries at the start of their collection.
    #[must_use]
    pub fn first(self) -> At<'e> {
        At { position: Position::First, ..self }
    }

    /// Inserts new entries at the position `index`, which counts from 0.
    #[must_use]
    pub fn index(self, index: usize) -> At<'e> {
        At { position: Position::Index(index), ..self }
    }

    /// Inserts new entries before the entry with the key `key`.
    #[must_use]
    pub fn before(self, key: impl Into<String>) -> At<'e> {
        At { position: Position::Before(key.into()), ..self }
    }

    /// Inserts new entries after the entry with the key `key`.
    #[must_use]
    pub fn after(self, key: impl Into<String>) -> At<'e> {
        At { position: Position::After(key.into()), ..self }
    }

    /// Reads the first value that the path leads to in the current text. This parses the whole
    /// text.
    ///
    /// # Errors
    ///
    /// Fails if there is no node at the path, if the value does not match the type, or if the text
    /// cannot be read.
    pub fn get<T: DeserializeOwned>(&self) -> Result<T> {
        match self.values()?.into_iter().next() {
            Some(value) => Ok(crate::from_value(value)?),
            None => Err(Error::Missing(self.path.to_string())),
        }
    }

    /// Reads all values that the path leads to in the current text. This parses the whole text.
    ///
    /// # Errors
    ///
    /// Fails if the text cannot be read.
    pub fn values(&self) -> Result<Vec<Value>> {
        Ok(self.edit.values(&self.path)?)
    }

    /// Returns `value` as the value of an operation, with the options that were set.
    fn value(&self, value: impl Serialize) -> Result<NewValue> {
        let (tag, keep_tag) = (self.tag.clone(), self.keep_tag);
        Ok(NewValue { tag, keep_tag, ..crate::to_string(&value)?.into() })
    }

    /// Applies `action` at the path, with the options that were set.
    fn apply(&mut self, action: Action) -> Result<()> {
        let operation = self.operation(action);
        self.edit.apply(&[operation])
    }

    /// Returns the operation that applies `action` at the path, with the options that were set.
    fn operation(&self, action: Action) -> Operation {
        Operation {
            alias: self.alias,
            anchors: self.anchors,
            if_absent: self.if_absent,
            ..Operation::at(action.placed(self.position.clone()), &self.path)
        }
    }

    /// Replaces the value at the path with `value`. If the path leads to an entry that does not
    /// exist, adds the entry. If a collection replaces a collection, parts that are equal keep
    /// their bytes.
    ///
    /// # Errors
    ///
    /// Fails if `value` cannot be written as YAML, or if the operation is rejected.
    pub fn set(&mut self, value: impl Serialize) -> Result<()> {
        let value = self.value(value)?;
        self.apply(Action::set(value))
    }

    /// Sets a sequence of mappings as [`At::set`] does. Items of the old and the new sequence are
    /// treated as the same item if they have the same value for `key`.
    ///
    /// # Errors
    ///
    /// Fails as [`At::set`] does.
    pub fn set_by_key(&mut self, key: impl Serialize, value: impl Serialize) -> Result<()> {
        let (value, key) = (self.value(value)?, crate::to_string(&key)?);
        self.apply(Action::set(value).with_key(Some(key)))
    }

    /// Replaces an existing value with `value` as a whole, without keeping the bytes of equal
    /// parts.
    ///
    /// # Errors
    ///
    /// Fails as [`At::set`] does.
    pub fn replace(&mut self, value: impl Serialize) -> Result<()> {
        let value = self.value(value)?;
        self.apply(Action::Replace(value))
    }

    /// Adds `value` as an item at the end of the sequence.
    ///
    /// # Errors
    ///
    /// Fails as [`At::set`] does.
    pub fn append(&mut self, value: impl Serialize) -> Result<()> {
        let value = self.value(value)?;
        self.apply(Action::Append(value))
    }

    /// Adds `value` as an item to the sequence: at the end, unless [`At::first`] or [`At::index`]
    /// was called.
    ///
    /// # Errors
    ///
    /// Fails as [`At::set`] does.
    pub fn insert(&mut self, value: impl Serialize) -> Result<()> {
        let value = self.value(value)?;
        self.apply(Action::insert(value))
    }

    /// Adds an entry to the mapping: at the end, unless [`At::first`], [`At::index`],
    /// [`At::before`] or [`At::after`] was called.
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
    /// Fails as [`At::set`] does.
    pub fn insert_entry(&mut self, key: impl Serialize, value: impl Serialize) -> Result<()> {
        let (value, key) = (self.value(value)?, crate::to_string(&key)?);
        self.apply(Action::insert(value).with_key(Some(key)))
    }

    /// Deletes the entry and its comments.
    ///
    /// # Errors
    ///
    /// Fails as [`At::set`] does.
    pub fn delete(&mut self) -> Result<()> {
        self.apply(Action::Delete)
    }

    /// Changes the key of the entry to `key`.
    ///
    /// # Errors
    ///
    /// Fails as [`At::set`] does.
    pub fn rename(&mut self, key: &str) -> Result<()> {
        self.apply(Action::Rename(key.to_owned()))
    }

    /// Moves the entry, with its comments, into the collection at the path `collection` of the
    /// document.
    ///
    /// # Errors
    ///
    /// Fails as [`At::set`] does, or if `collection` is not a path.
    pub fn move_to(&mut self, collection: &str) -> Result<()> {
        self.transfer(Action::Move, collection)
    }

    /// Copies the entry, with its comments, into the collection at the path `collection` of the
    /// document.
    ///
    /// # Errors
    ///
    /// Fails as [`At::set`] does, or if `collection` is not a path.
    pub fn copy_to(&mut self, collection: &str) -> Result<()> {
        self.transfer(Action::Copy, collection)
    }

    /// Moves or copies the entry into the collection at the path `collection`.
    fn transfer(&mut self, action: fn(Transfer) -> Action, collection: &str) -> Result<()> {
        let path: Path =
            collection.parse().map_err(|error| Error::Path(collection.to_owned(), error))?;
        self.apply(action(Transfer::to(path.steps().to_vec())))
    }

    /// Merges the entries of the mapping `value` into the mapping, recursing into nested mappings
    /// and keeping entries that `value` does not mention.
    ///
    /// # Errors
    ///
    /// Fails as [`At::set`] does.
    pub fn merge(&mut self, value: impl Serialize) -> Result<()> {
        let value = self.value(value)?;
        self.apply(Action::Merge(value))
    }

    /// Like [`At::merge`], but a null in `value` deletes the corresponding entry, as in RFC 7396.
    ///
    /// # Errors
    ///
    /// Fails as [`At::set`] does.
    pub fn merge_patch(&mut self, value: impl Serialize) -> Result<()> {
        let value = self.value(value)?;
        self.apply(Action::MergePatch(value))
    }

    /// Sorts the items of a sequence, or the entries of a mapping by key. Comments move with them.
    ///
    /// # Errors
    ///
    /// Fails as [`At::set`] does.
    pub fn sort(&mut self) -> Result<()> {
        self.apply(Action::sort())
    }

    /// Sets the comment above the entry to `text`, on lines of its own.
    ///
    /// # Errors
    ///
    /// Fails as [`At::set`] does.
    pub fn comment_above(&mut self, text: &str) -> Result<()> {
        self.comment(CommentPlace::Leading, Some(text.to_owned()))
    }

    /// Sets the comment at the end of the entry's line to `text`.
    ///
    /// # Errors
    ///
    /// Fails as [`At::set`] does.
    pub fn comment_after(&mut self, text: &str) -> Result<()> {
        self.comment(CommentPlace::Trailing, Some(text.to_owned()))
    }

    /// Removes the comments above the entry and at the end of its line.
    ///
    /// # Errors
    ///
    /// Fails as [`At::set`] does.
    pub fn remove_comments(&mut self) -> Result<()> {
        let places = [CommentPlace::Leading, CommentPlace::Trailing];
        let both = places.map(|place| self.operation(Action::Comment { place, text: None }));
        self.edit.apply(&both)
    }

    fn comment(&mut self, place: CommentPlace, text: Option<String>) -> Result<()> {
        self.apply(Action::Comment { place, text })
    }

    /// Rewrites the value in the style `style`.
    ///
    /// # Errors
    ///
    /// Fails as [`At::set`] does.
    pub fn style(&mut self, style: Style) -> Result<()> {
        self.apply(Action::Style(style))
    }

    /// Sets the anchor of the node to `name`. If the node already has an anchor, also renames its
    /// aliases.
    ///
    /// # Errors
    ///
    /// Fails as [`At::set`] does.
    pub fn anchor(&mut self, name: &str) -> Result<()> {
        self.apply(Action::Anchor(Some(name.to_owned())))
    }

    /// Removes the anchor of the node.
    ///
    /// # Errors
    ///
    /// Fails as [`At::set`] does.
    pub fn remove_anchor(&mut self) -> Result<()> {
        self.apply(Action::Anchor(None))
    }

    /// Checks that the value at the path equals `value`. The operation is rejected if it does not.
    ///
    /// # Errors
    ///
    /// Fails as [`At::set`] does.
    pub fn test(&mut self, value: impl Serialize) -> Result<()> {
        let value = self.value(value)?;
        self.apply(Action::Test(value))
    }
}
