//! The reasons why a session can refuse an operation.

use ketch_edit::{EditError, EditErrorKind};
use ketch_yaml::{Error, Location};
use std::fmt;

/// The reason why a session refused an operation.
#[derive(Debug)]
pub enum Refusal {
    /// An edit, or a read through the [`Edit`](ketch_edit::Edit), was rejected.
    Edit(EditError),
    /// The text cannot be read as values.
    Yaml(Error),
    /// The view is stale: its collection was deleted, moved or replaced. The string is the message
    /// for users.
    Stale(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Edit(error) => error.fmt(f),
            Refusal::Yaml(error) => error.fmt(f),
            Refusal::Stale(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<EditError> for Refusal {
    fn from(error: EditError) -> Refusal {
        Refusal::Edit(error)
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::Yaml(error)
    }
}

/// Returns the name that the exception for errors of `kind` has in Ruby and Python.
#[must_use]
pub fn class_name(kind: EditErrorKind) -> &'static str {
    match kind {
        EditErrorKind::NotFound => "NotFoundError",
        EditErrorKind::NotOwned => "NotOwnedError",
        EditErrorKind::ThroughAlias => "ThroughAliasError",
        EditErrorKind::AnchorInUse => "AnchorInUseError",
        EditErrorKind::KindMismatch => "KindMismatchError",
        EditErrorKind::TestFailed => "TestFailedError",
        EditErrorKind::WouldChangeMeaning => "WouldChangeMeaningError",
        _ => "EditError",
    }
}

/// Returns the message of a rejected operation for users: the file, line and column, what is wrong,
/// the line with a caret, and what to do. `file` is the name of the file, if there is one. `count`
/// is the number of operations that were applied together; if there are several, the message says
/// which of them was rejected.
#[must_use]
pub fn describe(error: &EditError, file: Option<&str>, count: usize) -> String {
    let mut problem = match error.cause() {
        Some(cause) => cause.message().into_owned(),
        None => error.message().to_owned(),
    };
    if error.is_in_value() {
        problem = format!("in the value: {problem}");
    }
    if let Some(index) = error.operation().filter(|_| count > 1) {
        problem = format!("operation {} of {count}: {problem}", index + 1);
    }
    let help = match error.cause() {
        Some(cause) => cause.help().to_owned(),
        None => help(error.kind()).to_owned(),
    };
    message(error.location(), file, &problem, &help)
}

/// Returns a message about a place in a text, with the line and a caret if the place is known.
pub(crate) fn message(
    location: Option<&Location>,
    file: Option<&str>,
    problem: &str,
    help: &str,
) -> String {
    match (location, file) {
        (Some(location), _) => location.message(file, problem, help),
        (None, Some(file)) => format!("{file}: {problem}\n{help}"),
        (None, None) => format!("{problem}\n{help}"),
    }
}

/// Returns what a user can do about an error of `kind`.
#[must_use]
pub fn help(kind: EditErrorKind) -> &'static str {
    match kind {
        EditErrorKind::NotFound => "Check the path, or set the value to add it.",
        EditErrorKind::NotOwned => "Edit the mapping that it is merged from, or set the key here.",
        EditErrorKind::ThroughAlias => {
            "`alias: through` edits the anchored node, `alias: detach` a copy of it here."
        }
        EditErrorKind::AnchorInUse => {
            "`anchors: promote` moves the node to its first alias, `anchors: expand` copies it to each."
        }
        EditErrorKind::DuplicateKey => "Delete or rename one of the entries by hand.",
        EditErrorKind::KindMismatch => "Choose the path of a node of the right kind.",
        EditErrorKind::TestFailed => "The text has changed: check the operations.",
        EditErrorKind::BadOperation => {
            "docs/editing.md lists the operations and what each of them needs."
        }
        _ => "The text is unchanged: edit this part by hand.",
    }
}
