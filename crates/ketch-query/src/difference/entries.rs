//! The entries of a collection that change: which are deleted and inserted, and their order.

use super::scalar::new_value;
use super::{Difference, key_without_text};
use crate::error::Failure;
use crate::value::Value;
use ketch_edit::{Action, Destination, Operation, Position, Transfer};
use ketch_yaml::compose::{Kind as NodeKind, NodeId};
use ketch_yaml::path::Step;
use std::sync::Arc;

/// An entry of the collection as it is in the document.
pub(super) struct OldEntry {
    /// The step to it; in a mapping the new one, if it gets another key. A key that is a collection has none.
    pub step: Option<Step>,
    /// The node of the key, or of the item.
    pub node: NodeId,
    pub fate: Fate,
}

/// What becomes of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Deleted,
    Kept,
    /// It stays where it is, as the value does not show it.
    Hidden,
}

/// An entry of the collection as it should be.
pub(super) enum NewEntry {
    /// The old one with this index.
    Old(usize),
    /// The copy with this number.
    Copy(usize, Option<Arc<str>>),
    New(Option<Arc<str>>, Value),
}

/// An entry of the collection while it changes. Copies come last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Slot {
    Old(usize),
    Copy(usize),
}

impl Difference<'_> {
    /// Adds the operations that delete entries, put the others in order, and insert new ones.
    pub(super) fn restructure(
        &mut self,
        place: usize,
        (old, new): (&[OldEntry], Vec<NewEntry>),
        group: &mut Vec<Operation>,
    ) -> Result<(), Failure> {
        let new = with_hidden(old, new);
        for entry in old.iter().rev().filter(|entry| entry.fate == Fate::Deleted) {
            let path = self.below(place, self.step(entry)?);
            group.push(self.operation(Action::Delete, path));
        }
        let slot = |entry: &NewEntry| match entry {
            NewEntry::Old(at) => Some(Slot::Old(*at)),
            NewEntry::Copy(at, _) => Some(Slot::Copy(*at)),
            NewEntry::New(..) => None,
        };
        let wanted: Vec<Slot> = new.iter().filter_map(slot).collect();
        let mut present = wanted.clone();
        present.sort_unstable();
        let copied = new.iter().filter_map(|entry| match entry {
            NewEntry::Copy(_, key) => Some(key.clone()),
            _ => None,
        });
        let copied: Vec<_> = copied.collect();
        // The others follow in their old order anyway.
        let pairs = wanted.iter().rev().zip(present.iter().rev());
        let moved = wanted.len() - pairs.take_while(|(wanted, present)| wanted == present).count();
        if moved > 0 {
            let order = wanted[..moved].iter();
            let order = order.map(|slot| self.step_now(*slot, old, &copied, &present));
            let order = order.collect::<Result<_, _>>()?;
            group.push(self.operation(Action::Arrange(order), self.path(place)));
        }
        let count = new.len();
        let inserted_last = new.iter().rev().take_while(|entry| slot(entry).is_none()).count();
        for (at, entry) in new.into_iter().enumerate() {
            let position = match at + inserted_last >= count {
                true => Position::Last,
                false => Position::Index(at),
            };
            if let NewEntry::New(key, value) = entry {
                self.insert(place, (key, value), (at, position), group)?;
            }
        }
        Ok(())
    }

    /// Returns the step to an old entry.
    pub(super) fn step(&self, entry: &OldEntry) -> Result<Step, Failure> {
        let key = || self.source.value(self.source.document().node(entry.node));
        entry.step.clone().ok_or_else(|| key_without_text(key()))
    }

    /// Returns the step to an entry while the entries `present` are in their old order.
    fn step_now(
        &self,
        slot: Slot,
        old: &[OldEntry],
        copied: &[Option<Arc<str>>],
        present: &[Slot],
    ) -> Result<Step, Failure> {
        let key = match slot {
            Slot::Old(at) if !matches!(old[at].step, Some(Step::Index(_))) => {
                return self.step(&old[at]);
            }
            Slot::Old(_) => None,
            Slot::Copy(at) => copied[at].as_ref(),
        };
        Ok(match key {
            Some(key) => Step::Key(key.to_string()),
            None => Step::Index(present.binary_search(&slot).unwrap_or(0) as i64),
        })
    }

    /// Adds the operations that insert an entry, which gets the index `at`.
    fn insert(
        &self,
        place: usize,
        (key, value): (Option<Arc<str>>, Value),
        (at, position): (usize, Position),
        group: &mut Vec<Operation>,
    ) -> Result<(), Failure> {
        let step = match &key {
            Some(key) => Step::Key(key.to_string()),
            None => Step::Index(at as i64),
        };
        let key = key.map(key_source);
        let action = Action::Insert { value: new_value(&value)?, key, position };
        group.push(self.operation(action, self.path(place)));
        if let Some(decoration) = value.decoration() {
            self.decorate(decoration, self.below(place, step), group);
        }
        Ok(())
    }

    /// Returns the path of an entry of the collection at `place`.
    pub(super) fn below(&self, place: usize, step: Step) -> Vec<Step> {
        let mut path = self.path(place);
        path.push(step);
        path
    }

    /// Replaces new entries by copies of nodes of the document where that is possible.
    pub(super) fn copy_all(&mut self, new: &mut [NewEntry], place: usize) {
        let mut count = 0;
        for entry in new {
            if let NewEntry::New(key, value) = entry
                && self.copy(value, place, key.as_ref())
            {
                *entry = NewEntry::Copy(count, key.take());
                count += 1;
            }
        }
    }

    /// Copies an unchanged node of the document with its comments to the end of the collection at `place`, if that is
    /// possible. A copy of a node with aliases could come before their anchors.
    fn copy(&mut self, value: &Value, place: usize, key: Option<&Arc<str>>) -> bool {
        let Value::Node(source, id) = value else { return false };
        if !Arc::ptr_eq(source, self.source) || value.decoration().is_some() {
            return false;
        }
        let document = source.document();
        let nodes = document.nodes().skip(id.index());
        let mut nodes = nodes.take(document.node(*id).subtree().len());
        if document.has_aliases() && nodes.any(|node| node.kind() == NodeKind::Alias) {
            return false;
        }
        let Some(path) = source.steps(*id).filter(|path| !path.is_empty()) else { return false };
        let into = self.path(place);
        if into.starts_with(&path) {
            return false;
        }
        let key = key.cloned().map(key_source);
        let transfer = Transfer { to: Destination::Into(into), key, position: Position::Last };
        self.copies.push(self.operation(Action::Copy(transfer), path));
        true
    }
}

/// Returns a new key as YAML.
fn key_source(key: Arc<str>) -> String {
    Value::Text(key).to_json()
}

/// Returns the new entries with the hidden ones, each after the entry that it followed before.
fn with_hidden(old: &[OldEntry], mut new: Vec<NewEntry>) -> Vec<NewEntry> {
    for at in (0..old.len()).filter(|&at| old[at].fate == Fate::Hidden) {
        let before = old[..at].iter().rposition(|entry| entry.fate != Fate::Deleted);
        let is_before =
            |entry: &NewEntry| matches!(entry, NewEntry::Old(at) if Some(*at) == before);
        let found = new.iter().position(is_before);
        new.insert(found.map_or(0, |found| found + 1), NewEntry::Old(at));
    }
    new
}
