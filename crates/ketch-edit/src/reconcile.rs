//! Changing a collection into another one so that equal parts keep their bytes.

use super::error::{EditError, EditErrorKind};
use super::lists::{merge_items, name_of, takes_items};
use super::operation::{Lists, Operation};
use super::plan::{Found, step_of};
use super::scene::{Place, Scene};
use super::tree::{Shape, Token, Tree};
use super::write::Value;
use super::{foreign, removal, replace};
use ketch_yaml::path::Step;
use std::collections::HashSet;

/// The maximum number of pairs of old and new items for which the longest common subsequence is
/// computed. With more, only equal items at the start and the end are kept.
const PAIRS_MAX: usize = 1 << 20;

/// A change of one item of a sequence.
#[derive(Clone, Copy, Debug)]
enum Change {
    Set { old: usize, new: usize },
    Delete { old: usize },
    Insert { before: usize, new: usize },
}

impl Scene {
    /// Sets `node`, which is at `path`, to `value`. Parts that are equal keep their bytes.
    pub(super) fn reconcile(
        &mut self,
        operation: &Operation,
        path: &[Step],
        node: usize,
        value: &Value,
    ) -> Result<(), EditError> {
        if value.tag().is_some() && value.tag() != self.tree.tag(node) {
            return replace::replace_node(self, operation, node, value);
        }
        if self.tree.content(node) == value.tokens() {
            return replace::respell(self, node, value);
        }
        let old = &self.tree.nodes[node];
        let is_filled = !old.children.is_empty() && !value.children().is_empty();
        match (old.shape, value.shape()) {
            (Shape::Mapping, Shape::Mapping) if is_filled => {
                if self.shares_no_key(node, value) {
                    return replace::replace_node(self, operation, node, value);
                }
                replace::drop_tag(self, operation, node, value)?;
                self.drop_keys(operation, path, node, value)?;
                for (step, part) in pairs(value)? {
                    self.set(operation, &[path, &[step]].concat(), &part)?;
                }
                Ok(())
            }
            (Shape::Sequence, Shape::Sequence) if is_filled => {
                replace::drop_tag(self, operation, node, value)?;
                self.reconcile_items(operation, path, node, value)
            }
            _ => replace::replace_node(self, operation, node, value),
        }
    }

    /// Returns whether the mapping `node` and the mapping `value` have no key in common.
    fn shares_no_key(&self, node: usize, value: &Value) -> bool {
        let old = self.tree.nodes[node].children.iter().step_by(2);
        let old: HashSet<&[Token]> = old.map(|&key| self.tree.content(key)).collect();
        let mut new = value.children().iter().step_by(2);
        !new.any(|&key| old.contains(value.tree.content(key)))
    }

    /// Deletes the entries of the mapping `node`, at `path`, whose keys `value` does not have.
    fn drop_keys(
        &mut self,
        operation: &Operation,
        path: &[Step],
        node: usize,
        value: &Value,
    ) -> Result<(), EditError> {
        let new = value.children().iter().step_by(2);
        let kept: HashSet<&[Token]> = new.map(|&key| value.tree.content(key)).collect();
        let old = self.tree.nodes[node].children.iter().step_by(2);
        let old = old.map(|&key| self.tree.content(key)).filter(|key| !kept.contains(key));
        let gone: Option<Vec<Step>> = old.map(step_of).collect();
        let Some(gone) = gone else {
            let at = self.tree.nodes[node].start;
            let error = self.refuse(EditErrorKind::KindMismatch, at);
            return Err(error.with_detail("a key of this mapping is not a scalar".to_owned()));
        };
        for step in gone {
            removal::delete(self, operation, &[path, &[step]].concat())?;
        }
        Ok(())
    }

    /// Runs the operation `merge`. It is an error if `value` is not a mapping that is merged into
    /// another one or into null, or a sequence that is merged into another one.
    pub(super) fn merge_mapping(
        &mut self,
        operation: &Operation,
        value: &Value,
    ) -> Result<(), EditError> {
        let is_list = operation.lists != Lists::Replace
            && value.shape() == Shape::Sequence
            && match self.find(operation, &operation.path)? {
                Found::Node(node) => {
                    let node = self.followed(operation, node)?;
                    takes_items(self, operation, node, value)
                }
                Found::Missing { .. } => true,
            };
        if value.shape() != Shape::Mapping && !is_list {
            let error = EditError::plain(EditErrorKind::BadOperation).in_value();
            let message = match (&operation.lists, value.shape()) {
                (Lists::Replace, _) => "only a mapping can be merged",
                (Lists::By(_), Shape::Sequence) => "by a key, only lists with mappings merge",
                (_, Shape::Sequence) => "a list can be merged only into a list",
                _ => "only a mapping or a list can be merged",
            };
            return Err(error.with_detail(message.to_owned()));
        }
        if let Found::Node(node) = self.find(operation, &operation.path)?
            && !is_list
            && matches!(self.tree.nodes[node].shape, Shape::Sequence | Shape::Scalar)
            && !self.is_null(node)
        {
            let error = self.refuse(EditErrorKind::KindMismatch, self.tree.nodes[node].start);
            let message =
                "a mapping can be merged only into a mapping; `set` replaces what is here";
            return Err(error.with_detail(message.to_owned()));
        }
        self.merge(operation, &operation.path, value, false)
    }

