//! Finding the text around an entry by its path, with the tables on the way.

use super::anchored::Anchored;
use super::index::{Root, Scan, Table, Target, Way, index_of, scan};
use super::keys::token_hash;
use super::lines::{is_set_apart, skip_blanks, skip_trivia, starts_as_json};
use super::operation::{Action, Operation};
use super::scene::Scene;
use super::session::Edit;
use super::store::Store;
use super::tree::Token;
use super::window::{Level, Window, bounds, window};
use super::write::Value;
use ketch_yaml::path::Step;
use std::sync::Arc;

/// The maximum number of bytes after an entry that are searched for a comment on its line.
const REST_BYTES: usize = 256;

/// The maximum number of bytes of a sequence that are searched for its first word.
const JSON_BYTES: usize = 4096;

impl Edit {
    /// Returns the table of each collection on the way to `target`, outermost first. Returns `None`
    /// if one of them has no table.
    pub(super) fn levels(&self, target: &Target) -> Option<Vec<Level<'_>>> {
        if target.at.is_empty() {
            return Some(Vec::new());
        }
        let mut base = self.docs.get(target.doc)?.start;
        let mut table = self.tables.get(&target.doc)?.table.as_ref()?;
        let mut levels = Vec::with_capacity(target.at.len());
        for (index, &at) in target.at.iter().enumerate() {
            levels.push(Level { table, base, at });
            if index + 1 < target.at.len() {
                base += table.cuts.at(at) as usize;
                table = table.below.get(&at)?;
            }
        }
        Some(levels)
    }

    /// Creates the table of the entry at the indices `at`, unless it has one. Returns `None` if the
    /// entry is not a collection.
    pub(super) fn reach(&mut self, doc: usize, at: &[usize], steps: &[Step]) -> Option<()> {
        let target = Target::new(doc, at.to_vec(), false);
        if self.levels(&target)?.last().is_some_and(|last| last.table.below.contains_key(&last.at))
        {
            return Some(());
        }
        let window = self.window(&target)?;
        let levels = self.levels(&target)?;
        let last = *levels.last()?;
        let way = window.steps(&levels, steps);
        let found = scan(window.text.as_bytes(), Way::new(&way, 0), None).ok()?;
        let (mut table, mut base) = (found.table?, found.docs.first()?.start);
        for step in &way[..levels.len()] {
            let at = table.find(step, self.anchored.as_deref()).ok()??;
            base += table.cuts.at(at) as usize;
            table = table.below.remove(&at)?;
        }
        let actual = last.base + last.table.cuts.at(last.at) as usize;
        let delta = (base + window.range.start) as i64 - (window.before + actual) as i64;
        table.shift_all(delta);
        drop(levels);
        let mut parent = self.tables.get_mut(&doc)?.table.as_mut()?;
        let (&key, above) = at.split_last()?;
        for step in above {
            parent = parent.below.get_mut(step)?;
        }
        parent.below.insert(key, table);
        Some(())
    }

    /// Returns whether the line break nearest to `at` is a CRLF. If there is none nearby, the first
    /// line break of the original text decides.
    fn has_crlf_at(&mut self, at: usize) -> bool {
        let store = Store { original: &self.original, pieces: &self.pieces };
        self.near_lines.has_crlf(&store, at).unwrap_or(self.has_crlf)
    }

    /// Returns the window around the entry `target`. The window of a root is its document.
    pub(super) fn window(&mut self, target: &Target) -> Option<Window> {
        let span = self.docs.get(target.doc)?;
        let bounds = bounds(&self.store(), &self.levels(target)?, &span, target)?;
        let has_crlf = [bounds.range.start, bounds.range.end].map(|at| self.has_crlf_at(at));
        Some(window(&self.store(), &self.levels(target)?, &span, (bounds, has_crlf)))
    }

    /// Returns whether the document `doc` is JSON: either the whole text is treated as JSON, or the
    /// document looks like it.
    pub(super) fn is_json(&self, doc: usize) -> Option<bool> {
        let root = self.tables.get(&doc)?;
        if self.is_named_json {
            return Some(true);
        }
        let list = root.table.as_ref().filter(|table| table.is_flow && !table.is_mapping);
        let Some(list) = list.filter(|list| list.len() > 0) else { return Some(root.is_json()) };
        let (store, base) = (self.store(), self.spans().get(doc)?.start);
        let start = store.skip_trivia(base + list.cuts.at(0) as usize);
        let end = (start + JSON_BYTES).min(store.len());
        Some(starts_as_json(&store.bytes(start..end)))
    }

    /// Returns the end of the entry `target` if it is in a flow collection; `None` if it is in a
    /// block collection.
    pub(super) fn flow_end(&self, target: &Target) -> Option<usize> {
        let levels = self.levels(target)?;
        let last = levels.last().filter(|last| last.table.is_flow)?;
        let end = last.table.cuts.get(last.at + 1).unwrap_or(last.table.end);
        Some(last.base + end as usize)
    }

    /// If the entry `target` is in a flow collection, extends its window to the end of the line on
    /// which the entry ends, where a trailing comment may be.
    pub(super) fn reach_line_end(&self, target: &mut Target) {
        if let Some(end) = self.flow_end(target) {
            target.reach = self.store().next_line(end);
        }
    }

    /// If the entry `target` is in a flow collection, extends its window to the end of the line on
    /// which the entry ends, provided that only a comma and a comment follow there.
    pub(super) fn reach_own_comment(&self, target: &mut Target) {
        let Some(end) = self.flow_end(target) else { return };
        let store = self.store();
        let rest = store.bytes(end..(end + REST_BYTES).min(store.len()));
        let comma = skip_blanks(&rest, 0);
        let after =
            if rest.get(comma) == Some(&b',') { skip_blanks(&rest, comma + 1) } else { comma };
        if matches!(rest.get(after), Some(b'#' | b'\r' | b'\n')) {
            target.reach = store.next_line(end);
        }
    }

    /// Creates the table of the root of the document `doc`, unless it has one.
    pub(super) fn root_table(&mut self, doc: usize, steps: &[Step]) -> Option<()> {
        let span = self.docs.get(doc)?;
        if !self.tables.contains_key(&doc) {
            let text = self.store().bytes(span.start..span.end);
            let Scan { mut table, plain_keys, docs, .. } =
                scan(&text, Way::new(steps, 0), None).ok()?;
            drop(text);
            let start = docs.first()?.start as i64;
            if let Some(table) = &mut table {
                table.shift_all(start);
            }
            self.tables.insert(doc, Root { table, plain_keys });
        }
        Some(())
    }

    /// Returns the entry that an operation acts on; `None` if the whole text is needed to find it.
    pub(super) fn target(&mut self, operation: &Operation) -> Option<Target> {
        let doc = operation.doc;
        self.root_table(doc, &operation.path)?;
        if self.tables.get(&doc)?.table.is_none() {
            return self.entry(doc, Vec::new());
        }
        let inserts = operation.action.inserts();
        let mut at: Vec<usize> = Vec::new();
        for (index, step) in operation.path.iter().enumerate() {
            if index > 0 && self.reach(doc, &at, &operation.path).is_none() {
                // It is a scalar, perhaps null, so its entry is the target.
                return self.entry(doc, at);
            }
            let levels = self.levels(&Target::new(doc, [&at[..], &[0]].concat(), false))?;
            let table = levels.last()?.table;
            let (is_mapping, count) = (table.is_mapping, table.len());
            let is_last = index + 1 == operation.path.len();
            if matches!(operation.action, Action::Add(_)) && is_last && !is_mapping {
                let place = match step {
                    Step::Name(name) | Step::Key(name) if name == "-" => count,
                    step => usize::try_from(index_of(step)?).ok()?,
                };
                return self.new_entry(doc, at, (place <= count).then_some(place)?);
            }
            match self.find_in(doc, &at, step)? {
                Some(found) => at.push(found),
                None if is_mapping && adds(operation) => return self.new_entry(doc, at, count),
                None => return None,
            }
        }
        if let Action::Rename(name) = &operation.action {
            let name = Step::Key(name.clone());
            let (_, parent) = at.split_last()?;
            // Another entry may already have the new key.
            self.find_in(doc, parent, &name)?.is_none().then_some(())?;
        }
        if !inserts {
            return self.entry(doc, at);
        }
        if !at.is_empty() && self.reach(doc, &at, &operation.path).is_none() {
            return self.entry(doc, at);
        }
        let first = Target::new(doc, [&at[..], &[0]].concat(), false);
        self.ensure_anchored(&first)?;
        let levels = self.levels(&first)?;
        let place = place_in(levels.last()?.table, operation, self.anchored.as_deref())?;
        let target = self.new_entry(doc, at, place)?;
        Some(Target { names_before: operation.action.position().is_after(), ..target })
    }

    /// Finds what the operation in `scene` depends on, but the window around `target` does not show:
    /// the counts of the whole text, and whether a blank line separates every two entries of the
    /// collection that `target` is in. Returns the latter, if it was asked for.
    pub(super) fn find_outside(&mut self, scene: &Scene, target: &Target) -> Option<Option<bool>> {
        if scene.wants_counts() {
            self.count().ok()?;
        }
        if !scene.wants_whole() {
            return Some(None);
        }
        let levels = self.levels(target)?;
        let level = levels.last()?;
        if let Some(near) = &level.table.near {
            return Some(Some(!near.is_dense));
        }
        let store = self.store();
        let first = store.line_start(level.cut(0));
        let last = store.skip_trivia(level.cut(level.table.len() - 1));
        let text = store.bytes(first..last);
        let mut rest = 1..level.table.len();
        Some(Some(rest.all(|at| is_set_apart(&text, skip_trivia(&text, level.cut(at) - first)))))
    }

    /// If keys in the collection of `target` are aliases, reads what the anchors of the text name.
    fn ensure_anchored(&mut self, target: &Target) -> Option<()> {
        if self.levels(target)?.last()?.table.has_alias_keys && self.anchored.is_none() {
            self.poll()?;
            self.anchored = Some(Arc::new(Anchored::of_text(self.current().as_bytes())?));
        }
        Some(())
    }

    /// Returns the index of the entry that `step` leads to in the collection at `at`; `Some(None)`
    /// if there is none, and `None` if the whole text is needed to find it.
    pub(super) fn find_in(
        &mut self,
        doc: usize,
        at: &[usize],
        step: &Step,
    ) -> Option<Option<usize>> {
        let target = Target::new(doc, [at, &[0]].concat(), false);
        self.ensure_anchored(&target)?;
        self.levels(&target)?.last()?.table.find(step, self.anchored.as_deref()).ok()
    }

    /// Returns the existing entry at the indices `at` as a target. Returns `None` for the root of
    /// the only document, because its window would be the whole text.
    fn entry(&self, doc: usize, at: Vec<usize>) -> Option<Target> {
        let is_part = !at.is_empty() || self.docs.len() > 1;
        is_part.then_some(Target::new(doc, at, false))
    }

    /// Returns, as a target, a new entry with the index `place` of the collection at `at`. If the
    /// collection is empty, returns the collection itself.
    fn new_entry(&self, doc: usize, mut at: Vec<usize>, place: usize) -> Option<Target> {
        let mut target = Target::new(doc, at.clone(), true);
        target.at.push(0);
        let levels = self.levels(&target)?;
        if levels.last()?.table.len() == 0 {
            return self.entry(doc, at);
        }
        at.push(place);
        Some(Target::new(doc, at, true))
    }
}

