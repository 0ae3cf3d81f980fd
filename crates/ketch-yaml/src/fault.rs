//! A problem as the engine finds it, before a person reads about it.

use crate::problem::Problem;

/// A problem and its place in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub problem: Problem,
    /// Offset in the UTF-8 form of the stream.
    pub at: u64,
    pub len: usize,
    /// The place that explains it: where a quote was opened, where a key stood first.
    pub related: Option<u64>,
}
