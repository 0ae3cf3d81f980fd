//! A YAML 1.2 engine, which reads YAML as events or documents, resolves scalars by a schema, and writes
//! and formats YAML.
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
//! | find values by a path in YPath, Syck's path language | [`ypath`] |
//! | find the type and value of a plain scalar | [`schema`] |
//! | write events as YAML | [`present`] |
//! | format YAML, keeping comments | [`mod@format`] |
//! | change values, keeping every other byte | the crate `ketch-edit` |
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
mod error;
mod event;
mod fault;
pub mod format;
mod limits;
mod location;
pub mod notation;
mod parse;
pub mod path;
pub mod present;
mod problem;
mod receiver;
pub mod represent;
pub mod scalar;
mod scan;
pub mod schema;
pub mod syck;
mod syck_front;
pub mod tag;
pub mod ypath;

/// How events are packed into words, for the crate `ketch-edit`, which skips over events without
/// unpacking them. This module is not part of the public interface, and the form may change.
#[doc(hidden)]
pub mod internal {
    pub use crate::event::KIND_SHIFT;
}

pub use compose::composer::EventLines;
pub use compose::document::Document;
pub use compose::documents::Documents;
pub use compose::options::{ComposeOptions, DuplicateKeys, FloatKeys};
pub use error::Error;
pub use event::{Chunk, Event, EventKind, Events, Flags};
pub use ketch_bytes::Level;
pub use limits::{Budget, Limit, Limits};
pub use location::{Location, is_masked, masked};
pub use parse::{Buffers, Dialect, Options, Parser, ReadParser, Warning};
pub use problem::{Class, Problem};
pub use receiver::{Counter, Receiver};
