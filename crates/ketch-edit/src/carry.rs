//! Moves and copies of nodes that parse only two windows of the text: one around the entry, and one
//! around its new place.

use super::error::EditError;
use super::index::Target;
use super::operation::{Action, NewValue, Operation};
use super::read::Look;
use super::scene::{Habit, Place, Scene};
use super::session::Edit;
use super::transfer::{Lifted, after_removal, destination, keeps_place, stays_in_collection};
use super::window::Level;
use super::{removal, transfer};
use ketch_yaml::path::Step;

impl Edit {
    /// Moves or copies a node. Returns `None`, with the text unchanged, if that needs the whole
    /// text, for example because aliases may change their meaning.
    pub(super) fn carry(&mut self, operation: &Operation) -> Option<Result<(), EditError>> {
        let is_move = matches!(operation.action, Action::Move(_));
        let is_into_itself = destination(operation).starts_with(&operation.path);
        if operation.path.is_empty() || operation.alias.is_some() || is_move && is_into_itself {
            return None;
        }
        let read = Operation::to_find(operation.doc, &operation.path);
        let mut source = self.target(&read)?;
        if source.at.len() < operation.path.len() {
            return None;
        }
        self.reach_own_comment(&mut source);
        let (is_pair, count) = {
            let levels = self.levels(&source)?;
            let table = &levels.last()?.table;
            (table.is_mapping, table.len())
        };
        if keeps_place(operation, (*source.at.last()?, count), is_pair) {
            return Some(Ok(()));
        }
        if count == 2 && stays_in_collection(operation) {
            // Whether the entries are set apart has to be known after the first is removed.
            return None;
        }
        let mut lifted = None;
        let take = |scene: &mut Scene, moved: &Operation| {
            let found = transfer::lift(scene, moved)?;
            lifted = Some(found).filter(|found| !found.is_key_named && (is_move || found.is_plain));
            scene.are_aliases_loose = is_move;
            if is_move { removal::delete(scene, moved, &moved.path) } else { Ok(()) }
        };
        let is_item = !self.levels(&source)?.last()?.table.is_mapping;
        let removed = source.at.last().copied().filter(|_| is_move && is_item);
        let from = self.start_of(&source)?;
        let is_anchored = self.may_be_anchored(&source)?;
        if is_move {
            self.count().ok()?;
        }
        let is_json = self.is_json(operation.doc)?;
        let habit = Habit { is_json, counts: self.counts };
        let done = match self.run_at(&source, operation, take)? {
            Err(error) if error.is_interrupted() => return Some(Err(error)),
            done => done.ok()?,
        };
        // New text must look as it would have looked before the removal of the node.
        self.habit_before = is_move.then_some(habit);
        let put = lifted.and_then(|lifted| {
            let is_free = lifted.is_plain || !is_anchored && lifted.names.are_free(self.names()?);
            is_free.then(|| self.put_down(operation, (removed, from), &lifted))?
        });
        self.habit_before = None;
        if !matches!(put, Some(Ok(()))) && is_move {
            self.undo(done);
        }
        put
    }

    /// Returns the offset where the entry `target` starts, or would start if it is new.
    fn start_of(&self, target: &Target) -> Option<usize> {
        Some(self.levels(target)?.last()?.start_of_entry())
    }

    /// Returns whether a collection that contains the entry `target` may have an anchor: whether,
    /// in one of them, there is a `&` between the start of its own entry and its first entry.
    fn may_be_anchored(&self, target: &Target) -> Option<bool> {
        let levels = self.levels(target)?;
        let mut start = self.docs.get(target.doc)?.start;
        for level in &levels {
            let first = Level { at: 0, ..*level }.start_of_entry();
            if self.store().bytes(start..first).contains(&b'&') {
                return Some(true);
            }
            start = level.start_of_entry();
        }
        Some(false)
    }

