//! What the options allow on the fast path.

use super::options::{Collections, PresentOptions, Scalars};

/// What the options allow on the fast path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FastPath {
    /// The fast path is not used.
    Closed,
    /// Scalars are written in their given style.
    AsGiven,
    /// Plain scalars are written as given, and quoted ones without quotes if they need none.
    Minimal,
}

impl FastPath {
    /// Determines what the fast path may do under these options.
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
