//! Fast readers for the crate `ketch`. They are not part of the public interface and may change.
//!
//! The public way to walk through a document is [`Document::expanded`]. The readers here skip work
//! that most documents do not need. [`NodeSummaries`] reads a node with a single load,
//! [`SimpleWalk`] walks through documents without tags and aliases, [`Pull`] reads nodes without a
//! document, and [`expanded_sizes`] computes in advance how large nodes are with their aliases
//! expanded.
//!
//! [`Document::expanded`]: crate::Document::expanded

pub use super::pull::{Content, Keys, Next, Pull};
pub use super::simple::{SimpleStep, SimpleWalk};
pub use super::sizes::expanded_sizes;
pub use super::summary::{NodeSummaries, NodeSummary};
