//! Composing: events to a document (YAML 1.2.2, section 3.1.2).
//!
//! [`Documents`] gives the documents of a slice, [`Composer`] is the receiver of events behind it,
//! [`Document`] the tree, [`Node`] a node of it.

mod build;
mod check;
mod compare;
mod composer;
mod digest;
mod document;
mod documents;
mod duplicates;
mod expand;
mod fingerprint;
mod glance;
mod json;
mod json_keys;
mod json_number;
mod key;
mod lookup;
mod merge;
mod node;
mod options;
mod pull;
mod select;
mod selection;
mod simple;
mod tree;
mod view;

pub use check::Checker;
pub use composer::Composer;
pub use document::Document;
pub use documents::{Documents, Source};
pub use expand::{ExpandOptions, Expanded, Role, Step, Visit};
pub use glance::{Glance, Glances};
pub use json::{JsonError, JsonOptions, JsonWriter, NotInJson};
pub use lookup::Key;
pub use node::NodeId;
pub use options::{ComposeOptions, DuplicateKeys};
pub use pull::{Content, Keys, Next, Pull};
pub use select::Reached;
pub use selection::{Found, Selection, SelectionOptions};
pub use simple::{SimpleStep, SimpleWalk};
pub use view::{Entries, Items, Kind, Node, Style};

#[cfg(test)]
mod tests;
