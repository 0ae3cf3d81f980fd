//! The path to entries, and how far it was followed.

use crate::value::Value;
use std::collections::HashSet;
use std::hash::RandomState;
use std::sync::Arc;

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// `.name`.
    Key(Arc<str>),
    /// `.[]`.
    Each,
}

/// What a path leads to.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The value.
    pub value: Value,
    /// The number of steps that lead to it. The others are still to be done, as they may fail.
    pub steps: usize,
}

/// A collection on the path.
#[derive(Debug)]
pub(super) struct Level {
    pub(super) is_object: bool,
    /// Whether no entry was read yet.
    pub(super) is_new: bool,
    /// Whether the key of the step was found.
    pub(super) is_found: bool,
    /// The first keys that are not the one of the step.
    pub(super) others: Vec<Arc<str>>,
    /// Hashes of the keys, of which all values are entries.
    pub(super) keys: HashSet<(u64, u64)>,
}

/// The number of other keys that are kept, for the message about a missing one.
pub(super) const OTHERS_MAX: usize = 1000;

/// How far a path was followed.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// The start of the document, if nothing of it was read.
    pub(super) root: Option<usize>,
    pub(super) levels: Vec<Level>,
    pub(super) hashers: (RandomState, RandomState),
}
