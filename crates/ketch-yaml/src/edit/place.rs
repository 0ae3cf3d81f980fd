//! The tables after an edit in a window.

use super::index::{Table, token_hash};
use super::lines::{Entry, entries};
use super::scene::Scene;
use super::tree::Shape;
use super::window::Window;

/// The place of an edit, from which the tables above it are updated.
pub(super) struct Place<'p> {
    /// The entry of each collection on the way.
    pub at: &'p [usize],
    pub window: &'p Window,
    /// The window after the edit.
    pub scene: &'p Scene,
    /// The start of the document.
    pub base: usize,
    /// The number of bytes that the text has grown by.
    pub delta: i64,
}

impl Place<'_> {
    /// Updates the tables of a document. Returns false if its root must be read again.
    pub fn update(&self, root: &mut Table) -> bool {
        let top = self.window.top();
        let (mut table, mut base) = (root, self.base);
        for at in &self.at[..top] {
            base += table.cuts.at(*at) as usize;
            table.shift_after(*at, self.delta);
            let Some(below) = table.below.get_mut(at) else { return false };
            table = below;
        }
        if top + 1 < self.at.len() {
            // The whole change is in one entry. Its own tables may be wrong now.
            let at = self.at[top];
            table.shift_after(at, self.delta);
            table.below.remove(&at);
            if self.window.end.is_some_and(|edge| edge.level > top) {
                // The entry ends after the window.
                return true;
            }
            let Some(end) = self.end_of_entry(top) else { return false };
            let end = (end + self.window.range.start - self.window.before - base) as u32;
            if at + 1 < table.len() {
                table.cuts.set(at + 1, end);
            } else if !table.is_flow {
                table.end = end;
            }
            return true;
        }
        self.replace(table, base, top)
    }

    /// Replaces the entries of the window in the table of their collection.
    fn replace(&self, table: &mut Table, base: usize, level: usize) -> bool {
        let edge = |edge: Option<super::window::Edge>| edge.filter(|edge| edge.level == level);
        let (start, end) = (edge(self.window.start), edge(self.window.end));
        let (from, to) = (start.map_or(0, |edge| edge.at), end.map_or(table.len(), |edge| edge.at));
        let Some(node) = self.collection(level) else { return false };
        let found = &self.scene.tree.nodes[node];
        let is_same = (found.shape == Shape::Mapping) == table.is_mapping
            && found.is_flow == table.is_flow
            && matches!(found.shape, Shape::Mapping | Shape::Sequence);
        let all = entries(self.scene.text.as_bytes(), &self.scene.tree, node);
        let (skipped, dropped) = (usize::from(start.is_some()), usize::from(end.is_some()));
        if !is_same || all.len() <= skipped + dropped {
            return false;
        }
        if from == 0 {
            table.column.take();
        }
        let real = &all[skipped..all.len() - dropped];
        let offset = |at: usize| (at + self.window.range.start - self.window.before - base) as u32;
        // The first entry may start above where the old one did.
        let first = match from {
            0 => offset(real[0].start),
            from => table.cuts.at(from),
        };
        let mut ends = real.iter().map(|entry| offset(entry.end));
        let cuts: Vec<u32> = std::iter::once(first).chain(ends.clone()).take(real.len()).collect();
        table.shift_after(to.saturating_sub(1), self.delta);
        match ends.next_back() {
            Some(last) if to < table.len() => table.cuts.set(to, last),
            Some(last) if !table.is_flow => table.end = last,
            _ => {}
        }
        if table.is_mapping {
            table.keys.splice(from..to, real.iter().map(|entry| self.key_hash(entry)).collect());
        }
        let grown = real.len() as i64 - (to - from) as i64;
        table.cuts.splice(from..to, cuts);
        table.move_below(from..to, grown);
        true
    }

    /// Returns the hash of an entry's key, or 0 if it has none.
    fn key_hash(&self, entry: &Entry) -> u32 {
        entry.key.map_or(0, |key| token_hash(self.scene.tree.content(key)))
    }

    /// Returns the end of the entry on the way, in the window's text.
    fn end_of_entry(&self, level: usize) -> Option<usize> {
        let tree = &self.scene.tree;
        let mut node = tree.docs.first()?.root?;
        // Above the window's first entry, stand-ins have one entry each.
        for _ in 0..self.window.start.map_or(0, |_| level) {
            let step = if tree.nodes[node].shape == Shape::Mapping { 1 } else { 0 };
            node = *tree.nodes[node].children.get(step)?;
        }
        let index = match self.window.start {
            Some(edge) if edge.level == level => self.at[level] - edge.at + 1,
            Some(_) => 0,
            None => self.at[level],
        };
        let all = entries(self.scene.text.as_bytes(), tree, node);
        Some(all.get(index)?.end)
    }

    /// Returns the collection of the window's entries, in the tree of the window.
    fn collection(&self, level: usize) -> Option<usize> {
        let tree = &self.scene.tree;
        let mut node = tree.docs.first()?.root?;
        // Stand-ins are the only entries of their collections.
        let depth = if self.window.start.is_some() { level } else { 0 };
        for _ in 0..depth {
            node = *tree.nodes[node].children.last()?;
        }
        Some(node)
    }
}
