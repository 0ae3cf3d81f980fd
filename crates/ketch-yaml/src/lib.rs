//! A YAML 1.2 engine, which reads YAML as events or documents, resolves scalars by a schema, and writes
//! YAML.
//!
//! ```
//! use ketch_yaml::Documents;
//!
//! let text = b"name: ketch\nmasts: [main, mizzen]\n";
//! let document = Documents::new(text).next().unwrap().unwrap();
//! assert_eq!(document.root().get("name").unwrap().text(), "ketch");
//! assert_eq!(document.at_path(["masts", "1"]).unwrap().text(), "mizzen");
//! ```
//!
//! | to | use |
//! |---|---|
//! | read Rust types or values | the crate `ketch` |
//! | look values up in a document | [`Documents`], [`Document`] |
//! | read events from a slice | [`Parser`] |
//! | read events from a reader, in bounded memory | [`ReadParser`] |
//! | find the problems in a stream, not only the first one | [`compose::Checker`] |
//! | find a value by its path | [`path::Path`], [`compose::Selection`] |
//! | read the dialect of Syck, or find values by a path in YPath | the crate `ketch-syck` |
//! | find the type and value of a plain scalar | [`schema`] |
//! | write events as YAML | [`present`] |
//! | format YAML, or change values, keeping comments | the crate `ketch-edit` |
//! | limit the memory and time for an input | [`Limits`] |
//! | print events as yaml-test-suite does | [`notation`] |
//!
//! Input may be UTF-8, UTF-16 or UTF-32. No function recurses on the depth of the input.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::expect_used, clippy::unwrap_used))]

/// Runs the examples of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod buffer;
pub mod compose;
mod diagnose;
mod dialect;
mod error;
mod event;
mod fault;
mod limits;
mod location;
pub mod notation;
mod parallel;
mod parse;
pub mod path;
pub mod present;
mod problem;
mod receiver;
pub mod represent;
pub mod scalar;
mod scan;
pub mod schema;
pub mod tag;

/// What the crates `ketch-edit`, `ketch-syck` and `ketch-cli` need. The first skips over events without
/// unpacking them, and scans blocks as the parser does; the second has a parser that packs events; the
/// third works by several threads. This module is not part of the public interface, and may change.
#[doc(hidden)]
pub mod internal {
    pub use crate::dialect::{Documents, Language};
    pub use crate::event::{FLAGS_SHIFT, INDENT_MAX, KIND_SHIFT, LEN_SHIFT, LONG_LEN_BITS};
    pub use crate::fault::Fault;
    pub use crate::limits::{IMPLICIT_KEY_BYTES, SCALAR_BYTES_CEILING};
    pub use crate::location::{LineCounter, line_end, line_start};
    pub use crate::parallel::in_order;
    pub use crate::scan::block::{Chomping, header};
    pub use crate::scan::class::is_blank;
}

pub use compose::composer::EventLines;
pub use compose::document::Document;
pub use compose::documents::Documents;
pub use compose::options::{ComposeOptions, DuplicateKeys, FloatKeys};
pub use dialect::Dialect;
pub use error::Error;
pub use event::{Chunk, Event, EventKind, Events, Flags};
pub use ketch_bytes::Level;
pub use limits::{Budget, Limit, Limits};
pub use location::{Location, is_masked, masked};
pub use parse::{Buffers, Options, Parser, ReadParser, Warning};
pub use problem::{Class, Problem};
pub use receiver::{Counter, Receiver};
