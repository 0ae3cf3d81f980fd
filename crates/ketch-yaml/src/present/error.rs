//! The errors that presenting can cause.

use crate::error::Error;
use std::fmt;
use std::io;

/// The reason why presenting failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum PresentError {
    /// The parser that produced the events failed.
    Read(Error),
    /// The underlying writer failed.
    Write(io::Error),
    /// The nodes do not form a document. The text says why.
    Misplaced(&'static str),
    /// The tag cannot be written in Syck's dialect.
    Tag(String),
}

impl fmt::Display for PresentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PresentError::Read(error) => error.fmt(f),
            PresentError::Write(error) => write!(f, "could not be written: {error}"),
            PresentError::Misplaced(why) => f.write_str(why),
            PresentError::Tag(tag) => {
                write!(f, "the tag `{tag}` cannot be written in Syck's dialect")
            }
        }
    }
}

impl std::error::Error for PresentError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            PresentError::Read(error) => Some(error),
            PresentError::Write(error) => Some(error),
            PresentError::Misplaced(_) | PresentError::Tag(_) => None,
        }
    }
}

impl From<Error> for PresentError {
    fn from(error: Error) -> Self {
        PresentError::Read(error)
    }
}

impl From<io::Error> for PresentError {
    fn from(error: io::Error) -> Self {
        PresentError::Write(error)
    }
}

/// The result of a method of the presenter.
pub(super) type Result<T = ()> = std::result::Result<T, PresentError>;
