//! How to select.

use crate::compose::options::ComposeOptions;

/// How to select.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct SelectionOptions {
    /// How to compose what is found; the schema that keys are compared by.
    pub compose: ComposeOptions,
    /// Look into this document only, counted from 0; reading stops at its end. Default: all.
    pub document: Option<u64>,
    /// What the last step of the path chooses from has to be a sequence. Default: no.
    pub is_sequence: bool,
}
