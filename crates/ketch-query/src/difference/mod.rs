//! The difference between a document and a value that a program made of it, as operations of the editor.
//!
//! Values know the nodes that they come from, so the difference is one of nodes, not of texts:
//!
//! - A node at its old place is not entered.
//! - Entries of mappings pair by their keys, and a value under a new key of its mapping has a new key. Items of sequences
//!   pair by the nodes that they come from, then by equality; what is left between two pairs is paired by its position if
//!   both sides have equally many.
//! - Other nodes of the document are copied with their comments, and what is new is inserted.
//! - The entries are put in the order of the value.
//!
//! Operations come in the reverse order of the document, so the path of each is that in the document as it was. Only
//! copies come first: their sources may change, and at the end of a collection they change no path.

mod entries;
mod mapping;
mod moves;
mod scalar;
mod sequence;

use crate::error::{Failure, Kind as ErrorKind};
use crate::value::{Decoration, Kind, Source, Value};
use ketch_edit::{Action, AliasMode, AnchorMode, CommentPlace, Operation};
use ketch_yaml::compose::{Kind as NodeKind, Node, NodeId};
use ketch_yaml::path::Step;
use std::collections::HashMap;
use std::sync::Arc;

/// What operations may do to aliases and anchors.
#[derive(Clone, Copy, Debug, Default)]
pub struct Permissions {
    /// What to do at an alias through which a value was changed. By default, it is an error.
    pub alias: Option<AliasMode>,
    /// What to do if an anchor of a node that is removed is in use. By default, it is an error.
    pub anchors: Option<AnchorMode>,
}

/// Returns the operations that change the document `source` into `result`.
///
/// # Errors
///
/// Returns an error of the kind `key-not-text` if the change needs the text of a key that is a collection.
pub fn difference(
    source: &Arc<Source>,
    result: &Value,
    permissions: Permissions,
) -> Result<Vec<Operation>, Failure> {
    let root = Place { parent: None, step: Step::Index(0) };
    let pair = Pair { node: source.document().root().id(), value: result.clone(), place: 0 };
    let mut difference = Difference {
        source,
        permissions,
        places: vec![root],
        pending: vec![pair],
        copies: Vec::new(),
        groups: Vec::new(),
        anchored: HashMap::new(),
    };
    while let Some(pair) = difference.pending.pop() {
        difference.pair(&pair)?;
    }
    let Difference { mut copies, groups, .. } = difference;
    let mut changes: Vec<_> = groups.into_iter().rev().flatten().collect();
    moves::join_moves(&mut copies, &mut changes);
    copies.append(&mut changes);
    Ok(copies)
}

struct Difference<'s> {
    source: &'s Arc<Source>,
    permissions: Permissions,
    /// The places of pairs; the root's is the first.
    places: Vec<Place>,
    /// The pairs that are still to be compared. They are compared in the order of the document.
    pending: Vec<Pair>,
    copies: Vec<Operation>,
    /// The operations of each pair.
    groups: Vec<Vec<Operation>>,
    /// The new values of nodes with anchors.
    anchored: HashMap<NodeId, Value>,
}

/// A node and its new value.
struct Pair {
    node: NodeId,
    value: Value,
    /// The index of its place.
    place: usize,
}

/// The place of a node.
struct Place {
    /// The index of the place of its collection; none for the root.
    parent: Option<usize>,
    step: Step,
}

impl<'s> Difference<'s> {
    /// Compares a node with its new value.
    fn pair(&mut self, pair: &Pair) -> Result<(), Failure> {
        let source = self.source;
        let node = source.document().node(pair.node);
        if node.anchor_span().is_some() && node.kind() != NodeKind::Alias {
            self.anchored.insert(pair.node, pair.value.clone());
        }
        let mut group = Vec::new();
        let decoration = pair.value.decoration();
        let tag = decoration.and_then(|decoration| new_tag(node, decoration));
        let is_collection = matches!(node.kind(), NodeKind::Sequence | NodeKind::Mapping)
            && pair.value.entry_count().is_some();
        if tag.is_some() && !is_collection {
            group.push(match tag.is_some_and(str::is_empty) {
                true => self.replace(&pair.value, pair.place)?,
                false => self.overwrite(node, &pair.value, pair.place)?,
            });
        } else {
            let value = pair.value.bare();
            if !self.is_at(&value, node) {
                self.change(node, &value, pair.place, &mut group)?;
            }
            group.extend(tag.map(|tag| {
                let tag = Some(tag.to_owned()).filter(|tag| !tag.is_empty());
                self.operation(Action::Tag(tag), self.path(pair.place))
            }));
        }
        if let Some(decoration) = decoration {
            self.decorate(decoration, self.path(pair.place), &mut group);
        }
        if !group.is_empty() {
            self.groups.push(group);
        }
        Ok(())
    }

    /// Returns whether `value` is `node` itself, which nothing has changed.
    fn is_at(&self, value: &Value, node: Node<'_>) -> bool {
        match value {
            Value::Node(source, id) if Arc::ptr_eq(source, self.source) => {
                *id == node.id()
                    || node.kind() != NodeKind::Alias && source.node(*id).id() == node.id()
            }
            _ => false,
        }
    }

