//! Updating the tables after an edit in a window.

use super::index::Table;
use super::keys::token_hash;
use super::lines::{Entry, entries};
use super::scene::Scene;
use super::tree::Shape;
use super::window::Window;

/// The place of an edit, with what is needed to update the tables on the way to it.
pub(super) struct Place<'p> {
    /// For each collection on the way, the index of the entry to take.
    pub at: &'p [usize],
    /// The window before the edit.
    pub window: &'p Window,
    /// The window after the edit.
    pub scene: &'p Scene,
    /// The offset where the document starts.
    pub base: usize,
    /// The number of bytes by which the text has grown.
    pub delta: i64,
}

impl Place<'_> {
    /// Updates the tables on the way, starting with `root`. Returns false if the table of the root
    /// must be rebuilt.
    pub fn update(&self, root: &mut Table) -> bool {
        let Some(last) = self.at.len().checked_sub(1) else { return false };
        let top = self.window.top();
        let (mut table, mut base) = (&mut *root, self.base);
        for (level, &at) in self.at[..last].iter().enumerate() {
            let cut = base + table.cuts.at(at) as usize;
            table.shift_after(at, self.delta);
            if level >= top && !self.move_end(table, base, level) {
                return false;
            }
            let Some(below) = table.below.get_mut(&at) else { return false };
            (table, base) = (below, cut);
        }
        self.replace(table, base, last) || self.remove_last(root)
    }

    /// Sets the end of the entry on the way in `table`, the table of the collection at `level`. If
    /// the entry ends after the window, there is nothing to set. Returns false if the entry is not
    /// found.
    fn move_end(&self, table: &mut Table, base: usize, level: usize) -> bool {
        if self.window.end.is_some_and(|edge| edge.level > level) {
            return true;
        }
        let Some(end) = self.end_of_entry(level) else { return false };
        let end = (end + self.window.range.start - self.window.before - base) as u32;
        let next = self.at[level] + 1;
        if next < table.len() {
            table.set_cut(next, end);
        } else if !table.is_flow {
            table.end = end;
        }
        true
    }

    /// Removes the table of the innermost collection on the way. Returns false if this is the table
    /// of the root.
    fn remove_last(&self, root: &mut Table) -> bool {
        let Some((_, above)) = self.at.split_last() else { return false };
        let Some((entry, above)) = above.split_last() else { return false };
        let mut table = root;
        for at in above {
            let Some(below) = table.below.get_mut(at) else { return false };
            table = below;
        }
        table.below.remove(entry);
        true
    }

    /// Replaces the entries of the window in `table`, the table of their collection. Returns false
    /// if the table must be rebuilt.
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
        // The first entry may start before the place where the old first entry started.
        let first = match from {
            0 => offset(real[0].start),
            from => table.cuts.at(from),
        };
        let mut ends = real.iter().map(|entry| offset(entry.end));
        let cuts: Vec<u32> = std::iter::once(first).chain(ends.clone()).take(real.len()).collect();
        table.shift_after(to.saturating_sub(1), self.delta);
        match ends.next_back() {
            Some(last) if to < table.len() => table.set_cut(to, last),
            Some(last) if !table.is_flow => table.end = last,
            _ => {}
        }
        if table.is_mapping {
            table.has_alias_keys |= real.iter().any(|entry| self.is_alias(entry.key));
            table.keys.splice(from..to, real.iter().map(|entry| self.key_hash(entry)).collect());
        }
        let grown = real.len() as i64 - (to - from) as i64;
        table.cuts.splice(from..to, cuts);
        table.move_below(from..to, grown);
        true
    }

    /// Returns whether the node `key` is an alias.
    fn is_alias(&self, key: Option<usize>) -> bool {
        key.is_some_and(|key| self.scene.tree.nodes[key].shape == Shape::Alias)
    }

    /// Returns the hash of the entry's key, or 0 if it has none.
    fn key_hash(&self, entry: &Entry) -> u32 {
        entry.key.map_or(0, |key| token_hash(self.scene.tree.content(key)))
    }

    /// Returns the end of the entry on the way in the collection at `level`, as an offset in the
    /// window's text.
    fn end_of_entry(&self, level: usize) -> Option<usize> {
        let node = self.collection(level)?;
        let all = entries(self.scene.text.as_bytes(), &self.scene.tree, node);
        Some(all.get(self.index(level))?.end)
    }

    /// Returns the index of the entry on the way in the collection at `level`, as it is in the tree
    /// of the window.
    fn index(&self, level: usize) -> usize {
        match self.window.start {
            Some(edge) if edge.level == level => self.at[level] - edge.at + 1,
            // The first entry is a stand-in whose value leads to the window.
            Some(edge) if edge.level > level => 0,
            _ => self.at[level],
        }
    }

    /// Returns the collection at `level` of the way, as a node of the window's tree.
    fn collection(&self, level: usize) -> Option<usize> {
        let tree = &self.scene.tree;
        let mut node = tree.docs.first()?.root?;
        for above in 0..level {
            let at = self.index(above);
            let child = match tree.nodes[node].shape {
                Shape::Mapping => 2 * at + 1,
                _ => at,
            };
            node = *tree.nodes[node].children.get(child)?;
        }
        Some(node)
    }
}