/// Returns whether an operation adds keys of its path that do not exist.
fn adds(operation: &Operation) -> bool {
    use Action::*;
    matches!(operation.action, Set { .. } | Add(_) | Merge(_) | Append(_))
}

/// Returns the index at which `insert` or `append` puts a new entry in the collection of `table`.
/// Returns `None` if the whole text is needed, or the entry may be refused.
fn place_in(table: &Table, operation: &Operation, anchored: Option<&Anchored>) -> Option<usize> {
    if operation.action.key().is_some() != table.is_mapping {
        return None;
    }
    if let Some(key) = operation.action.key() {
        let tokens = Value::parse(key).ok()?.tokens();
        if table.is_flow && !matches!(tokens[..], [Token::Text(_)]) {
            // In JSON, such a key becomes text.
            return None;
        }
        let hash = token_hash(&tokens);
        // If the key may already exist, the whole text decides.
        let is_new = hash != 0 && table.find_hashes(vec![hash], anchored) == Ok(None);
        is_new.then_some(())?;
    }
    let count = table.len();
    let position = operation.action.position();
    if let Some(neighbor) = position.neighbor() {
        let found = match table.is_mapping {
            true => table.find(&Step::Name(neighbor.to_owned()), anchored).ok()??,
            false => neighbor.parse().ok().filter(|&at: &usize| at < count)?,
        };
        return Some(found + usize::from(position.is_after()));
    }
    let place = position.index().unwrap_or(count);
    (place <= count).then_some(place)
}
