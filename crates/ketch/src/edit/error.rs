//! The reasons why an edit failed.

use ketch_edit::{EditError, EditErrorKind};
use ketch_files::Error as FileError;
use ketch_yaml::path::PathError;
use std::fmt;
use std::path::PathBuf;

/// The reason why an edit failed. The text and the file are unchanged.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The operation was rejected.
    Refused(EditError),
    /// The path of a value to read, which leads to nothing.
    Missing(String),
    /// A text that is not a valid path, with the reason.
    Path(String, PathError),
    /// The new value cannot be written as YAML, or the current value cannot be read as the
    /// requested type.
    Value(crate::Error),
    /// The file at this path cannot be read or replaced.
    File(PathBuf, FileError),
    /// The text was not read from a file, so it cannot be saved.
    NoFile,
}

impl Error {
    /// Returns the kind of reason for which an operation was rejected, or
    /// [`EditErrorKind::NotFound`] if the path to read leads to nothing. Returns `None` for all
    /// other errors. The kinds are the same in all bindings.
    #[must_use]
    pub fn kind(&self) -> Option<EditErrorKind> {
        match self {
            Error::Refused(error) => Some(error.kind()),
            Error::Missing(_) => Some(EditErrorKind::NotFound),
            _ => None,
        }
    }

    /// Returns the location that the error is about, in the text before the operation, or `None` if
    /// it is not about one node.
    #[must_use]
    pub fn location(&self) -> Option<&ketch_yaml::Location> {
        match self {
            Error::Refused(error) => error.location(),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // The message of a parser's error contains its location.
            Error::Refused(error) if error.cause().is_some() => error.fmt(f),
            Error::Refused(error) => match error.location() {
                Some(at) => write!(f, "{error} at line {}, column {}", at.line, at.column),
                None => error.fmt(f),
            },
            Error::Missing(path) => write!(f, "not-found: there is nothing at `{path}`"),
            Error::Path(path, error) => write!(f, "wrong path `{path}`: {error}"),
            Error::Value(error) => error.fmt(f),
            Error::File(path, error) => write!(f, "{}: {error}", path.display()),
            Error::NoFile => {
                f.write_str("the text was not read from a file: open it with `Edit::file`")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Refused(error) => error.cause().map(|cause| cause as _),
            Error::Path(_, error) => Some(error),
            Error::Value(error) => Some(error),
            Error::File(_, error) => Some(error),
            Error::Missing(_) | Error::NoFile => None,
        }
    }
}

impl From<EditError> for Error {
    fn from(error: EditError) -> Error {
        Error::Refused(error)
    }
}

impl From<crate::Error> for Error {
    fn from(error: crate::Error) -> Error {
        Error::Value(error)
    }
}
