//! The options of patterns, and the limits of searches.

use std::time::Duration;

use crate::dialect::{Dialect, Rule};
use crate::tree::{Charset, Flags};

/// The maximum nesting of groups and classes, and the maximum number of repeat operators on one item.
pub const NESTING_MAX: usize = 4096;

/// The encoding of the pattern and the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// UTF-8. Invalid bytes in the text match nothing.
    #[default]
    Utf8,
    /// Bytes, where each byte is a character.
    Binary,
}

/// The limits of a pattern and its searches.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The maximum size in bytes of a pattern compiled for one direction. Its text may not be
    /// longer, and the parsed pattern may take eight times as much. Default: 16 MiB.
    pub program_bytes: usize,
    /// The maximum number of steps of one search. A step is a byte that an automaton reads. An
    /// automaton that is in several states at a time takes a step for each. Default: unlimited.
    pub steps: u64,
    /// The maximum number of steps of one search for a pattern that is not linear (see
    /// [`Regex::not_linear`](crate::Regex::not_linear)). Default: 50,000,000.
    pub fuel: u64,
    /// The maximum number of bytes that one search allocates. Default: 64 MiB.
    pub memory_bytes: usize,
    /// The maximum time of one search, and of parsing and compiling a pattern or a set. Default:
    /// unlimited.
    pub time: Option<Duration>,
    /// Called after every 65,536 steps of a search. If it returns true, the search stops with
    /// [`Problem::Interrupted`](crate::Problem::Interrupted). Default: `None`.
    pub interrupt: Option<Interrupt>,
}

/// A function that returns whether to stop a search.
pub type Interrupt = fn() -> bool;

impl PartialEq for Limits {
    fn eq(&self, other: &Limits) -> bool {
        let of = |limits: &Limits| {
            let Limits { program_bytes, steps, fuel, memory_bytes, time, interrupt } = *limits;
            (
                program_bytes,
                steps,
                fuel,
                memory_bytes,
                time,
                interrupt.map(|function| function as usize),
            )
        };
        of(self) == of(other)
    }
}

impl Eq for Limits {}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            program_bytes: 16 << 20,
            steps: u64::MAX,
            fuel: 50_000_000,
            memory_bytes: 64 << 20,
            time: None,
            interrupt: None,
        }
    }
}

/// The options of a regular expression, with its dialect, its encoding and its limits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `i`: the case of letters is ignored.
    pub ignore_case: bool,
    /// Ruby's `m`: `.` matches line feeds. It does not change `^` and `$`.
    pub multi_line: bool,
    /// `x`: white space and comments are skipped.
    pub extended: bool,
    /// Plain groups capture even if there are named ones, and all of them have numbers.
    pub capture_group: bool,
    /// The longest match is found instead of the first. Among matches of equal length, this is the
    /// first one.
    pub find_longest: bool,
    /// Empty matches do not count, not even as a part of the pattern: `a??` matches an "a".
    pub find_not_empty: bool,
    /// The syntax.
    pub dialect: Dialect,
    /// The encoding of the pattern and the text.
    pub encoding: Encoding,
    /// The limits of the pattern and its searches.
    pub limits: Limits,
}

impl Options {
    /// Returns the flags that apply at the start of the pattern.
    pub(crate) fn flags(&self) -> Flags {
        Flags {
            ignore_case: self.ignore_case,
            dot_all: self.multi_line,
            extended: self.extended,
            single_line: self.dialect.syntax().has(Rule::SINGLE_LINE),
            charset: match self.dialect {
                Dialect::Ruby => Charset::Default,
                Dialect::Oniguruma(_) => Charset::Unicode,
            },
        }
    }
}
