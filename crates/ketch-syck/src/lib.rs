//! The dialect of Syck, a YAML library from 2003 for Ruby, Perl and PHP. The language that it reads
//! differs from all versions of YAML.
//!
//! ```
//! use ketch_yaml::{ComposeOptions, Documents, Options};
//!
//! let mut options = Options::default();
//! options.dialect = ketch_syck::DIALECT;
//! let mut documents = Documents::with_options(b"a: 1\n- b\n", &options, &ComposeOptions::default());
//! let document = documents.next().unwrap().unwrap();
//! assert_eq!(document.at_path(["a", "0"]).unwrap().text(), "b");
//! ```
//!
//! | to | use |
//! |---|---|
//! | read the dialect as events or documents | [`DIALECT`], with the parsers of the crate `ketch-yaml` |
//! | read its nodes in Syck's order | [`Nodes`], [`NodeHandler`] |
//! | write values and documents as Syck did | [`SyckEmitter`] |
//! | find values by a path in YPath, Syck's path language | [`ypath`] |
//!
//! `docs/syck.md` describes the language, and how the parser is compared with Yecht, Syck's port to
//! Java.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::expect_used, clippy::unwrap_used))]

/// Runs the examples of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod dialect;
mod document;
mod emitter;
mod handler;
#[cfg(test)]
mod tests;
pub mod ypath;

pub use dialect::{BAD_ALIAS_TAG, DIALECT};
pub use emitter::SyckEmitter;
pub use handler::{Content, Node, NodeHandler, NodeStyle, Nodes, NullHandler};
