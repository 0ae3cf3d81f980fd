//! How a pattern is read, and what a search may take.

use std::time::Duration;

use crate::syntax::tree::Flags;

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

/// What a pattern and its searches may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of a compiled pattern, one direction. Default: 16 MiB.
    pub program_bytes: usize,
    /// The most steps of one search: bytes read by an automaton, times the states it is in where it
    /// follows several. Default: none.
    pub steps: u64,
    /// The most steps of one search for a pattern that is not linear: see `Regex::linear`.
    /// Default: 50,000,000.
    pub fuel: u64,
    /// The most bytes that one search may allocate. Default: 64 MiB.
    pub memory_bytes: usize,
    /// The longest time of one search, and of compiling. Default: none.
    pub time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            program_bytes: 16 << 20,
            steps: u64::MAX,
            fuel: 50_000_000,
            memory_bytes: 64 << 20,
            time: None,
        }
    }
}

/// Ruby's options of a regular expression, its encoding and its limits.
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
    /// What searches may take.
    pub limits: Limits,
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
