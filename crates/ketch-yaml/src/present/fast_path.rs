//! What the options leave to the fast path.

use super::options::{Collections, PresentOptions, Scalars};

/// What the options leave to the fast path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FastPath {
    /// Nothing.
    Closed,
    /// Scalars as they are.
    AsGiven,
    /// Plain scalars as they are, quoted ones without their quotes where they need none.
    Minimal,
}

impl FastPath {
    pub(super) fn of(options: &PresentOptions) -> FastPath {
        // What is plain in a block need not be in brackets.
        let is_foreign = options.collections == Collections::Flow;
        match options.scalars {
            _ if is_foreign || options.width.is_some() || options.ascii => FastPath::Closed,
            Scalars::AsGiven => FastPath::AsGiven,
            Scalars::Minimal => FastPath::Minimal,
            Scalars::DoubleQuoted => FastPath::Closed,
        }
    }
}
