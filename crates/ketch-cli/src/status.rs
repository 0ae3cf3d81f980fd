//! The exit codes of a run, and the failures that end it early.

use crate::diagnostic::Diagnostic;
use std::io;
use std::process::ExitCode;

/// The exit code. A run over several files ends with the highest one. Wrong usage usually ends it
/// before any file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Every input was read, and a search found something.
    Success = 0,
    /// Invalid input.
    WrongInput = 1,
    /// Wrong usage. The argument parser finds most of it.
    Usage = 2,
    /// A file could not be read or written.
    Io = 3,
    /// Nothing was found.
    Missing = 4,
    /// Out of memory.
    Memory = 5,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

/// The reason why a run, or the work on one file, ended early.
#[derive(Debug)]
pub enum Failure {
    /// Invalid input.
    Input(Box<Diagnostic>),
    /// The arguments do not fit together.
    Usage(String),
    /// An argument is invalid at a known location.
    Argument(Box<Diagnostic>),
    /// Nothing was found.
    Missing(Box<Diagnostic>),
    /// A file could not be read.
    Read(String, io::Error),
    /// A file could not be written.
    Write(String, io::Error),
    /// A file could not be read or written, with details.
    File(Box<Diagnostic>),
    /// The reader of the output has gone, as after `| head`. This is not an error.
    Closed,
}

impl Failure {
    /// Creates a failure to write `file`.
    pub fn write(file: &str, error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Write(file.to_owned(), error),
        }
    }

    /// Creates a failure to replace `file`.
    pub fn replace(file: &str, error: ketch_files::Error) -> Failure {
        match error {
            ketch_files::Error::Io(error) => Failure::write(file, error),
            error => Failure::File(Box::new(Diagnostic::not_replaced(file, &error))),
        }
    }

    /// Returns the exit status for this failure.
    pub fn status(&self) -> Status {
        match self {
            Failure::Input(_) => Status::WrongInput,
            Failure::Usage(_) | Failure::Argument(_) => Status::Usage,
            Failure::Missing(_) => Status::Missing,
            Failure::Read(..) | Failure::Write(..) | Failure::File(_) => Status::Io,
            Failure::Closed => Status::Success,
        }
    }

    /// Returns the diagnostic, if there is one.
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        match self {
            Failure::Input(diagnostic)
            | Failure::Argument(diagnostic)
            | Failure::File(diagnostic)
            | Failure::Missing(diagnostic) => Some(Diagnostic::clone(diagnostic)),
            Failure::Read(file, error) => Some(Diagnostic::io(file, "could not be read", error)),
            Failure::Write(file, error) => {
                Some(Diagnostic::io(file, "could not be written", error))
            }
            Failure::Usage(_) | Failure::Closed => None,
        }
    }
}
