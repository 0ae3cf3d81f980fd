//! The advice that a diagnosis results in.

use super::scene::Scene;

/// Advice on a mistake. It replaces the general message of a problem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Advice {
    /// A message that names the mistake.
    pub message: String,
    /// A short label at the location of the error.
    pub label: String,
    /// A sentence that says what to do.
    pub help: String,
    /// Another location, which explains the mistake.
    pub related: Option<Related>,
}

/// A location that explains a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Related {
    /// The offset in the stream.
    pub at: u64,
    pub len: usize,
    /// A short label at the location.
    pub label: String,
}

impl Advice {
    /// Creates advice that names no other location.
    pub(super) fn new(
        message: impl Into<String>,
        label: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Advice { message: message.into(), label: label.into(), help: help.into(), related: None }
    }

    /// Adds another location to the advice: `len` bytes at the offset `at` of the scene's text.
    pub(super) fn with(
        mut self,
        scene: &Scene<'_>,
        at: usize,
        len: usize,
        label: impl Into<String>,
    ) -> Self {
        self.related = Some(Related { at: scene.base + at as u64, len, label: label.into() });
        self
    }
}
