//! The difference of a mapping and an object.

use super::entries::{Fate, NewEntry, OldEntry};
use super::{Difference, key_without_text};
use crate::error::Failure;
use crate::value::{Source, Value};
use ketch_edit::{Action, Operation};
use ketch_yaml::compose::{Node, NodeId};
use ketch_yaml::path::Step;
use std::collections::HashMap;
use std::sync::Arc;

/// The entries of a mapping.
struct Old {
    entries: Vec<OldEntry>,
    values: Vec<NodeId>,
    /// The indices of the entries that the value of the mapping shows, by the texts of their keys.
    shown: HashMap<Arc<str>, usize>,
    /// The values and keys of entries from other mappings, by the texts of the keys.
    merged: HashMap<Arc<str>, (NodeId, NodeId)>,
}

impl Old {
    /// Returns the entries of the mapping `node`. All are deleted, unless they are not shown.
    fn of(source: &Arc<Source>, node: Node<'_>) -> Old {
        let (mut shown, mut merged) = (HashMap::new(), HashMap::new());
        let (mut entries, mut values) = (Vec::new(), Vec::new());
        let mut own = HashMap::new();
        for (at, (key, value)) in node.entries().enumerate() {
            own.insert(value.id(), at);
            values.push(value.id());
            let step = Source::step(key);
            entries.push(OldEntry { step, node: key.id(), fate: Fate::Hidden });
        }
        // Of entries whose keys have the same text, only one is shown.
        for (key, value) in source.pairs(node) {
            let text = source.key_text(key);
            let is_new = !shown.contains_key(&text) && !merged.contains_key(&text);
            if !is_new && !source.is_text(key) {
                continue;
            }
            match own.get(&value.id()) {
                Some(at) => drop(shown.insert(text, *at)),
                None => drop(merged.insert(text, (value.id(), key.id()))),
            }
        }
        for &at in shown.values() {
            entries[at].fate = Fate::Deleted;
        }
        Old { entries, values, shown, merged }
    }

    /// Returns the indices of the deleted entries, by the nodes of their values. An alias also counts as its target.
    fn deleted(&self, source: &Source) -> HashMap<NodeId, usize> {
        let is_deleted = |at: &usize| self.entries[*at].fate == Fate::Deleted;
        let deleted = (0..self.values.len()).filter(is_deleted);
        let mut found: HashMap<NodeId, usize> =
            deleted.clone().map(|at| (self.values[at], at)).collect();
        for at in deleted {
            found.entry(source.node(self.values[at]).id()).or_insert(at);
        }
        found
    }
}

impl<'s> Difference<'s> {
    /// Compares the entries of a mapping with those of an object.
    pub(super) fn mapping(
        &mut self,
        node: Node<'s>,
        value: &Value,
        place: usize,
        group: &mut Vec<Operation>,
    ) -> Result<(), Failure> {
        let mut old = Old::of(self.source, node);
        let object = value.as_object().unwrap_or_default();
        for at in object.entries.keys().filter_map(|key| old.shown.get(key)) {
            old.entries[*at].fate = Fate::Kept;
        }
        let deleted = old.deleted(self.source);
        let mut new = Vec::with_capacity(object.entries.len());
        let mut pairs = Vec::new();
        for (key, value) in object.entries.iter() {
            if let Some(&at) = old.shown.get(key) {
                pairs.push((at, value.clone(), old.entries[at].step.clone()));
                new.push(NewEntry::Old(at));
                continue;
            }
            let merged = old.merged.remove(key);
            let merged = merged.map(|(value, _)| self.source.document().node(value));
            if merged.is_some_and(|merged| self.is_at(value, merged)) {
                continue;
            }
            let from = value.origin().filter(|(source, _)| Arc::ptr_eq(source, self.source));
            let from = from.and_then(|(_, id)| deleted.get(&id).copied());
            if let Some(at) = from.filter(|at| old.entries[*at].fate == Fate::Deleted) {
                pairs.push((at, value.clone(), old.entries[at].step.clone()));
                self.rename(place, &mut old.entries[at], key, group)?;
                new.push(NewEntry::Old(at));
                continue;
            }
            new.push(NewEntry::New(Some(key.clone()), value.clone()));
        }
        let is_deleted = |entry: &OldEntry| entry.fate == Fate::Deleted;
        if !old.entries.is_empty() && old.entries.iter().all(is_deleted) {
            group.push(self.replace(value, place)?);
            return Ok(());
        }
        self.copy_all(&mut new, place);
        // The first one is compared first.
        pairs.sort_unstable_by_key(|(at, ..)| std::cmp::Reverse(*at));
        for (at, value, step) in pairs {
            self.enter_value(&old, (at, value, step), place)?;
        }
        for (_, key) in old.merged.into_values() {
            if let Some(step) = Source::step(self.source.document().node(key)) {
                group.push(self.operation(Action::Delete, self.below(place, step)));
            }
        }
        self.restructure(place, (&old.entries, new), group)
    }

    /// Adds the operation that gives an entry another key.
    fn rename(
        &self,
        place: usize,
        entry: &mut OldEntry,
        key: &Arc<str>,
        group: &mut Vec<Operation>,
    ) -> Result<(), Failure> {
        let path = self.below(place, self.step(entry)?);
        group.push(self.operation(Action::Rename(key.to_string()), path));
        entry.fate = Fate::Kept;
        entry.step = Some(Step::Key(key.to_string()));
        Ok(())
    }

    /// Adds the pair of the value of an entry, which the step leads to, unless the value is unchanged.
    fn enter_value(
        &mut self,
        old: &Old,
        (at, value, step): (usize, Value, Option<Step>),
        place: usize,
    ) -> Result<(), Failure> {
        let node = self.source.document().node(old.values[at]);
        if self.is_at(&value, node) {
            return Ok(());
        }
        match step {
            Some(step) => self.enter(node.id(), value, (place, step)),
            None if self.source.value(node).compare(&value).is_eq() => {}
            None => {
                let key = self.source.document().node(old.entries[at].node);
                return Err(key_without_text(self.source.value(key)));
            }
        }
        Ok(())
    }
}
