//! Ruby's regular expressions: the syntax of MRI 3.4, with its messages.
#![forbid(unsafe_code)]

/// The examples of the crate's README are run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod error;
mod options;
mod problem;
pub mod syntax;
mod unicode;

pub use error::{Error, Result};
pub use options::{Encoding, NESTING_MAX, Options};
pub use problem::{Class, Problem};