    /// Merges the entries of `value` into the mapping at `path`, recursing into nested mappings and
    /// keeping entries that `value` does not mention. If `null_deletes` is set, a null deletes the
    /// corresponding entry, as in RFC 7396; it is not an error if that entry does not exist.
    pub(super) fn merge(
        &mut self,
        operation: &Operation,
        path: &[Step],
        value: &Value,
        null_deletes: bool,
    ) -> Result<(), EditError> {
        let found = self.find(operation, path)?;
        if value.shape() != Shape::Mapping || value.children().is_empty() && !null_deletes {
            return match found {
                // An empty mapping changes nothing in another mapping.
                Found::Node(node)
                    if value.shape() == Shape::Mapping
                        && self.tree.nodes[node].shape == Shape::Mapping =>
                {
                    Ok(())
                }
                Found::Node(node) if value.shape() == Shape::Sequence => {
                    let list = match operation.lists {
                        Lists::Replace => node,
                        _ => self.followed(operation, node)?,
                    };
                    match takes_items(self, operation, list, value) {
                        true => merge_items(self, operation, path, (list, value)),
                        false => self.set(operation, path, value),
                    }
                }
                _ => self.set(operation, path, value),
            };
        }
        let is_mapping = |node: usize| {
            let has_tag = value.tag().is_none() || value.tag() == self.tree.tag(node);
            self.tree.nodes[node].shape == Shape::Mapping && has_tag
        };
        let stays = match found {
            Found::Node(node) => is_mapping(self.followed(operation, node)?),
            Found::Missing { .. } => false,
        };
        if !stays {
            let value = if null_deletes { without_nulls(value)? } else { value.clone() };
            return self.set(operation, path, &value);
        }
        for (step, part) in pairs(value)? {
            let path = [path, &[step]].concat();
            if null_deletes && is_null(&part) {
                if let Found::Node(_) = self.find(operation, &path)? {
                    removal::delete(self, operation, &path)?;
                }
            } else {
                self.merge(operation, &path, &part, null_deletes)?;
            }
        }
        Ok(())
    }

