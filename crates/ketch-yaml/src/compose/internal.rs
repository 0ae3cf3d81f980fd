//! The fast readers for the crate `ketch`: no part of the public interface, and free to change.
//!
//! A document has one public way through it, [`Document::expanded`]. What `ketch` builds values and
//! types from skips the work that most documents do not need: [`NodeSummaries`] reads a node in one
//! look, [`SimpleWalk`] goes through documents without tags and aliases, and [`Pull`] reads nodes
//! before there is a document.
//!
//! [`Document::expanded`]: crate::Document::expanded

pub use super::pull::{Content, Keys, Next, Pull};
pub use super::simple::{SimpleStep, SimpleWalk};
pub use super::summary::{NodeSummaries, NodeSummary};
