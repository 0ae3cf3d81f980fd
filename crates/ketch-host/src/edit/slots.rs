//! Tracks the locations of views when the text is edited.

use super::refusal::Refusal;
use ketch_edit::{Action, Destination, Operation, Position, Transfer};
use ketch_yaml::path::{Path, Step};
use std::collections::HashMap;

/// The location of a view, relative to that of its parent.
#[derive(Debug)]
struct Slot {
    parent: Option<u32>,
    doc: usize,
    /// The last step of the view's path. Unused for a root.
    step: Step,
    children: HashMap<Step, u32>,
    /// Whether the collection is a mapping; `None` for a root that has not been read yet.
    is_mapping: Option<bool>,
    is_stale: bool,
    /// For a view that is reached through an alias or a merge key, the value that [`Slots::edits`]
    /// had when the view was created. Such a view is stale after the next structural edit.
    loose: Option<u64>,
}

/// The locations of all views of a session.
#[derive(Debug, Default)]
pub struct Slots {
    slots: Vec<Slot>,
    roots: HashMap<usize, u32>,
    /// The number of structural edits so far: those that added, removed, moved or replaced entries.
    edits: u64,
}

impl Slots {
    fn push(&mut self, slot: Slot) -> u32 {
        self.slots.push(slot);
        (self.slots.len() - 1) as u32
    }

    /// Returns the slot of the root of document `doc`, creating it if there is none yet.
    pub fn root(&mut self, doc: usize) -> u32 {
        if let Some(&root) = self.roots.get(&doc) {
            return root;
        }
        let root = self.push(Slot {
            parent: None,
            doc,
            step: Step::Index(0),
            children: HashMap::new(),
            is_mapping: None,
            is_stale: false,
            loose: None,
        });
        self.roots.insert(doc, root);
        root
    }

    /// Returns the slot of the entry of `parent` that `step` leads to, creating it if there is none
    /// yet. The entry's value must be a collection; `is_mapping` says of which kind. `is_loose` is
    /// set if it is reached through an alias or a merge key.
    pub fn child(&mut self, parent: u32, step: Step, is_mapping: bool, is_loose: bool) -> u32 {
        let loose = is_loose.then_some(self.edits);
        if let Some(&child) = self.slots[parent as usize].children.get(&step) {
            let slot = &mut self.slots[child as usize];
            if slot.is_mapping == Some(is_mapping) && (slot.loose == loose) {
                return child;
            }
            self.drop_slot(child);
        }
        let doc = self.slots[parent as usize].doc;
        let child = self.push(Slot {
            parent: Some(parent),
            doc,
            step: step.clone(),
            children: HashMap::new(),
            is_mapping: Some(is_mapping),
            is_stale: false,
            loose,
        });
        self.slots[parent as usize].children.insert(step, child);
        child
    }

    /// Returns the slot that `path` leads to in document `doc`, if there is one.
    pub fn known(&self, doc: usize, path: &[Step]) -> Option<u32> {
        let root = *self.roots.get(&doc)?;
        path.iter()
            .try_fold(root, |slot, step| self.slots[slot as usize].children.get(step).copied())
    }

    /// Returns the slots of the entries of `slot`.
    pub fn below(&self, slot: u32) -> Vec<u32> {
        self.slots[slot as usize].children.values().copied().collect()
    }

    pub fn note_root(&mut self, root: u32, is_mapping: Option<bool>) {
        self.slots[root as usize].is_mapping = is_mapping;
    }

    pub fn is_mapping(&self, slot: u32) -> Option<bool> {
        self.slots[slot as usize].is_mapping
    }

    /// Returns the document of `slot` and the path to it. Fails if it is stale.
    pub fn place(&self, slot: u32) -> Result<(usize, Vec<Step>), Refusal> {
        let (mut steps, mut is_stale) = (Vec::new(), false);
        let mut at = slot;
        loop {
            let Some(slot) = self.slots.get(at as usize) else { return Err(stale(&[])) };
            let Some(parent) = slot.parent else {
                steps.reverse();
                return if is_stale { Err(stale(&steps)) } else { Ok((slot.doc, steps)) };
            };
            steps.push(slot.step.clone());
            is_stale |= slot.is_stale || slot.loose.is_some_and(|edits| edits != self.edits);
            at = parent;
        }
    }

    /// Marks `slot` and everything below it as stale. A root itself is never stale.
    pub fn drop_slot(&mut self, slot: u32) {
        let (parent, step) = {
            let slot = &self.slots[slot as usize];
            (slot.parent, slot.step.clone())
        };
        let Some(parent) = parent else { return self.drop_below(slot) };
        let siblings = &mut self.slots[parent as usize].children;
        if siblings.get(&step) == Some(&slot) {
            siblings.remove(&step);
        }
        self.slots[slot as usize].is_stale = true;
        self.slots[slot as usize].children.clear();
    }

