//! The options for selecting nodes.

use crate::compose::options::ComposeOptions;

/// Options for selecting nodes.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct SelectionOptions {
    /// How to compose the results. Its schema also decides how keys on the path are compared.
    pub compose: ComposeOptions,
    /// Search only the document with this number, from 0, and stop reading at its end. Default:
    /// search all documents.
    pub document: Option<u64>,
    /// Whether it is an error if the last step of the path is applied to anything but a sequence.
    /// Default: no.
    pub is_sequence: bool,
    /// Whether the names of the path only find keys that are text: the step `8080` does not find the
    /// integer 8080. Default: no.
    pub text_keys: bool,
    /// Whether nodes at which the path ends too early are results as well: see [`Found::dead_end`]. Then each document has
    /// a result. Default: no.
    ///
    /// [`Found::dead_end`]: crate::compose::Found::dead_end
    pub dead_ends: bool,
}
