//! Why an edit failed.

use ketch_files::Error as FileError;
use ketch_yaml::edit::{EditError, EditErrorKind};
use ketch_yaml::path::PathError;
use std::fmt;
use std::path::PathBuf;

/// Why an edit failed. The text and the file are unchanged.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The operation is rejected.
    Refused(EditError),
    /// The path to read leads to nothing.
    Missing(String),
    /// The text is not a path.
    Path(String, PathError),
    /// The new value cannot be written as YAML, or the old one cannot be read as the type.
    Value(crate::Error),
    /// The file cannot be read or replaced.
    File(PathBuf, FileError),
    /// The text is not from a file, so it cannot be saved.
    NoFile,
}

impl Error {
    /// Returns why an operation is rejected, or `None` for all other errors. All bindings have the
    /// same kinds.
    #[must_use]
    pub fn kind(&self) -> Option<EditErrorKind> {
        match self {
            Error::Refused(error) => Some(error.kind()),
            Error::Missing(_) => Some(EditErrorKind::NotFound),
            _ => None,
        }
    }

    /// Returns the location in the text before the operation, if the error is about one node.
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
            // The parser's error has its own location.
            Error::Refused(error) if error.cause().is_some() => error.fmt(f),
            Error::Refused(error) => match error.location() {
                Some(at) => write!(f, "{error} at line {}, column {}", at.line, at.column),
                None => error.fmt(f),
            },
            Error::Missing(path) => write!(f, "not-found: there is nothing at `{path}`"),
            Error::Path(path, error) => write!(f, "wrong path `{path}`: {error}"),
            Error::Value(error) => error.fmt(f),
            Error::File(path, error) => write!(f, "{}: {error}", path.display()),
            Error::NoFile => f.write_str("the text is not from a file: use `Edit::file`"),
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