    /// Marks everything below `slot` as stale.
    fn drop_below(&mut self, slot: u32) {
        for (_, child) in std::mem::take(&mut self.slots[slot as usize].children) {
            // Slots further down need not be marked, because each of them looks at the slots above
            // it when it determines its path.
            self.slots[child as usize].is_stale = true;
        }
    }

    /// Marks the views directly below `slot` whose step is an integer as stale. In a sequence,
    /// these are the views of all items.
    fn drop_items(&mut self, slot: u32) {
        let children = &mut self.slots[slot as usize].children;
        let items: Vec<u32> = children
            .iter()
            .filter(|(step, _)| matches!(step, Step::Index(_)))
            .map(|(_, &child)| child)
            .collect();
        for item in items {
            self.drop_slot(item);
        }
    }

    /// Returns the slots that `path` leads to in document `doc`. If a step of the path cannot be
    /// resolved without the text, this marks all slots that it may lead to as stale instead.
    fn find(&mut self, doc: usize, path: &[Step]) -> Vec<u32> {
        let Some(&root) = self.roots.get(&doc) else { return Vec::new() };
        let mut found = vec![root];
        for step in path {
            let mut next = Vec::new();
            for slot in found {
                match spellings(step, self.is_mapping(slot)) {
                    Some(steps) => {
                        let children = &self.slots[slot as usize].children;
                        next.extend(steps.iter().filter_map(|step| children.get(step)));
                    }
                    None => self.drop_below(slot),
                }
            }
            found = next;
        }
        found
    }

    /// Updates the slots after `operation` was applied. Returns the slots whose node may have been
    /// replaced, which the caller must check.
    pub fn settle(&mut self, operation: &Operation) -> Vec<u32> {
        use Action::*;
        let action = &operation.action;
        if let Comment { .. } | Style(_) | Anchor(_) | Tag(_) | RenameAnchor { .. } | Test(_) =
            action
        {
            return Vec::new();
        }
        let is_many = operation.documents.is_some()
            || operation.path.iter().any(Step::is_wildcard)
            || operation.alias.is_some();
        if is_many {
            self.edits += 1;
            let roots: Vec<u32> = self.roots.values().copied().collect();
            roots.into_iter().for_each(|root| self.drop_below(root));
            return Vec::new();
        }
        let (doc, path) = (operation.doc, &operation.path[..]);
        match action {
            Insert { .. } | Append(_) => self.inserted(operation, path),
            Delete => self.removed(doc, path),
            Rename(to) => self.renamed(operation, to),
            Sort { .. } | Arrange(_) => {
                self.edits += 1;
                for slot in self.find(doc, path) {
                    self.drop_items(slot);
                }
            }
            Move(transfer) | Copy(transfer) => self.moved(operation, transfer),
            Add(_) => {
                self.added(operation);
                return self.replaced(doc, path);
            }
            _ => return self.replaced(doc, path),
        }
        Vec::new()
    }

    /// Handles an operation that replaces the value at `path`: the views below the value become
    /// stale. Returns the slots of the value itself, except for roots.
    fn replaced(&mut self, doc: usize, path: &[Step]) -> Vec<u32> {
        let found = self.find(doc, path);
        if !found.is_empty() {
            self.edits += 1;
        }
        for &slot in &found {
            self.drop_below(slot);
        }
        found.into_iter().filter(|&slot| self.slots[slot as usize].parent.is_some()).collect()
    }

    /// Handles an `add` of RFC 6902. If it has inserted an item into a sequence, the items after
    /// that are shifted, so the views of all items become stale.
    fn added(&mut self, operation: &Operation) {
        let Some((_, parent)) = operation.path.split_last() else { return };
        self.edits += 1;
        for slot in self.find(operation.doc, parent) {
            self.drop_items(slot);
        }
    }

    /// Handles the insertion of an entry into the collection at `path`: the views of later items
    /// are shifted.
    fn inserted(&mut self, operation: &Operation, path: &[Step]) {
        self.edits += 1;
        let at = match operation.action.position() {
            Position::Before(key) => key.parse().ok(),
            Position::After(key) => key.parse().ok().map(|at: i64| at + 1),
            Position::First => Some(0),
            Position::Index(index) => i64::try_from(*index).ok(),
            Position::Last => Some(i64::MAX),
        };
        for slot in self.find(operation.doc, path) {
            match at.filter(|&at| at >= 0) {
                Some(at) => self.shift(slot, at, 1),
                None => self.drop_items(slot),
            }
        }
    }

