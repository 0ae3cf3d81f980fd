//! Errors of refused edits.

use ketch_yaml::{Error, Location, Problem, masked};
use std::fmt;

/// The kind of reason why an edit is refused. All bindings have the same kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EditErrorKind {
    /// The text, or the value of an operation, is not valid YAML.
    Invalid,
    /// The operation itself is incomplete or unknown.
    BadOperation,
    /// There is no node at the path.
    NotFound,
    /// The key comes only from a merge key (`<<`), not from the mapping itself.
    NotOwned,
    /// The path goes through an alias.
    ThroughAlias,
    /// An alias still refers to the anchor of the node.
    AnchorInUse,
    /// The mapping has the key twice, or the edit would add it a second time.
    DuplicateKey,
    /// The operation needs a node of another kind.
    KindMismatch,
    /// The node that a `test` operation checks has another value than expected.
    TestFailed,
    /// The edit would change the document elsewhere.
    WouldChangeMeaning,
}

impl EditErrorKind {
    /// Returns the name of the kind, as in the messages of errors.
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

    /// Returns a general message for errors of this kind.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            EditErrorKind::Invalid => "invalid YAML",
            EditErrorKind::BadOperation => "incomplete or unknown operation",
            EditErrorKind::NotFound => "there is no node at the path",
            EditErrorKind::NotOwned => "the key comes from a merge key, not from this mapping",
            EditErrorKind::ThroughAlias => "the path goes through an alias",
            EditErrorKind::AnchorInUse => "an alias still uses this anchor",
            EditErrorKind::DuplicateKey => "duplicate key",
            EditErrorKind::KindMismatch => "the operation needs a node of another kind",
            EditErrorKind::TestFailed => "the value differs from the expected one",
            EditErrorKind::WouldChangeMeaning => "the edit would change the document elsewhere",
        }
    }
}

/// A refused edit, which has left the text unchanged.
#[derive(Debug)]
pub struct EditError {
    kind: EditErrorKind,
    location: Option<Box<Location>>,
    cause: Option<Error>,
    /// A more specific message than that of the kind.
    detail: Option<String>,
    place: Place,
    /// The index of the refused operation in the list of operations.
    operation: Option<usize>,
    /// The offset of the error in the text as it was before the operation.
    offset: Option<usize>,
}

/// The text in which the error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In the text, or in the list of operations.
    Text,
    /// In the value of an operation.
    Value,
}

impl EditError {
    /// Creates an error of the kind `kind` without a position.
    pub(super) fn plain(kind: EditErrorKind) -> EditError {
        EditError {
            kind,
            location: None,
            cause: None,
            detail: None,
            place: Place::Text,
            operation: None,
            offset: None,
        }
    }

    /// Creates an error of the kind `kind` at the offset `offset` of `text`.
    pub(super) fn at(kind: EditErrorKind, text: &[u8], offset: usize) -> EditError {
        let location = Some(Box::new(Location::in_text(text, offset as u64, 0)));
        EditError { location, offset: Some(offset), ..EditError::plain(kind) }
    }

    /// Turns an error in a window into an error in the whole text `text`. The window starts at
    /// `start`, and `before` is the number of bytes that were added before its text.
    pub(super) fn moved(self, before: usize, start: usize, text: &str) -> EditError {
        let Some(offset) = self.offset.map(|at| (at.max(before) - before + start).min(text.len()))
        else {
            return self;
        };
        let location = Some(Box::new(Location::in_text(text.as_bytes(), offset as u64, 0)));
        EditError { location, offset: Some(offset), ..self }
    }

    /// Creates an error at the offset `offset` of `text`, which is a list of operations.
    pub(super) fn in_operations(message: String, text: &[u8], offset: usize) -> EditError {
        EditError::at(EditErrorKind::BadOperation, text, offset).with_detail(message)
    }

    /// Returns the error with `detail` as its message, without characters that a terminal must not
    /// print.
    pub(super) fn with_detail(self, detail: String) -> EditError {
        EditError { detail: Some(masked(detail)), ..self }
    }

    /// Returns the error marked as one of the operation with the index `index` in its list.
    pub(super) fn of_operation(self, index: usize) -> EditError {
        EditError { operation: Some(index), ..self }
    }

    /// Returns the error marked as one in the value of an operation.
    pub(super) fn in_value(self) -> EditError {
        EditError { place: Place::Value, ..self }
    }

    /// Creates the error for text that the parser rejected with the error `cause`.
    pub(super) fn invalid(cause: Error) -> EditError {
        let location = Some(Box::new(cause.location().clone()));
        EditError { location, cause: Some(cause), ..EditError::plain(EditErrorKind::Invalid) }
    }

    /// Creates the error for an operation that the caller's interrupt stopped.
    pub(super) fn interrupted() -> EditError {
        EditError::invalid(Error::in_text(Problem::Interrupted, b"", 0, 0))
    }

    /// Returns whether the caller's interrupt stopped the operation.
    pub(super) fn is_interrupted(&self) -> bool {
        self.cause.as_ref().is_some_and(|cause| cause.problem() == Problem::Interrupted)
    }

    /// Returns the kind of the error.
    #[must_use]
    pub fn kind(&self) -> EditErrorKind {
        self.kind
    }

    /// Returns a message that says what is wrong, without the position.
    #[must_use]
    pub fn message(&self) -> &str {
        self.detail.as_deref().unwrap_or(self.kind.message())
    }

    /// Returns whether the error is in the value of an operation, not in the edited text.
    #[must_use]
    pub fn is_in_value(&self) -> bool {
        self.place == Place::Value
    }

    /// Returns the parser's error, if the text or a value is not valid YAML.
    #[must_use]
    pub fn cause(&self) -> Option<&Error> {
        self.cause.as_ref()
    }

    /// Returns the index of the refused operation in the list of operations, if it is known.
    #[must_use]
    pub fn operation(&self) -> Option<usize> {
        self.operation
    }

    /// Returns the position of the error in the text as it was before the operation. Returns `None`
    /// if the error is not about a particular node.
    #[must_use]
    pub fn location(&self) -> Option<&Location> {
        self.location.as_deref()
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cause {
            Some(cause) => cause.fmt(f),
            None => write!(f, "{}: {}", self.kind.name(), self.message()),
        }
    }
}

impl std::error::Error for EditError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_ref().map(|cause| cause as _)
    }
}
