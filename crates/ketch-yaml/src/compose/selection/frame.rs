//! An open collection on the path.

use super::found::Found;
use super::make::Deferred;
use crate::compose::options::DuplicateKeys;
use crate::compose::select::{Keys, Many, Match, Wanted};
use crate::error::Error;
use std::collections::VecDeque;

/// The role of a node on the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Not on the path.
    Off,
    /// This many steps of the path lead to it.
    At(usize),
    /// An entry that the filter after this many steps has to accept.
    Entry(usize),
    /// A key of a mapping on the path.
    Key,
    /// The value of a merge key of a mapping on the path.
    Merge,
}

/// What was found, or the error in its place. It is dropped if its entry turns out not to be
/// selected.
pub(super) type Finding = Result<Found, Error>;

/// A result inside a collection that may turn out not to be selected.
#[derive(Debug)]
pub(super) enum Held {
    Ready(Box<Finding>),
    /// Nodes that are composed once they are selected. The first of them that leads to something wins.
    Later(Vec<Deferred>),
}

/// An open collection on the path.
#[derive(Debug)]
pub(super) struct Frame {
    /// The number of steps that lead to it.
    pub steps: usize,
    /// The depth of its children.
    pub depth: usize,
    pub is_mapping: bool,
    /// The role of the next node, in a mapping.
    pub expected: Role,
    /// The number of entries or pairs so far.
    pub count: u64,
    /// Whether a filter has accepted an entry.
    pub has_accepted: bool,
    /// How the wanted key matched, and its offset.
    pub matched: Option<(Match, u64)>,
    /// The results inside each child that may be selected, held until the collection ends. `None` if
    /// they need not be held.
    held: Option<VecDeque<Vec<Held>>>,
    /// The maximum number of such children.
    held_max: u64,
    /// The results of merge keys.
    merged: Option<Held>,
    pub keys: Keys,
}

impl Frame {
    /// Creates the frame of a collection to which `steps` steps lead, whose children are at
    /// `depth`. The step `wanted` selects from these children.
    pub fn new(
        steps: usize,
        depth: usize,
        is_mapping: bool,
        wanted: &Wanted,
        duplicate_keys: DuplicateKeys,
    ) -> Frame {
        let held_max = match wanted.index {
            Some(index) if index < 0 && !is_mapping => index.unsigned_abs(),
            _ if is_mapping && duplicate_keys == DuplicateKeys::Last => 1,
            _ => 0,
        };
        Frame {
            steps,
            depth,
            is_mapping,
            expected: if is_mapping { Role::Key } else { Role::Off },
            count: 0,
            has_accepted: false,
            matched: None,
            held: (held_max > 0 && matches!(wanted.many, Many::No)).then(VecDeque::new),
            held_max,
            merged: None,
            keys: Keys::default(),
        }
    }

    /// Returns the role of the next entry of a sequence, of which the step `wanted` selects
    /// entries.
    pub fn entry(&mut self, wanted: &Wanted) -> Role {
        let index = self.count;
        self.count += 1;
        let is_wanted = match (&wanted.many, wanted.index) {
            (Many::All, _) => true,
            (Many::Filter(_), _) => return Role::Entry(self.steps),
            (Many::Slice(from, to), _) => {
                let is_before = |bound: Option<i64>| bound.is_some_and(|at| index < at as u64);
                !is_before(*from) && (to.is_none() || is_before(*to))
            }
            (_, Some(wanted)) if wanted < 0 => {
                self.hold();
                true
            }
            (_, Some(wanted)) => wanted.unsigned_abs() == index,
            _ => false,
        };
        if is_wanted { Role::At(self.steps + 1) } else { Role::Off }
    }

    /// Prepares for another child that may be selected, whose results are held separately. If too many
    /// children are held, drops the oldest.
    pub fn hold(&mut self) {
        let Some(held) = &mut self.held else { return };
        if held.len() as u64 >= self.held_max {
            held.pop_front();
        }
        held.push_back(Vec::new());
    }

    /// Holds the result `found`, or returns it if this collection need not hold results.
    pub fn keep(&mut self, found: Held) -> Option<Held> {
        match self.held.as_mut().and_then(VecDeque::back_mut) {
            Some(held) => {
                held.push(found);
                None
            }
            None => Some(found),
        }
    }

    /// Returns whether results in the collection may turn out not to be selected.
    pub fn holds(&self) -> bool {
        self.held.is_some()
    }

    /// Stores `found`, the result of a merge key. If several merge keys have a result, the first
    /// wins, except that deferred nodes are collected, because it is not known yet which of them
    /// lead to a result.
    pub fn merge(&mut self, found: Held) {
        match (&mut self.merged, found) {
            (Some(Held::Later(first)), Held::Later(more)) => first.extend(more),
            (Some(_), _) => {}
            (merged @ None, found) => *merged = Some(found),
        }
    }

    /// Returns, at the end of the collection, whether the step `wanted` selected nothing in it.
    pub fn is_dead_end(&self, wanted: &Wanted) -> bool {
        match (&wanted.many, wanted.index) {
            (Many::All, _) => self.count == 0,
            (Many::Filter(_), _) => !self.has_accepted,
            _ if self.is_mapping => self.matched.is_none(),
            (Many::Slice(from, to), _) => {
                let from = from.unwrap_or(0);
                self.count <= from.unsigned_abs() || to.is_some_and(|to| to <= from)
            }
            (_, Some(index)) if index < 0 => self.count < index.unsigned_abs(),
            (_, Some(index)) => self.count <= index.unsigned_abs(),
            _ => true,
        }
    }

    /// Returns, at the end of the collection, the held or merged results that are selected after
    /// all.
    pub fn finish(&mut self) -> Vec<Held> {
        if self.is_mapping && self.matched.is_none() {
            return self.merged.take().into_iter().collect();
        }
        match self.held.take() {
            // If the collection has fewer entries than the index counts back, no entry is selected.
            Some(mut held) if held.len() as u64 == self.held_max => {
                held.pop_front().unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }
}
