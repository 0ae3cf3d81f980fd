//! Changes values in YAML text, and leaves every other byte as it is: comments, blank lines, quotes,
//! indentation and the order of keys. Also formats YAML text.
//!
//! ```
//! use ketch_edit::{Action, Edit, Operation};
//!
//! let mut edit = Edit::open("web:\n  port: 80 # http\n")?;
//! edit.apply(&[Operation::at(Action::set("8080"), &"web.port".parse().unwrap())])?;
//! assert_eq!(edit.text(), "web:\n  port: 8080 # http\n");
//! # Ok::<(), ketch_edit::EditError>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | edit files, or set values of Rust types | the module `edit` of the crate `ketch` |
//! | change values in a text | [`Edit`], [`Operation`] |
//! | take operations as YAML or JSON, or from another language | [`Operation::parse_all`], [`Request`] |
//! | read values, comments and lines before an edit | [`Edit::look`], [`Look`] |
//! | show what has changed | [`Patch`], [`unified_diff`], [`patches_to_lsp`] |
//! | format YAML, keeping comments | [`mod@format`] |
//! | find out why an edit is refused | [`EditError`], [`EditErrorKind`] |
//!
//! An operation finds its node, plans patches around it, applies them, parses the result, and compares
//! its meaning with the intended one. If they differ, the text stays as it was. The rules are in
//! `docs/editing.md`.
//!
//! ```text
//! text ──▶ tree: nodes, spans, tokens ──▶ plan: patches and intended tokens ──▶ check ──▶ pieces
//!            lines: entries, comments       write: the style of new text
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::expect_used, clippy::unwrap_used))]

/// Runs the examples of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod aliases;
mod anchored;
mod anchors;
mod carry;
mod collections;
mod error;
mod expand;
mod export;
mod foreign;
pub mod format;
mod habits;
mod index;
mod json;
mod key_nodes;
mod keys;
mod lines;
mod lists;
mod locate;
mod near;
mod operation;
mod output;
mod pieces;
mod place;
mod plan;
mod read;
mod reconcile;
mod remark;
mod removal;
mod replace;
mod request;
mod run;
mod scene;
mod session;
mod shifted;
mod sort;
mod spans;
mod spread;
mod store;
mod style;
#[cfg(test)]
mod tests;
mod transfer;
mod tree;
mod typed;
#[cfg(test)]
mod typed_tests;
mod window;
mod write;

pub use error::{EditError, EditErrorKind};
pub use export::{patches_to_json, patches_to_lsp, unified_diff};
pub use operation::{
    Action, AliasMode, AnchorMode, CommentPlace, Destination, IfAbsent, Lists, NewValue, Operation,
    Position, Spelling, Style, Transfer,
};
pub use pieces::{Patch, apply_patches};
pub use read::{Comments, Look, Part};
pub use remark::Remark;
pub use request::{Field, FieldKind, Request};
pub use session::Edit;
pub use spans::{DocumentSpan, document_spans};
