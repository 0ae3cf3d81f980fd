//! Running operations.

use super::error::{EditError, EditErrorKind};
use super::operation::{Action, AliasMode, Operation, Spelling};
use super::plan::Found;
use super::remark::Remark;
use super::scene::{Place, Scene};
use super::tree::{Shape, Token, Tree};
use super::write::{Value, key_source};
use super::{anchors, foreign, removal, replace, sort, style, transfer, typed};
use ketch_yaml::path::{Step, array_index};
use std::collections::HashMap;

impl Scene {
    /// Runs `operation` on the text of the scene.
    pub fn run(&mut self, operation: &Operation) -> Result<(), EditError> {
        self.doc = operation.doc;
        let mut value = self.value_of(operation)?;
        if operation.alias == Some(AliasMode::Detach) {
            anchors::detach(self, operation)?;
        }
        let path = &operation.path;
        let new = operation.action.value();
        let is_whole = new.is_some_and(|new| new.spelling == Spelling::Whole);
        if is_whole && matches!(operation.action, Action::Set { .. } | Action::Merge(_)) {
            let settled = value.map(|value| foreign::settle_anchors(self, operation, path, value));
            value = settled.transpose()?;
        }
        match (&operation.action, value) {
            (Action::Set { .. }, Some(value)) => self.set(operation, path, &value),
            (Action::Replace(_), Some(value)) => self.replace(operation, &value),
            (Action::Insert { .. } | Action::Append(_), Some(value)) => {
                self.insert(operation, value)
            }
            (Action::Add(_), Some(value)) => self.add(operation, path, &value),
            (Action::Merge(_), Some(value)) => self.merge_mapping(operation, &value),
            (Action::MergePatch(_), Some(value)) => self.merge(operation, path, &value, true),
            (Action::Test(_), Some(value)) => self.test(operation, &value),
            (Action::Rename(name), _) => self.rename(operation, name),
            (Action::Move(transfer) | Action::Copy(transfer), _) => {
                transfer::transfer(self, operation, transfer)
            }
            (Action::Sort { by, recursive }, _) => sort::sort(self, operation, (by, *recursive)),
            (Action::Arrange(first), _) => sort::arrange(self, operation, first),
            (Action::Comment { place, text }, _) => {
                self.comment(operation, (*place, text.as_deref()))
            }
            (Action::Style(style), _) => style::restyle(self, operation, *style),
            (Action::Anchor(name), _) => anchors::anchor(self, operation, name.as_deref()),
            (Action::Tag(tag), _) => replace::retag(self, operation, tag.as_deref()),
            (Action::RenameAnchor { from, to }, _) => {
                anchors::rename_anchor(self, operation, (from, to))
            }
            // All other actions have a value.
            _ => removal::delete(self, operation, path),
        }
    }

    /// Returns the new value of `operation`, if it has one.
    fn value_of(&mut self, operation: &Operation) -> Result<Option<Value>, EditError> {
        let Some(new) = operation.action.value() else { return Ok(None) };
        let mut value = Value::of(new).map_err(EditError::in_value)?;
        let is_json = self.habits().is_json;
        self.remarks.extend(Remark::of_zeros(new, is_json));
        if is_json {
            value = value.for_json().map_err(EditError::in_value)?;
        }
        Ok(Some(value))
    }

    /// Returns whether the first `count` steps of the operation's path lead to a node.
    pub fn leads_to(&self, operation: &Operation, count: usize) -> bool {
        self.leads_to_node(operation, &operation.path[..count.min(operation.path.len())])
    }

    /// Returns whether `path` leads to a node.
    pub(super) fn leads_to_node(&self, operation: &Operation, path: &[Step]) -> bool {
        matches!(self.find(operation, path), Ok(Found::Node(_)))
    }

    /// Sets the node at `path` to `value`, or adds the missing entry.
    pub(super) fn set(
        &mut self,
        operation: &Operation,
        path: &[Step],
        value: &Value,
    ) -> Result<(), EditError> {
        match self.find(operation, path)? {
            Found::Node(node) => {
                let is_followed = operation.alias == Some(AliasMode::Through)
                    && path.len() == operation.path.len();
                let node = if is_followed { self.followed(operation, node)? } else { node };
                self.reconcile(operation, path, node, value)
            }
            Found::Missing { parent, step } => {
                if operation.is_typed {
                    typed::check_typed(self, path, (parent, step))?;
                }
                let mut holder = value.clone();
                let is_json = self.habits().is_json;
                for deeper in path[(step + 1).min(path.len())..].iter().rev() {
                    holder = holder.wrapped(deeper, is_json)?;
                }
                // A moved entry keeps the kind of its key.
                let near = parent.filter(|_| operation.action.value().is_some());
                let key = path.get(step).map(|step| typed::key_at(self, near, step)).transpose()?;
                self.set_missing(operation, path, (parent, step), (key.as_deref(), holder))?;
                let Some((last, parents)) = path.split_last() else { return Ok(()) };
                let key = key.filter(|_| step + 1 == path.len());
                let key = key.unwrap_or_else(|| key_source(last, is_json));
                let key = (!matches!(last, Step::Index(_))).then_some(key);
                let place = Place { parents: parents.to_vec(), key };
                foreign::bring(self, operation, (&place, None), value)
            }
        }
    }

