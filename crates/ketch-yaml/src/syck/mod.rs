//! The dialect of Syck, a YAML library from 2003 for Ruby, Perl and PHP. The language that it reads
//! differs from all versions of YAML.
//!
//! If [`Options::dialect`] selects the dialect, every parser reads it, and yields the same kinds of
//! events as for YAML. [`Nodes`] passes the nodes of a text to a [`NodeHandler`], as Syck did.
//!
//! [`Options::dialect`]: crate::Options::dialect

mod handler;

pub use crate::syck_front::BAD_ALIAS_TAG;
pub use handler::{Content, Node, NodeHandler, NodeStyle, Nodes, NullHandler};
