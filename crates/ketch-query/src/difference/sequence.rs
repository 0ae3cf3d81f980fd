//! The difference of a sequence and an array.

use super::Difference;
use super::entries::{Fate, NewEntry, OldEntry};
use crate::error::Failure;
use crate::value::Value;
use ketch_edit::Operation;
use ketch_yaml::compose::{Node, NodeId};
use ketch_yaml::path::Step;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

/// For each new item, the index of the old one that it pairs with.
struct Pairs {
    old_of: Vec<Option<usize>>,
    /// Whether each old item is paired.
    is_paired: Vec<bool>,
}

impl Pairs {
    fn add(&mut self, old: usize, new: usize) {
        self.old_of[new] = Some(old);
        self.is_paired[old] = true;
    }

    /// Returns whether neither item is paired yet.
    fn are_free(&self, old: usize, new: usize) -> bool {
        self.old_of[new].is_none() && !self.is_paired[old]
    }
}

impl<'s> Difference<'s> {
    /// Compares the items of a sequence with those of an array.
    pub(super) fn sequence(
        &mut self,
        node: Node<'s>,
        value: &Value,
        place: usize,
        group: &mut Vec<Operation>,
    ) -> Result<(), Failure> {
        let array = value.as_array().unwrap_or_default();
        let (old, items) = (node.items().collect::<Vec<_>>(), &array.entries);
        let mut pairs =
            Pairs { old_of: vec![None; items.len()], is_paired: vec![false; old.len()] };
        self.pair_by_node(&mut pairs, &old, items);
        self.pair_equal(&mut pairs, &old, items);
        pair_between(&mut pairs);
        if !old.is_empty() && pairs.is_paired.iter().all(|is_paired| !is_paired) {
            group.push(self.replace(value, place)?);
            return Ok(());
        }
        let entry = |(at, item): (usize, &Node<'_>)| OldEntry {
            step: Some(Step::Index(at as i64)),
            node: item.id(),
            fate: if pairs.is_paired[at] { Fate::Kept } else { Fate::Deleted },
        };
        let entries: Vec<_> = old.iter().enumerate().map(entry).collect();
        let new = items.iter().zip(&pairs.old_of).map(|(item, old)| match old {
            Some(at) => NewEntry::Old(*at),
            None => NewEntry::New(None, item.clone()),
        });
        let mut new: Vec<_> = new.collect();
        self.copy_all(&mut new, place);
        let mut changed: Vec<_> = pairs
            .old_of
            .iter()
            .zip(items)
            .filter_map(|(old, item)| Some(((*old)?, item)))
            .collect();
        // The first one is compared first.
        changed.sort_unstable_by_key(|(at, _)| std::cmp::Reverse(*at));
        for (at, item) in changed {
            if !self.is_at(item, old[at]) {
                self.enter(old[at].id(), item.clone(), (place, Step::Index(at as i64)));
            }
        }
        self.restructure(place, (&entries, new), group)
    }

    /// Pairs the items that come from the same node: first those with the same index.
    fn pair_by_node(&self, pairs: &mut Pairs, old: &[Node<'s>], new: &[Value]) {
        let own = |item: &Value| {
            let (source, id) = item.origin()?;
            Arc::ptr_eq(&source, self.source).then_some(id)
        };
        let from: Vec<Option<NodeId>> = new.iter().map(own).collect();
        for (at, (item, from)) in old.iter().zip(&from).enumerate() {
            if *from == Some(item.id()) {
                pairs.add(at, at);
            }
        }
        let mut index: HashMap<NodeId, usize> =
            old.iter().enumerate().map(|(at, item)| (item.id(), at)).collect();
        for (at, item) in old.iter().enumerate() {
            // An alias also counts as its target.
            index.entry(item.resolved().id()).or_insert(at);
        }
        for (new, from) in from.iter().enumerate() {
            if let Some(&at) = from.and_then(|id| index.get(&id))
                && pairs.are_free(at, new)
            {
                pairs.add(at, new);
            }
        }
    }

    /// Pairs equal items that are left, in their order.
    fn pair_equal(&self, pairs: &mut Pairs, old: &[Node<'s>], new: &[Value]) {
        let left = |(at, is_paired): (usize, &bool)| {
            (!is_paired).then(|| (self.source.value(old[at]).plain(), at))
        };
        let mut before: Vec<_> = pairs.is_paired.iter().enumerate().filter_map(left).collect();
        let left = |(at, old): (usize, &Option<usize>)| {
            old.is_none().then(|| (new[at].clone().plain(), at))
        };
        let mut after: Vec<_> = pairs.old_of.iter().enumerate().filter_map(left).collect();
        if before.is_empty() || after.is_empty() {
            return;
        }
        for items in [&mut before, &mut after] {
            items.sort_by(|a, b| a.0.compare(&b.0));
        }
        let (mut before, mut after) = (before.iter().peekable(), after.iter().peekable());
        while let (Some((a, old)), Some((b, new))) = (before.peek(), after.peek()) {
            let order = a.compare(b);
            if order == Ordering::Equal {
                pairs.add(*old, *new);
            }
            if order.is_le() {
                before.next();
            }
            if order.is_ge() {
                after.next();
            }
        }
    }
}

/// Pairs what is left between two pairs by its position, if both sides have equally many items there.
fn pair_between(pairs: &mut Pairs) {
    let mut start = (0, 0);
    for end in 0..=pairs.old_of.len() {
        let last = match pairs.old_of.get(end) {
            Some(None) => continue,
            Some(Some(old)) => *old,
            None => pairs.is_paired.len(),
        };
        let (old, new) = (start.0..last.max(start.0), start.1..end);
        if old.len() == new.len() && !pairs.is_paired[old.clone()].iter().any(|is| *is) {
            old.zip(new).for_each(|(old, new)| pairs.add(old, new));
        }
        start = (last + 1, end + 1);
    }
}
