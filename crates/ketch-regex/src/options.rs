//! How a pattern is read.

use crate::syntax::Flags;

/// The deepest nesting of groups and classes, and the most repeat operators on one item.
pub const NESTING_MAX: usize = 4096;

/// What the bytes of pattern and text are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// UTF-8. Invalid bytes in the text match nothing.
    #[default]
    Utf8,
    /// Bytes: each is a character.
    Binary,
}

/// Ruby's options of a regular expression, and its encoding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `i`: letters match in either case.
    pub ignore_case: bool,
    /// `m`: `.` matches line feeds. (`^` and `$` always work at lines.)
    pub multi_line: bool,
    /// `x`: blanks and comments are skipped.
    pub extended: bool,
    /// What the bytes are.
    pub encoding: Encoding,
}

impl Options {
    /// The options in force at the start of the pattern.
    pub(crate) fn flags(&self) -> Flags {
        Flags {
            ignore_case: self.ignore_case,
            dot_all: self.multi_line,
            extended: self.extended,
            ..Flags::default()
        }
    }
}
