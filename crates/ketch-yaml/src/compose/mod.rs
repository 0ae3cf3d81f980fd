//! Composing, which turns events into documents (YAML 1.2.2, section 3.1.2).
//!
//! [`Documents`] iterates over the documents of a slice, and uses a [`Composer`], which receives
//! events. A [`Document`] is a tree of [`Node`]s; [`Document::expanded`] walks it with aliases and
//! merge keys expanded.
//!
//! [`Document`]: crate::Document
//! [`Document::expanded`]: crate::Document::expanded
//! [`Documents`]: crate::Documents

mod build;
mod check;
mod compare;
pub(crate) mod composer;
mod digest;
pub(crate) mod document;
pub(crate) mod documents;
mod duplicates;
mod expand;
mod fingerprint;
mod follow;
#[doc(hidden)]
pub mod internal;
mod json;
mod json_keys;
mod json_number;
mod json_options;
mod json_stream;
mod json_text;
mod key;
mod lookup;
mod merge;
mod node;
pub(crate) mod options;
mod paths;
mod pieces;
mod pull;
mod select;
mod selection;
mod simple;
mod sizes;
mod summary;
mod trail;
mod tree;
mod view;

pub use check::Checker;
pub use composer::Composer;
pub(crate) use document::Document;
pub use documents::Source;
pub use expand::{ExpandOptions, Expanded, Role, Step, Visit};
pub use json::{JsonError, JsonWriter};
pub use json_options::{JsonOptions, NotInJson};
pub use json_stream::Streamed;
pub use lookup::Key;
pub use node::NodeId;
pub use paths::{Place, Places, places};
pub use select::Reached;
pub use selection::{Found, Selection, SelectionOptions};
pub use view::{Entries, Items, Kind, Node, Style};

#[cfg(test)]
mod tests;