    /// Changes the items of the sequence `node`, at `path`, into those of `value`. The items of the
    /// longest common subsequence stay, and the others are set, deleted or inserted.
    fn reconcile_items(
        &mut self,
        operation: &Operation,
        path: &[Step],
        node: usize,
        value: &Value,
    ) -> Result<(), EditError> {
        let at = |index: usize| [path, &[Step::Index(index as i64)]].concat();
        for change in self.changes(operation, node, value) {
            match change {
                Change::Set { old, new } => {
                    self.set(operation, &at(old), &value.part(value.children()[new]))?;
                }
                Change::Delete { old } => removal::delete(self, operation, &at(old))?,
                Change::Insert { before, new } => {
                    let parent = self.existing(operation, path)?;
                    let part = value.part(value.children()[new]);
                    self.insert_entry(parent, None, &part, Some(before))?;
                    let place = Place { parents: path.to_vec(), key: None };
                    foreign::bring(self, operation, (&place, Some(before)), &part)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the changes that turn the items of the sequence `node` into those of `value`, from
    /// the last item to the first.
    fn changes(&self, operation: &Operation, node: usize, value: &Value) -> Vec<Change> {
        let old = &self.tree.nodes[node].children;
        let new = value.children();
        let given = operation.action.key().map(|key| Step::Name(key.to_owned()));
        let field = given.clone().or_else(|| shared_name((&self.tree, old), (&value.tree, new)));
        let old_keys = identities((&self.tree, old), field.as_ref());
        let new_keys = identities((&value.tree, new), field.as_ref());
        let kept = common(&old_keys, &new_keys);
        let mut changes = Vec::new();
        let (mut from, mut to) = (0, 0);
        for &(old_at, new_at) in kept.iter().chain([&(old.len(), new.len())]) {
            let both = (old_at - from).min(new_at - to);
            // If a field is given, two items that differ in it are not the same.
            let both = if given.is_some() { 0 } else { both };
            changes.extend((0..both).map(|at| Change::Set { old: from + at, new: to + at }));
            changes.extend((from + both..old_at).map(|old| Change::Delete { old }));
            let inserted = to + both..new_at;
            changes.extend(inserted.map(|new| Change::Insert { before: old_at, new }));
            let differs = || self.tree.content(old[old_at]) != value.tree.content(new[new_at]);
            if old_at < old.len() && (given.is_some() || field.is_some() && differs()) {
                changes.push(Change::Set { old: old_at, new: new_at });
            }
            (from, to) = (old_at + 1, new_at + 1);
        }
        changes.reverse();
        changes
    }
}

/// The items of a sequence.
type Items<'t> = (&'t Tree, &'t [usize]);

/// Returns what identifies each item: the value of its key `field` or, without such a key, the whole
/// item.
fn identities<'t>((tree, items): Items<'t>, field: Option<&Step>) -> Vec<&'t [Token]> {
    let name = |item| field.and_then(|field| name_of(tree, item, field));
    items.iter().map(|&item| name(item).unwrap_or_else(|| tree.content(item))).collect()
}

/// Returns the key that identifies the items of both sequences: the first of the first one, if its
/// values are text, differ within each sequence, and at least one is in both.
fn shared_name((tree, old): Items<'_>, (new_tree, new): Items<'_>) -> Option<Step> {
    let first = tree.nodes.get(*old.first()?).filter(|node| node.shape == Shape::Mapping)?;
    let field = step_of(tree.content(*first.children.first()?))?;
    let names = |(tree, items): Items<'_>| {
        let mut names = HashSet::new();
        let all = items.iter().all(|&item| match name_of(tree, item, &field) {
            Some([Token::Text(name)]) => names.insert(name.clone()),
            _ => false,
        });
        all.then_some(names)
    };
    let (old, new) = (names((tree, old))?, names((new_tree, new))?);
    (!old.is_disjoint(&new)).then_some(field)
}

/// Returns a common subsequence of `old` and `new` as pairs of indices. It is the longest, unless
/// they are too long to compute it.
fn common(old: &[&[Token]], new: &[&[Token]]) -> Vec<(usize, usize)> {
    let head = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let tails = old[head..].iter().rev().zip(new[head..].iter().rev());
    let tail = tails.take_while(|(old, new)| old == new).count();
    let (a, b) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let mut pairs: Vec<_> = (0..head).map(|at| (at, at)).collect();
    if a.len() * b.len() <= PAIRS_MAX {
        pairs.extend(subsequence(a, b).into_iter().map(|(old, new)| (head + old, head + new)));
    }
    pairs.extend((0..tail).rev().map(|at| (old.len() - 1 - at, new.len() - 1 - at)));
    pairs
}

/// Returns the longest common subsequence of `a` and `b`, from a table of its length for all pairs
/// of their ends.
fn subsequence(a: &[&[Token]], b: &[&[Token]]) -> Vec<(usize, usize)> {
    let width = b.len() + 1;
    let mut lengths = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            lengths[i * width + j] = if a[i] == b[j] {
                lengths[(i + 1) * width + j + 1] + 1
            } else {
                lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// Returns the pairs of the mapping `value`, each key as a step. It is an error if a key is not a
/// scalar.
fn pairs(value: &Value) -> Result<Vec<(Step, Value)>, EditError> {
    let pairs = value.children().chunks_exact(2).map(|pair| {
        let step = step_of(value.tree.content(pair[0])).ok_or_else(|| {
            let error = EditError::plain(EditErrorKind::BadOperation);
            error.with_detail("a key of the value is not a scalar".to_owned())
        })?;
        Ok((step, value.part(pair[1])))
    });
    pairs.collect()
}

/// Returns whether `value` is null.
fn is_null(value: &Value) -> bool {
    value.tree.content(value.root) == [Token::Value("null".to_owned())]
}

/// Returns `value` without the entries that are null, which is what a merge patch sets where no
/// mapping exists.
fn without_nulls(value: &Value) -> Result<Value, EditError> {
    if value.shape() != Shape::Mapping {
        return Ok(value.clone());
    }
    let mut parts = Vec::new();
    for pair in value.children().chunks_exact(2) {
        let part = value.part(pair[1]);
        if !is_null(&part) {
            let inner = without_nulls(&part)?;
            parts.push(format!("{}: {}", value.flow(pair[0]), inner.flow(inner.root)));
        }
    }
    Value::with_tags(&format!("{{{}}}", parts.join(", ")))
}