    /// Handles the removal of the entry at `path`: its views become stale, and the views of later
    /// items are shifted.
    fn removed(&mut self, doc: usize, path: &[Step]) {
        self.edits += 1;
        for slot in self.find(doc, path) {
            self.drop_slot(slot);
        }
        let Some((last, parent)) = path.split_last() else { return };
        for slot in self.find(doc, parent) {
            // In a mapping, an integer is a key.
            let is_sequence = self.slots[slot as usize].is_mapping != Some(true);
            match last {
                Step::Index(at) if *at >= 0 && is_sequence => self.shift(slot, at + 1, -1),
                Step::Key(_) | Step::Plain(_) => {}
                _ if is_sequence => self.drop_items(slot),
                _ => {}
            }
        }
    }

    /// Adds `by` to the indexes of the items below `slot` whose index is at least `from`. If it is
    /// not known whether `slot` is a sequence, the items become stale instead.
    fn shift(&mut self, slot: u32, from: i64, by: i64) {
        match self.slots[slot as usize].is_mapping {
            Some(true) => return,
            None => return self.drop_items(slot),
            Some(false) => {}
        }
        let children = std::mem::take(&mut self.slots[slot as usize].children);
        let mut kept = HashMap::with_capacity(children.len());
        for (step, child) in children {
            let step = match step {
                Step::Index(at) if at >= from => Step::Index(at + by),
                step => step,
            };
            self.slots[child as usize].step = step.clone();
            kept.insert(step, child);
        }
        self.slots[slot as usize].children = kept;
    }

    /// Handles the renaming of a key: the view of its value gets the new key in its path.
    fn renamed(&mut self, operation: &Operation, to: &str) {
        for slot in self.find(operation.doc, &operation.path) {
            let Some(parent) = self.slots[slot as usize].parent else { continue };
            let old =
                std::mem::replace(&mut self.slots[slot as usize].step, Step::Key(to.to_owned()));
            let siblings = &mut self.slots[parent as usize].children;
            siblings.remove(&old);
            siblings.insert(Step::Key(to.to_owned()), slot);
        }
    }

    /// Handles the operations `move` and `copy`. The views of the moved collection, and of items
    /// that may have been shifted, become stale.
    fn moved(&mut self, operation: &Operation, transfer: &Transfer) {
        self.edits += 1;
        let (doc, path) = (operation.doc, &operation.path[..]);
        let is_move = matches!(operation.action, Action::Move(_));
        let into = match &transfer.to {
            Destination::At(target) => target.split_last().map_or(&[][..], |(_, parent)| parent),
            Destination::Into(collection) => collection,
        };
        let is_within = path.split_last().is_some_and(|(_, parent)| parent == into);
        if is_move && transfer.key.is_none() && is_within {
            // Only the items of this collection have other paths now.
            for slot in self.find(doc, into) {
                self.drop_items(slot);
            }
            return;
        }
        // If items were shifted, the path to the new parent may have changed.
        let has_items = path.iter().any(|step| !matches!(step, Step::Key(_)));
        if is_move && has_items {
            if let Some(&root) = self.roots.get(&doc) {
                self.drop_below(root);
            }
            return;
        }
        if is_move {
            self.removed(doc, path);
        }
        for slot in self.find(doc, into) {
            self.drop_items(slot);
        }
        if let Destination::At(target) = &transfer.to {
            for slot in self.find(doc, target) {
                self.drop_slot(slot);
            }
        }
    }
}

/// Returns the steps under which a slot may store the child that `step` leads to, or `None` if this
/// cannot be determined without the text. In a mapping, a negative integer is a key.
fn spellings(step: &Step, is_mapping: Option<bool>) -> Option<Vec<Step>> {
    match step {
        Step::Index(index) if *index < 0 && is_mapping != Some(true) => None,
        Step::Name(name) => {
            let mut steps = vec![Step::Key(name.clone()), Step::Plain(name.clone())];
            steps.extend(name.parse().ok().map(Step::Index));
            Some(steps)
        }
        step => Some(vec![step.clone()]),
    }
}

/// Returns the path of `steps` in the syntax of `ketch get`.
pub fn shown(steps: &[Step]) -> Path {
    let is_word = |text: &str| {
        text.starts_with(|ch: char| ch.is_ascii_alphabetic())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
    };
    steps.iter().fold(Path::default(), |path, step| match step {
        Step::Key(text) if is_word(text) => path.then(Step::Name(text.clone())),
        step => path.then(step.clone()),
    })
}

/// Returns the error for a stale view whose path was `steps`.
fn stale(steps: &[Step]) -> Refusal {
    let path = shown(steps);
    Refusal::Stale(format!(
        "the view of `{path}` is stale: an edit deleted, moved or replaced its collection\n\
         Read it again from its parent."
    ))
}
