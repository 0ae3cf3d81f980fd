//! Errors for people, which say where the problem is, what was expected, and how to fix it.
//!
//! The engine finds a [`Problem`] where only offsets are known, and passes it on in a fault. An
//! [`Error`] adds what a person needs: the file, the line, the column, and the text of the line.

use crate::diagnose::{self, Advice};
use crate::fault::Fault;
use crate::location::{Excerpt, LineCounter, Location};
use crate::problem::{Class, Problem};
use std::borrow::Cow;
use std::fmt;
use std::io;

/// What went wrong, and where. It has the size of a pointer.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    problem: Problem,
    location: Location,
    /// The offset at which the parser has noticed the problem, which may be on a line below the
    /// location of the mistake.
    noticed_at: u64,
    related: Option<Location>,
    /// The diagnosis from the text around the error. If there is none, the problem's own message is
    /// used.
    advice: Option<Advice>,
    file: Option<String>,
    io: Option<io::Error>,
}

impl Error {
    /// Creates an error for `problem` at `location`. `related` is a second location that explains
    /// the error, if there is one.
    pub(crate) fn new(problem: Problem, location: Location, related: Option<Location>) -> Error {
        let noticed_at = location.offset;
        let (advice, file, io) = (None, None, None);
        Error(Box::new(Inner { problem, location, noticed_at, related, advice, file, io }))
    }

    /// Creates an error for `problem`, which a receiver has found at `location`.
    pub fn at(problem: Problem, location: Location) -> Error {
        Error::new(problem, location, None)
    }

    /// Adds `related`, a second location that explains the error.
    pub(crate) fn with_related(mut self, related: Location) -> Error {
        self.0.related = Some(related);
        self
    }

    /// Creates the error for a reader that failed with `error` at `location`.
    pub(crate) fn io(error: io::Error, location: Location) -> Error {
        let mut new = Error::new(Problem::Io, location, None);
        new.0.io = Some(error);
        new
    }

    /// Creates an error for `problem` in `len` bytes at `offset` of the complete text `text`, with
    /// the diagnosis that the parser would give.
    ///
    /// ```
    /// use ketch_yaml::{Error, Problem};
    ///
    /// let error = Error::in_text(Problem::Control(0), b"a: \0", 3, 1);
    /// assert_eq!((error.line(), error.column()), (1, 4));
    /// assert_eq!(error.message(), "a NUL byte (0x00) is not allowed in YAML");
    /// ```
    pub fn in_text(problem: Problem, text: &[u8], offset: u64, len: usize) -> Error {
        Error::from_fault(Fault { problem, at: offset, len, related: None }, text)
    }

    /// Turns `fault`, which is in the complete text `text`, into an error with its diagnosis.
    pub(crate) fn from_fault(fault: Fault, text: &[u8]) -> Error {
        Error::in_buffer(fault, text, 0, LineCounter::default())
    }

    /// Turns `fault`, which is in a stream, into an error with its diagnosis. `text` is the
    /// buffered part of the stream, from offset `base` on, and `passed` counts the lines before it.
    pub(crate) fn in_buffer(fault: Fault, text: &[u8], base: u64, passed: LineCounter) -> Error {
        let location = |at, len| passed.location(text, base, at, len);
        let advice = diagnose::diagnose(&fault, text, base, passed);
        let advised = advice.as_ref().and_then(|advice| advice.related.as_ref());
        let related = match advised {
            Some(related) => Some(location(related.at, related.len)),
            None => fault.related.map(|at| location(at, 1)),
        };
        let place = advice.as_ref().and_then(|advice| advice.place);
        let (at, len) = place.unwrap_or((fault.at, fault.len));
        let mut error = Error::new(fault.problem, location(at, len), related).with_advice(advice);
        error.0.noticed_at = fault.at;
        error
    }

    /// Adds the diagnosis `advice`, if there is one.
    pub(crate) fn with_advice(mut self, advice: Option<Advice>) -> Error {
        self.0.advice = advice;
        self
    }

    /// Sets the name of the file to `file`. [`Display`](fmt::Display) starts the message with it.
    pub fn with_file(mut self, file: impl Into<String>) -> Error {
        self.0.file = Some(file.into());
        self
    }

