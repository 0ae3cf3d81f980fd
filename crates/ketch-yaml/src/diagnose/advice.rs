//! The advice that a diagnosis results in.

use super::scene::{Line, Scene};
use crate::location::masked;

/// Advice on a mistake. It replaces the general message of a problem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Advice {
    /// A message that names the mistake.
    pub message: String,
    /// The offset in the stream and the length of the mistake, if it is not where the parser has
    /// noticed it.
    pub place: Option<(u64, usize)>,
    /// A short label at the location of the mistake.
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
        let (message, label, help) = (masked(message), masked(label), masked(help));
        Advice { message, place: None, label, help, related: None }
    }

    /// Adds another location to the advice: `len` bytes at the offset `at` of the scene's text.
    pub(super) fn with(
        mut self,
        scene: &Scene<'_>,
        at: usize,
        len: usize,
        label: impl Into<String>,
    ) -> Self {
        let at = scene.base + at as u64;
        self.related = Some(Related { at, len, label: masked(label) });
        self
    }

    /// Adds the line `line` to the advice as another location, if there is one.
    pub(super) fn with_line(
        self,
        scene: &Scene<'_>,
        line: Option<Line<'_>>,
        label: &'static str,
    ) -> Self {
        let Some(line) = line else { return self };
        self.with(scene, line.body_at(), line.body().len(), label)
    }

    /// Places the advice at the mistake, `len` bytes at the offset `at` of the line of the error.
    pub(super) fn at(self, scene: &Scene<'_>, at: usize, len: usize) -> Self {
        Advice { place: Some((scene.base + at as u64, len)), ..self }
    }

    /// Moves the advice to the mistake, `len` bytes at the offset `at` of the scene's text. Without
    /// another location, the place where the parser has noticed it becomes that. If both are on one
    /// line or in different documents, the mistake is only added as the other location, if there is
    /// none yet.
    pub(super) fn moved(
        mut self,
        scene: &Scene<'_>,
        at: usize,
        len: usize,
        label: impl Into<String>,
    ) -> Self {
        let is_alone = self.related.is_none();
        if scene.line_at(at) == scene.line() || scene.is_in_earlier_document(at) {
            return if is_alone { self.with(scene, at, len, label) } else { self };
        }
        let place = Some((scene.base + at as u64, len));
        let noticed = std::mem::replace(&mut self.label, masked(label));
        let moved = Advice { place, ..self };
        if is_alone { moved.with(scene, scene.at, scene.len, noticed) } else { moved }
    }
}
