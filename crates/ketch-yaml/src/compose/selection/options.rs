//! How to select.

use crate::compose::options::ComposeOptions;

/// How to select.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct SelectionOptions {
    /// How to compose the results; also the schema by which keys are compared.
    pub compose: ComposeOptions,
    /// Search only this document, counted from 0; reading stops at its end. Default: all.
    pub document: Option<u64>,
    /// The last step of the path must choose from a sequence. Default: no.
    pub is_sequence: bool,
}
