//! A problem as the engine finds it, before it becomes an error for people.

use crate::problem::Problem;

/// A problem and its offset in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub problem: Problem,
    /// Offset in the UTF-8 form of the stream.
    pub at: u64,
    pub len: usize,
    /// The location that explains it: of the opening quote, or of the first of duplicate keys.
    pub related: Option<u64>,
}
