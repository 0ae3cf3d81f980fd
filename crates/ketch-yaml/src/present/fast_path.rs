//! The extent to which the options allow the fast path.

use super::options::{Collections, PresentOptions, Scalars};

/// The extent to which the options allow the fast path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FastPath {
    /// The fast path is not used.
    Closed,
    /// Scalars are written in the style that their events have.
    AsGiven,
    /// Plain scalars are written as they are, and quoted ones without quotes if they need none.
    Minimal,
}

impl FastPath {
    /// Returns the extent to which `options` allow the fast path.
    pub(super) fn of(options: &PresentOptions) -> FastPath {
        // Text that is plain in block context may need quotes in flow context.
        let is_foreign = options.collections == Collections::Flow;
        match options.scalars {
            _ if is_foreign || options.width.is_some() || options.ascii => FastPath::Closed,
            Scalars::AsGiven => FastPath::AsGiven,
            Scalars::Minimal => FastPath::Minimal,
            Scalars::DoubleQuoted => FastPath::Closed,
        }
    }
}
