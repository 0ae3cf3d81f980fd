//! Moves and copies in two windows: one around the entry, and one around its new place.

use super::error::EditError;
use super::index::Target;
use super::operation::Operation;
use super::read::Look;
use super::scene::{Habit, Scene};
use super::session::Edit;
use super::transfer::{Lifted, Place, after_removal, destination, new_key};
use crate::path::Step;

impl Edit {
    /// Moves or copies a node without anchors and aliases. `None` if that takes the whole text; then
    /// nothing has changed.
    pub(super) fn carry(&mut self, operation: &Operation) -> Option<Result<(), EditError>> {
        let is_move = operation.op == "move";
        let is_into_itself = destination(operation).starts_with(&operation.path);
        if operation.path.is_empty() || operation.alias.is_some() || is_move && is_into_itself {
            return None;
        }
        let read = Operation { doc: operation.doc, ..Operation::new("test", &operation.path) };
        let source = self.target(&read)?;
        if source.at.len() < operation.path.len() {
            return None;
        }
        let mut lifted = None;
        let take = |scene: &mut Scene, moved: &Operation| {
            lifted = Some(scene.lift(moved)?).filter(|lifted| lifted.is_plain);
            match (is_move, &lifted) {
                (true, Some(_)) => scene.delete(moved, &moved.path),
                _ => Ok(()),
            }
        };
        let is_item = !self.levels(&source)?.last()?.table.is_mapping;
        let removed = source.at.last().copied().filter(|_| is_move && is_item);
        if is_move {
            self.count().ok()?;
        }
        let is_json = self.tables.get(&operation.doc)?.is_json();
        let habit = Habit { is_json, counts: self.counts };
        let done = match self.run_at(&source, operation, take)? {
            Err(error) if error.is_interrupted() => return Some(Err(error)),
            done => done.ok()?,
        };
        // New text looks as it would before the removal.
        self.habit_before = is_move.then_some(habit);
        let put = lifted.and_then(|lifted| self.put_down(operation, removed, &lifted));
        self.habit_before = None;
        if !matches!(put, Some(Ok(()))) && is_move {
            self.undo(done);
        }
        put
    }

    /// Puts a node into its new collection. `None` if that takes the whole text, or is refused.
    fn put_down(
        &mut self,
        operation: &Operation,
        removed: Option<usize>,
        lifted: &Lifted,
    ) -> Option<Result<(), EditError>> {
        let (parents, placed) = after_removal(operation, removed);
        let is_sequence = match self.look(operation.doc, &parents).ok()? {
            Look::Sequence(_) => true,
            Look::Mapping(_) => false,
            _ => return None,
        };
        let key = new_key(operation, is_sequence);
        let insertion = match &operation.target {
            Some(target) => Operation { op: "add".to_owned(), path: target.clone(), ..placed },
            None => Operation {
                op: "insert".to_owned(),
                path: parents.clone(),
                key: key.clone(),
                ..placed
            },
        };
        let target: Target = self.target(&insertion)?;
        // Windows know new entries of collections only.
        if !target.is_new && !is_empty_collection(&target, &parents) {
            return None;
        }
        let depth = parents.len();
        let done = self.run_at(&target, &insertion, |scene, moved| {
            let place = Place { parents: moved.path[..depth].to_vec(), key: key.clone() };
            let moved = in_window(moved);
            let at = scene.put(&moved, &place, &lifted.value)?;
            scene.restore_entry(&moved, &place, at, lifted);
            Ok(())
        })?;
        match done {
            Err(error) if error.is_interrupted() => Some(Err(error)),
            done => done.ok().map(|_| Ok(())),
        }
    }
}

/// Returns whether a target is the collection itself, since it has no entries.
fn is_empty_collection(target: &Target, parents: &[Step]) -> bool {
    target.at.len() == parents.len()
}

/// Returns the operation in a window, whose path as in RFC 6902 is the new one.
fn in_window(moved: &Operation) -> Operation {
    let target = moved.target.is_some().then(|| moved.path.clone());
    Operation { target, ..moved.clone() }
}