    /// Returns what is wrong.
    pub fn problem(&self) -> Problem {
        self.0.problem
    }

    /// Returns the location of the mistake. If the parser has noticed it only on a line below, that
    /// line is [`Error::related`].
    pub fn location(&self) -> &Location {
        &self.0.location
    }

    /// Returns a second location that explains the problem, if there is one. Show it with
    /// [`Error::related_label`].
    pub fn related(&self) -> Option<&Location> {
        self.0.related.as_ref()
    }

    /// Returns what is wrong, in words. If the text around the location suggests what the author got
    /// wrong, the message says that; otherwise it describes the problem.
    ///
    /// ```
    /// use ketch_yaml::Parser;
    ///
    /// let mut parser = Parser::new(b"host: a\nport:80\n");
    /// let error = loop {
    ///     match parser.next_chunk() {
    ///         Ok(chunk) => assert!(chunk.is_some()),
    ///         Err(error) => break error,
    ///     }
    /// };
    /// assert_eq!(error.message(), "a space is missing after the `:` of `port:80`");
    /// assert_eq!(error.help(), "Write `port: 80`.");
    /// ```
    pub fn message(&self) -> Cow<'_, str> {
        match &self.0.advice {
            Some(advice) => Cow::Borrowed(&advice.message),
            None => Cow::Owned(self.0.problem.to_string()),
        }
    }

    /// Returns how to fix the mistake.
    pub fn help(&self) -> &str {
        let advice = self.0.advice.as_ref().map(|advice| advice.help.as_str());
        advice.unwrap_or_else(|| self.0.problem.help())
    }

    /// Returns a short text to show at the location, if [`Error::message`] is too long for that.
    pub fn label(&self) -> Option<&str> {
        let label = self.0.advice.as_ref().map(|advice| advice.label.as_str());
        label.filter(|label| !label.is_empty())
    }

    /// Returns a short text to show at the second location, if there is one.
    pub fn related_label(&self) -> Option<&str> {
        self.0.related.as_ref()?;
        let related = self.0.advice.as_ref().and_then(|advice| advice.related.as_ref());
        related.map(|related| related.label.as_str()).or_else(|| self.0.problem.related())
    }

    /// Returns the name of the file, if it was set.
    pub fn file(&self) -> Option<&str> {
        self.0.file.as_deref()
    }

    /// Returns the line, counted from 1.
    pub fn line(&self) -> u64 {
        self.0.location.line
    }

    /// Returns the column, counted from 1 in Unicode scalar values.
    pub fn column(&self) -> u64 {
        self.0.location.column
    }

    /// Returns the offset, counted from 0 in bytes.
    pub fn offset(&self) -> u64 {
        self.0.location.offset
    }

    /// Returns the offset at which the parser has noticed the problem.
    pub(crate) fn noticed_at(&self) -> u64 {
        self.0.noticed_at
    }

    /// Returns the class of the problem.
    pub fn class(&self) -> Class {
        self.0.problem.class()
    }

    /// Returns the error of the reader, if [`Error::class`] is [`Class::Io`].
    pub fn io_error(&self) -> Option<&io::Error> {
        self.0.io.as_ref()
    }
}

impl fmt::Display for Error {
    /// Writes `file:line:column: message`, the line with a caret under the location, and the help.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { location, related, file, io, .. } = &*self.0;
        if let Some(file) = file {
            write!(f, "{file}:")?;
        }
        if let Some(error) = io {
            return write!(f, " could not be read: {error}");
        }
        write!(f, "{}:{}: {}", location.line, location.column, self.message())?;
        Excerpt(location).fmt(f)?;
        if let (Some(related), Some(words)) = (related, self.related_label()) {
            match related.line {
                0 => write!(f, "\n{words}, at byte {}", related.offset)?,
                line => write!(f, "\n{words}, line {line} column {}", related.column)?,
            }
            if !related.text.is_empty() {
                f.write_str(":")?;
            }
            Excerpt(related).fmt(f)?;
        }
        write!(f, "\n{}", self.help())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.io.as_ref().map(|error| error as _)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_as_large_as_a_pointer() {
        assert_eq!(size_of::<Error>(), size_of::<usize>());
    }
}