    /// Adds the node `lifted` to its new collection. The node was at the offset `from`; if it was
    /// removed from a sequence, `removed` is the index that it had there. Returns `None` if this
    /// needs the whole text, or is refused.
    fn put_down(
        &mut self,
        operation: &Operation,
        (removed, from): (Option<usize>, usize),
        lifted: &Lifted,
    ) -> Option<Result<(), EditError>> {
        let (parents, placed) = after_removal(operation, removed);
        let is_sequence = match self.look(operation.doc, &parents).ok()? {
            Look::Sequence(_) => true,
            Look::Mapping(_) => false,
            _ => return None,
        };
        let key = lifted.new_key(operation, is_sequence, self.is_json(operation.doc)?);
        if lifted.lacks_key(operation, key.as_deref()) {
            return None;
        }
        let insertion = insertion(operation, placed, &parents, key.as_deref());
        let target: Target = self.target(&insertion)?;
        // A window can add an entry only to an existing collection.
        if !target.is_new && !is_empty_collection(&target, &parents) {
            return None;
        }
        if !lifted.is_plain && self.may_be_anchored(&target)? {
            return None;
        }
        // If the node moves up, an alias could come before the anchor that it refers to.
        if !lifted.names.outer.is_empty() && self.start_of(&target)? < from {
            return None;
        }
        let depth = parents.len();
        let done = self.run_at(&target, &insertion, |scene, moved| {
            let place = Place { parents: moved.path[..depth].to_vec(), key: key.clone() };
            scene.are_aliases_loose = !lifted.is_plain;
            let at = transfer::put(scene, moved, &place, &lifted.value)?;
            scene.are_aliases_loose = false;
            transfer::restore_entry(scene, moved, &place, at, lifted)
        })?;
        match done {
            Err(error) if error.is_interrupted() => Some(Err(error)),
            done => done.ok().map(|_| Ok(())),
        }
    }
}

/// Returns the operation that adds a moved or copied node to its new collection, at `parents`.
/// `placed` is the move or copy with the place adjusted to the removal.
fn insertion(
    operation: &Operation,
    placed: Operation,
    parents: &[Step],
    key: Option<&str>,
) -> Operation {
    let (action, path) = match operation.action.target() {
        Some(target) => (Action::Add(NewValue::default()), target),
        None => {
            let position = placed.action.position().clone();
            let key = key.map(str::to_owned);
            (Action::Insert { value: NewValue::default(), key, position }, parents)
        }
    };
    Operation { action, path: path.to_vec(), ..placed }
}

/// Returns whether `target` is the collection at `parents` itself, because that is empty.
fn is_empty_collection(target: &Target, parents: &[Step]) -> bool {
    target.at.len() == parents.len()
}

#[cfg(test)]
mod tests {
    use super::super::{Action, Edit, EditErrorKind, Operation, Transfer};
    use ketch_yaml::path::Path;

    /// Checks that the entry `from` cannot be moved to `to`, with windows or with the whole text.
    fn assert_stays(text: &str, (from, to): (&str, &str), expected: EditErrorKind) {
        let to = Transfer::to(to.parse::<Path>().expect("a path").steps().to_vec());
        let operation = Operation::at(Action::Move(to), &from.parse().expect("a path"));
        for is_whole in [false, true] {
            let mut edit = Edit::open(text).expect("a text");
            if is_whole {
                edit = edit.checking_whole();
            }
            let moved = edit.apply(std::slice::from_ref(&operation));
            let moved = moved.map_err(|error| error.kind());
            assert_eq!(moved, Err(expected), "{operation:?}: {}", edit.text());
            assert_eq!(edit.text(), text);
        }
    }

    #[test]
    fn a_key_whose_anchor_is_in_use_does_not_move() {
        let text = "&k key: &v value\nfoo: *k\nlast: {}\n";
        assert_stays(text, ("key", ""), EditErrorKind::AnchorInUse);
        assert_stays(text, ("key", "last"), EditErrorKind::AnchorInUse);
    }

    #[test]
    fn an_alias_does_not_move_into_or_out_of_an_anchored_node() {
        let text = "a: &a [1]\nb: *a\nc: &c {x: *a}\nd: *c\n";
        for path in [("b", "a"), ("b", "c"), ("c.x", "")] {
            assert_stays(text, path, EditErrorKind::WouldChangeMeaning);
        }
    }
}
