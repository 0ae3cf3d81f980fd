//! Fast readers for the crate `ketch`. They are not part of the public interface and may change.
//!
//! The public way to walk through a document is [`Document::expanded`]. The readers here skip work
//! that most documents do not need. [`NodeSummaries`] reads a node with a single load,
//! [`SimpleWalk`] walks through documents without tags and aliases, [`Pull`] reads nodes without a
//! document, and [`expanded_sizes`] computes in advance how large nodes are with their aliases
//! expanded. [`counted_entries`] merges mappings, and counts what it visits.
//!
//! [`Document::expanded`]: crate::Document::expanded

pub use super::pieces::{PIECE_BYTES, in_pieces, next_start};
pub use super::pull::{Content, Keys, Next, Pull};
pub use super::simple::{SimpleStep, SimpleWalk};
pub use super::sizes::expanded_sizes;
pub use super::summary::{NodeSummaries, NodeSummary};
use super::view::Node;
use crate::Error;

/// The pairs of a mapping.
pub type Entries<'d> = Vec<(Node<'d>, Node<'d>)>;

/// Returns the pairs of `mapping` with merge keys applied, and the number of pairs of other mappings
/// that were visited.
///
/// # Errors
///
/// The same as those of [`Node::merged_entries`].
pub fn counted_entries(mapping: Node<'_>) -> Result<(Entries<'_>, u64), Error> {
    mapping.counted_entries()
}
