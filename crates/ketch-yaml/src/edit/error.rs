//! Why an edit is refused.

use crate::error::Error;
use crate::location::Location;
use std::fmt;

/// Why an edit is refused, in the words of every binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EditErrorKind {
    /// The text, or the value of an operation, is not valid YAML.
    Invalid,
    /// The operation itself is incomplete or unknown.
    BadOperation,
    /// The path leads to nothing.
    NotFound,
    /// The key comes from a merge key (`<<`) only.
    NotOwned,
    /// The path goes through an alias.
    ThroughAlias,
    /// The anchor of the node is still in use.
    AnchorInUse,
    /// The key occurs twice, or would.
    DuplicateKey,
    /// The node is of another kind than the operation needs.
    KindMismatch,
    /// The `test` operation found another value.
    TestFailed,
    /// The result would differ elsewhere.
    WouldChangeMeaning,
}

impl EditErrorKind {
    /// The name of the kind.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            EditErrorKind::Invalid => "invalid",
            EditErrorKind::BadOperation => "bad-operation",
            EditErrorKind::NotFound => "not-found",
            EditErrorKind::NotOwned => "not-owned",
            EditErrorKind::ThroughAlias => "through-alias",
            EditErrorKind::AnchorInUse => "anchor-in-use",
            EditErrorKind::DuplicateKey => "duplicate-key",
            EditErrorKind::KindMismatch => "kind-mismatch",
            EditErrorKind::TestFailed => "test-failed",
            EditErrorKind::WouldChangeMeaning => "would-change-meaning",
        }
    }

    /// What is wrong, in words.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            EditErrorKind::Invalid => "invalid YAML",
            EditErrorKind::BadOperation => "incomplete or unknown operation",
            EditErrorKind::NotFound => "the path leads to nothing",
            EditErrorKind::NotOwned => "the key comes from a merge key, not from this mapping",
            EditErrorKind::ThroughAlias => "the path goes through an alias",
            EditErrorKind::AnchorInUse => "an alias still uses this anchor",
            EditErrorKind::DuplicateKey => "duplicate key",
            EditErrorKind::KindMismatch => "the node is of another kind",
            EditErrorKind::TestFailed => "the value differs from the expected one",
            EditErrorKind::WouldChangeMeaning => "the edit would change the document elsewhere",
        }
    }
}

/// A refused edit. The text is unchanged.
#[derive(Debug)]
pub struct EditError {
    kind: EditErrorKind,
    location: Option<Location>,
    cause: Option<Error>,
}

impl EditError {
    pub(super) fn plain(kind: EditErrorKind) -> EditError {
        EditError { kind, location: None, cause: None }
    }

    pub(super) fn at(kind: EditErrorKind, text: &[u8], offset: usize) -> EditError {
        let location = Some(Location::in_text(text, offset as u64, 0));
        EditError { kind, location, cause: None }
    }

    pub(super) fn invalid(cause: Error) -> EditError {
        let location = Some(cause.location().clone());
        EditError { kind: EditErrorKind::Invalid, location, cause: Some(cause) }
    }

    /// The kind of refusal.
    #[must_use]
    pub fn kind(&self) -> EditErrorKind {
        self.kind
    }

    /// What is wrong, in words.
    #[must_use]
    pub fn message(&self) -> &'static str {
        self.kind.message()
    }

    /// The error of the parser, if the text or a value is not valid YAML.
    #[must_use]
    pub fn cause(&self) -> Option<&Error> {
        self.cause.as_ref()
    }

    /// Where in the text that the operation saw, if it is about one node.
    #[must_use]
    pub fn location(&self) -> Option<&Location> {
        self.location.as_ref()
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cause {
            Some(cause) => cause.fmt(f),
            None => write!(f, "{}: {}", self.kind.name(), self.kind.message()),
        }
    }
}

impl std::error::Error for EditError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_ref().map(|cause| cause as _)
    }
}
