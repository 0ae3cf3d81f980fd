//! Errors, which have a problem and its location in the pattern.

use std::fmt;

use crate::problem::{Class, Problem};
use crate::tree::Span;

/// The result of a fallible function of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error in a pattern or a search. It has the size of a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    problem: Problem,
    span: Span,
    pattern: String,
}

impl Error {
    /// Creates an error for a problem at a span of the pattern.
    #[cold]
    pub(crate) fn new(problem: Problem, span: Span, pattern: &str) -> Error {
        Error(Box::new(Inner { problem, span, pattern: pattern.to_string() }))
    }

    /// Creates an error for a problem of a whole pattern.
    #[cold]
    pub(crate) fn whole(problem: Problem, pattern: &str) -> Error {
        Error::new(problem, Span { start: 0, end: pattern.len() }, pattern)
    }

    /// Returns what is wrong.
    pub fn problem(&self) -> &Problem {
        &self.0.problem
    }

    /// Returns the pattern that is wrong or that was searched for.
    pub fn pattern(&self) -> &str {
        &self.0.pattern
    }

    /// Returns the class of the problem.
    pub fn class(&self) -> Class {
        self.0.problem.class()
    }

    /// Returns the location of the problem in the pattern, as offsets in bytes. For an error of a
    /// search, this is the whole pattern.
    pub fn span(&self) -> Span {
        self.0.span
    }

    /// Returns the column of the first character of the span in its line, in characters from 1.
    pub fn column(&self) -> usize {
        column(&self.0.pattern, self.0.span.start)
    }

    /// Returns the message in the form of Ruby's `RegexpError`.
    pub fn ruby_message(&self) -> String {
        format!("{}: /{}/", self.0.problem, self.0.pattern)
    }

    /// Returns the line of the pattern with carets under the span.
    ///
    /// ```
    /// let error = ketch_regex::syntax::parse("ab[z-a]", &Default::default()).unwrap_err();
    /// assert_eq!(error.caret(), "ab[z-a]\n   ^^^");
    /// ```
    pub fn caret(&self) -> String {
        let Inner { pattern, span, .. } = &*self.0;
        let start = pattern[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let end = pattern[span.start..].find('\n').map_or(pattern.len(), |at| span.start + at);
        let carets = pattern[span.start..span.end.clamp(span.start, end)].chars().count().max(1);
        let blanks: String = pattern[start..span.start]
            .chars()
            .map(|char| if char == '\t' { '\t' } else { ' ' })
            .collect();
        format!("{}\n{blanks}{}", &pattern[start..end], "^".repeat(carets))
    }
}

/// Returns the column of the character at `offset` in its line, in characters from 1.
pub(crate) fn column(pattern: &str, offset: usize) -> usize {
    pattern[..offset].chars().rev().take_while(|&char| char != '\n').count() + 1
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (column {})", self.0.problem, self.column())
    }
}

impl std::error::Error for Error {}
