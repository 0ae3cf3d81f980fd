//! How a run ends: the exit codes, and the failures that end it early.

use crate::diagnostic::Diagnostic;
use std::io;
use std::process::ExitCode;

/// What the exit code says. A run over several files ends with the greatest that any file earned;
/// wrong usage ends it before any file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// All is fine.
    Fine = 0,
    /// An input is wrong.
    WrongInput = 1,
    /// Wrong usage. Most of it the argument parser finds by itself.
    Usage = 2,
    /// A file could not be read or written.
    Io = 3,
    /// What was asked for is not there.
    Missing = 4,
    /// Memory has run out.
    Memory = 5,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

/// Why a run, or the work on one file, ended early.
#[derive(Debug)]
pub enum Failure {
    /// An input is wrong.
    Input(Box<Diagnostic>),
    /// The arguments ask for what there is not.
    Usage(String),
    /// An argument is wrong, and there is a place in it to point at.
    Argument(Box<Diagnostic>),
    /// What was asked for is not there.
    Missing(Box<Diagnostic>),
    /// A file could not be read.
    Read(String, io::Error),
    /// A file could not be written.
    Write(String, io::Error),
    /// A file could not be read or written, and there is more to say than the system does.
    File(Box<Diagnostic>),
    /// Nobody reads the output any more, as behind `| head`: nothing to complain about.
    Closed,
}

impl Failure {
    /// A failure of writing to `file`.
    pub fn write(file: &str, error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Write(file.to_owned(), error),
        }
    }

    /// A failure of replacing `file`.
    pub fn replace(file: &str, error: ketch_files::Error) -> Failure {
        match error {
            ketch_files::Error::Io(error) => Failure::write(file, error),
            error => Failure::File(Box::new(Diagnostic::not_replaced(file, &error))),
        }
    }

    /// How a run ends that this failure ended.
    pub fn status(&self) -> Status {
        match self {
            Failure::Input(_) => Status::WrongInput,
            Failure::Usage(_) | Failure::Argument(_) => Status::Usage,
            Failure::Missing(_) => Status::Missing,
            Failure::Read(..) | Failure::Write(..) | Failure::File(_) => Status::Io,
            Failure::Closed => Status::Fine,
        }
    }

    /// What is to be said about it, if anything is.
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
