//! A problem in the form in which the engine finds it, before it becomes an error for people.

use crate::problem::Problem;

/// A problem and its offset in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The problem.
    pub problem: Problem,
    /// The offset in the UTF-8 form of the stream.
    pub at: u64,
    /// The length in bytes.
    pub len: usize,
    /// The offset of a place that explains the problem, such as the opening quote or the first of
    /// two duplicate keys.
    pub related: Option<u64>,
}