    /// Changes a node into `value`.
    fn change(
        &mut self,
        node: Node<'s>,
        value: &Value,
        place: usize,
        group: &mut Vec<Operation>,
    ) -> Result<(), Failure> {
        let Some(target) = node.target() else {
            return self.change_into(node, value, place, group);
        };
        let new = self.anchored.get(&target.id()).cloned();
        let new = new.unwrap_or_else(|| self.source.value(target));
        if new.compare(value).is_eq() {
            return Ok(());
        }
        let comes_from = |(source, id): (Arc<Source>, NodeId)| {
            Arc::ptr_eq(&source, self.source) && id == target.id()
        };
        let is_part = matches!(value, Value::Array(_) | Value::Object(_));
        match is_part && value.origin().is_some_and(comes_from) {
            true => self.change_into(target, value, place, group),
            false => {
                // The alias itself is replaced.
                group.push(Operation { alias: None, ..self.replace(value, place)? });
                Ok(())
            }
        }
    }

    /// Changes a node that is no alias into `value`.
    fn change_into(
        &mut self,
        node: Node<'s>,
        value: &Value,
        place: usize,
        group: &mut Vec<Operation>,
    ) -> Result<(), Failure> {
        let has_entries = value.entry_count().is_some_and(|count| count > 0)
            && (!node.is_empty() || self.has_own_entries(value));
        match (node.kind(), value.kind()) {
            (NodeKind::Mapping, Kind::Object) if has_entries => {
                self.mapping(node, value, place, group)
            }
            (NodeKind::Sequence, Kind::Array) if has_entries => {
                self.sequence(node, value, place, group)
            }
            _ => {
                if !self.source.value(node).compare(value).is_eq() {
                    group.push(self.overwrite(node, value, place)?);
                }
                Ok(())
            }
        }
    }

    /// Returns whether an entry of a value is a node of the document, which can be copied.
    fn has_own_entries(&self, value: &Value) -> bool {
        let is_own = |entry: &Value| matches!(entry, Value::Node(source, _) if Arc::ptr_eq(source, self.source));
        match value {
            Value::Array(array) => array.entries.iter().any(is_own),
            Value::Object(object) => object.entries.values().any(is_own),
            _ => false,
        }
    }

    /// Returns the operation that sets a node to a value.
    fn overwrite(&self, node: Node<'_>, value: &Value, place: usize) -> Result<Operation, Failure> {
        let new = scalar::in_place_of(self.source, node, value)?;
        Ok(self.operation(Action::set(new), self.path(place)))
    }

    /// Returns the operation that writes a whole collection again.
    fn replace(&self, value: &Value, place: usize) -> Result<Operation, Failure> {
        let new = scalar::new_value(value)?;
        Ok(self.operation(Action::Replace(new), self.path(place)))
    }

    /// Adds the operations that write the style and the comments of a value at `path`.
    fn decorate(&self, own: &Decoration, path: Vec<Step>, group: &mut Vec<Operation>) {
        let mut add = |action| group.push(self.operation(action, path.clone()));
        if let Some(style) = own.style {
            add(Action::Style(style));
        }
        let comments =
            [(CommentPlace::Leading, &own.comment), (CommentPlace::Trailing, &own.line_comment)];
        for (place, text) in comments {
            if let Some(text) = text {
                let text = text.as_ref().map(|text| text.to_string());
                add(Action::Comment { place, text });
            }
        }
    }

    /// Returns the operation that does `action` at `path`.
    fn operation(&self, action: Action, path: Vec<Step>) -> Operation {
        let Permissions { alias, anchors } = self.permissions;
        let operation = Operation::new(action, &[]);
        Operation { path, doc: self.source.number(), alias, anchors, ..operation }
    }

    /// Returns the path of a place.
    fn path(&self, mut place: usize) -> Vec<Step> {
        let mut path = Vec::new();
        while let Place { parent: Some(parent), step } = &self.places[place] {
            path.push(step.clone());
            place = *parent;
        }
        path.reverse();
        path
    }

    /// Adds the pair of an entry of the collection at `parent`.
    fn enter(&mut self, node: NodeId, value: Value, (parent, step): (usize, Step)) {
        let place = self.places.len();
        self.places.push(Place { parent: Some(parent), step });
        self.pending.push(Pair { node, value, place });
    }
}

/// Returns the new tag of `node`, which is empty for none, if a decoration changes it.
fn new_tag<'v>(node: Node<'_>, decoration: &'v Decoration) -> Option<&'v str> {
    let old = node.tag().unwrap_or_default();
    decoration.tag.as_deref().filter(|tag| crate::value::full_tag(tag) != old)
}

/// Returns the error that a change needs the text of a key that is a collection.
fn key_without_text(key: Value) -> Failure {
    let message = "this key is a collection, so it has no text by which its entry can be changed";
    Failure::new(ErrorKind::KeyNotText, message).about(&key)
}
