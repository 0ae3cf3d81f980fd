//! Moves: copies whose sources are deleted.

use ketch_edit::{Action, Operation};
use ketch_yaml::path::Step;
use std::collections::HashMap;

/// Makes a move of a copy whose source, an entry of a mapping, is deleted afterwards: a move keeps anchors. Each entry of
/// `copies` has a source that no change of `changes` is about, but for its deletion.
pub fn join_moves(copies: &mut [Operation], changes: &mut Vec<Operation>) {
    if copies.is_empty() {
        return;
    }
    let mut counts: HashMap<Vec<Step>, usize> = HashMap::new();
    for copy in copies.iter() {
        *counts.entry(copy.path.clone()).or_default() += 1;
    }
    changes.retain(|change| {
        let is_entry = matches!(change.path.last(), Some(Step::Key(_) | Step::Plain(_)));
        if !matches!(change.action, Action::Delete) || !is_entry {
            return true;
        }
        let is_source =
            |copy: &&mut Operation| copy.path == change.path && counts.get(&copy.path) == Some(&1);
        let Some(copy) = copies.iter_mut().find(is_source) else { return true };
        if let Action::Copy(transfer) = &copy.action {
            copy.action = Action::Move(transfer.clone());
        }
        false
    });
}
