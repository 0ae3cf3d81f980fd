//! The exit codes of the command, and the failures that end a run early.

use crate::diagnostic::Diagnostic;
use std::io;
use std::process::ExitCode;

/// The kind of the diagnostics of the readers of formats that are converted to YAML.
pub const KIND: &str = "Syntax";

/// The exit code of a run. If the results for several files differ, the run ends with the highest
/// code. Wrong usage usually ends it before a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// All inputs were processed without an error, and if something was searched for, it was found.
    Success = 0,
    /// An input is invalid.
    WrongInput = 1,
    /// The arguments are wrong. The argument parser detects most such errors.
    Usage = 2,
    /// A file could not be read or written.
    Io = 3,
    /// Nothing was found.
    Missing = 4,
    /// Out of memory, or an error of a program of `ketch q`.
    Failed = 5,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

/// The reason why a run, or the work on one file, ended early.
#[derive(Debug)]
pub enum Failure {
    /// The input is invalid.
    Input(Box<Diagnostic>),
    /// The arguments do not fit together.
    Usage(String),
    /// An argument is invalid. The diagnostic shows where in the argument.
    Argument(Box<Diagnostic>),
    /// Nothing was found.
    Missing(Box<Diagnostic>),
    /// A program of `ketch q` has failed. The diagnostic shows where.
    Program(Box<Diagnostic>),
    /// A file could not be read.
    Read(String, io::Error),
    /// A file could not be written.
    Write(String, io::Error),
    /// A file could not be read or written. The diagnostic has details.
    File(Box<Diagnostic>),
    /// A file was not replaced, because another process has changed it since it was read.
    Changed(Box<Diagnostic>),
    /// The program that reads the output has closed it, as `head` does. This is not an error.
    Closed,
}

impl Failure {
    /// Creates the failure for an error of writing to `file`.
    pub fn write(file: &str, error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Write(file.to_owned(), error),
        }
    }

    /// Creates the failure for `file`, which could not be replaced.
    pub fn replace(file: &str, error: ketch_files::Error) -> Failure {
        match error {
            ketch_files::Error::Io(error) => Failure::write(file, error),
            error @ ketch_files::Error::Changed => {
                Failure::Changed(Box::new(Diagnostic::not_replaced(file, &error)))
            }
            error => Failure::File(Box::new(Diagnostic::not_replaced(file, &error))),
        }
    }

    /// Removes the place in the text if the text was converted from another format, unless the reader
    /// of that format has found it.
    pub fn of_converted(mut self) -> Failure {
        if let Failure::Input(diagnostic) = &mut self
            && diagnostic.kind != KIND
        {
            diagnostic.location = None;
            diagnostic.related = None;
            // Edits do not change these formats.
            diagnostic.help.take_if(|help| help.contains("`ketch del`"));
        }
        self
    }

    /// Removes the place in the input from an error of a program.
    pub fn without_related(mut self) -> Failure {
        if let Failure::Program(diagnostic) | Failure::Missing(diagnostic) = &mut self {
            diagnostic.related = None;
        }
        self
    }

    /// Returns the exit status for this failure.
    pub fn status(&self) -> Status {
        match self {
            Failure::Input(_) => Status::WrongInput,
            Failure::Usage(_) | Failure::Argument(_) => Status::Usage,
            Failure::Missing(_) => Status::Missing,
            Failure::Program(_) => Status::Failed,
            Failure::Read(..) | Failure::Write(..) | Failure::File(_) | Failure::Changed(_) => {
                Status::Io
            }
            Failure::Closed => Status::Success,
        }
    }

    /// Returns the diagnostic for this failure, or `None` if it has none.
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        match self {
            Failure::Input(diagnostic)
            | Failure::Argument(diagnostic)
            | Failure::File(diagnostic)
            | Failure::Changed(diagnostic)
            | Failure::Missing(diagnostic)
            | Failure::Program(diagnostic) => Some(Diagnostic::clone(diagnostic)),
            Failure::Read(file, error) => Some(Diagnostic::io(file, "could not be read", error)),
            Failure::Write(file, error) => {
                Some(Diagnostic::io(file, "could not be written", error))
            }
            Failure::Usage(_) | Failure::Closed => None,
        }
    }
}