    /// Adds `value` at `path`, where nothing is yet: as an entry of `parent`, the last existing
    /// node on the path, or as the root of an empty document. `step` is the index of the first
    /// missing step, and `key` the new key.
    fn set_missing(
        &mut self,
        operation: &Operation,
        path: &[Step],
        (parent, step): (Option<usize>, usize),
        (key, value): (Option<&str>, Value),
    ) -> Result<(), EditError> {
        let is_json = self.habits().is_json;
        let wrapped = |value: Value| match path.get(step) {
            Some(step) => value.wrapped(step, is_json),
            None => Ok(value),
        };
        let Some(parent) = parent else {
            return self.fill_document(operation.doc, &wrapped(value)?);
        };
        let node = &self.tree.nodes[parent];
        match node.shape {
            Shape::Mapping => self.insert_entry(parent, key, &value, None),
            Shape::Scalar if self.is_null(parent) => {
                if node.is_absent() && node.parent.is_none() {
                    return self.fill_document(operation.doc, &wrapped(value)?);
                }
                self.overwrite(parent, &wrapped(value)?)
            }
            Shape::Sequence => {
                let error = self.refuse(EditErrorKind::NotFound, node.start);
                Err(error.with_detail(self.missing(parent, &path[step])))
            }
            _ => {
                let error = self.refuse(EditErrorKind::KindMismatch, node.start);
                Err(error.with_detail(self.missing(parent, &path[step])))
            }
        }
    }

    /// Replaces the whole node at the operation's path. It is an error if there is none.
    fn replace(&mut self, operation: &Operation, value: &Value) -> Result<(), EditError> {
        let node = self.existing(operation, &operation.path)?;
        replace::replace_node(self, operation, node, value)
    }

    /// Runs `add` of RFC 6902: inserts `value` into a sequence, or sets a key of a mapping.
    pub(super) fn add(
        &mut self,
        operation: &Operation,
        path: &[Step],
        value: &Value,
    ) -> Result<(), EditError> {
        let Some((last, parents)) = path.split_last() else {
            return self.set(operation, path, value);
        };
        let parent = self.existing(operation, parents)?;
        let node = &self.tree.nodes[parent];
        if node.shape != Shape::Sequence {
            return self.set(operation, path, value);
        }
        let count = node.children.len();
        let at = match last {
            Step::Name(name) | Step::Key(name) if name == "-" => Some(count),
            Step::Name(name) | Step::Key(name) => array_index(name),
            Step::Index(index) => usize::try_from(*index).ok(),
            _ => None,
        };
        match at {
            Some(at) if at <= count => self.insert_entry(parent, None, value, Some(at)),
            _ => {
                let error = self.refuse(EditErrorKind::NotFound, node.start);
                Err(error.with_detail(self.missing(parent, last)))
            }
        }
    }

    /// Returns an error if the node at the operation's path is not equal to `value`.
    fn test(&self, operation: &Operation, value: &Value) -> Result<(), EditError> {
        let node = self.existing(operation, &operation.path)?;
        if is_same(&self.tree, node, value) {
            return Ok(());
        }
        Err(self.refuse(EditErrorKind::TestFailed, self.tree.nodes[node].start))
    }
}

/// Returns whether two scalars are the same number. For a JSON Patch, 1 and 1.0 are.
fn is_same_number(a: &[Token], b: &[Token]) -> bool {
    let ([Token::Value(a)], [Token::Value(b)]) = (a, b) else { return false };
    let whole = |text: &str| text.strip_suffix(".0").unwrap_or(text).to_owned();
    whole(a) == whole(b)
}

/// Returns whether `node` is equal to `value`, regardless of the order of keys. Where `value` has a
/// tag, the node must have the same one.
fn is_same(tree: &Tree, node: usize, value: &Value) -> bool {
    let mut pending = vec![(node, value.root)];
    while let Some((left, right)) = pending.pop() {
        let (content, other) = (tree.content(left), value.tree.content(right));
        let tag = value.tree.tag(right).filter(|_| value.traits.tags);
        if tag.is_some() && tag != tree.tag(left) {
            return false;
        }
        if content == other || is_same_number(content, other) {
            continue;
        }
        let (a, b) = (&tree.nodes[left], &value.tree.nodes[right]);
        if a.shape != b.shape || a.children.len() != b.children.len() {
            return false;
        }
        match a.shape {
            Shape::Sequence => {
                pending.extend(a.children.iter().copied().zip(b.children.iter().copied()));
            }
            Shape::Mapping => {
                let others = b.children.chunks_exact(2);
                let others: HashMap<&[Token], usize> =
                    others.map(|pair| (value.tree.content(pair[0]), pair[1])).collect();
                for pair in a.children.chunks_exact(2) {
                    let Some(&other) = others.get(tree.content(pair[0])) else { return false };
                    pending.push((pair[1], other));
                }
            }
            _ => return false,
        }
    }
    true
}
