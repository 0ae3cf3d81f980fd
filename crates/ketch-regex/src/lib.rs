//! Ruby's regular expressions on bytes, in linear time for most patterns.
#![forbid(unsafe_code)]

/// Includes the crate's README, so that its examples are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod automata;
mod blocks;
mod budget;
mod cost;
mod dense;
mod dialect;
mod engine;
mod error;
mod explain;
mod fold;
mod grok;
mod lazy;
mod lines;
mod machine;
mod mixed;
mod needs;
mod options;
mod plan;
mod problem;
mod program;
mod regex;
mod regular;
mod replace;
mod reverse;
mod scan;
mod set;
mod sets;
mod stream;
pub mod syntax;
#[cfg(test)]
mod tests;
mod text;
mod threads;
mod tree;
mod unicode;
mod varying;
mod witness;
mod words;

pub use dialect::{Dialect, Syntax};
pub use error::{Error, Result};
pub use explain::{Explanation, Explosion, Growth};
pub use grok::{Grok, GrokError, GrokFields, GrokPatterns, GrokType, GrokValue};
pub use lines::{LineError, LineOptions, Lines, Separator, lines};
pub use options::{Encoding, Interrupt, Limits, NESTING_MAX, Options};
pub use problem::{Class, Problem};
pub use regex::{Captures, Regex};
pub use replace::{Split, Template};
pub use scan::Scan;
pub use set::{Set, SetCaptures, SetError};
