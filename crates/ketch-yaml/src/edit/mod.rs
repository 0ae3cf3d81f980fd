//! Editing text: changes one value, and leaves every other byte as it is.
//!
//! ```text
//! text ──▶ tree: nodes, spans, tokens ──▶ plan: patches and intended tokens ──▶ check ──▶ pieces
//!            lines: entries, comments       write: the style of new text
//! ```
//!
//! An operation finds its node, plans patches around it, applies them, parses the result, and
//! compares its meaning with the intended one. If they differ, the text stays as it was. The rules
//! are in `docs/editing.md`.

mod aliases;
mod anchored;
mod anchors;
mod carry;
mod collections;
mod error;
mod expand;
mod export;
mod foreign;
mod habits;
mod index;
mod interrupt;
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
